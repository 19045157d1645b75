package pool

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// ErrNoBlobs is returned for a blob transaction without blobs, in geth's words.
var ErrNoBlobs = errors.New("blobless blob transaction")

const (
	// maxTransactionSize in bytes, blobs not counted, as geth's pool has it.
	maxTransactionSize = 128 * 1024
	// maxBlobTransactionSize in bytes, as geth's pool has it.
	maxBlobTransactionSize = 1024*1024 + maxTransactionSize
	// maxTransactionGas bounds how long a transaction runs before Osaka, which has a lower bound: a few seconds, during
	// which writers wait. The block's gas limit may be set to anything.
	maxTransactionGas = 1 << 30
)

// ErrAuthorizations is returned for a transaction with more delegations than Behaviour.MaxAuthorizations.
var ErrAuthorizations = errors.New("too many authorizations")

// Check returns a transaction as the pool has it, or why no pool of chain c takes it while the block with the header
// next is built. It makes all checks that need no state. Errors: ErrNoBlobs, and go-ethereum's own, so that their
// wording is what its nodes answer (txpool.ErrAlreadyKnown, core.ErrGasLimitTooHigh …), wrapped with the figures.
func Check(tx *types.Transaction, signer types.Signer, c *chain.Chain, next *types.Header, b Behaviour) (*Entry, error) {
	tx, err := withCellProofs(tx)
	if err != nil {
		return nil, err
	}
	switch n, most := len(tx.SetCodeAuthorizations()), b.MaxAuthorizations; {
	case most > 0 && tx.Type() == types.SetCodeTxType && n == 0:
		return nil, core.ErrEmptyAuthList
	case most > 0 && n > most:
		return nil, fmt.Errorf("%w: %d, the limit is %d", ErrAuthorizations, n, most)
	}
	rules, size := c.Config(), uint64(maxTransactionSize)
	if tx.To() == nil {
		if rules, err = c.CodeLimit.CheckInit(rules, next.Number, next.Time, uint64(len(tx.Data()))); err != nil {
			return nil, err
		}
		if rules != c.Config() {
			size += tx.Size() // the limit of init code alone decides
		}
	}
	if c.TxGasLimit != 0 {
		withoutLimit := *rules
		withoutLimit.OsakaTime = nil // for nothing but the limit, which has a check of its own
		rules = &withoutLimit
	}
	options := &txpool.ValidationOptions{
		Config: rules,
		Accept: 1<<types.LegacyTxType | 1<<types.AccessListTxType | 1<<types.DynamicFeeTxType |
			1<<types.BlobTxType | 1<<types.SetCodeTxType,
		MaxSize:      size,
		MaxBlobCount: min(params.BlobTxMaxBlobs, eip4844.MaxBlobsPerBlock(c.Config(), next.Time)),
		MinTip:       new(big.Int),
	}
	if b.AnySize {
		options.MaxSize = math.MaxUint64
	}
	if tx.Type() == types.BlobTxType {
		options.MaxSize = maxBlobTransactionSize
	}
	if c.Optimism != nil || b.NoBlobs {
		options.Accept &^= 1 << types.BlobTxType
	}
	if err := txpool.ValidateTransaction(tx, next, signer, options); err != nil {
		return nil, err
	}
	if tx.Type() == types.BlobTxType && len(tx.BlobHashes()) == 0 {
		return nil, ErrNoBlobs
	}
	if err := cmp.Or(c.TxGasLimit.Check(c.Config(), next, tx.Gas()), CheckGas(tx)); err != nil {
		return nil, err
	}
	if sidecar := tx.BlobTxSidecar(); sidecar != nil {
		if err := kzg4844.VerifyCellProofs(sidecar.Blobs, sidecar.Commitments, sidecar.Proofs); err != nil {
			return nil, fmt.Errorf("%w: %v", txpool.ErrKZGVerificationError, err)
		}
	}
	from, err := types.Sender(signer, tx)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", txpool.ErrInvalidSender, err)
	}
	return &Entry{Tx: tx, From: from}, nil
}

// CheckGas rejects a transaction that could run for too long.
func CheckGas(tx *types.Transaction) error {
	if tx.Gas() > maxTransactionGas {
		return fmt.Errorf("%w (cap: %d, tx: %d)", core.ErrGasLimitTooHigh, maxTransactionGas, tx.Gas())
	}
	return nil
}

