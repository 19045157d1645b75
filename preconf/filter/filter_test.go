package filter

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Ensure a filter of logs collects sealed ones unless it begins at pending, and pre-confirmed ones where a bound is
// pending, within its numbers; and nothing of another kind.
func TestBoundsOfFilters(t *testing.T) {
	t.Parallel()
	earliest, latest, pending := Bound{Tag: Earliest}, Bound{Tag: Latest}, Bound{Tag: Pending}
	for _, c := range []struct {
		from, to             Bound
		sealed, preconfirmed []uint64 // the blocks among 4, 5 and 6 whose logs are collected
	}{
		{Bound{}, Bound{}, []uint64{4, 5, 6}, nil},
		{latest, Bound{}, []uint64{4, 5, 6}, nil},
		{earliest, latest, []uint64{4, 5, 6}, nil},
		{Bound{}, earliest, nil, nil},
		{At(5), Bound{}, []uint64{5, 6}, nil},
		{Bound{}, At(5), []uint64{4, 5}, nil},
		{At(5), At(5), []uint64{5}, nil},
		{At(6), At(5), nil, nil},
		{Bound{}, pending, []uint64{4, 5, 6}, []uint64{4, 5, 6}},
		{At(5), pending, []uint64{5, 6}, []uint64{5, 6}},
		{pending, Bound{}, nil, []uint64{4, 5, 6}},
		{pending, pending, nil, []uint64{4, 5, 6}},
		{pending, At(5), nil, []uint64{4, 5, 6}},
	} {
		f := Filter{Kind: Logs, From: c.from, To: c.to, Logs: chain.LogFilter{Addresses: []common.Address{{1}}}}
		for _, preconfirmed := range []bool{false, true} {
			var have []uint64
			for n := uint64(4); n <= 6; n++ {
				var changes Changes
				f.collect(&Event{Kind: Logs, Preconfirmed: preconfirmed, Logs: []*types.Log{
					{BlockNumber: n, Address: common.Address{1}}, {BlockNumber: n, Address: common.Address{2}},
				}}, &changes)
				f.collect(&Event{Kind: Blocks, Hash: common.Hash{1}}, &changes)
				require.Empty(t, changes.Hashes)
				for _, l := range changes.Logs {
					require.Equal(t, common.Address{1}, l.Address)
					have = append(have, l.BlockNumber)
				}
			}
			want := c.sealed
			if preconfirmed {
				want = c.preconfirmed
			}
			require.Equal(t, want, have, "%v to %v, pre-confirmed: %t", c.from, c.to, preconfirmed)
		}
	}
}
