package chain_test

import (
	"bytes"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Ensure Verify returns the error that an import of the exported blocks would, and that a lenient import accepts blocks
// that only their headers make invalid.
func TestVerify(t *testing.T) {
	t.Parallel()
	genesis := newGenesis(t, "osaka")
	strict, lenient := chain.Options{}, chain.Options{Lenient: true}
	below := grow(t, newChainOf(t, genesis, strict), 2)
	now := below.Head().Time()
	require.NoError(t, below.Verify(strict))
	for field, env := range map[string]chain.Env{
		"timestamp": {Time: now},
		"gas limit": {GasLimit: 100},
		"base fee":  {BaseFee: big.NewInt(7)},
	} {
		c, _ := seal(t, draft(t, below, env))
		c = grow(t, c, 1)
		var file bytes.Buffer
		require.NoError(t, c.Export(&file))

		var refused *chain.ImportError
		require.ErrorAs(t, c.Verify(strict), &refused, field)
		require.Equal(t, field, refused.Field)
		_, err := newChainOf(t, genesis, strict).Import(bytes.NewReader(file.Bytes()))
		require.Equal(t, c.Verify(strict), err)

		require.NoError(t, c.Verify(lenient), field)
		again, err := newChainOf(t, genesis, lenient).Import(bytes.NewReader(file.Bytes()))
		require.NoError(t, err, field)
		require.Equal(t, c.Head().Hash(), again.Head().Hash())
	}

	impersonated, _, err := draft(t, below, chain.Env{}).Add(call(t, 0, 0, storer, 100_000, words(1, 2)), address(1))
	require.NoError(t, err)
	c, _ := seal(t, impersonated)
	require.ErrorContains(t, c.Verify(lenient), "block 3: transaction 0: got no signature, want that of "+address(1).Hex())
}

// Ensure a block of proof of work is refused from Shanghai on, also on a parent that is one.
func TestNoWorkFromShanghai(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("london", chainID)
	require.NoError(t, err)
	shanghai := uint64(genesisTime + 100)
	config.ShanghaiTime = &shanghai
	g := newGenesis(t, "london")
	g.Config = config
	c := newChainOf(t, g, chain.Options{})
	sealed := func(at uint64) error {
		d := draft(t, c, chain.Env{Time: at})
		h := types.CopyHeader(d.Header())
		h.Difficulty = big.NewInt(131_072)
		_, err := c.ImportBlock(types.NewBlockWithHeader(h))
		return err
	}
	require.ErrorContains(t, sealed(shanghai), "difficulty: got 131072, want 0 from shanghai on")
	require.NotContains(t, fmt.Sprint(sealed(shanghai-1)), "from shanghai on")
}
