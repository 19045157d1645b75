package chain_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

func TestLogFilterMatches(t *testing.T) {
	t.Parallel()
	a, b := common.Address{1}, common.Address{2}
	one, two := common.Hash{1}, common.Hash{2}
	l := &types.Log{Address: a, Topics: []common.Hash{one, two}}
	for name, test := range map[string]struct {
		filter chain.LogFilter
		want   bool
	}{
		"zero":                {chain.LogFilter{}, true},
		"address":             {chain.LogFilter{Addresses: []common.Address{b, a}}, true},
		"other address":       {chain.LogFilter{Addresses: []common.Address{b}}, false},
		"first topic":         {chain.LogFilter{Topics: [][]common.Hash{{one}}}, true},
		"alternatives":        {chain.LogFilter{Topics: [][]common.Hash{{two, one}, {two}}}, true},
		"wildcard":            {chain.LogFilter{Topics: [][]common.Hash{{}, {two}}}, true},
		"wrong place":         {chain.LogFilter{Topics: [][]common.Hash{{two}}}, false},
		"more than it has":    {chain.LogFilter{Topics: [][]common.Hash{{}, {}, {}}}, false},
		"wildcards in number": {chain.LogFilter{Topics: [][]common.Hash{nil, nil}}, true},
	} {
		require.Equal(t, test.want, test.filter.Matches(l), name)
	}
}

// TestLogsEqualAScan compares the index with a look at every log, over a chain with reorgs, for random filters.
func TestLogsEqualAScan(t *testing.T) {
	t.Parallel()
	g := &generator{t: t, rand: rand.New(rand.NewPCG(11, 12))}
	c := g.grow(newChain(t, "osaka"), 120, true)
	c = g.grow(c.Truncate(60), 40, true) // shorter than before: the index has more than the chain
	addresses := []common.Address{storer, doubler, reverter, address(0)}
	found := 0
	for range 300 {
		var f chain.LogFilter
		for range g.rand.IntN(3) {
			f.Addresses = append(f.Addresses, addresses[g.rand.IntN(len(addresses))])
		}
		for range g.rand.IntN(3) {
			var topics []common.Hash
			for range g.rand.IntN(4) {
				topics = append(topics, word(g.rand.Uint64N(50)))
			}
			f.Topics = append(f.Topics, topics)
		}
		from, to := g.rand.Uint64N(130), g.rand.Uint64N(130)
		var want []*types.Log
		for n := from; n <= min(to, c.Head().Number()); n++ {
			for _, l := range c.BlockByNumber(n).Logs() {
				if f.Matches(l) {
					want = append(want, l)
				}
			}
		}
		require.Equal(t, want, collect(t, c, f, from, to), "%+v %d %d", f, from, to)
		found += len(want)
	}
	require.Greater(t, found, 500)
	for _, f := range []chain.LogFilter{{}, {Addresses: addresses}} {
		logs, err := c.Logs(f, 0, 1<<63)
		require.NoError(t, err)
		for first := range logs { // whoever asks may have enough
			require.Equal(t, collect(t, c, f, 0, 1<<63)[0], first)
			break
		}
	}
}

// collect returns the logs of a chain that is no fork.
func collect(t testing.TB, c *chain.Chain, f chain.LogFilter, from, to uint64) []*types.Log {
	t.Helper()
	logs, err := c.Logs(f, from, to)
	require.NoError(t, err)
	return slices.Collect(logs)
}
