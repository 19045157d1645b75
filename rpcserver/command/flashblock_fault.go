package command

import (
	"errors"
	"math"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// flashblockFaultParams is a fault of flashblocks as fakenode_flashblockFault takes it.
type flashblockFaultParams struct {
	api.ControlObject
	Kind         control.FaultKind `json:"kind"`
	Count        *api.Number       `json:"count"`
	Transactions string            `json:"transactions"` // "requeue" (default) or "gone"
	Hashes       []common.Hash     `json:"hashes"`
	Retract      bool              `json:"retract"`
}

func (flashblockFaultParams) Wanted() string {
	return "{kind, count?, transactions?, hashes?, retract?}"
}

// faultObject reports the effect of a fault of flashblocks.
type faultObject struct {
	// Transactions are no longer pre-confirmed.
	Transactions []common.Hash `json:"transactions"`
	// Flashblocks were taken back or announced again.
	Flashblocks int `json:"flashblocks"`
	// Armed: the fault takes effect later.
	Armed bool `json:"armed"`
}

func FlashblockFault(r *api.Request, p flashblockFaultParams) (any, error) {
	if p.Transactions != "" && p.Transactions != "requeue" && p.Transactions != "gone" {
		return nil, api.InvalidParams(`transactions of the fault: have %q, want "requeue" or "gone"`, api.Excerpt(p.Transactions))
	}
	fault := control.FlashblockFault{Kind: p.Kind, Gone: p.Transactions == "gone", Hashes: p.Hashes, Retract: p.Retract}
	if p.Count != nil {
		if *p.Count == 0 {
			return nil, api.InvalidParams("count of the fault: have 0, want 1 or more")
		}
		fault.Count = int(min(*p.Count, math.MaxInt))
	}
	result, err := r.Network.Timeline.FlashblockFault(fault)
	if errors.Is(err, preconf.ErrNoFlashblock) {
		return nil, api.Refused(err)
	}
	if err != nil {
		return nil, r.BadInput(err)
	}
	return faultObject{shape.OrEmpty(result.Transactions), result.Flashblocks, result.Armed}, nil
}
