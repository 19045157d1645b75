package chain_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

func newRollup(t *testing.T) (*chain.Genesis, *chain.Chain) {
	g := newGenesis(t, "osaka")
	return g, newChainOf(t, g, chain.Options{Track: true, Optimism: optimism.Azul.DefaultRules()})
}

// userDeposit returns a deposit by account 3.
func userDeposit(data []byte, gas uint64) *optimism.Deposit {
	return &optimism.Deposit{
		SourceHash: optimism.UserSource(optimism.L1Hash(7), 0), From: address(3), To: &storer, Mint: big.NewInt(5),
		Value: new(big.Int), Gas: gas, Data: data,
	}
}

// TestRollup checks that each block refers to the L1 block that its Env names, or else to its parent's, counts the
// blocks before it that do so, has its deposits first, and is the same after a restart.
func TestRollup(t *testing.T) {
	t.Parallel()
	g, c := newRollup(t)
	first, other := optimism.Azul.DefaultRules().DefaultL1(genesisTime), optimism.Azul.DefaultRules().DefaultL1(genesisTime+12)
	other.Number, other.Hash = 7, optimism.L1Hash(7)
	other.DAFootprintGasScalar = 20_000 // two transactions weigh more than the blobs of an Ethereum block
	for i, test := range []struct {
		env      chain.Env
		l1       optimism.L1
		sequence uint64
	}{
		{chain.Env{}, first, 1},
		{chain.Env{}, first, 2},
		{chain.Env{L1: &other, Deposits: []*optimism.Deposit{userDeposit(words(1, 2), 100_000)}}, other, 0},
		{chain.Env{L1: &other}, other, 1},
		{chain.Env{}, other, 2},
	} {
		d := draft(t, c, test.env)
		for range 2 {
			d = add(t, d, 0, call(t, 0, nonce(d, 0), storer, 100_000, words(3, 4)))
		}
		var block *chain.Block
		c, block = seal(t, d)
		l1, sequence, err := optimism.ReadL1(block.Transaction(0))
		require.NoError(t, err)
		require.Equal(t, test.l1, l1, "block %d", i+1)
		require.Equal(t, test.l1, c.L1(block), "block %d", i+1)
		require.Equal(t, test.l1.Fees, c.Fees(block), "block %d", i+1)
		require.Equal(t, test.sequence, sequence, "block %d", i+1)
		require.Equal(t, 3+len(test.env.Deposits), block.Count(), "block %d", i+1)
		deposits := 1 + len(test.env.Deposits)
		for at, receipt := range block.Receipts() {
			footprint := 100 * uint64(test.l1.DAFootprintGasScalar)
			if at < deposits {
				footprint = 0
			}
			require.Equal(t, footprint, receipt.BlobGasUsed, "block %d", i+1)
			require.EqualValues(t, at, receipt.TransactionIndex, "block %d", i+1)
		}
		require.Len(t, optimism.DepositsIn(block.Transactions()), deposits, "block %d", i+1)
		for at, tx := range block.Transactions() {
			in, index, ok := c.Find(tx.Hash())
			require.True(t, ok)
			require.Same(t, block, in)
			require.Equal(t, at, index)
		}
		require.Len(t, block.Logs(), 2+len(test.env.Deposits), "block %d", i+1)
	}
	require.EqualValues(t, 5, optimism.DepositsIn(c.BlockByNumber(3).Transactions())[1].Mint.Int64())
	unknown, _, ok := sealOne(t, newChain(t, "osaka")).Find(c.Head().Transaction(0).Hash())
	require.False(t, ok, "a chain under Ethereum's rules has none")
	require.Nil(t, unknown)
	restored := restore(t, c, nil, g)
	for n := uint64(1); n <= c.Head().Number(); n++ {
		requireSameBlock(t, c.BlockByNumber(n), restored.BlockByNumber(n))
	}
}

// TestBlockIsNotOversized checks that a block takes no transaction with which it would be larger than EIP-7934 allows,
// and that deposits count.
func TestBlockIsNotOversized(t *testing.T) {
	t.Parallel()
	_, c := newRollup(t)
	big := userDeposit(make([]byte, params.MaxBlockSize-200_000), 100_000_000)
	d := draft(t, c, chain.Env{GasLimit: 200_000_000, Deposits: []*optimism.Deposit{big}})
	transaction := func(size int) *types.Transaction {
		return call(t, 0, 0, address(1), 3_000_000, make([]byte, size))
	}
	_, _, err := d.Add(transaction(200_000), address(0))
	require.ErrorIs(t, err, core.ErrBlockOversized)
	_, block := seal(t, add(t, d, 0, transaction(190_000)))
	require.Greater(t, block.Size(), uint64(params.MaxBlockSize-20_000))
	require.LessOrEqual(t, block.Size(), uint64(params.MaxBlockSize))
}
