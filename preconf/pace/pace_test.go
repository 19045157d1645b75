package pace_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/pace"
)

// clock counts how often it is moved, and is due again after every.
type clock struct {
	pace  *pace.Pace[*clock]
	every time.Duration
	moves atomic.Int64
}

func (c *clock) CatchUpNow(context.Context) {
	c.moves.Add(1)
	c.pace.Moved(time.Now().Add(c.every))
}

// Ensure a clock is moved when it is due while somebody waits, and not otherwise.
func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &pace.Pace[*clock]{Wall: time.Now}
		c := &clock{pace: p, every: 50 * time.Millisecond}
		passes := func(want int64) {
			t.Helper()
			before := c.moves.Load()
			<-time.After(time.Second)
			synctest.Wait()
			require.Equal(t, want, c.moves.Load()-before)
		}
		p.Watch(1)
		passes(0)
		p.Begin(t.Context(), c, nil)
		passes(21) // at once, and then every 50 ms
		p.Watch(-1)
		passes(0)
		require.True(t, p.Due())
		p.Watch(1)
		synctest.Wait()
		require.False(t, p.Due())
		p.End()
		_, follows := p.Following()
		require.False(t, follows)
		passes(0)
	})
}
