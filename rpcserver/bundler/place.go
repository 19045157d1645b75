package bundler

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// placeObject is the answer to fakenode_operation: where an operation is, why it is not further, and what struck it.
type placeObject struct {
	Where           preconf.Where `json:"where"`
	Reason          string        `json:"reason,omitempty"`
	TransactionHash *common.Hash  `json:"transactionHash,omitempty"` // of the bundle
	BlockHash       *common.Hash  `json:"blockHash,omitempty"`       // absent where the bundle is in no block that has a hash
	Fault           FaultKind     `json:"fault,omitempty"`
}

// OperationPlace serves fakenode_operation.
func OperationPlace(r *api.Request, hash common.Hash) (any, error) {
	if err := on(r); err != nil {
		return nil, err
	}
	m := r.Moment()
	object := placeObject{Where: preconf.Unknown}
	known := bookOf(m)
	fault := known.of(hash)
	in, err := lookUp(m, hash)
	switch {
	case err != nil:
		return nil, err
	case in != nil:
		object.at(m, in.event.TxHash)
	default:
		if o := waitingAs(r, hash); o != nil {
			object.at(m, o.bundle.Hash())
		} else if fault != nil {
			object.lost(m, fault)
		}
	}
	if fault != nil {
		object.Fault = fault.Kind
	}
	return object, nil
}

// at makes the place that of a bundle.
func (o *placeObject) at(m *preconf.Moment, bundle common.Hash) {
	place := m.Place(bundle)
	o.Where, o.TransactionHash = place.Where, &bundle
	if place.Reason != nil {
		o.Reason = place.Reason.Error()
	}
	if place.View != nil && !place.View.Pending() {
		o.BlockHash = new(place.View.Hash())
	}
}

// lost makes the place that of an operation that a fault struck and that is neither executed nor in the pool.
func (o *placeObject) lost(m *preconf.Moment, fault *struck) {
	if fault.Bundle != (common.Hash{}) {
		o.at(m, fault.Bundle)
		if fault.Kind == RevertBundle && (o.Where == preconf.Preconfirmed || o.Where == preconf.Sealed) {
			o.Where, o.Reason = preconf.Dropped, "its bundle reverted, because another operation in it failed its validation"
		}
		return
	}
	o.Where = preconf.Dropped
	switch {
	case fault.lies(m):
		o.Reason = fmt.Sprintf("it was never sent: the bundler lies about it until block %d", fault.Until)
	case fault.Kind == Lie:
		o.Reason = "it was never sent: the bundler lied about it"
	default:
		o.Reason = "the bundler has forgotten it"
	}
}
