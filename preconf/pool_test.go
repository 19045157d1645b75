package preconf_test

import (
	"context"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

func TestGapsWaitAndAreFilled(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	a := accounts[0]
	send(t, timeline, a.pay(1, sink, 1), a.pay(3, sink, 1))
	require.Empty(t, preconfirm(t, timeline).Transactions)
	m := timeline.Moment()
	require.Zero(t, m.PoolNonce(a.address))
	for _, p := range m.Pool() {
		require.True(t, p.Queued)
	}
	send(t, timeline, a.pay(0, sink, 1))
	m = timeline.Moment()
	require.EqualValues(t, 2, m.PoolNonce(a.address))
	var queued []bool
	for _, p := range m.Pool() {
		queued = append(queued, p.Queued)
	}
	require.Equal(t, []bool{false, true, false}, queued)
	require.Len(t, preconfirm(t, timeline).Transactions, 2)
	require.Equal(t, 1, timeline.Moment().PoolSize())
}

// Instant mode: the receipt is there when Send returns, one block each, however many send.
func TestInstantFromManyGoroutines(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	var wait sync.WaitGroup
	for _, a := range accounts {
		wait.Go(func() {
			for nonce := range uint64(5) {
				tx := a.pay(nonce, sink, 1)
				if err := timeline.Send(tx); err != nil {
					t.Errorf("send: %v", err)
				}
				found, err := timeline.Moment().Find(tx.Hash())
				if err != nil || !found.Executed() || found.View.Pending() || len(found.View.Transactions()) != 1 {
					t.Errorf("%v: not alone in a block", tx.Hash())
				}
			}
		})
	}
	wait.Wait()
	m := timeline.Moment()
	require.EqualValues(t, 40, m.Latest().Number())
	require.EqualValues(t, 40, balance(t, m.Latest(), sink))
}

func TestInstantFillsGapsAndReportsDrops(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Mode: control.Instant})
	feed := timeline.Subscribe()
	defer feed.Close()
	send(t, timeline, accounts[0].emit(1, 1, 1))
	require.Zero(t, timeline.Moment().Latest().Number())
	send(t, timeline, accounts[0].pay(0, sink, 1))
	require.EqualValues(t, 2, timeline.Moment().Latest().Number())
	require.Equal(t, []string{"pooled 1", "pooled 0", "flashblock 1.0", "head 1", "flashblock 2.0", "head 2", "logs 2: [1 1]"}, drain(t, feed))

	// Code at the sender makes execution reject what the pool cannot know (EIP-3607).
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithCode(accounts[1].address, []byte{0})
	}))
	require.ErrorContains(t, timeline.Send(accounts[1].pay(0, sink, 1)), "sender not an eoa")
}

// Ensure what a reorg gives back replaces a transaction of the same nonce, which control methods may have let in.
func TestRequeueOntoAnOccupiedNonce(t *testing.T) {
	t.Parallel()
	resetNonce := func(s *evmstate.State) *evmstate.State { return s.WithNonce(accounts[0].address, 0) }
	first, second := accounts[0].pay(0, sink, 1), accounts[0].pay(0, sink, 2)
	timeline := newTimeline(t, preconf.Config{})
	send(t, timeline, first)
	seal(t, timeline, 1)
	require.NoError(t, timeline.EditState(resetNonce))
	send(t, timeline, second)
	id := timeline.Snapshot()
	reorg(t, timeline, control.ReorgOptions{Depth: 1, Length: new(0)})
	m := timeline.Moment()
	require.Equal(t, 1, m.PoolSize())
	require.ErrorContains(t, find(t, m, second.Hash()).Reason, "replaced by "+first.Hash().Hex())
	require.NoError(t, find(t, m, first.Hash()).Reason)
	require.EqualValues(t, 1, m.PoolNonce(accounts[0].address))

	// Both of them sealed: the later one is given back.
	require.NoError(t, timeline.Revert(id))
	seal(t, timeline, 1)
	reorg(t, timeline, control.ReorgOptions{Depth: 2, Length: new(0)})
	m = timeline.Moment()
	require.Equal(t, 1, m.PoolSize())
	require.ErrorIs(t, find(t, m, first.Hash()).Reason, pool.ErrReorged)
	found := find(t, m, second.Hash())
	require.True(t, found.Present())
}

