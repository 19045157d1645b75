package preconf

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// WaitReceipt is Wait, but returns the receipt alone.
func (t *Timeline) WaitReceipt(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	l, err := t.Wait(ctx, hash)
	return l.Receipt, err
}

// Wait waits until the transaction is pre-confirmed or sealed. It does not wait for writers. Errors: ErrDropped with
// the reason when it was removed from the pool or the pending block meanwhile, and ctx.Err().
func (t *Timeline) Wait(ctx context.Context, hash common.Hash) (TxLookup, error) {
	t.pace.watch()
	defer t.pace.unwatch()
	for {
		now := t.present.Load()
		if l, ok := now.moment.Receipt(hash); ok {
			return l, nil
		}
		if reason := now.moment.DropReason(hash); reason != nil {
			return TxLookup{}, fmt.Errorf("%w: %w", ErrDropped, reason)
		}
		select {
		case <-now.replaced:
		case <-ctx.Done():
			return TxLookup{}, ctx.Err()
		}
	}
}
