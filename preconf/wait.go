package preconf

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// WaitReceipt is Wait for the receipt alone.
func (t *Timeline) WaitReceipt(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	l, err := t.Wait(ctx, hash)
	return l.Receipt, err
}

// Wait waits until the transaction is pre-confirmed or sealed. Errors:
// ErrDropped with the reason when it was removed from the pool meanwhile, and
// ctx.Err().
func (t *Timeline) Wait(ctx context.Context, hash common.Hash) (TxLookup, error) {
	feed := t.Subscribe()
	defer func() { feed.Close() }()
	for {
		m := t.Moment()
		if l, ok := m.Receipt(hash); ok {
			return l, nil
		}
		if reason := m.DropReason(hash); reason != nil {
			return TxLookup{}, fmt.Errorf("%w: %w", ErrDropped, reason)
		}
		switch _, err := feed.Next(ctx); {
		case errors.Is(err, ErrSlow):
			// What was missed does not matter: the Moment tells.
			feed.Close()
			feed = t.Subscribe()
		case err != nil:
			return TxLookup{}, err
		}
	}
}