// Ensure an account's authorization of its own takes a nonce in the pool as it does in a block, so that the next
// transaction comes behind both (EIP-7702).
func TestAuthorizationTakesANonceInThePool(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	from, chainID := accounts[0], uint256.MustFromBig(signer.ChainID())
	authorization := func(by account, nonce uint64) types.SetCodeAuthorization {
		signed, err := types.SignSetCode(by.key, types.SetCodeAuthorization{ChainID: *chainID, Address: emitter, Nonce: nonce})
		require.NoError(t, err)
		return signed
	}
	delegation := types.MustSignNewTx(from.key, signer, &types.SetCodeTx{
		ChainID: chainID, GasFeeCap: uint256.NewInt(2e9), GasTipCap: uint256.NewInt(1), Gas: 200_000, To: sink,
		AuthList: []types.SetCodeAuthorization{authorization(accounts[1], 1), authorization(from, 7), authorization(from, 1), authorization(from, 2), authorization(accounts[1], 3)},
	})
	send(t, timeline, delegation)
	require.EqualValues(t, 3, timeline.Moment().PoolNonce(from.address))
	next := from.pay(3, sink, 1)
	send(t, timeline, next)
	place := timeline.Moment().Place(next.Hash())
	require.Equal(t, preconf.Pooled, place.Where)
	require.NoError(t, place.Reason)
	require.Len(t, preconfirm(t, timeline).Transactions, 2, "in one flashblock")
	require.EqualValues(t, 4, timeline.Moment().PoolNonce(from.address))
}

// Ensure an authorization that another account sends takes the nonce from its authority when it is executed, not in the
// pool: the authority's next nonce is the one that it authorized, a transaction with the nonce after it waits, and of
// two with the same nonce the one that is executed later is void (EIP-7702).
func TestAuthorizationSentByAnother(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	authority, sender, chainID := accounts[0], accounts[1], uint256.MustFromBig(signer.ChainID())
	authorization, err := types.SignSetCode(authority.key, types.SetCodeAuthorization{ChainID: *chainID, Address: emitter})
	require.NoError(t, err)
	delegation := types.MustSignNewTx(sender.key, signer, &types.SetCodeTx{
		ChainID: chainID, GasFeeCap: uint256.NewInt(9e9), GasTipCap: uint256.NewInt(8e9), Gas: 200_000, To: sink,
		AuthList: []types.SetCodeAuthorization{authorization},
	})
	send(t, timeline, delegation)
	require.Zero(t, timeline.Moment().PoolNonce(authority.address))
	same, after := authority.pay(0, sink, 1), authority.pay(1, sink, 1)
	send(t, timeline, same)
	send(t, timeline, after)
	for _, next := range []*types.Transaction{delegation, after} {
		executed := preconfirm(t, timeline).Transactions
		require.Len(t, executed, 1)
		require.Equal(t, next.Hash(), executed[0].Hash())
	}
	require.ErrorIs(t, timeline.Moment().Place(same.Hash()).Reason, core.ErrNonceTooLow)
	require.EqualValues(t, 2, timeline.Moment().PoolNonce(authority.address))
}

// A transaction that cannot execute any more is dropped, and the reason kept.
func TestDropReason(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	poor := accounts[0].pay(0, sink, 1e18)
	stale := accounts[1].pay(0, sink, 1)
	send(t, timeline, poor, stale)
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithBalance(accounts[0].address, uint256.NewInt(5)).WithNonce(accounts[1].address, 7)
	}))
	require.Empty(t, preconfirm(t, timeline).Transactions)
	m := timeline.Moment()
	require.Zero(t, m.PoolSize())
	require.ErrorIs(t, find(t, m, poor.Hash()).Reason, core.ErrInsufficientFunds)
	require.ErrorIs(t, find(t, m, stale.Hash()).Reason, core.ErrNonceTooLow)
	require.NoError(t, find(t, m, common.Hash{1}).Reason)

	_, err := timeline.Waiter().Wait(context.Background(), poor.Hash())
	require.ErrorIs(t, err, preconf.ErrDropped)
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
}

