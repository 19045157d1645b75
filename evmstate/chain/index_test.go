package chain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Ensure every block and transaction is found by its hash on a long chain, as an orphan after a reorg, again when the
// chain has grown beyond it, and never on a chain that does not have it.
func TestHashesOfALongChain(t *testing.T) {
	t.Parallel()
	short := newChain(t, "osaka")
	d := draft(t, short, chain.Env{})
	for i := range 5 {
		d = add(t, d, i, call(t, i, 0, storer, 100_000, words(3, uint64(i))))
	}
	short, with := seal(t, d)
	long := grow(t, short, 3_200)
	cut := long.Truncate(100)
	again := grow(t, cut, 1_500)
	other := grow(t, long.Truncate(0), 10)
	for n := range long.Head().Number() + 1 {
		b := long.BlockByNumber(n)
		for name, at := range map[string]struct {
			on        *chain.Chain
			known     bool
			canonical bool
		}{
			"short": {short, n <= 1, n <= 1}, "long": {long, true, true}, "cut": {cut, true, n <= 100},
			"again": {again, true, n <= 100 || n <= 1_600}, "other": {other, true, n == 0},
		} {
			found, canonical := at.on.BlockByHash(b.Hash())
			require.Equal(t, at.known, found != nil, "block %d on %s", n, name)
			if at.known {
				require.Equal(t, b.Hash(), found.Hash(), "block %d on %s", n, name)
			}
			require.Equal(t, at.canonical, canonical, "block %d on %s", n, name)
		}
	}
	for i, tx := range with.Transactions() {
		for on, canonical := range map[*chain.Chain]bool{short: true, long: true, again: true, other: false} {
			b, at, ok := on.Find(tx.Hash())
			require.Equal(t, with.Hash(), b.Hash())
			require.Equal(t, i, at)
			require.Equal(t, canonical, ok)
		}
		b, _, _ := newChain(t, "osaka").Find(tx.Hash())
		require.Nil(t, b)
	}
	require.Empty(t, long.Orphans())
	require.Len(t, cut.Orphans(), 3_101)
	require.Len(t, other.Orphans(), 3_201)
}
