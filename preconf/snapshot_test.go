package preconf_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

func TestRevertRestoresAll(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	send(t, timeline, accounts[2].emit(0, 4, 4))
	preconfirm(t, timeline)
	send(t, timeline, accounts[3].pay(0, sink, 1))
	require.NoError(t, timeline.Set(preconf.NextBaseFee(big.NewInt(123))))
	before := timeline.Moment()
	id := timeline.Snapshot()
	require.EqualValues(t, 1, id)
	require.EqualValues(t, 2, timeline.Snapshot())

	for range 2 {
		advance(t, timeline, 10*time.Second)
		reorg(t, timeline, control.ReorgOptions{Depth: 2})
		require.NoError(t, timeline.Set(preconf.Mode(control.Instant)))
		require.NoError(t, timeline.Set(preconf.GasLimit(1e6)))
		timeline.Set(preconf.ImpersonateAll(true))
		fault(t, timeline, control.FlashblockFault{Kind: control.LagContext, Count: 2})
		require.NoError(t, timeline.Revert(id))
		require.Same(t, before, timeline.Moment())
	}
	seal(t, timeline, 1)
	require.EqualValues(t, 123, timeline.Moment().Latest().Header().BaseFee.Int64())

	require.EqualError(t, timeline.Revert(3), "unknown snapshot 0x3")
	require.NoError(t, timeline.RevertOnce(2))
	for _, back := range []func(uint64) error{timeline.Revert, timeline.RevertAnnounced, timeline.RevertOnce} {
		require.EqualError(t, back(2), "unknown snapshot 0x2")
	}
	require.NoError(t, timeline.Revert(1))
	require.EqualValues(t, 3, timeline.Snapshot(), "ids are not given twice")
}

func TestReset(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	first := seal(t, timeline, 1)
	timeline.Snapshot()
	send(t, timeline, accounts[0].pay(0, sink, 1))
	filter := newBlockFilter(t, timeline)
	timeline.Reset()
	m := timeline.Moment()
	require.Zero(t, m.Latest().Number())
	require.Zero(t, m.PoolSize())
	require.Equal(t, start, m.Now())
	require.Error(t, timeline.Revert(1))
	require.Equal(t, first, seal(t, timeline, 1))
	changes, err := timeline.Filters().Changes(filter, preconf.Lag{})
	require.NoError(t, err)
	require.Equal(t, first, changes.Hashes, "filters go on")
}

// An edit shows at latest and at pending, and pre-confirmed transactions run on top of it.
func TestEditState(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	send(t, timeline, accounts[2].pay(0, sink, 5))
	preconfirm(t, timeline)
	slot, value := common.Hash{1}, common.Hash{2}
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithBalance(sink, uint256.NewInt(100)).WithStorage(sink, slot, value)
	}))
	m := timeline.Moment()
	require.EqualValues(t, 100, balance(t, m.Latest(), sink))
	require.EqualValues(t, 105, balance(t, m.Pending(), sink))
	seal(t, timeline, 1)
	m = timeline.Moment()
	require.EqualValues(t, 105, balance(t, m.Latest(), sink))
	state, err := m.Latest().State()
	require.NoError(t, err)
	require.Equal(t, value, state.Storage(sink, slot))
	require.Equal(t, state.Root(), m.Latest().Header().Root)

	// Under a late block: that one first.
	fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock})
	seal(t, timeline, 1)
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State { return s.WithBalance(sink, uint256.NewInt(1)) }))
	require.EqualValues(t, 5, timeline.Moment().Latest().Number())
	require.EqualValues(t, 1, balance(t, timeline.Moment().Pending(), sink))
}

