package chain_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// withUncles returns b with uncles; its state root is wrong then, which is checked last.
func withUncles(b *types.Block, uncles ...*types.Header) *types.Block {
	header := b.Header()
	header.UncleHash = types.CalcUncleHash(uncles)
	return types.NewBlockWithHeader(header).WithBody(types.Body{Transactions: b.Transactions(), Uncles: uncles})
}

func TestImportRefusesWrongUncles(t *testing.T) {
	t.Parallel()
	genesis := newGenesis(t, "petersburg")
	blocks := mine(t, genesis, 12)
	c := newChainOf(t, genesis, chain.Options{})
	var err error
	for _, b := range blocks[:11] {
		c, err = c.ImportBlock(b)
		require.NoError(t, err)
	}
	last := blocks[11]
	sibling := func(number uint64, change func(h *types.Header)) *types.Header {
		h := types.CopyHeader(c.BlockByNumber(number).Header())
		h.Coinbase = common.Address{0xb2}
		change(h)
		return h
	}
	same := func(*types.Header) {}
	good := sibling(9, same)
	for name, test := range map[string]struct {
		uncles []*types.Header
		field  string
	}{
		"three":               {[]*types.Header{good, sibling(8, same), sibling(7, same)}, "uncles"},
		"twice":               {[]*types.Header{good, good}, "uncle 1"},
		"included before":     {[]*types.Header{c.BlockByNumber(4).Uncles()[0]}, "uncle 0"},
		"ancestor":            {[]*types.Header{c.BlockByNumber(9).Header()}, "uncle 0"},
		"too deep":            {[]*types.Header{sibling(4, same)}, "uncle 0"},
		"unknown parent":      {[]*types.Header{sibling(9, func(h *types.Header) { h.ParentHash = common.Hash{1} })}, "uncle 0"},
		"wrong difficulty":    {[]*types.Header{sibling(9, func(h *types.Header) { h.Difficulty = big.NewInt(5) })}, "uncle 0: difficulty"},
		"no difficulty":       {[]*types.Header{sibling(9, func(h *types.Header) { h.Difficulty = new(big.Int) })}, "uncle 0: difficulty"},
		"wrong number":        {[]*types.Header{sibling(9, func(h *types.Header) { h.Number = big.NewInt(8) })}, "uncle 0: number"},
		"wrong gas limit":     {[]*types.Header{sibling(9, func(h *types.Header) { h.GasLimit *= 2 })}, "uncle 0: gas limit"},
		"number out of range": {[]*types.Header{sibling(9, func(h *types.Header) { h.Number = new(big.Int).Lsh(common.Big1, 70) })}, "header"},
		"good but unpaid for": {[]*types.Header{good, sibling(6, same)}, "state root"},
	} {
		_, err := c.ImportBlock(withUncles(last, test.uncles...))
		var refused *chain.ImportError
		require.ErrorAs(t, err, &refused, name)
		require.Equal(t, test.field, refused.Field, name)
		require.Equal(t, uint64(12), refused.Number, name)
	}
	_, err = c.ImportBlock(withUncles(last, sibling(4, same)))
	require.ErrorContains(t, err, "want a child of an ancestor, at most 6 generations back")
	_, err = c.ImportBlock(withUncles(last, good, good, good))
	require.ErrorContains(t, err, "uncles: got 3, want at most 2")
	record, err := c.BlockByNumber(4).Record()
	require.NoError(t, err)
	kept, err := chain.BlockFromRecord(record)
	require.NoError(t, err)
	require.NotEmpty(t, kept.Uncles())
	require.Equal(t, c.BlockByNumber(4).Header().UncleHash, types.CalcUncleHash(kept.Uncles()))
	brother := types.CopyHeader(last.Header())
	brother.Coinbase = common.Address{0xb3}
	_, err = c.ImportBlock(withUncles(last, brother))
	require.ErrorContains(t, err, "block 12: uncle 0")

	merged := newChain(t, "paris")
	_, b := seal(t, draft(t, merged, chain.Env{}))
	_, err = merged.ImportBlock(types.NewBlockWithHeader(b.Header()).WithBody(types.Body{Uncles: []*types.Header{good}}))
	require.ErrorContains(t, err, "block 1: uncles: got 1, want none after the merge")
}
