package preconf_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

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
	reorg(t, timeline, preconf.ReorgOptions{Depth: 2})
	seal(t, timeline, 1)
	require.Equal(t, removed, timeline.Behind(preconf.Lag{Orphaned: true}).Latest().Hash())

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
		changes, err := timeline.FilterChanges(id, preconf.Lag{Blocks: blocks})
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
