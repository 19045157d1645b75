package preconf

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// ErrDropped wraps the reason why a transaction was removed from the pool or the pending block.
var ErrDropped = errors.New("transaction was dropped")

// Waiter waits for transactions from the state of a Timeline at which it was made, state by state: it finds the same
// however late it is asked. It is safe for concurrent use.
type Waiter struct {
	timeline *Timeline
	from     *present
}

// Waiter returns a Waiter from now on.
func (t *Timeline) Waiter() Waiter { return Waiter{t, t.present.Load()} }

// Wait waits until the transaction is at one of the places, pre-confirmed or sealed without any, and returns where it
// was first. It does not wait for writers. Errors: ErrDropped with the reason when it was removed from the pool or the
// pending block meanwhile, and ctx.Err().
func (w Waiter) Wait(ctx context.Context, hash common.Hash, places ...Where) (found Found, err error) {
	there := func() bool { return places == nil && found.Executed() || slices.Contains(places, found.Where) }
	err = w.Until(ctx, func(m *Moment) bool {
		found = m.find(hash)
		return there() || !found.Executed() && found.Reason != nil
	})
	switch {
	case err != nil:
		return Found{}, err
	case !there():
		return Found{}, fmt.Errorf("%w: %w", ErrDropped, found.Reason)
	}
	return found, nil
}

// Until waits for the first Moment that is as wanted. It does not wait for writers. The error is ctx.Err().
func (w Waiter) Until(ctx context.Context, wanted func(*Moment) bool) error {
	w.timeline.pace.Watch(1)
	defer w.timeline.pace.Watch(-1)
	for now := w.from; !wanted(now.moment); now = now.next {
		select {
		case <-now.replaced.Done():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
