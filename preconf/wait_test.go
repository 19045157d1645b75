package preconf_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
)

func TestWaitReceipt(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	tx := accounts[0].pay(0, sink, 1)
	type answer struct {
		found preconf.Found
		err   error
	}
	answered := make(chan answer)
	send(t, timeline, tx)
	go func() {
		found, err := timeline.Wait(context.Background(), tx.Hash())
		answered <- answer{found, err}
	}()
	advance(t, timeline, 200*time.Millisecond)
	a := <-answered
	require.NoError(t, a.err)
	require.Equal(t, tx.Hash(), a.found.Receipt.TxHash)

	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	_, err := timeline.WaitReceipt(ctx, common.Hash{1})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	receipt, err := timeline.WaitReceipt(ctx, tx.Hash())
	require.NoError(t, err)
	require.EqualValues(t, 1, receipt.Status)
}

// Ensure a Waiter finds where its transaction was first, though it is asked when blocks have followed.
func TestWaiterMissesNothing(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	tx, lost := accounts[0].pay(0, sink, 1), accounts[1].pay(0, sink, 1)
	send(t, timeline, tx)
	send(t, timeline, lost)
	waiter := timeline.Waiter()
	require.True(t, timeline.DropTransaction(lost.Hash()))
	send(t, timeline, lost)
	advance(t, timeline, 5*time.Second)
	found, err := waiter.Wait(t.Context(), tx.Hash())
	require.NoError(t, err)
	require.Equal(t, preconf.Preconfirmed, found.Where)
	require.Zero(t, found.Receipt.BlockHash)
	_, err = waiter.Wait(t.Context(), lost.Hash())
	require.ErrorIs(t, err, pool.ErrCleared)
	found, err = timeline.Waiter().Wait(t.Context(), tx.Hash())
	require.NoError(t, err)
	require.Equal(t, preconf.Sealed, found.Where)
}

// waitContext reports when somebody begins to wait for its end.
type waitContext struct {
	context.Context
	once  sync.Once
	begun chan struct{}
}

func (c *waitContext) Done() <-chan struct{} {
	c.once.Do(func() { close(c.begun) })
	return c.Context.Done()
}

// Whatever takes a transaction away ends the waiting for it, with the reason.
func TestWaitEndsWithADrop(t *testing.T) {
	t.Parallel()
	tx := accounts[0].pay(0, sink, 1)
	for name, test := range map[string]struct {
		drop   func(*testing.T, *preconf.Timeline)
		reason error
	}{
		"transaction dropped": {func(t *testing.T, tl *preconf.Timeline) { require.True(t, tl.DropTransaction(tx.Hash())) }, pool.ErrCleared},
		"sender dropped":      {func(_ *testing.T, tl *preconf.Timeline) { tl.DropTransactionsOf(accounts[0].address) }, pool.ErrCleared},
		"pool cleared":        {func(_ *testing.T, tl *preconf.Timeline) { tl.ClearPool() }, pool.ErrCleared},
		"nonce raised": {func(t *testing.T, tl *preconf.Timeline) {
			require.NoError(t, tl.EditState(func(s *evmstate.State) *evmstate.State { return s.WithNonce(accounts[0].address, 1) }))
		}, core.ErrNonceTooLow},
		"reverted": {func(t *testing.T, tl *preconf.Timeline) { require.NoError(t, tl.Revert(1)) }, pool.ErrCleared},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeline := newTimeline(t, preconf.Config{})
			send(t, timeline, tx)
			timeline.DropTransaction(tx.Hash())
			timeline.Snapshot()
			send(t, timeline, tx)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			waits, answered := &waitContext{Context: ctx, begun: make(chan struct{})}, make(chan error)
			go func() {
				_, err := timeline.Wait(waits, tx.Hash())
				answered <- err
			}()
			<-waits.begun
			test.drop(t, timeline)
			err := <-answered
			require.ErrorIs(t, err, preconf.ErrDropped)
			require.ErrorIs(t, err, test.reason)
		})
	}
}

// Ensure a wait for a sealed block does not end with the pre-confirmation, and ends with the reason of a drop.
func TestWaitSealed(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	tx := accounts[0].pay(0, emitter, 0)
	send(t, timeline, tx)
	waiter := timeline.Waiter()
	preconfirm(t, timeline)
	seal(t, timeline, 1)
	found, err := waiter.Wait(t.Context(), tx.Hash())
	require.NoError(t, err)
	require.Equal(t, preconf.Preconfirmed, found.Where)
	found, err = waiter.WaitSealed(t.Context(), tx.Hash())
	require.NoError(t, err)
	require.Equal(t, preconf.Sealed, found.Where)
	require.EqualValues(t, 1, found.View.Number())
}
