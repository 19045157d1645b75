package preconf

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Errors of Send, SendAs and SendUnsigned. They are go-ethereum's own, so their wording is what its nodes answer; use
// errors.Is.
var (
	ErrAlreadyKnown       = txpool.ErrAlreadyKnown
	ErrReplaceUnderpriced = txpool.ErrReplaceUnderpriced
	ErrInvalidSender      = txpool.ErrInvalidSender
	ErrInvalidChainID     = types.ErrInvalidChainId
	ErrExceedsBlockGas    = txpool.ErrGasLimit
	ErrGasLimitTooHigh    = core.ErrGasLimitTooHigh // EIP-7825, and before Osaka over 2^30
	ErrNegativeValue      = txpool.ErrNegativeValue
	ErrOversizedData      = txpool.ErrOversizedData
	ErrNonceTooLow        = core.ErrNonceTooLow
	ErrNonceMax           = core.ErrNonceMax
	ErrInsufficientFunds  = core.ErrInsufficientFunds
	ErrIntrinsicGas       = core.ErrIntrinsicGas
	ErrFloorDataGas       = core.ErrFloorDataGas
	ErrTipAboveFeeCap     = core.ErrTipAboveFeeCap
	ErrTypeNotSupported   = core.ErrTxTypeNotSupported
	ErrBlobProofs         = txpool.ErrKZGVerificationError
	ErrTooManyBlobs       = txpool.ErrTxBlobLimitExceeded
	// ErrNoBlobs is returned for a blob transaction without blobs, in geth's words.
	ErrNoBlobs = errors.New("blobless blob transaction")
	// ErrDropped wraps the reason why a transaction was removed from the pool or the pending block.
	ErrDropped = errors.New("transaction was dropped")
	// ErrPoolCleared is the reason of DropTransaction, DropTransactionsOf and ClearPool.
	ErrPoolCleared = pool.ErrCleared
)

const (
	// maxTransactionSize in bytes, blobs not counted, as geth's pool has it.
	maxTransactionSize = 128 * 1024
	// maxBlobTransactionSize in bytes, as geth's pool has it.
	maxBlobTransactionSize = 1024*1024 + maxTransactionSize
	// maxTransactionGas bounds how long a transaction runs before Osaka, which has a lower bound: a few seconds, during
	// which writers wait. The block's gas limit may be set to anything.
	maxTransactionGas = 1 << 30
)

// Send takes a signed transaction into the pool, by the rules of the block being built; in Instant mode it is sealed
// when Send returns. A transaction waits in the pool while its nonce is not next, it does not fit into the block or its
// fee cap is below the base fee. It replaces one of the same sender and nonce when it pays 10 % more in both fees.
// Errors: those above, wrapped with the figures.
func (t *Timeline) Send(tx *types.Transaction) error {
	e, err := t.checked(tx, t.Moment().Signer())
	if err != nil {
		return err
	}
	return t.change(func(c *change) error { return c.enqueue(e) })
}

// checked returns tx as the pool has it, after all checks that need no turn.
func (t *Timeline) checked(tx *types.Transaction, signer types.Signer) (*pool.Entry, error) {
	tx, err := withCellProofs(tx)
	if err != nil {
		return nil, err
	}
	m := t.Moment()
	next := m.nextHeader()
	rules, size := m.chain.Config(), uint64(maxTransactionSize)
	if tx.To() == nil {
		if rules, err = m.chain.CodeLimit().CheckInit(rules, next.Number, next.Time, uint64(len(tx.Data()))); err != nil {
			return nil, err
		}
		if rules != m.chain.Config() {
			size += tx.Size() // the limit of init code alone decides
		}
	}
	if m.chain.TxGasLimit() != 0 {
		withoutLimit := *rules
		withoutLimit.OsakaTime = nil // for nothing but the limit, which has a check of its own
		rules = &withoutLimit
	}
	options := &txpool.ValidationOptions{
		Config: rules,
		Accept: 1<<types.LegacyTxType | 1<<types.AccessListTxType | 1<<types.DynamicFeeTxType |
			1<<types.BlobTxType | 1<<types.SetCodeTxType,
		MaxSize:      size,
		MaxBlobCount: min(params.BlobTxMaxBlobs, eip4844.MaxBlobsPerBlock(m.chain.Config(), next.Time)),
		MinTip:       new(big.Int),
	}
	if tx.Type() == types.BlobTxType {
		options.MaxSize = maxBlobTransactionSize
	}
	if m.chain.Optimism() != nil {
		options.Accept &^= 1 << types.BlobTxType
	}
	if err := txpool.ValidateTransaction(tx, next, signer, options); err != nil {
		return nil, err
	}
	if tx.Type() == types.BlobTxType && len(tx.BlobHashes()) == 0 {
		return nil, ErrNoBlobs
	}
	if err := cmp.Or(m.chain.TxGasLimit().Check(m.chain.Config(), next, tx.Gas()), checkGas(tx)); err != nil {
		return nil, err
	}
	if sidecar := tx.BlobTxSidecar(); sidecar != nil {
		if err := kzg4844.VerifyCellProofs(sidecar.Blobs, sidecar.Commitments, sidecar.Proofs); err != nil {
			return nil, fmt.Errorf("%w: %v", ErrBlobProofs, err)
		}
	}
	from, err := types.Sender(signer, tx)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrInvalidSender, err)
	}
	if err := m.fetchFor(tx, from); err != nil {
		return nil, err
	}
	return &pool.Entry{Tx: tx, From: from}, nil
}

