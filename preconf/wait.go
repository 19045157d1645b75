package preconf

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// ErrDropped wraps the reason why a transaction was removed from the pool or the pending block.
var ErrDropped = errors.New("transaction was dropped")

// WaitReceipt is Wait, but returns the receipt alone.
func (t *Timeline) WaitReceipt(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	found, err := t.Wait(ctx, hash)
	return found.Receipt, err
}

// Wait is Waiter.Wait from now on.
func (t *Timeline) Wait(ctx context.Context, hash common.Hash) (Found, error) {
	return t.Waiter().Wait(ctx, hash)
}

// Waiter waits for transactions from the state of a Timeline at which it was made, state by state: it finds the same
// however late it is asked. It is safe for concurrent use.
type Waiter struct {
	timeline *Timeline
	from     *present
}

// Waiter returns a Waiter from now on.
func (t *Timeline) Waiter() Waiter { return Waiter{t, t.present.Load()} }

// Wait waits until the transaction is pre-confirmed or sealed, and returns where it was first. It does not wait for
// writers. Errors: ErrDropped with the reason when it was removed from the pool or the pending block meanwhile, and
// ctx.Err().
func (w Waiter) Wait(ctx context.Context, hash common.Hash) (Found, error) {
	w.timeline.pace.watch()
	defer w.timeline.pace.unwatch()
	for now := w.from; ; now = now.next {
		found := now.moment.find(hash)
		if found.Executed() {
			return found, nil
		}
		if found.Reason != nil {
			return Found{}, fmt.Errorf("%w: %w", ErrDropped, found.Reason)
		}
		select {
		case <-now.replaced.Done():
		case <-ctx.Done():
			return Found{}, ctx.Err()
		}
	}
}