// A transaction that a fault lost has that reason, until it is sent again.
func TestDropReasonOfFaults(t *testing.T) {
	t.Parallel()
	timeline, txs, _ := twoFlashblocks(t)
	fault(t, timeline, control.FlashblockFault{Kind: control.DropFlashblocks, Gone: true})
	require.ErrorIs(t, find(t, timeline.Moment(), txs[1].Hash()).Reason, pool.ErrGone)
	fault(t, timeline, control.FlashblockFault{Kind: control.OmitTransactions, Gone: true})
	require.NoError(t, find(t, timeline.Moment(), txs[0].Hash()).Reason, "not yet")
	seal(t, timeline, 1)
	require.ErrorIs(t, find(t, timeline.Moment(), txs[0].Hash()).Reason, pool.ErrGone)

	send(t, timeline, txs...)
	for _, tx := range txs {
		require.NoError(t, find(t, timeline.Moment(), tx.Hash()).Reason)
	}
}

// A transaction that a reorg lost has that reason; one that it brought back has none, whatever became of it before.
func TestDropReasonOfReorgs(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	first := accounts[0].pay(0, sink, 1)
	dear := accounts[0].sign(types.DynamicFeeTx{
		Nonce: 0, GasTipCap: big.NewInt(1e10), GasFeeCap: big.NewInt(1e12), Gas: 21_000, To: &sink,
	})
	send(t, timeline, first, dear)
	seal(t, timeline, 1)
	require.Error(t, find(t, timeline.Moment(), first.Hash()).Reason, "replaced")

	one, none := 1, 0
	_, err := timeline.Reorg(control.ReorgOptions{Depth: 1, Length: &one, Transactions: control.Drop, Blocks: [][]*types.Transaction{{first}}})
	require.NoError(t, err)
	require.ErrorIs(t, find(t, timeline.Moment(), dear.Hash()).Reason, pool.ErrReorged)
	_, err = timeline.Waiter().Wait(t.Context(), dear.Hash())
	require.ErrorIs(t, err, pool.ErrReorged)

	_, err = timeline.Reorg(control.ReorgOptions{Depth: 1, Length: &none})
	require.NoError(t, err)
	require.NoError(t, find(t, timeline.Moment(), first.Hash()).Reason, "it waits")
	seal(t, timeline, 1)
	_, err = timeline.Waiter().Wait(t.Context(), first.Hash())
	require.NoError(t, err)
}

// Ensure a transaction's place follows it from the pool into a block, out of it by a reorg, and back.
func TestPlaceFollowsATransaction(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	tx := accounts[0].pay(0, sink, 1)
	place := func() preconf.Found {
		place := timeline.Moment().Place(tx.Hash())
		found := find(t, timeline.Moment(), tx.Hash())
		require.Equal(t, place, found)
		known := found.Where != preconf.Unknown && found.Where != preconf.Dropped
		require.Equal(t, known, found.Transaction != nil)
		require.Equal(t, found.View != nil, found.Receipt != nil)
		if known {
			require.Equal(t, tx.Hash(), found.Transaction.Hash())
			require.Equal(t, accounts[0].address, found.Sender)
		}
		if found.View != nil {
			at := found.View.At(found.Index)
			require.Equal(t, found.Where, at.Where)
			require.Same(t, found.Receipt, at.Receipt)
			require.Equal(t, found.View.Hash(), found.Receipt.BlockHash)
		}
		return place
	}
	require.Equal(t, preconf.Found{Where: preconf.Unknown}, place())
	send(t, timeline, tx)
	require.Equal(t, preconf.Pooled, place().Where)
	preconfirm(t, timeline)
	require.Equal(t, preconf.Preconfirmed, place().Where)
	require.True(t, place().View.Pending())
	hashes, err := timeline.Seal(1)
	require.NoError(t, err)
	require.Equal(t, preconf.Sealed, place().Where)
	require.Equal(t, hashes[0], place().View.Hash())

	_, err = timeline.Reorg(control.ReorgOptions{Depth: 1, Transactions: control.Drop})
	require.NoError(t, err)
	require.Equal(t, preconf.Orphaned, place().Where)
	require.ErrorIs(t, place().Reason, pool.ErrReorged)
	require.Equal(t, hashes[0], place().View.Hash())
	require.True(t, place().View.Orphan())

	send(t, timeline, tx)
	require.Equal(t, preconf.Pooled, place().Where)
	timeline.ClearPool()
	require.Equal(t, preconf.Dropped, place().Where)
	require.ErrorIs(t, place().Reason, pool.ErrCleared)
}

