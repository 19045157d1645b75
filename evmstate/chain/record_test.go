package chain_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/servertest"
)

// Ensure a block that is read from its record has the header it had, whichever of its values are those of most
// blocks.
func TestHeadersOfRecords(t *testing.T) {
	t.Parallel()
	root := common.Hash{7}
	request := &types.LegacyTx{
		To: &params.WithdrawalQueueAddress, Gas: 200_000, GasPrice: big.NewInt(100 * gwei), Value: big.NewInt(1), Data: bytes.Repeat([]byte{1}, 56),
	}
	blob := &types.BlobTx{
		ChainID: uint256.NewInt(chainID), Gas: 100_000, GasFeeCap: uint256.NewInt(100 * gwei), BlobFeeCap: uint256.NewInt(gwei), To: storer, BlobHashes: []common.Hash{{1}},
	}
	for name, test := range map[string]struct {
		fork string
		env  chain.Env
		txs  []types.TxData
	}{
		"empty":              {fork: "osaka"},
		"beacon root":        {fork: "osaka", env: chain.Env{BeaconRoot: &root}},
		"withdrawals":        {fork: "osaka", env: chain.Env{Withdrawals: types.Withdrawals{{Address: common.Address{1}, Amount: 1}}}},
		"requests":           {fork: "osaka", txs: []types.TxData{request}},
		"blobs":              {fork: "osaka", txs: []types.TxData{blob}},
		"proof of work":      {fork: "london"},
		"no withdrawals yet": {fork: "paris"},
		"slots and accesses": {fork: "amsterdam"},
	} {
		d := draft(t, newChain(t, test.fork), test.env)
		for _, tx := range test.txs {
			d = add(t, d, 0, sign(t, 0, tx))
		}
		_, block := seal(t, d)
		data, err := block.Record()
		require.NoError(t, err)
		read, err := chain.BlockFromRecord(data)
		require.NoError(t, err)
		require.Equal(t, block.Header().Hash(), read.Header().Hash(), name)
		require.Equal(t, block.Header().ParentBeaconRoot, read.Header().ParentBeaconRoot, name)
		require.Equal(t, block.Header().Difficulty.String(), read.Header().Difficulty.String(), name)
		requireSameBlock(t, block, read)
	}
	_, err := chain.BlockFromRecord([]byte{0xc0})
	require.ErrorContains(t, err, "block record: ")
}

// Ensure blocks from before a chain had milliseconds have none, however many transactions they have, and those above
// them do.
func TestForkBeforeMilliseconds(t *testing.T) {
	t.Parallel()
	under := fakenode.RunConfigT(t, fakenode.Config{Rules: fakenode.AzulRules})
	under.Seal()
	_, err := under.Transact(under.Account(0), fakenode.Tx{To: &common.Address{1}, Gas: 21_000})
	require.NoError(t, err)
	under.Seal()
	f := servertest.OpenFork(t, under.URL(), "")
	require.Nil(t, chain.OptimismAt(f))
	rules := optimism.Denim.DefaultRules()
	c, err := chain.NewFork(f, under.Moment().Chain().Config(), evmstate.StateFromSource(f.At(f.Number())), chain.Options{Optimism: rules})
	require.NoError(t, err)
	for n := uint64(1); n <= 2; n++ {
		block, err := c.BlockAt(n)
		require.NoError(t, err)
		require.EqualValues(t, n, block.Count())
		_, ok := c.Milliseconds(block)
		require.False(t, ok)
	}
	_, ok := c.MillisecondsBelow(1, under.Moment().Latest().Time())
	require.False(t, ok)
	c = grow(t, c, 1)
	ms, ok := c.Milliseconds(c.Head())
	require.True(t, ok)
	require.Equal(t, under.Moment().Latest().Time()*1000+200, ms)
}
