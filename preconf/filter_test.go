package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
)

func TestFilters(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	logs := func(id uint64) []string {
		changes, err := timeline.FilterChanges(id, preconf.Lag{})
		require.NoError(t, err)
		return names(changes.Logs)
	}
	install := func(f chain.LogFilter, from, to filter.Bound) uint64 {
		id, err := timeline.NewFilter(filter.Filter{Logs: f, From: from, To: to})
		require.NoError(t, err)
		return id
	}
	all := install(chain.LogFilter{}, unset, unset)
	topic := install(chain.LogFilter{Topics: [][]common.Hash{{common.BigToHash(common.Big2)}}}, unset, unset)
	early := install(chain.LogFilter{}, filter.At(0), filter.At(3))
	later := install(chain.LogFilter{}, filter.At(4), unset)
	preconfirmed := install(chain.LogFilter{}, pending, pending)
	both := install(chain.LogFilter{}, earliest, pending)
	blocks := newBlockFilter(t, timeline)
	txs, err := timeline.NewFilter(filter.Filter{Kind: filter.Transactions, Full: true})
	require.NoError(t, err)
	require.Equal(t, []uint64{1, 2, 3, 4, 5, 6, 7, 8}, []uint64{all, topic, early, later, preconfirmed, both, blocks, txs})

	for _, id := range []uint64{all, topic, early, preconfirmed} {
		require.Empty(t, logs(id), "only what comes")
	}
	tx := accounts[0].emit(3, 3, 3)
	send(t, timeline, tx)
	preconfirm(t, timeline)
	require.Equal(t, []string{"3 3"}, logs(preconfirmed))
	require.Equal(t, []string{"3 3"}, logs(both))
	require.Empty(t, logs(all))
	seal(t, timeline, 1)
	reorg(t, timeline, preconf.ReorgOptions{Depth: 2, Length: new(1)})

	require.Equal(t, []string{"3 3", "1 3 removed", "2 1 removed", "3 3 removed", "1 3", "2 1", "3 3"}, logs(all))
	require.Empty(t, logs(all), "read once")
	require.Equal(t, []string{"2 1 removed", "2 1"}, logs(topic))
	require.Equal(t, []string{"1 3 removed", "2 1 removed", "1 3", "2 1", "3 3"}, logs(early))
	require.Equal(t, []string{"3 3", "3 3 removed"}, logs(later))
	require.Empty(t, logs(preconfirmed))

	changes, err := timeline.FilterChanges(blocks, preconf.Lag{})
	require.NoError(t, err)
	require.Len(t, changes.Hashes, 2)
	require.Equal(t, timeline.Moment().Latest().Hash(), changes.Hashes[1])
	changes, err = timeline.FilterChanges(txs, preconf.Lag{})
	require.NoError(t, err)
	require.True(t, changes.Full)
	require.Equal(t, []*pool.Entry{{Tx: tx, From: accounts[0].address}}, changes.Pooled)

	wanted, span, err := timeline.FilterRange(early, preconf.Lag{})
	require.NoError(t, err)
	require.EqualValues(t, 4, span.Blocks())
	found, err := span.Logs(wanted)
	require.NoError(t, err)
	var seen []string
	for l := range found {
		seen = append(seen, name(l))
	}
	require.Equal(t, []string{"1 1", "1 2", "1 3", "2 1", "3 3"}, seen)

	require.True(t, timeline.UninstallFilter(all))
	require.False(t, timeline.UninstallFilter(all))
	var unknown *filter.UnknownError
	_, err = timeline.FilterChanges(all, preconf.Lag{})
	require.ErrorAs(t, err, &unknown)
	_, _, err = timeline.FilterRange(blocks, preconf.Lag{})
	require.ErrorAs(t, err, &unknown)
	_, err = timeline.NewFilter(filter.Filter{From: filter.At(3), To: filter.At(2)})
	require.Error(t, err)
}

// A range that ends before it begins is rejected as eth_getLogs rejects it; blocks to come may be named.
func TestFilterBoundsRefused(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	for name, test := range map[string]struct {
		from, to filter.Bound
		refused  bool
	}{
		"latest to earliest":           {latest, earliest, true},
		"pending to earliest":          {pending, earliest, false},
		"latest to finalized":          {latest, finalized, true},
		"left out to a number below":   {unset, filter.At(2), true},
		"number to earliest":           {filter.At(2), earliest, true},
		"numbers to come, reversed":    {filter.At(9), filter.At(8), true},
		"numbers to come":              {filter.At(8), filter.At(9), false},
		"one block to come":            {filter.At(8), filter.At(8), false},
		"latest to a number to come":   {latest, filter.At(9), false},
		"a number to come to latest":   {filter.At(9), latest, false},
		"latest to the head by number": {latest, filter.At(3), false},
	} {
		_, err := timeline.NewFilter(filter.Filter{From: test.from, To: test.to})
		var span *filter.RangeError
		if test.refused {
			require.ErrorAs(t, err, &span, name)
		} else {
			require.NoError(t, err, name)
		}
	}
}

// Ensure a snapshot's filters, a clone's and those that go on do not disturb each other.
func TestFiltersAfterRevertAndClone(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	hashes := func(tl *preconf.Timeline, id uint64) []common.Hash {
		changes, err := tl.FilterChanges(id, preconf.Lag{})
		require.NoError(t, err)
		return changes.Hashes
	}
	id := newBlockFilter(t, timeline)
	first := seal(t, timeline, 1)
	snapshot := timeline.Snapshot()
	clone := timeline.Clone()
	own, cloned := seal(t, timeline, 3), seal(t, clone, 2)
	require.Equal(t, own[:2], cloned)
	require.Equal(t, append(first, cloned...), hashes(clone, id))
	require.NoError(t, timeline.Revert(snapshot))
	send(t, timeline, accounts[0].pay(0, sink, 1))
	other := seal(t, timeline, 1)
	require.Equal(t, append(first, other...), hashes(timeline, id))
	require.NoError(t, timeline.Revert(snapshot))
	require.Equal(t, first, hashes(timeline, id))
	require.NoError(t, timeline.RevertAnnounced(snapshot))
	require.Empty(t, hashes(timeline, id), "what was read stays read")
}