// withCellProofs returns tx with the sidecar version of Osaka, which the pool keeps whatever the chain's rules, as geth
// does.
func withCellProofs(tx *types.Transaction) (*types.Transaction, error) {
	sidecar := tx.BlobTxSidecar()
	if sidecar == nil || sidecar.Version != types.BlobSidecarVersion0 {
		return tx, nil
	}
	for i := range sidecar.Blobs {
		if i >= len(sidecar.Commitments) || i >= len(sidecar.Proofs) {
			return nil, fmt.Errorf("%w: %d blobs, %d commitments, %d proofs", txpool.ErrSidecarFormatError,
				len(sidecar.Blobs), len(sidecar.Commitments), len(sidecar.Proofs))
		}
		if err := kzg4844.VerifyBlobProof(&sidecar.Blobs[i], sidecar.Commitments[i], sidecar.Proofs[i]); err != nil {
			return nil, fmt.Errorf("%w: %v", txpool.ErrKZGVerificationError, err)
		}
	}
	converted := sidecar.Copy()
	if err := converted.ToV1(); err != nil {
		return nil, fmt.Errorf("%w: %v", txpool.ErrKZGVerificationError, err)
	}
	return tx.WithBlobTxSidecar(converted), nil
}

// Admits returns why the state or the pool rejects e, whose Levy is set, or nil, under a base fee in wei per gas, nil
// before London. Errors, with the figures: txpool.ErrTxGasPriceTooLow, txpool.ErrAlreadyKnown,
// txpool.ErrReplaceUnderpriced, core.ErrNonceTooLow, core.ErrInsufficientFunds and core.ErrFeeCapTooLow.
func (p Pool) Admits(e *Entry, state *evmstate.State, baseFee *big.Int, b Behaviour) error {
	nonce := e.Tx.Nonce()
	if b.RequireTip && baseFee != nil && baseFee.Sign() > 0 && e.Tx.GasTipCap().Sign() == 0 {
		return fmt.Errorf("%w: gas tip cap 0, minimum needed 1", txpool.ErrTxGasPriceTooLow)
	}
	if p.Get(e.Tx.Hash()) != nil {
		return txpool.ErrAlreadyKnown
	}
	if next := state.Nonce(e.From); nonce < next {
		return fmt.Errorf("%w: next nonce %d, tx nonce %d", core.ErrNonceTooLow, next, nonce)
	}
	if b.RejectBelowBaseFee && baseFee != nil && e.Tx.GasFeeCap().Cmp(baseFee) < 0 {
		return fmt.Errorf("%w: fee cap %v, base fee %v", core.ErrFeeCapTooLow, e.Tx.GasFeeCap(), baseFee)
	}
	balance, cost := state.Balance(e.From).ToBig(), e.Cost()
	if balance.Cmp(cost) < 0 {
		return fmt.Errorf("%w: balance %v, tx cost %v, overshot %v", core.ErrInsufficientFunds, balance, cost, new(big.Int).Sub(cost, balance))
	}
	queued := p.Cost(e.From)
	if old := p.At(e.From, nonce); old != nil {
		if !Outbids(e.Tx, old.Tx, b.FeeCapBumpOnly) {
			return txpool.ErrReplaceUnderpriced
		}
		queued.Sub(queued, old.Cost())
	}
	if need := new(big.Int).Add(queued, cost); balance.Cmp(need) < 0 {
		return fmt.Errorf("%w: balance %v, queued cost %v, tx cost %v, overshot %v", core.ErrInsufficientFunds, balance, queued, cost, need.Sub(need, balance))
	}
	return nil
}

// Outbids reports whether tx pays enough more than old to replace it: 10 % more in every fee that counts, or with
// anyBump any higher fee cap.
func Outbids(tx, old *types.Transaction, anyBump bool) bool {
	if anyBump {
		return tx.GasFeeCapCmp(old) > 0
	}
	if old.Type() == types.BlobTxType && (tx.Type() != types.BlobTxType || !bumped(tx.BlobGasFeeCap(), old.BlobGasFeeCap())) {
		return false
	}
	return bumped(tx.GasFeeCap(), old.GasFeeCap()) && bumped(tx.GasTipCap(), old.GasTipCap())
}

// priceBump is by how much, in per cent, a replacement must pay more.
const priceBump = 10

func bumped(fee, than *big.Int) bool {
	least := new(big.Int).Mul(than, big.NewInt(100+priceBump))
	return fee.Cmp(than) > 0 && fee.Cmp(least.Div(least, big.NewInt(100))) >= 0
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
	return errors.As(err, new(*remote.Error))
}
