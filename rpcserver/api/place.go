package api

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

// Place is where a transaction is, for an answer.
type Place struct {
	Where preconf.Where `json:"where"`
	// Reason reports why a pooled transaction cannot be in the next flashblock, or why a transaction was dropped or
	// orphaned.
	Reason string `json:"reason,omitempty"`
	// BlockHash is absent where the transaction is in no block that has a hash.
	BlockHash *common.Hash `json:"blockHash,omitempty"`
}

// PlaceOf returns a place as it is answered.
func PlaceOf(p preconf.Place) Place {
	place := Place{Where: p.Where}
	if p.Reason != nil {
		place.Reason = p.Reason.Error()
	}
	if p.View != nil && !p.View.Pending() {
		place.BlockHash = new(p.View.Hash())
	}
	return place
}
