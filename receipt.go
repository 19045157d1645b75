package fakenode

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/internal/transact"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/userop"
)

// NoReceiptError is the error of Receipt: the transaction is in no block, and not pre-confirmed.
type NoReceiptError struct {
	Transaction common.Hash
	Place       Place
	// Err is ctx.Err() if the wait ended with the context. Nil: there was no wait, because nothing would have changed.
	Err error
}

func (e *NoReceiptError) Error() string {
	said := fmt.Sprintf("transaction %s is ", e.Transaction)
	switch e.Place.Where {
	case Pooled:
		said += "in the pool"
	case Orphaned:
		said += "in no block any more: a reorg removed the one it was in"
	default:
		said += string(e.Place.Where)
	}
	if e.Place.Reason != nil {
		said += ": " + e.Place.Reason.Error()
	}
	switch {
	case e.Err != nil:
		said += "; gave up waiting: " + e.Err.Error()
	case e.Place.Where == Pooled:
		said += "; nothing moves until Preconfirm, Seal or Advance"
	}
	return said
}

// Unwrap makes errors.Is and errors.As find the reason, the end of the context, and preconf.ErrDropped.
func (e *NoReceiptError) Unwrap() []error {
	var dropped error
	if e.Place.Where == Dropped {
		dropped = preconf.ErrDropped
	}
	return slices.DeleteFunc([]error{dropped, e.Place.Reason, e.Err}, func(err error) bool { return err == nil })
}

// Place returns where a transaction is: unknown, in the pool, pre-confirmed, sealed, orphaned or dropped, and why.
func (n *Network) Place(transaction common.Hash) Place {
	return n.Timeline().Moment().Place(transaction)
}

// Operation returns where a user operation is, by its hash: as Place of its bundle, with the fault that struck it. An
// operation that was lost with a pre-confirmation is Unknown.
func (n *Network) Operation(hash common.Hash) OperationPlace {
	return userop.PlaceOf(n.Timeline().Moment(), hash)
}

// executed finds a pre-confirmed or sealed transaction. The error is a *NoReceiptError.
func executed(m *preconf.Moment, transaction common.Hash) (preconf.Found, error) {
	found, err := m.Find(transaction)
	switch {
	case err != nil:
		return found, &NoReceiptError{Transaction: transaction, Place: Place{Where: Unknown, Reason: err}}
	case !found.Executed():
		return found, &NoReceiptError{Transaction: transaction, Place: m.Place(transaction)}
	}
	return found, nil
}

// Receipt returns the receipt of a transaction: pre-confirmed with the zero block hash, or sealed. While Run drives the
// clock it waits until there is one, the transaction is dropped or ctx ends. Otherwise nothing moves by itself, and it
// returns at once. The error is a *NoReceiptError.
func (n *Network) Receipt(ctx context.Context, transaction common.Hash) (*types.Receipt, error) {
	found, err := executed(n.Timeline().Moment(), transaction)
	if err == nil {
		return found.Receipt, nil
	}
	if n.node.host.running.Load() == 0 || errors.As(err, new(*remote.Error)) {
		return nil, err
	}
	found, err = n.Timeline().Waiter().Wait(ctx, transaction)
	if err == nil {
		return found.Receipt, nil
	}
	return nil, &NoReceiptError{Transaction: transaction, Place: n.Place(transaction), Err: ctx.Err()}
}

// RevertReason returns why a sealed or pre-confirmed transaction failed, as text: the message of a require, what a
// Panic means, an error that a contract of Config.Artifacts or one of fakenode's own declares, such as
// "TooMuch(have: 5, want: 7)", the bytes of another error in hex, or the EVM's error, such as "out of gas". It is empty
// for a transaction that succeeded. The error is a *NoReceiptError for a transaction that is in no block.
func (n *Network) RevertReason(transaction common.Hash) (string, error) {
	found, err := executed(n.Timeline().Moment(), transaction)
	if err != nil {
		return "", err
	}
	failed := transact.Failure(found)
	var revert *evmstate.RevertError
	switch {
	case failed == nil:
		return "", nil
	case !errors.As(failed, &revert):
		return failed.Error(), nil
	case revert.Reason() != "":
		return revert.Reason(), nil
	case len(revert.Data) > 0:
		return hexutil.Encode(revert.Data), nil
	}
	return "execution reverted", nil
}
