package userop

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

// Place is the place of an operation: its stage, the reason why it is not further, and the fault that struck it.
type Place struct {
	// Where is the stage of its bundle, or Dropped if the bundle reverted. Unknown: nobody has sent it, or it was lost
	// with a pre-confirmation before a block held it.
	Where preconf.Where
	// Reason is the reason why it is not further, as in preconf.Place. Nil: nothing is in its way, or the reason is
	// unknown.
	Reason error
	// Bundle is the transaction that holds it, or held it last. Zero: none is known.
	Bundle common.Hash
	// View is the block that holds the bundle, removed from the chain if Where is preconf.Orphaned. Nil: none does.
	View *preconf.View
	// Fault is the kind of the fault that struck it. Empty: none.
	Fault FaultKind
}

// PlaceOf returns the place of an operation. On a fork it does not look below the fork block.
func PlaceOf(m *preconf.Moment, operation common.Hash) Place {
	fault := struckOf(m, operation)
	p := placeOf(m, operation, fault)
	if fault != nil {
		p.Fault = fault.Kind
	}
	return p
}

func placeOf(m *preconf.Moment, operation common.Hash, fault *struck) Place {
	in, err := LookUp(m, operation)
	if err != nil {
		return Place{Where: preconf.Unknown, Reason: err}
	}
	if in != nil {
		return placeAt(m, in.Event.TxHash)
	}
	if o := WaitingAs(m, operation); o != nil {
		return placeAt(m, o.Bundle.Hash())
	}
	if fault != nil {
		return lost(m, fault)
	}
	if bundle, ok := orphaned(m, operation); ok {
		return placeAt(m, bundle)
	}
	return Place{Where: preconf.Unknown}
}

// placeAt returns the place of a bundle.
func placeAt(m *preconf.Moment, bundle common.Hash) Place {
	p := m.Place(bundle)
	return Place{Where: p.Where, Reason: p.Reason, View: p.View, Bundle: bundle}
}

// lost returns the place of an operation that a fault struck and that is neither executed nor in the pool.
func lost(m *preconf.Moment, fault *struck) Place {
	switch {
	case fault.Bundle != (common.Hash{}):
		p := placeAt(m, fault.Bundle)
		if fault.Kind == RevertBundle && (p.Where == preconf.Preconfirmed || p.Where == preconf.Sealed) {
			p.Where, p.Reason = preconf.Dropped, errBundleReverted
		}
		return p
	case fault.lies(m):
		return Place{Where: preconf.Dropped, Reason: fmt.Errorf("it was never sent: the bundler lies about it until block %d", fault.Until)}
	case fault.Kind == Lie:
		return Place{Where: preconf.Dropped, Reason: errLied}
	}
	return Place{Where: preconf.Dropped, Reason: errForgotten}
}

// Reasons of operations that faults struck.
var (
	errBundleReverted = errors.New("its bundle reverted, because another operation in it failed its validation")
	errLied           = errors.New("it was never sent: the bundler lied about it")
	errForgotten      = errors.New("the bundler has forgotten it")
)

// orphaned returns the bundle with an operation in the highest block with one that a reorg removed.
func orphaned(m *preconf.Moment, operation common.Hash) (bundle common.Hash, ok bool) {
	for _, block := range slices.Backward(m.Chain().Orphans()) {
		for _, l := range block.Logs() {
			if _, known := at(l.Address); known && len(l.Topics) > 1 && l.Topics[0] == operationEvent && l.Topics[1] == operation {
				return l.TxHash, true
			}
		}
	}
	return common.Hash{}, false
}
