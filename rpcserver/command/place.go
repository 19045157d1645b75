package command

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// placeObject is the answer to fakenode_transaction.
type placeObject struct {
	api.Place
	meaningObject
	// Note explains an outcome that depends on the token's variant.
	Note string `json:"note,omitempty"`
}

// meaningObject describes a transaction by the names of its contracts.
type meaningObject struct {
	Contract string        `json:"contract,omitempty"` // the contract that it calls
	Call     string        `json:"call,omitempty"`
	Events   []eventObject `json:"events,omitempty"`
}

// eventObject is a log by name.
type eventObject struct {
	LogIndex uint64 `json:"logIndex"`
	Contract string `json:"contract,omitempty"`
	Text     string `json:"text"`
}

// maxEvents is the number of a transaction's logs that are looked at.
const maxEvents = 100

// TransactionPlace serves fakenode_transaction: place, reason, meaning, and a note about the token.
func TransactionPlace(r *api.Request, hash common.Hash) (any, error) {
	object := placeObject{Place: api.PlaceOf(r.Moment().Place(hash))}
	if found, err := r.Moment().Find(hash); err == nil && found.Transaction != nil {
		object.meaningObject = meaning(r, found)
		if found.Receipt != nil {
			object.Note = paytoken.Explain(r.Ctx, found.View, found.Index)
		}
	}
	return object, nil
}

// meaning returns the meaning of a transaction, on the state of its block, or the newest if it is in none.
func meaning(r *api.Request, found preconf.Found) (object meaningObject) {
	known, v := r.Network.Artifacts, found.View
	if v == nil {
		v = r.Moment().Pending()
	}
	state, err := v.State()
	if err != nil {
		return object // the state is no longer kept
	}
	if to := found.Transaction.To(); to != nil && len(state.Code(*to)) > 0 {
		contract := known.At(state, *to)
		object.Contract, object.Call = nameOf(contract), known.Call(contract, found.Transaction.Data())
	}
	if found.Receipt == nil {
		return object
	}
	for _, log := range found.Receipt.Logs[:min(len(found.Receipt.Logs), maxEvents)] {
		contract := known.At(state, log.Address)
		if text := known.Event(contract, log); text != "" {
			object.Events = append(object.Events, eventObject{uint64(log.Index), nameOf(contract), text})
		}
	}
	return object
}

func nameOf(contract *artifacts.Artifact) string {
	if contract == nil {
		return ""
	}
	return contract.Name
}