// checkGas rejects a transaction that could run for too long.
func checkGas(tx *types.Transaction) error {
	if tx.Gas() > maxTransactionGas {
		return fmt.Errorf("%w (cap: %d, tx: %d)", ErrGasLimitTooHigh, maxTransactionGas, tx.Gas())
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
			return nil, fmt.Errorf("%w: %v", ErrBlobProofs, err)
		}
	}
	converted := sidecar.Copy()
	if err := converted.ToV1(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBlobProofs, err)
	}
	return tx.WithBlobTxSidecar(converted), nil
}

// enqueue puts e into the pool, unless the newest state forbids it.
func (c *change) enqueue(e *pool.Entry) error {
	if err := c.acceptable(e); err != nil {
		return err
	}
	c.pool.Arrived++
	e.Arrival = c.pool.Arrived
	c.pooled(e)
	c.emit(&Event{Kind: TransactionPooled, Transaction: e.Tx, Sender: e.From})
	if c.control.Settings.Mode != control.Instant {
		return nil
	}
	if err := c.sealReady(); err != nil {
		return err
	}
	if reason := c.dropped.Reason(e.Tx.Hash()); reason != nil && !errors.Is(reason, ErrGone) { // faults are silent
		return reason
	}
	return nil
}

// sealReady seals each ready transaction in a block of its own.
func (c *change) sealReady() error {
	for c.pool.Len() > 0 {
		s, err := c.opened()
		if err != nil {
			return err
		}
		b, err := c.fill(s.draft, 1)
		if err != nil {
			return err
		}
		if len(b.Entries) == 0 {
			return nil
		}
		if _, err := c.close(s, b); err != nil {
			return err
		}
		c.publish()
	}
	return nil
}

// acceptable returns why the newest state or the pool rejects e, or nil.
func (c *change) acceptable(e *pool.Entry) error {
	hash, nonce := e.Tx.Hash(), e.Tx.Nonce()
	if c.pool.Get(hash) != nil {
		return ErrAlreadyKnown
	}
	for _, s := range c.pendingSlices() {
		if _, ok := s.positions.Get(hash); ok {
			return ErrAlreadyKnown
		}
	}
	state := c.newest()
	if err := state.Load(e.From); err != nil {
		return err
	}
	if next := state.Nonce(e.From); nonce < next {
		return fmt.Errorf("%w: next nonce %d, tx nonce %d", ErrNonceTooLow, next, nonce)
	}
	var err error
	if e.Levy, err = c.chain.MostLevied(e.Tx, state); err != nil {
		return err
	}
	balance, cost := state.Balance(e.From).ToBig(), e.Cost()
	if balance.Cmp(cost) < 0 {
		return fmt.Errorf("%w: balance %v, tx cost %v, overshot %v", ErrInsufficientFunds, balance, cost, new(big.Int).Sub(cost, balance))
	}
	queued := c.pool.Cost(e.From)
	if old := c.pool.At(e.From, nonce); old != nil {
		if !pool.Outbids(e.Tx, old.Tx, c.cfg.AnyBump) {
			return ErrReplaceUnderpriced
		}
		queued.Sub(queued, old.Cost())
	}
	if need := new(big.Int).Add(queued, cost); balance.Cmp(need) < 0 {
		return fmt.Errorf("%w: balance %v, queued cost %v, tx cost %v, overshot %v", ErrInsufficientFunds, balance, queued, cost, need.Sub(need, balance))
	}
	return nil
}
