package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// threeBlocks has logs "1 1", "1 2", "1 3" of one sender in blocks 1 to 3, and "2 1" of another in block 3.
func threeBlocks(t *testing.T) *preconf.Timeline {
	timeline := newTimeline(t, preconf.Config{})
	for n := range uint64(3) {
		send(t, timeline, accounts[0].emit(n, 1, byte(n+1)))
		if n == 2 {
			send(t, timeline, accounts[1].emit(0, 2, 1))
		}
		seal(t, timeline, 1)
	}
	return timeline
}

func TestReorgFates(t *testing.T) {
	t.Parallel()
	one := threeBlocks(t).Moment().Latest().Transactions()[0].Hash()
	for _, test := range []struct {
		name    string
		options control.ReorgOptions
		head    uint64
		sealed  []string
		pooled  int
		events  []string
	}{
		{"requeued", control.ReorgOptions{Depth: 2}, 4, []string{"1 1", "1 2", "1 3", "2 1"}, 0,
			[]string{"removed 2: [1 2 removed]", "removed 3: [1 3 removed 2 1 removed]", "head 2", "logs 2: [1 2 1 3 2 1]", "head 3", "head 4"}},
		{"dropped", control.ReorgOptions{Depth: 2, Transactions: control.Drop}, 4, []string{"1 1"}, 0,
			[]string{"removed 2: [1 2 removed]", "removed 3: [1 3 removed 2 1 removed]", "head 2", "head 3", "head 4"}},
		{"reversed", control.ReorgOptions{Depth: 2, Transactions: control.Reverse, Length: new(2)}, 3, []string{"1 1", "2 1", "1 2", "1 3"}, 0,
			[]string{"removed 2: [1 2 removed]", "removed 3: [1 3 removed 2 1 removed]", "head 2", "logs 2: [2 1 1 2 1 3]", "head 3"}},
		{"one dropped by hash", control.ReorgOptions{Depth: 1, Drop: []common.Hash{one}}, 4, []string{"1 1", "1 2", "2 1"}, 0,
			[]string{"removed 3: [1 3 removed 2 1 removed]", "head 3", "logs 3: [2 1]", "head 4"}},
		{"rolled back", control.ReorgOptions{Depth: 2, Length: new(0)}, 1, []string{"1 1"}, 3,
			[]string{"removed 2: [1 2 removed]", "removed 3: [1 3 removed 2 1 removed]", "head 1"}},
		{"shorter", control.ReorgOptions{Depth: 3, Length: new(1)}, 1, []string{"1 1", "1 2", "1 3", "2 1"}, 0,
			[]string{"removed 1: [1 1 removed]", "removed 2: [1 2 removed]", "removed 3: [1 3 removed 2 1 removed]", "head 1", "logs 1: [1 1 1 2 1 3 2 1]"}},
		{"told backwards", control.ReorgOptions{Depth: 2, RemovedOrder: control.NewestFirst, Length: new(0)}, 1, []string{"1 1"}, 3,
			[]string{"removed 3: [2 1 removed 1 3 removed]", "removed 2: [1 2 removed]", "head 1"}},
		{"chosen blocks", control.ReorgOptions{Depth: 2, Blocks: [][]*types.Transaction{{accounts[1].emit(0, 9, 9)}, {}}, Transactions: control.Drop}, 4, []string{"1 1", "9 9"}, 0,
			[]string{"removed 2: [1 2 removed]", "removed 3: [1 3 removed 2 1 removed]", "head 2", "logs 2: [9 9]", "head 3", "head 4"}},
		{"chosen block, the rest after it", control.ReorgOptions{Depth: 1, Blocks: [][]*types.Transaction{{}}}, 4, []string{"1 1", "1 2", "1 3", "2 1"}, 0,
			[]string{"removed 3: [1 3 removed 2 1 removed]", "head 3", "head 4", "logs 4: [1 3 2 1]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			timeline := threeBlocks(t)
			before := timeline.Moment()
			feed := timeline.Subscribe()
			defer feed.Close()
			result := reorg(t, timeline, test.options)

			m := timeline.Moment()
			require.Equal(t, test.head, m.Latest().Number())
			require.Equal(t, test.sealed, logsIn(t, m, earliest, latest))
			require.Equal(t, test.pooled, m.PoolSize())
			require.Len(t, result.Requeued, test.pooled)
			require.Equal(t, test.events, drain(t, feed))

			// Replacements take the slots, then the next ones; hashes differ.
			for n := uint64(1); n <= m.Latest().Number(); n++ {
				v, err := m.ByNumber(n)
				require.NoError(t, err)
				require.EqualValues(t, uint64(start.Unix())+2*n, v.Time())
			}
			require.Len(t, result.Removed, test.options.Depth)
			for _, h := range result.Removed {
				require.NotContains(t, result.Added, h)
				v, err := m.ByHash(h)
				require.NoError(t, err)
				require.True(t, v.Orphan())
				state, err := v.State()
				require.NoError(t, err)
				was, err := before.ByHash(h)
				require.NoError(t, err)
				same, err := was.State()
				require.NoError(t, err)
				require.Equal(t, same.Root(), state.Root())
			}
			require.False(t, m.Now().Unix() < int64(m.Latest().Time()))
		})
	}
}

