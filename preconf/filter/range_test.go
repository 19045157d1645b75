package filter

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/pool"
)

// Ensure two bounds are a range as in eth_getLogs, on a chain with the blocks from 2 to 20.
func TestBetween(t *testing.T) {
	t.Parallel()
	tags := map[Tag]uint64{Earliest: 2, Finalized: 8, Safe: 12, Latest: 20}
	of := func(tag Tag) Bound { return Bound{Tag: tag} }
	pending := func(first, last, from uint64) Range {
		return Range{First: first, Last: last, Pending: true, PendingFirst: from}
	}
	for _, test := range []struct {
		from, to Bound
		want     Range
		blocks   uint64
	}{
		{Bound{}, Bound{}, Range{First: 20, Last: 20}, 1},
		{of(Earliest), of(Latest), Range{First: 2, Last: 20}, 19},
		{of(Finalized), of(Safe), Range{First: 8, Last: 12}, 5},
		{At(5), Bound{}, Range{First: 5, Last: 20}, 16},
		{At(5), At(20), Range{First: 5, Last: 20}, 16},
		{At(20), At(20), Range{First: 20, Last: 20}, 1},
		{At(21), Bound{}, Range{First: 21, Last: 20}, 0},
		{At(30), of(Latest), Range{First: 30, Last: 20}, 0},
		{of(Pending), Bound{}, pending(21, 20, 21), 0},
		{of(Pending), of(Pending), pending(21, 20, 21), 0},
		{of(Pending), At(30), pending(21, 20, 21), 0},
		{of(Pending), At(7), pending(21, 7, 21), 0},
		{At(5), of(Pending), pending(5, 20, 5), 16},
		{At(22), of(Pending), pending(22, 20, 22), 0},
		{Bound{}, of(Pending), pending(20, 20, 20), 1},
		{of(Safe), of(Pending), pending(12, 20, 12), 9},
	} {
		got, err := Between(test.from, test.to, func(tag Tag) uint64 { return tags[tag] })
		require.NoError(t, err, "%+v", test)
		require.Equal(t, test.want, got, "%+v", test)
		require.Equal(t, test.blocks, got.Blocks(), "%+v", test)
	}
	for _, test := range []struct {
		from, to Bound
		want     string
	}{
		{At(5), At(21), "block range extends beyond current head block: to 0x15, head 0x14"},
		{Bound{}, At(21), "block range extends beyond current head block: to 0x15, head 0x14"},
		{At(22), At(21), "block range extends beyond current head block: to 0x15, head 0x14"},
		{At(5), At(4), "invalid block range params: from 0x5 is above to 0x4"},
		{At(21), At(20), "invalid block range params: from 0x15 is above to 0x14"},
		{At(20), of(Safe), "invalid block range params: from 0x14 is above to 0xc"},
		{of(Latest), of(Finalized), "invalid block range params: from 0x14 is above to 0x8"},
		{Bound{}, At(19), "invalid block range params: from 0x14 is above to 0x13"},
	} {
		_, err := Between(test.from, test.to, func(tag Tag) uint64 { return tags[tag] })
		require.EqualError(t, err, test.want, "%+v", test)
	}
}

// Ensure bounds compare by number, or as the earliest block, and one without pre-confirmation is the latest.
func TestBounds(t *testing.T) {
	t.Parallel()
	require.True(t, At(5).Below(6))
	require.False(t, At(5).Below(5))
	require.True(t, Bound{Tag: Earliest}.Below(1))
	for _, tag := range []Tag{Unset, Finalized, Safe, Latest, Pending} {
		require.False(t, Bound{Tag: tag}.Below(9))
		want := Bound{Tag: tag}
		if tag == Pending {
			want.Tag = Latest
		}
		require.Equal(t, want, Bound{Tag: tag}.Sealed())
	}
	require.Equal(t, At(5), At(5).Sealed())
	require.Zero(t, Range{First: 5, Last: 4}.Blocks())
	require.EqualError(t, &UnknownError{ID: 26}, "filter not found: 0x1a")
	require.EqualError(t, &LimitError{Limit: 3}, "cannot install another filter: the limit is 3 filters, uninstall those that are not needed")
}

// Ensure a filter of transactions collects hashes, or whole ones where it asks for them, and one of blocks heads.
func TestKindsOfFilters(t *testing.T) {
	t.Parallel()
	set, _ := onWall(3, 0)
	ids := map[string]uint64{}
	for name, f := range map[string]Filter{"heads": {Kind: Blocks}, "hashes": {Kind: Transactions}, "whole": {Kind: Transactions, Full: true}} {
		id, err := set.Add(f)
		require.NoError(t, err)
		ids[name] = id
		got, err := set.Get(id)
		require.NoError(t, err)
		require.Equal(t, f, got)
	}
	pooled := &pool.Entry{Arrival: 7}
	note := func() {
		set.Note(Event{Kind: Transactions, Hash: common.Hash{1}, Pooled: pooled})
		set.Note(Event{Kind: Blocks, Hash: common.Hash{2}})
		set.Note(Event{Kind: Logs})
	}
	note()
	require.EqualValues(t, 2, set.Noted(), "no logs are no event")
	require.Equal(t, Changes{Kind: Blocks, Hashes: []common.Hash{{2}}}, take(t, set, ids["heads"]))
	require.Equal(t, Changes{Kind: Transactions, Hashes: []common.Hash{{1}}}, take(t, set, ids["hashes"]))
	require.Equal(t, Changes{Kind: Transactions, Full: true, Pooled: []*pool.Entry{pooled}}, take(t, set, ids["whole"]))
	require.Equal(t, Changes{Kind: Transactions, Full: true}, take(t, set, ids["whole"]), "each once")
	_, err := set.Add(Filter{})
	require.EqualError(t, err, (&LimitError{Limit: 3}).Error())
	require.True(t, set.Remove(ids["whole"]))
	require.Equal(t, 2, set.Len())
	note()
	require.Nil(t, set.unread.list[0].Pooled, "nobody asks for whole transactions any more")
	logs, err := set.Add(Filter{Kind: Logs})
	require.NoError(t, err)
	set.Note(Event{Kind: Logs, Logs: []*types.Log{{BlockNumber: 4}}})
	require.Len(t, take(t, set, logs).Logs, 1)
}
