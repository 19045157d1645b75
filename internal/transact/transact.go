// Package transact sends transactions of accounts whose keys are known, and explains why one failed.
package transact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/contracts"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Tx describes a transaction of Transact. The sender's nonce and the fees are filled in.
type Tx struct {
	// To is the account called. Nil: the transaction creates a contract from Data.
	To *common.Address
	// Value is the amount that To receives, in wei. Nil: 0.
	Value *uint256.Int
	// Data is the call data, or the init code of a contract.
	Data []byte
	// Gas is the gas limit. Zero: an estimate on pre-confirmed state, with a quarter added because that state may change
	// before the transaction executes.
	Gas uint64
}

// Send signs tx with the next nonce and puts it into the pool.
func (tx Tx) Send(timeline *preconf.Timeline, from fixtures.Account) (*types.Transaction, error) {
	return timeline.SendAs(from.Address, nil, func(nonce uint64) (*types.Transaction, error) {
		return tx.sign(timeline.Moment(), from, nonce)
	})
}

// sign fills in what tx leaves open, by the block being built, and signs it.
func (tx Tx) sign(moment *preconf.Moment, from fixtures.Account, nonce uint64) (*types.Transaction, error) {
	if from.Key == nil {
		return nil, fmt.Errorf("account %s has no key", from.Address)
	}
	gas, err := tx.gas(moment, from)
	if err != nil {
		return nil, err
	}
	price, value := new(big.Int), new(big.Int)
	if baseFee := moment.Pending().Header().BaseFee; baseFee != nil { // nil before London
		price.Mul(baseFee, big.NewInt(2))
	}
	if tx.Value != nil {
		value = tx.Value.ToBig()
	}
	return types.SignNewTx(from.Key, moment.Signer(), &types.LegacyTx{
		Nonce: nonce, GasPrice: price, Gas: gas, To: tx.To, Value: value, Data: tx.Data,
	})
}

func (tx Tx) gas(moment *preconf.Moment, from fixtures.Account) (uint64, error) {
	if tx.Gas != 0 {
		return tx.Gas, nil
	}
	view, err := moment.Pending().CallView()
	if err != nil {
		return 0, err
	}
	call := simulate.Call{From: &from.Address, To: tx.To, Value: tx.Value, Data: tx.Data}
	needed, err := simulate.EstimateGas(context.Background(), view, call, nil, nil, simulate.Limits{})
	if err != nil {
		return 0, named(err)
	}
	return max(needed, min(needed+needed/4, view.Chain.TxGasLimit.Gas(view.Chain.Config().Rules(view.Header.Number, true, view.Header.Time)), view.Header.GasLimit)), nil
}

// Seal signs a transaction, puts it into a block and returns its receipt. A transaction that fails, or does not get
// into the block, is an error, and everything is as before. Armed faults wait for other transactions.
func (tx Tx) Seal(timeline *preconf.Timeline, from fixtures.Account) (receipt *types.Receipt, err error) {
	err = timeline.Atomically(func(own *preconf.Timeline) error {
		return own.WithoutFaults(func() error {
			receipt, err = tx.seal(own, from)
			return err
		})
	})
	return receipt, err
}

func (tx Tx) seal(timeline *preconf.Timeline, from fixtures.Account) (*types.Receipt, error) {
	signed, err := tx.Send(timeline, from)
	if err != nil {
		return nil, err
	}
	if timeline.Moment().Mode() != control.Instant {
		if _, err := timeline.Seal(1); err != nil {
			return nil, err
		}
	}
	moment := timeline.Moment()
	found, err := moment.Find(signed.Hash())
	switch {
	case err != nil:
		return nil, err
	case found.Reason != nil:
		return nil, fmt.Errorf("transaction %s of %s was dropped: %w", signed.Hash(), from.Address, found.Reason)
	case !found.Executed():
		return nil, fmt.Errorf("transaction %s of %s did not get into block %d: no gas left there for its %d",
			signed.Hash(), from.Address, moment.Latest().Number(), signed.Gas())
	}
	if err := Failure(found); err != nil {
		return nil, fmt.Errorf("transaction %s of %s failed: %w", signed.Hash(), from.Address, err)
	}
	return found.Receipt, nil
}

// Failure returns nil for a transaction that succeeded, else the error with which its execution fails where it stands
// in its block: an *evmstate.RevertError, or one of go-ethereum's package vm.
func Failure(found preconf.Found) error {
	if found.Receipt.Status == types.ReceiptStatusSuccessful {
		return nil
	}
	failure, err := trace.Failure(context.Background(), found.View.Chain(), found.View, found.Index)
	return cmp.Or(err, named(failure))
}

// named returns an error of a call. If it reverted with an error that one of fakenode's own contracts declares, it says
// so from now on: clients of live chains are not told these names, tests are.
func named(err error) error {
	if revert, ok := errors.AsType[*evmstate.RevertError](err); ok && revert.Reason() == "" {
		revert.Declared = contracts.Names.Error(revert.Data)
	}
	return err
}