// Ensure a transaction that waits in the pool has a reason with its figures, also when an earlier one holds it up.
func TestPlaceSaysWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	reason := func(tx *types.Transaction) error {
		place := timeline.Moment().Place(tx.Hash())
		require.Equal(t, preconf.Pooled, place.Where)
		return place.Reason
	}
	cheap := accounts[0].sign(types.DynamicFeeTx{To: &sink, Gas: 21_000, GasFeeCap: common.Big1, GasTipCap: common.Big1})
	follower := accounts[0].pay(1, sink, 1)
	gap := accounts[1].pay(2, sink, 1)
	large := accounts[2].sign(types.DynamicFeeTx{To: &sink, Gas: 16_000_000})
	second := accounts[3].sign(types.DynamicFeeTx{To: &emitter, Gas: 16_000_000})
	send(t, timeline, cheap, follower, gap, large)
	require.NoError(t, reason(large))
	preconfirm(t, timeline)
	preconfirm(t, timeline)

	var fee *pool.FeeCapError
	require.ErrorAs(t, reason(cheap), &fee)
	require.Equal(t, common.Big1, fee.FeeCap)
	require.Equal(t, timeline.Moment().Pending().Header().BaseFee, fee.BaseFee)
	require.ErrorAs(t, reason(follower), &fee)
	require.ErrorContains(t, reason(follower), "it follows "+cheap.Hash().Hex())
	require.EqualError(t, reason(gap), "its nonce is 2, and no transaction has nonce 0")

	send(t, timeline, second) // gas used so far is 21,000 of 30,000,000
	require.NoError(t, reason(second))
	blocker := accounts[4].sign(types.DynamicFeeTx{Gas: 15_000_000, Data: common.FromHex("5b600056"), GasFeeCap: big.NewInt(200e9)})
	timeline.DropTransaction(second.Hash())
	send(t, timeline, blocker)
	preconfirm(t, timeline)
	send(t, timeline, second)
	require.Equal(t, &pool.RoomError{Gas: 16_000_000, Left: 30_000_000 - 21_000 - 15_000_000}, reason(second))
}

func TestWait(t *testing.T) {
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
		found, err := timeline.Waiter().Wait(context.Background(), tx.Hash())
		answered <- answer{found, err}
	}()
	advance(t, timeline, 200*time.Millisecond)
	a := <-answered
	require.NoError(t, a.err)
	require.Equal(t, tx.Hash(), a.found.Receipt.TxHash)

	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	_, err := timeline.Waiter().Wait(ctx, common.Hash{1})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	found, err := timeline.Waiter().Wait(ctx, tx.Hash())
	require.NoError(t, err)
	require.EqualValues(t, 1, found.Receipt.Status)
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
		"sender dropped":      {func(_ *testing.T, tl *preconf.Timeline) { tl.ClearPool(accounts[0].address) }, pool.ErrCleared},
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
				_, err := timeline.Waiter().Wait(waits, tx.Hash())
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
	found, err = waiter.Wait(t.Context(), tx.Hash(), preconf.Sealed)
	require.NoError(t, err)
	require.Equal(t, preconf.Sealed, found.Where)
	require.EqualValues(t, 1, found.View.Number())
}
