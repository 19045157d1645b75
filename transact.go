package fakenode

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
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

// Transact signs a transaction of an account whose key is known, puts it into the pool (in Instant mode: into a block)
// and returns its hash. The nonce follows those in the pool, the gas price is twice the base fee. If Gas is estimated,
// a call that would revert is an error with its reason, and nothing is sent. Send takes a transaction that is signed.
func (n *Network) Transact(from Account, tx Tx) (common.Hash, error) {
	sent, err := tx.send(n.Timeline(), from)
	if err != nil {
		return common.Hash{}, fmt.Errorf("transaction of %s: %w", from.Address, err)
	}
	return sent.Hash(), nil
}

// Deploy creates a contract in one transaction of an account, sealed when it returns, and returns its address. code is
// the init code; the arguments of the constructor are encoded by their Go types: common.Address as address, common.Hash
// as bytes32, bool, string, []byte as bytes, and *big.Int, *uint256.Int, int and uint64 as an integer of any width. On
// an error, which holds the revert reason, nothing changed.
func (n *Network) Deploy(from Account, code []byte, arguments ...any) (common.Address, error) {
	encoded, err := encodeArguments(arguments)
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy: %w", err)
	}
	receipt, err := n.transact(from, Tx{Data: append(append([]byte(nil), code...), encoded...)})
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy: %w", err)
	}
	return receipt.ContractAddress, nil
}

// send signs tx with the next nonce and puts it into the pool.
func (tx Tx) send(timeline *preconf.Timeline, from Account) (*types.Transaction, error) {
	return timeline.SendAs(from.Address, nil, func(nonce uint64) (*types.Transaction, error) {
		return tx.sign(timeline.Moment(), from, nonce)
	})
}

// sign fills in what tx leaves open, by the block being built, and signs it.
func (tx Tx) sign(moment *preconf.Moment, from Account, nonce uint64) (*types.Transaction, error) {
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

func (tx Tx) gas(moment *preconf.Moment, from Account) (uint64, error) {
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
	return max(needed, min(needed+needed/4, view.Chain.TxGasLimit().Gas(view.Chain.Config().Rules(view.Header.Number, true, view.Header.Time)), view.Header.GasLimit)), nil
}

// transact signs a transaction, puts it into a block and returns its receipt. A transaction that fails, or does not get
// into the block, is an error, and everything is as before. Armed faults wait for other transactions.
func (n *Network) transact(from Account, tx Tx) (receipt *types.Receipt, err error) {
	err = n.Timeline().Atomically(func(own *preconf.Timeline) error {
		return own.Undisturbed(func() error {
			receipt, err = sealTransaction(own, from, tx)
			return err
		})
	})
	return receipt, err
}

func sealTransaction(timeline *preconf.Timeline, from Account, tx Tx) (*types.Receipt, error) {
	signed, err := tx.send(timeline, from)
	if err != nil {
		return nil, err
	}
	if timeline.Moment().Mode() != Instant {
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
	if err := failure(found); err != nil {
		return nil, fmt.Errorf("transaction %s of %s failed: %w", signed.Hash(), from.Address, err)
	}
	return found.Receipt, nil
}