func TestSettingsOfBlocks(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Behaviour: preconf.Behaviour{ExtraData: []byte("fake")}})
	send(t, timeline, accounts[0].pay(0, sink, 5))
	preconfirm(t, timeline)
	randao := common.Hash{7}
	require.NoError(t, timeline.Set(preconf.Coinbase(accounts[7].address)))
	require.NoError(t, timeline.Set(preconf.GasLimit(5_000_000)))
	require.NoError(t, timeline.Set(preconf.NextBaseFee(big.NewInt(77))))
	require.NoError(t, timeline.Set(preconf.NextPrevRandao(randao)))
	check := func(v *preconf.View) {
		h := v.Header()
		require.Equal(t, accounts[7].address, h.Coinbase)
		require.EqualValues(t, 5_000_000, h.GasLimit)
		require.EqualValues(t, 77, h.BaseFee.Int64())
		require.Equal(t, randao, h.MixDigest)
		require.Equal(t, []byte("fake"), h.Extra)
		require.Len(t, v.Transactions(), 1)
	}
	check(timeline.Moment().Pending())
	seal(t, timeline, 1)
	check(timeline.Moment().Latest())
	seal(t, timeline, 1)
	next := timeline.Moment().Latest().Header()
	require.EqualValues(t, 5_000_000, next.GasLimit, "stays")
	require.NotEqual(t, randao, next.MixDigest, "for one block only")

	require.Error(t, timeline.Set(preconf.GasLimit(1<<63)))
	require.Error(t, timeline.Set(preconf.NextBaseFee(big.NewInt(-1))))
	require.Error(t, timeline.Set(preconf.Mode(9)))
}

func TestModeAtRunTime(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	send(t, timeline, accounts[0].pay(0, sink, 1), accounts[1].pay(0, sink, 1))
	preconfirm(t, timeline)
	send(t, timeline, accounts[0].pay(1, sink, 1), accounts[0].pay(2, sink, 1))
	require.NoError(t, timeline.Set(preconf.Mode(control.Instant)))
	require.EqualValues(t, 3, timeline.Moment().Latest().Number(), "the pending block, then one for each")
	require.EqualValues(t, 3, advance(t, timeline, time.Minute).BlockNumber)
	require.NoError(t, timeline.Set(preconf.Mode(control.Interval)))
	require.NoError(t, timeline.Set(preconf.BlockTime(5*time.Second)))
	require.EqualValues(t, 5, advance(t, timeline, 10*time.Second).BlockNumber)
	require.Equal(t, control.Interval, timeline.Moment().Mode())
}

func TestWithoutPreconfirmation(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{NoPreconf: true})
	feed := timeline.Subscribe()
	defer feed.Close()
	tx := accounts[0].emit(0, 1, 1)
	send(t, timeline, tx)
	_, err := timeline.Preconfirm()
	require.ErrorIs(t, err, preconf.ErrNoPreconf)
	m := timeline.Moment()
	require.Zero(t, m.Pending().Number())
	require.False(t, m.Pending().Pending())
	require.EqualValues(t, 1, m.PoolNonce(accounts[0].address))
	advance(t, timeline, 4*time.Second)
	require.Equal(t, []string{"pooled 0", "head 1", "logs 1: [1 1]", "head 2"}, drain(t, feed))
}

