package preconf_test

import (
	"bytes"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
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

// A filter holds 1,048,576 changes that nobody reads; with one more it is gone.
func TestFilterLimit(t *testing.T) {
	t.Parallel()
	const logs, announcements = 128, 8192
	timeline := newTimeline(t, preconf.Config{})
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithCode(emitter, bytes.Repeat(common.FromHex("60006000a0"), logs))
	}))
	send(t, timeline, accounts[0].emit(0, 1, 1))
	preconfirm(t, timeline)
	id, err := timeline.NewFilter(filter.Filter{From: pending})
	require.NoError(t, err)
	fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: announcements})
	changes, err := timeline.FilterChanges(id, preconf.Lag{})
	require.NoError(t, err)
	require.Len(t, changes.Logs, 1_048_576)
	fault(t, timeline, control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: announcements + 1})
	var unknown *filter.UnknownError
	_, err = timeline.FilterChanges(id, preconf.Lag{})
	require.ErrorAs(t, err, &unknown)
}

// A filter collects what eth_getLogs would find between its bounds once it is there: pre-confirmed logs where either is
// pending, and those alone where from is.
func TestFiltersOfPendingBounds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		from, to filter.Bound
		want     []string // "1 1" is pre-confirmed, then sealed in block 1
		noPre    []string // of a node without pre-confirmation
	}{
		{"pending alone", pending, unset, []string{"1 1"}, []string{"1 1"}},
		{"pending to latest", pending, latest, []string{"1 1"}, []string{"1 1"}},
		{"pending to a number", pending, filter.At(5), []string{"1 1"}, []string{"1 1"}},
		{"the pending number to pending", filter.At(1), pending, []string{"1 1", "1 1"}, []string{"1 1"}},
		{"a number above pending to pending", filter.At(2), pending, nil, nil},
		{"latest to latest", latest, latest, []string{"1 1"}, []string{"1 1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for noPreconf, want := range map[bool][]string{false: test.want, true: test.noPre} {
				timeline := newTimeline(t, preconf.Config{NoPreconf: noPreconf})
				id, err := timeline.NewFilter(filter.Filter{From: test.from, To: test.to})
				require.NoError(t, err)
				send(t, timeline, accounts[0].emit(0, 1, 1))
				seal(t, timeline, 1)
				changes, err := timeline.FilterChanges(id, preconf.Lag{})
				require.NoError(t, err)
				require.Equal(t, want, names(changes.Logs))
			}
		})
	}
}

// Ensure one filter more than the limit is rejected by name, of every kind, and room is made by uninstalling one.
func TestFilterCount(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{MaxFilters: 3})
	first := newBlockFilter(t, timeline)
	newBlockFilter(t, timeline)
	newBlockFilter(t, timeline)
	_, blocks := timeline.NewFilter(filter.Filter{Kind: filter.Blocks})
	_, transactions := timeline.NewFilter(filter.Filter{Kind: filter.Transactions})
	_, logs := timeline.NewFilter(filter.Filter{})
	for _, err := range []error{blocks, transactions, logs} {
		var limit *filter.LimitError
		require.ErrorAs(t, err, &limit)
		require.ErrorContains(t, err, "the limit is 3 filters")
	}
	require.True(t, timeline.UninstallFilter(first))
	require.EqualValues(t, 4, newBlockFilter(t, timeline), "a rejected filter takes no id")
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

// A revert takes filters back to what they had collected.
func TestFiltersAreReverted(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	id, err := timeline.NewFilter(filter.Filter{})
	require.NoError(t, err)
	send(t, timeline, accounts[0].emit(0, 1, 1))
	seal(t, timeline, 1)
	snapshot := timeline.Snapshot()
	for range 2 {
		require.NoError(t, timeline.Revert(snapshot))
		send(t, timeline, accounts[0].emit(1, 1, 2))
		seal(t, timeline, 1)
		changes, err := timeline.FilterChanges(id, preconf.Lag{})
		require.NoError(t, err)
		require.Equal(t, []string{"1 1", "1 2"}, names(changes.Logs))
		require.EqualValues(t, 2, newBlockFilter(t, timeline))
	}
}

// A filter of hashes and one of whole transactions each collect what is theirs, whichever was there first.
func TestPendingTransactionFilters(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	install := func(full bool) uint64 {
		id, err := timeline.NewFilter(filter.Filter{Kind: filter.Transactions, Full: full})
		require.NoError(t, err)
		return id
	}
	read := func(id uint64) (changes filter.Changes) {
		changes, err := timeline.FilterChanges(id, preconf.Lag{})
		require.NoError(t, err)
		return changes
	}
	var txs []*types.Transaction
	pooled := func() {
		txs = append(txs, accounts[0].pay(uint64(len(txs)), sink, 1))
		send(t, timeline, txs[len(txs)-1])
	}
	hashes := install(false)
	pooled()
	whole := install(true)
	pooled()
	require.Equal(t, []*pool.Entry{{Tx: txs[1], From: accounts[0].address}}, read(whole).Pooled)
	snapshot := timeline.Snapshot()
	require.True(t, timeline.UninstallFilter(whole))
	pooled()
	require.Equal(t, []common.Hash{txs[0].Hash(), txs[1].Hash(), txs[2].Hash()}, read(hashes).Hashes)

	require.NoError(t, timeline.Revert(snapshot))
	txs = txs[:2]
	pooled()
	require.Equal(t, []*pool.Entry{{Tx: txs[2], From: accounts[0].address}}, read(whole).Pooled)
	changes := read(hashes)
	require.Equal(t, []common.Hash{txs[0].Hash(), txs[1].Hash(), txs[2].Hash()}, changes.Hashes)
	require.Empty(t, changes.Pooled)
	require.True(t, timeline.UninstallFilter(hashes))
	pooled()
	require.Equal(t, []*pool.Entry{{Tx: txs[3], From: accounts[0].address}}, read(whole).Pooled)
}
