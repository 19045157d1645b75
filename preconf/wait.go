package preconf

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// WaitReceipt is Wait, but returns the receipt alone.
func (t *Timeline) WaitReceipt(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	found, err := t.Wait(ctx, hash)
	return found.Receipt, err
}

// Wait waits until the transaction is pre-confirmed or sealed. It does not wait for writers. Errors: ErrDropped with
// the reason when it was removed from the pool or the pending block meanwhile, and ctx.Err().
func (t *Timeline) Wait(ctx context.Context, hash common.Hash) (Found, error) {
	t.pace.watch()
	defer t.pace.unwatch()
	for {
		now := t.present.Load()
		found := now.moment.find(hash)
		if found.Executed() {
			return found, nil
		}
		if found.Reason != nil {
			return Found{}, fmt.Errorf("%w: %w", ErrDropped, found.Reason)
		}
		select {
		case <-now.replaced:
		case <-ctx.Done():
			return Found{}, ctx.Err()
		}
	}
}