// Ensure a reader that is behind sees the Moment that a reader saw then: by blocks, by time with flashblocks, and from
// a branch that a reorg removed.
func TestBehind(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	var shown []*preconf.Moment // after each flashblock of block 4
	for n := range uint64(3) {
		send(t, timeline, accounts[0].emit(3+n, 4, byte(n)))
		preconfirm(t, timeline)
		shown = append(shown, timeline.Moment())
		_, err := timeline.Advance(200 * time.Millisecond)
		require.NoError(t, err)
	}
	require.Same(t, timeline.Moment(), timeline.Behind(preconf.Lag{}))
	for blocks, head := range []uint64{3, 2, 1, 0} {
		require.Equal(t, head, timeline.Behind(preconf.Lag{Blocks: blocks}).Latest().Number())
	}
	require.Zero(t, timeline.Behind(preconf.Lag{Blocks: 4}).Latest().Number(), "the oldest there is")
	for i, m := range shown {
		then := timeline.Moment().Now().Sub(m.Now())
		seen := timeline.Behind(preconf.Lag{Time: then})
		require.Equal(t, m.Pending().Transactions(), seen.Pending().Transactions(), "flashblock %d, %s ago", i, then)
	}

	m := timeline.Moment()
	require.Same(t, m, timeline.Behind(preconf.Lag{Orphaned: true}), "nothing is orphaned")
	seal(t, timeline, 1)
	removed := timeline.Moment().Latest().Hash()
	reorg(t, timeline, control.ReorgOptions{Depth: 2})
	seal(t, timeline, 1)
	require.Equal(t, removed, timeline.Behind(preconf.Lag{Orphaned: true}).Latest().Hash())
	preconfirm(t, timeline)
	head := timeline.Moment().Latest().Number()
	seal(t, timeline, 4)
	require.NotEmpty(t, timeline.Behind(preconf.Lag{Blocks: 4}).PendingBlocks())
	seal(t, timeline, 1)
	require.Empty(t, timeline.Behind(preconf.Lag{Blocks: 5}).PendingBlocks(), "flashblocks are remembered for four blocks")
	seal(t, timeline, control.PastBlocks-5)
	require.Equal(t, head, timeline.Behind(preconf.Lag{Blocks: control.PastBlocks}).Latest().Number())

	id := timeline.Snapshot()
	seal(t, timeline, 5)
	require.NoError(t, timeline.Revert(id))
	require.Equal(t, timeline.Moment().Latest().Hash(), timeline.Behind(preconf.Lag{Blocks: 1}).Latest().Hash(), "it has no past")
}

// Ensure a filter keeps what a reader that is behind does not see yet.
func TestFilterBehind(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	id := newBlockFilter(t, timeline)
	seal(t, timeline, 3)
	read := func(blocks int) int {
		changes, err := timeline.Filters().Changes(id, preconf.Lag{Blocks: blocks})
		require.NoError(t, err)
		return len(changes.Hashes)
	}
	require.Equal(t, []int{1, 0, 1, 1, 0}, []int{read(2), read(2), read(1), read(0), read(2)})
}

// Ensure a pending block has the state of before its newest flashblock, and proofs of its own.
func TestEarlierState(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	payee := common.Address{0xaa}
	earlier := func() uint64 {
		state, err := timeline.Moment().Pending().Earlier()
		require.NoError(t, err)
		return state.Balance(payee).Uint64()
	}
	for n := range uint64(3) {
		send(t, timeline, accounts[0].pay(n, payee, 5))
		preconfirm(t, timeline)
		require.Equal(t, 5*n, earlier())
		v := timeline.Moment().Pending()
		state, err := v.State()
		require.NoError(t, err)
		require.EqualValues(t, 5*n+5, state.Balance(payee).Uint64())
		proof, err := v.Proof(payee, nil)
		require.NoError(t, err)
		require.EqualValues(t, 5*n+5, proof.Balance.Uint64())
	}
	seal(t, timeline, 1)
	send(t, timeline, accounts[0].pay(3, payee, 5))
	preconfirm(t, timeline)
	require.EqualValues(t, 15, earlier(), "the head's")
}

// Ensure so many flashblocks in one block do not push the heads below it out of what readers who are behind see.
func TestBehindIsBounded(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{BlockTime: time.Hour, FlashblockTime: 100 * time.Millisecond})
	for range 3 {
		seal(t, timeline, 1)
	}
	head := timeline.Moment().Latest().Number()
	_, err := timeline.Advance(10 * time.Minute)
	require.NoError(t, err)
	require.Equal(t, head-2, timeline.Behind(preconf.Lag{Blocks: 2}).Latest().Number())
	long, short := timeline.Behind(preconf.Lag{Time: 9 * time.Minute}), timeline.Behind(preconf.Lag{Time: time.Minute})
	require.Equal(t, head, short.Latest().Number())
	require.Equal(t, time.Minute, timeline.Moment().Now().Sub(short.Now()), "the newest are remembered one by one")
	require.Greater(t, timeline.Moment().Now().Sub(long.Now()), 9*time.Minute)
	require.Empty(t, long.PendingBlocks(), "the oldest flashblocks are not")
}
