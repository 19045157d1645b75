package chain_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Ensure the headers of blocks without transactions are complete though little of them is kept: they hash to the
// blocks' hashes, also while several chains grow on the same head and its header is read.
func TestHeadersOfEmptyBlocks(t *testing.T) {
	t.Parallel()
	base := grow(t, newChain(t, "osaka"), 50)
	check := func(t *testing.T, c *chain.Chain) {
		for n := range c.Head().Number() + 1 {
			b := c.BlockByNumber(n)
			h := b.Header()
			require.Equal(t, b.Hash(), h.Hash(), n)
			require.Equal(t, n, h.Number.Uint64())
			require.Equal(t, b.Time(), h.Time)
		}
	}
	chains := make([]*chain.Chain, 4)
	t.Run("growing", func(t *testing.T) {
		for i := range chains {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				check(t, base)
				chains[i] = grow(t, base, 10)
			})
		}
	})
	for _, c := range chains {
		check(t, c)
		require.Equal(t, chains[0].Head().Hash(), c.Head().Hash())
	}
	requireGethAccepts(t, chains[0])
}
