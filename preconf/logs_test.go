package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
)

// fiveBlocks has a log "1 n" in each of blocks 1 to 5, "2 1" and "2 2" in two flashblocks of block 6, safe 4 and
// finalized 2.
func fiveBlocks(t *testing.T, cfg preconf.Config) *preconf.Timeline {
	cfg.SafeLag, cfg.FinalizedLag = new(uint64(1)), new(uint64(3))
	timeline := newTimeline(t, cfg)
	for n := range uint64(5) {
		send(t, timeline, accounts[0].emit(n, 1, byte(n+1)))
		seal(t, timeline, 1)
	}
	for n := range uint64(2) {
		send(t, timeline, accounts[0].emit(5+n, 2, byte(n+1)))
		if !cfg.NoPreconf {
			preconfirm(t, timeline)
		}
	}
	return timeline
}

// The matrix of bounds: contract 2.2-fromBlock, D-logsPending, D-logsAbove.
func TestLogBounds(t *testing.T) {
	t.Parallel()
	n := filter.At
	one, two, three, four, five := "1 1", "1 2", "1 3", "1 4", "1 5"
	p, q := "2 1", "2 2"
	none := []string(nil)
	for _, test := range []struct {
		name     string
		from, to filter.Bound
		want     []string
		noPre    []string // of a node without pre-confirmation
	}{
		{"pending to pending", pending, pending, []string{p, q}, []string{five}},
		{"pending alone", pending, unset, []string{p, q}, []string{five}},
		{"up to pending", unset, pending, []string{five, p, q}, []string{five}},
		{"latest to pending", latest, pending, []string{five, p, q}, []string{five}},
		{"number to pending", n(4), pending, []string{four, five, p, q}, []string{four, five}},
		{"earliest to pending", earliest, pending, []string{one, two, three, four, five, p, q}, []string{one, two, three, four, five}},
		{"safe to pending", safe, pending, []string{four, five, p, q}, []string{four, five}},
		{"finalized to pending", finalized, pending, []string{two, three, four, five, p, q}, []string{two, three, four, five}},
		{"the pending number to pending", n(6), pending, []string{p, q}, none},
		{"a number above pending to pending", n(7), pending, none, none},
		{"pending to latest", pending, latest, []string{p, q}, []string{five}},
		{"pending to a number", pending, n(5), []string{p, q}, []string{five}},
		{"both left out", unset, unset, []string{five}, []string{five}},
		{"latest to latest", latest, latest, []string{five}, []string{five}},
		{"numbers", n(2), n(4), []string{two, three, four}, []string{two, three, four}},
		{"one number", n(3), n(3), []string{three}, []string{three}},
		{"number to latest", n(4), latest, []string{four, five}, []string{four, five}},
		{"number alone", n(4), unset, []string{four, five}, []string{four, five}},
		{"earliest to finalized", earliest, finalized, []string{one, two}, []string{one, two}},
		{"finalized to safe", finalized, safe, []string{two, three, four}, []string{two, three, four}},
		{"above the head to latest", n(6), latest, none, none},
		{"far above the head, alone", n(60), unset, none, none},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, logsIn(t, fiveBlocks(t, preconf.Config{}).Moment(), test.from, test.to))
			require.Equal(t, test.noPre, logsIn(t, fiveBlocks(t, preconf.Config{NoPreconf: true}).Moment(), test.from, test.to))
		})
	}
}

func TestLogBoundsRefused(t *testing.T) {
	t.Parallel()
	m := fiveBlocks(t, preconf.Config{}).Moment()
	n := filter.At
	for name, bounds := range map[string][2]filter.Bound{
		"to above the head":              {n(1), n(6)},
		"both above the head":            {n(8), n(7)},
		"tag to above the head":          {latest, n(6)},
		"reversed numbers":               {n(4), n(3)},
		"latest to an older number":      {latest, n(4)},
		"number to earliest":             {n(1), earliest},
		"safe to finalized":              {safe, finalized},
		"above the head to below it":     {n(9), n(2)},
		"left out to an older number":    {unset, n(1)},
		"number above a finalized bound": {n(3), finalized},
	} {
		_, err := m.Logs(chain.LogFilter{}, bounds[0], bounds[1])
		var wrong *filter.RangeError
		require.ErrorAs(t, err, &wrong, name)
		require.EqualValues(t, 5, wrong.Head)
	}
}

func TestPreconfirmedLogsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	send(t, timeline, accounts[0].emit(0, 1, 1), accounts[1].pay(0, sink, 1))
	preconfirm(t, timeline)
	send(t, timeline, accounts[0].emit(1, 1, 2))
	preconfirm(t, timeline)
	before := timeline.Moment().Pending().Logs()
	seal(t, timeline, 1)
	head := timeline.Moment().Latest()
	require.Len(t, before, 2)
	for i, l := range before {
		require.Equal(t, common.Hash{}, l.BlockHash)
		sealed := *head.Logs()[i]
		require.Equal(t, head.Hash(), sealed.BlockHash)
		sealed.BlockHash = common.Hash{}
		require.Equal(t, sealed, *l)
		require.EqualValues(t, i, l.Index)
	}
}

