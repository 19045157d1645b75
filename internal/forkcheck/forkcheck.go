// Package forkcheck shows what a transaction does under two hard forks, and names the assumptions of code and clients
// that the second one breaks.
package forkcheck

import (
	"cmp"
	"context"
	"reflect"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/artifacts"
)

// Transaction is a transaction under two hard forks, each on the state that it had in its block. It encodes to the JSON
// of fakenode_compareForks.
type Transaction struct {
	Hash     common.Hash     `json:"hash"` // zero for a call
	Block    uint64          `json:"block"`
	Index    int             `json:"index"`
	From     common.Address  `json:"from"`
	To       *common.Address `json:"to"` // nil: a creation
	GasLimit uint64          `json:"gasLimit"`
	Differs  []string        `json:"differs"`  // of status, gas and logs
	Outcomes [2]Outcome      `json:"outcomes"` // in the order of the forks
	// Findings are the assumptions that no longer hold, not nil. Where the gas limit was estimated under the first fork
	// and is too low under the second, they are of the transaction with a sufficient one: its client estimates again.
	Findings []Finding `json:"findings"`
}

// Outcome is the result of a transaction under one hard fork. Gas is in gas.
type Outcome struct {
	Status       string  `json:"status"` // success, failed, or rejected: it cannot be in a block
	Reason       string  `json:"reason,omitempty"`
	GasUsed      uint64  `json:"gasUsed"`
	ExecutionGas *uint64 `json:"executionGas,omitempty"` // before refunds, from amsterdam on
	StateGas     *uint64 `json:"stateGas,omitempty"`
	GasNeeded    uint64  `json:"gasNeeded,omitempty"` // the smallest sufficient limit; 0: its own suffices, or none does
	Logs         []Log   `json:"logs"`
}

// Log is a log without its place in a block.
type Log struct {
	Address common.Address `json:"address"`
	Topics  []common.Hash  `json:"topics"`
	Data    hexutil.Bytes  `json:"data"`
}

// Under returns a chain under the rules of two hard forks (chain.Under).
func Under(c *chain.Chain, forks [2]string, stateByteGas uint64) (both [2]*chain.Chain, err error) {
	for side, fork := range forks {
		if both[side], err = c.Under(fork, stateByteGas); err != nil {
			return both, err
		}
	}
	return both, nil
}

// Compare compares transactions of a block, as trace.Compare does with the same errors, with the names of known, which
// may be nil.
func Compare(ctx context.Context, c *chain.Chain, in trace.Executed, index int, both [2]*chain.Chain, known *artifacts.Set) ([]Transaction, error) {
	list, err := trace.Compare(ctx, c, in, index, both)
	all := make([]Transaction, len(list))
	for i := range list {
		compared, tx := &list[i], in.Transaction(list[i].Index)
		all[i] = Transaction{Hash: tx.Hash(), Block: in.Header().Number.Uint64(), Index: compared.Index, From: in.Sender(compared.Index), To: tx.To(), GasLimit: tx.Gas()}
		all[i].compare(&compared.Outcomes, compared.Adapted, known)
	}
	return all, err
}

// CompareCall compares a call on a View in the same way. The error is ctx's.
func CompareCall(
	ctx context.Context, v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides, both [2]*chain.Chain, known *artifacts.Set,
) (t Transaction, err error) {
	t = Transaction{Block: v.Header.Number.Uint64(), From: *cmp.Or(call.From, new(common.Address)), To: call.To, GasLimit: *cmp.Or(call.Gas, new(uint64))}
	var outcomes [2]trace.Outcome
	for side := range both {
		v.Chain = both[side]
		tree, rejected := trace.TreeCall(ctx, v, call, so, bo, 0)
		if ctx.Err() != nil {
			return t, context.Cause(ctx)
		}
		outcomes[side].Rejected = rejected
		if rejected == nil {
			outcomes[side] = trace.Outcome{Failed: tree.Root.Err, GasUsed: tree.GasUsed, Root: tree.Root}
			t.GasLimit = tree.Intrinsic + tree.Root.Given
		}
	}
	t.compare(&outcomes, nil, known)
	return t, nil
}

// compare sets what differs, with the findings, which are of adapted in place of the second outcome unless it is nil.
func (t *Transaction) compare(outcomes *[2]trace.Outcome, adapted *trace.Outcome, known *artifacts.Set) {
	t.Differs, t.Findings = []string{}, []Finding{}
	for side := range outcomes {
		t.Outcomes[side] = outcomeOf(&outcomes[side])
	}
	before, after := &t.Outcomes[0], &t.Outcomes[1]
	for n, same := range []bool{before.Status == after.Status, before.GasUsed == after.GasUsed, reflect.DeepEqual(before.Logs, after.Logs)} {
		if !same {
			t.Differs = append(t.Differs, []string{"status", "gas", "logs"}[n])
		}
	}
	t.find(&outcomes[0], cmp.Or(adapted, &outcomes[1]), known)
}

func outcomeOf(o *trace.Outcome) Outcome {
	shown := Outcome{Status: "success", GasUsed: o.GasUsed, GasNeeded: o.Needed, Logs: []Log{}}
	switch {
	case o.Rejected != nil:
		shown.Status, shown.Reason = "rejected", o.Rejected.Error()
	case o.Failed != nil:
		shown.Status, shown.Reason = "failed", o.Failed.Error()
	}
	if o.Gas != nil {
		shown.ExecutionGas, shown.StateGas = &o.Gas.Execution, &o.Gas.State
	}
	for _, l := range o.Logs {
		shown.Logs = append(shown.Logs, Log{l.Address, l.Topics, l.Data})
	}
	return shown
}