func TestReorgRefused(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	require.NoError(t, timeline.Set(preconf.Finalized(1)))
	foreign := accounts[0].emit(17, 1, 1)
	before := timeline.Moment()
	for name, o := range map[string]control.ReorgOptions{
		"no depth":            {},
		"negative":            {Depth: -1},
		"deeper than chain":   {Depth: 4, Force: true},
		"finalized":           {Depth: 3},
		"unknown fate":        {Depth: 1, Transactions: "keep"},
		"unknown order":       {Depth: 1, RemovedOrder: "sideways"},
		"negative length":     {Depth: 1, Length: new(-1)},
		"shorter than listed": {Depth: 1, Length: new(0), Blocks: [][]*types.Transaction{{}}},
		"impossible block":    {Depth: 1, Blocks: [][]*types.Transaction{{foreign}}},
		"unknown drop":        {Depth: 1, Drop: []common.Hash{foreign.Hash()}},
		"drop not removed":    {Depth: 1, Drop: []common.Hash{timeline.Moment().Chain().BlockByNumber(1).Transactions()[0].Hash()}},
		"no signature":        {Depth: 1, Blocks: [][]*types.Transaction{{types.NewTx(&types.LegacyTx{})}}},
	} {
		_, err := timeline.Reorg(o)
		require.Error(t, err, name)
		require.Same(t, before, timeline.Moment(), name)
	}
	_, err := timeline.Reorg(control.ReorgOptions{Depth: 3})
	require.ErrorContains(t, err, "at most 2")
	_, err = timeline.Reorg(control.ReorgOptions{Depth: 1, Blocks: [][]*types.Transaction{{foreign}}})
	require.ErrorContains(t, err, "transaction "+foreign.Hash().Hex()+" of replacement block 0")
	_, err = timeline.Reorg(control.ReorgOptions{Depth: 1, Drop: []common.Hash{foreign.Hash()}})
	require.ErrorContains(t, err, foreign.Hash().Hex())

	reorg(t, timeline, control.ReorgOptions{Depth: 3, Force: true})
}

// A reorg below the kept States is rejected, not broken.
func TestReorgBelowHistory(t *testing.T) {
	t.Parallel()
	on, err := chain.New(genesis, chain.Options{History: 4})
	require.NoError(t, err)
	timeline := newTimeline(t, preconf.Config{Chain: on})
	seal(t, timeline, 40)
	_, err = timeline.Reorg(control.ReorgOptions{Depth: 39, Force: true, Length: new(0)})
	var pruned *chain.PrunedError
	require.ErrorAs(t, err, &pruned)
	require.EqualValues(t, 1, pruned.Number)
	reorg(t, timeline, control.ReorgOptions{Depth: 3})
}
