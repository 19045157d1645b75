package pool

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// NonceGapError is the reason of a pooled transaction that waits for one with a lower nonce.
type NonceGapError struct {
	Nonce   uint64 // of the transaction
	Missing uint64 // the sender's lowest nonce that no transaction has
}

func (e *NonceGapError) Error() string {
	return fmt.Sprintf("its nonce is %d, and no transaction has nonce %d", e.Nonce, e.Missing)
}

// FeeCapError is the reason of a pooled transaction that does not pay the base fee of the block being built.
type FeeCapError struct {
	FeeCap, BaseFee *big.Int // in wei per gas
}

func (e *FeeCapError) Error() string {
	return fmt.Sprintf("its fee cap of %s wei is below the base fee of %s wei", e.FeeCap, e.BaseFee)
}

// RoomError is the reason of a pooled transaction with a gas limit above what is left of the block being built.
type RoomError struct {
	Gas, Left uint64
}

func (e *RoomError) Error() string {
	return fmt.Sprintf("its gas limit is %d, and the block has %d left", e.Gas, e.Left)
}

// Fits returns the reason why a block with that header, and so much gas left, cannot hold tx: *FeeCapError, *RoomError
// or nil.
func Fits(tx *types.Transaction, h *types.Header, left uint64) error {
	if h.BaseFee != nil && tx.GasFeeCapIntCmp(h.BaseFee) < 0 {
		return &FeeCapError{FeeCap: tx.GasFeeCap(), BaseFee: new(big.Int).Set(h.BaseFee)}
	}
	if tx.Gas() > left {
		return &RoomError{Gas: tx.Gas(), Left: left}
	}
	return nil
}

// Waits reports whether a transaction that failed with err may still succeed in a later block.
func Waits(err error) bool {
	return Unavailable(err) || slices.ContainsFunc([]error{
		core.ErrGasLimitReached, chain.ErrBlobGasLimitReached, core.ErrBlockOversized,
		core.ErrFeeCapTooLow, core.ErrBlobFeeCapTooLow, core.ErrNonceTooHigh,
	}, func(e error) bool { return errors.Is(err, e) })
}

// Unavailable reports whether a block or transaction failed for what could not be had of a fork's remote chain.
func Unavailable(err error) bool {
	var failed *remote.Error
	return errors.As(err, &failed)
}
