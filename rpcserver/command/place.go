package command

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// placeObject is the answer to fakenode_transaction.
type placeObject struct {
	Where preconf.Where `json:"where"`
	// Reason reports why a pooled transaction cannot be in the next flashblock, or why a transaction was dropped or
	// orphaned.
	Reason string `json:"reason,omitempty"`
	// BlockHash is absent where the transaction is in no block that has a hash.
	BlockHash *common.Hash `json:"blockHash,omitempty"`
}

// TransactionPlace serves fakenode_transaction: where a transaction is, and why it is not further.
func TransactionPlace(r *api.Request, hash common.Hash) (any, error) {
	place := r.Moment().Place(hash)
	object := placeObject{Where: place.Where}
	if place.Reason != nil {
		object.Reason = place.Reason.Error()
	}
	if place.View != nil && !place.View.Pending() {
		object.BlockHash = new(place.View.Hash())
	}
	return object, nil
}
