package api

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

// Place is the place of a transaction in an answer.
type Place struct {
	Where preconf.Where `json:"where"`
	// Reason reports why a pooled transaction cannot be in the next flashblock, or why a transaction was dropped or
	// orphaned.
	Reason string `json:"reason,omitempty"`
	// BlockHash is absent unless the transaction is in a block that has a hash.
	BlockHash *common.Hash `json:"blockHash,omitempty"`
}

// PlaceOf returns a place for an answer.
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
