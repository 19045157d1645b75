package preconf

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf/pool"
)

// Where names the place of a transaction.
type Where string

const (
	// Unknown means that the node has never seen the transaction, or has forgotten it.
	Unknown Where = "unknown"
	// Pooled means that the transaction was accepted and is not executed yet.
	Pooled Where = "pool"
	// Preconfirmed means that the transaction is in the pending block.
	Preconfirmed Where = "preconfirmed"
	// Sealed means that the transaction is in a block of the chain.
	Sealed Where = "sealed"
	// Orphaned means that a block that was removed from the chain held the transaction, and that it is nowhere else.
	Orphaned Where = "orphaned"
	// Dropped means that the transaction was removed from the pool or the pending block.
	Dropped Where = "dropped"
)

// Place is where a transaction is, and why it is not further.
type Place struct {
	Where Where
	// Reason reports why a pooled transaction cannot be in the next flashblock (*NonceGapError, *FeeCapError, *RoomError,
	// *HeldError),
	// why a transaction was dropped or lost by a reorg (ErrReorged), or why nobody knows (*remote.Error). Nil: there is
	// nothing in its way, or no reason known.
	Reason error
	// View is the block that holds the transaction, removed from the chain if Orphaned. Nil: none does.
	View *View
}

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

// Place returns where a transaction is. On a fork whose other chain does not answer, that is Unknown, and Reason is the
// *remote.Error.
func (m *Moment) Place(hash common.Hash) Place {
	found, err := m.Find(hash)
	switch {
	case err != nil:
		return Place{Where: Unknown, Reason: err}
	case found.Where == Pooled:
		return Place{Where: Pooled, Reason: m.inTheWay(found)}
	}
	return Place{Where: found.Where, Reason: found.Reason, View: found.View}
}

// inTheWay returns the reason why the next flashblock cannot hold a pooled transaction, or nil.
func (m *Moment) inTheWay(pooled Found) error {
	nonce := pooled.Transaction.Nonce()
	if missing := m.PoolNonce(pooled.Sender); missing < nonce {
		return &NonceGapError{Nonce: nonce, Missing: missing}
	}
	for n := m.newest().Nonce(pooled.Sender); n < nonce; n++ {
		before := m.pool.At(pooled.Sender, n)
		if before == nil {
			continue // an authorization takes this nonce
		}
		if reason := m.excludes(before); reason != nil {
			return fmt.Errorf("it follows %s of the same sender: %w", before.Tx.Hash(), reason)
		}
	}
	return m.excludes(m.pool.At(pooled.Sender, nonce))
}

// excludes returns the reason why the block being built cannot hold e, or nil.
func (m *Moment) excludes(e *pool.Entry) error {
	tx := e.Tx
	if reason := m.hold(e); reason != nil {
		return reason
	}
	header := m.nextHeader()
	if header.BaseFee != nil && tx.GasFeeCapIntCmp(header.BaseFee) < 0 {
		return &FeeCapError{FeeCap: tx.GasFeeCap(), BaseFee: new(big.Int).Set(header.BaseFee)}
	}
	left := header.GasLimit
	if m.tip != nil {
		left -= m.tip.draft.GasUsed()
	}
	if tx.Gas() > left {
		return &RoomError{Gas: tx.Gas(), Left: left}
	}
	return nil
}
