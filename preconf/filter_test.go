package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

func TestFilters(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	logs := func(id uint64) []string {
		changes, err := timeline.FilterChanges(id)
		require.NoError(t, err)
		return names(changes.Logs)
	}
	install := func(f chain.LogFilter, from, to preconf.Bound) uint64 {
		id, err := timeline.NewLogFilter(f, from, to)
		require.NoError(t, err)
		return id
	}
	all := install(chain.LogFilter{}, unset, unset)
	topic := install(chain.LogFilter{Topics: [][]common.Hash{{common.BigToHash(common.Big2)}}}, unset, unset)
	early := install(chain.LogFilter{}, preconf.At(0), preconf.At(3))
	later := install(chain.LogFilter{}, preconf.At(4), unset)
	preconfirmed := install(chain.LogFilter{}, pending, pending)
	both := install(chain.LogFilter{}, earliest, pending)
	blocks, txs := timeline.NewBlockFilter(), timeline.NewPendingTransactionFilter(true)
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

	changes, err := timeline.FilterChanges(blocks)
	require.NoError(t, err)
	require.Len(t, changes.Hashes, 2)
	require.Equal(t, timeline.Moment().Latest().Hash(), changes.Hashes[1])
	changes, err = timeline.FilterChanges(txs)
	require.NoError(t, err)
	require.True(t, changes.Full)
	require.Equal(t, []preconf.TxLookup{{Transaction: tx, Sender: accounts[0].address}}, changes.Transactions)

	filter, span, err := timeline.Moment().FilterRange(early)
	require.NoError(t, err)
	require.EqualValues(t, 4, span.Blocks())
	var seen []string
	for l := range span.Logs(filter) {
		seen = append(seen, name(l))
	}
	require.Equal(t, []string{"1 1", "1 2", "1 3", "2 1", "3 3"}, seen)

	require.True(t, timeline.UninstallFilter(all))
	require.False(t, timeline.UninstallFilter(all))
	var unknown *preconf.UnknownFilterError
	_, err = timeline.FilterChanges(all)
	require.ErrorAs(t, err, &unknown)
	_, _, err = timeline.Moment().FilterRange(blocks)
	require.ErrorAs(t, err, &unknown)
	_, err = timeline.NewLogFilter(chain.LogFilter{}, preconf.At(3), preconf.At(2))
	require.Error(t, err)
}

// A revert takes filters back to what they had collected.
func TestFiltersAreReverted(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	id, err := timeline.NewLogFilter(chain.LogFilter{}, unset, unset)
	require.NoError(t, err)
	send(t, timeline, accounts[0].emit(0, 1, 1))
	seal(t, timeline, 1)
	snapshot := timeline.Snapshot()
	for range 2 {
		require.NoError(t, timeline.Revert(snapshot))
		send(t, timeline, accounts[0].emit(1, 1, 2))
		seal(t, timeline, 1)
		changes, err := timeline.FilterChanges(id)
		require.NoError(t, err)
		require.Equal(t, []string{"1 1", "1 2"}, names(changes.Logs))
		require.EqualValues(t, 2, timeline.NewBlockFilter())
	}
}
