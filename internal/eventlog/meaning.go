package eventlog

import (
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
)

// meaning returns the artifacts' names for transaction i of a block: the contract that it calls or creates, the call,
// and the events.
func (w *Writer) meaning(v *preconf.View, i int) (attributes []any) {
	state, err := v.State()
	if err != nil {
		return nil
	}
	tx, receipt := v.Transaction(i), v.Receipts()[i]
	to := tx.To()
	if to == nil {
		to = &receipt.ContractAddress
	}
	if target, delegated := types.ParseDelegation(state.Code(*to)); delegated {
		attributes = append(attributes, "delegate", target)
	}
	contract := w.known.At(state, *to)
	if contract != nil {
		attributes = append(attributes, "contract", contract.Name)
	}
	if call := w.known.Call(contract, tx.Data()); call != "" && tx.To() != nil && len(state.Code(*to)) > 0 {
		attributes = append(attributes, "call", shortened(call))
	}
	if events := w.events(state, receipt.Logs); len(events) > 0 {
		attributes = append(attributes, "events", events)
	}
	return attributes
}

// maxEvents is the number of events of a transaction that are logged.
const maxEvents = 100

func (w *Writer) events(state *evmstate.State, logs []*types.Log) (events []string) {
	for _, log := range logs[:min(len(logs), maxEvents)] {
		if event := w.known.Event(w.known.At(state, log.Address), log); event != "" {
			events = append(events, shortened(event))
		}
	}
	return events
}
