package preconf_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
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
	timeline := fiveBlocks(t, preconf.Config{Behaviour: preconf.Behaviour{FinalizedLag: new(uint64(9))}})
	hash := timeline.Moment().Latest().Hash()
	reorg(t, timeline, preconf.ReorgOptions{Depth: 1, Transactions: preconf.Drop})
	logs, err := timeline.Moment().LogsOf(chain.LogFilter{}, hash)
	require.NoError(t, err)
	for l := range logs {
		require.Equal(t, "1 5 removed", name(l))
		require.Equal(t, hash, l.BlockHash)
	}
	_, err = timeline.Moment().LogsOf(chain.LogFilter{}, common.Hash{})
	require.ErrorIs(t, err, preconf.ErrUnknownBlock)
}
