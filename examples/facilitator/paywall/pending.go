package paywall

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// SettlementPending is the reason of a settlement that was sent, and that no sealed block was seen to hold in time.
// Settled again, the same payment tells how it ended.
const SettlementPending = "settlement_pending"

// ErrPending is returned for a transaction that was sent, and that no sealed block was seen to hold in time.
var ErrPending = errors.New("the transaction is in no block that was seen")

// pendingTime is how long a transaction is remembered that was sent and has no outcome yet.
const pendingTime = 5 * time.Minute

// Pending remembers transactions that were sent and have no outcome yet, by what they do. Safe for concurrent use.
type Pending interface {
	// Pending returns the transaction under a key whose time is not over, or nil.
	Pending(ctx context.Context, key common.Hash, now time.Time) (*types.Transaction, error)
	// SetPending sets the transaction under a key until a time. Nil deletes it.
	SetPending(ctx context.Context, key common.Hash, tx *types.Transaction, until time.Time) error
}

// key names what a settlement does: the call has the payer's signature in it.
func (s settlement) key() common.Hash { return crypto.Keccak256Hash(s.to[:], s.data) }

// underWay reports whether a settlement was sent and has no outcome yet. Then it must not be checked anew: the chain
// may hold it.
func (f *Facilitator) underWay(ctx context.Context, s settlement) (bool, error) {
	tx, err := f.pending.Pending(ctx, s.key(), time.Now())
	return tx != nil, err
}

// memory is Pending until the process ends.
type memory struct {
	mu  sync.Mutex
	all map[common.Hash]remembered
}

type remembered struct {
	tx    *types.Transaction
	until time.Time
}

func (m *memory) Pending(_ context.Context, key common.Hash, now time.Time) (*types.Transaction, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.all[key]; now.Before(r.until) {
		return r.tx, nil
	}
	return nil, nil
}

func (m *memory) SetPending(_ context.Context, key common.Hash, tx *types.Transaction, until time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if delete(m.all, key); tx != nil {
		m.all[key] = remembered{tx, until}
	}
	return nil
}