func TestLogsFiltered(t *testing.T) {
	t.Parallel()
	m := fiveBlocks(t, preconf.Config{}).Moment()
	topic := common.BigToHash(common.Big2)
	logs, err := m.Logs(chain.LogFilter{Addresses: []common.Address{emitter}, Topics: [][]common.Hash{{topic}}}, earliest, pending)
	require.NoError(t, err)
	var seen []string
	for l := range logs {
		seen = append(seen, name(l))
	}
	require.Equal(t, []string{"2 1", "2 2"}, seen)
	logs, err = m.Logs(chain.LogFilter{Addresses: []common.Address{sink}}, earliest, pending)
	require.NoError(t, err)
	for range logs {
		require.Fail(t, "no log is of this address")
	}
}

func TestLogsOfABlock(t *testing.T) {
	t.Parallel()
	timeline := fiveBlocks(t, preconf.Config{Behaviour: preconf.Behaviour{Lags: preconf.Lags{FinalizedLag: new(uint64(9))}}})
	hash := timeline.Moment().Latest().Hash()
	reorg(t, timeline, control.ReorgOptions{Depth: 1, Transactions: control.Drop})
	logs, err := timeline.Moment().LogsOf(chain.LogFilter{}, hash)
	require.NoError(t, err)
	for l := range logs {
		require.Equal(t, "1 5 removed", name(l))
		require.Equal(t, hash, l.BlockHash)
	}
	_, err = timeline.Moment().LogsOf(chain.LogFilter{}, common.Hash{})
	require.ErrorAs(t, err, new(*preconf.UnknownBlockError))
}

func TestFilters(t *testing.T) {
	t.Parallel()
	timeline := threeBlocks(t)
	logs := func(id uint64) []string {
		changes, err := timeline.Filters().Changes(id, preconf.Lag{})
		require.NoError(t, err)
		return names(changes.Logs)
	}
	install := func(f chain.LogFilter, from, to filter.Bound) uint64 {
		id, err := timeline.Filters().Add(filter.Filter{Logs: f, From: from, To: to})
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
	txs, err := timeline.Filters().Add(filter.Filter{Kind: filter.Transactions, Full: true})
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
	reorg(t, timeline, control.ReorgOptions{Depth: 2, Length: new(1)})

	require.Equal(t, []string{"3 3", "1 3 removed", "2 1 removed", "3 3 removed", "1 3", "2 1", "3 3"}, logs(all))
	require.Empty(t, logs(all), "read once")
	require.Equal(t, []string{"2 1 removed", "2 1"}, logs(topic))
	require.Equal(t, []string{"1 3 removed", "2 1 removed", "1 3", "2 1", "3 3"}, logs(early))
	require.Equal(t, []string{"3 3", "3 3 removed"}, logs(later))
	require.Empty(t, logs(preconfirmed))

	changes, err := timeline.Filters().Changes(blocks, preconf.Lag{})
	require.NoError(t, err)
	require.Len(t, changes.Hashes, 2)
	require.Equal(t, timeline.Moment().Latest().Hash(), changes.Hashes[1])
	changes, err = timeline.Filters().Changes(txs, preconf.Lag{})
	require.NoError(t, err)
	require.True(t, changes.Full)
	require.Equal(t, []*pool.Entry{{Tx: tx, From: accounts[0].address}}, changes.Pooled)

	wanted, span, err := timeline.Filters().Range(early, preconf.Lag{})
	require.NoError(t, err)
	require.EqualValues(t, 4, span.Blocks())
	found, err := span.Logs(wanted)
	require.NoError(t, err)
	var seen []string
	for l := range found {
		seen = append(seen, name(l))
	}
	require.Equal(t, []string{"1 1", "1 2", "1 3", "2 1", "3 3"}, seen)

	require.True(t, timeline.Filters().Remove(all))
	require.False(t, timeline.Filters().Remove(all))
	var unknown *filter.UnknownError
	_, err = timeline.Filters().Changes(all, preconf.Lag{})
	require.ErrorAs(t, err, &unknown)
	_, _, err = timeline.Filters().Range(blocks, preconf.Lag{})
	require.ErrorAs(t, err, &unknown)
	_, err = timeline.Filters().Add(filter.Filter{From: filter.At(3), To: filter.At(2)})
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
		"latest to earliest":         {latest, earliest, true},
		"pending to earliest":        {pending, earliest, false},
		"numbers to come, reversed":  {filter.At(9), filter.At(8), true},
		"numbers to come":            {filter.At(8), filter.At(9), false},
		"a number to come to latest": {filter.At(9), latest, false},
	} {
		_, err := timeline.Filters().Add(filter.Filter{From: test.from, To: test.to})
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
		changes, err := tl.Filters().Changes(id, preconf.Lag{})
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
