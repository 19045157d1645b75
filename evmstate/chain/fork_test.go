package chain_test

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// TestForkConfigBlobs checks that a hard fork is the newest in its rules, and how many blobs a block may have by it.
func TestForkConfigBlobs(t *testing.T) {
	t.Parallel()
	for name, blobs := range map[string]int{
		"shanghai": 0, "cancun": 6, "prague": 9, "osaka": 9, "bpo1": 15, "bpo2": 21, "bpo3": 32, "bpo4": 21, "amsterdam": 21,
	} {
		config, err := chain.ForkConfig(name, 1)
		require.NoError(t, err)
		require.Equal(t, name, strings.ToLower(config.LatestFork(0).String()))
		require.Equal(t, blobs, eip4844.MaxBlobsPerBlock(config, 0), name)
	}
}

// Ensure the rules of a block have the name that they are asked for by, of rules that differ in the difficulty alone
// the oldest.
func TestHardfork(t *testing.T) {
	t.Parallel()
	oldest := map[string]string{"muirglacier": "istanbul", "arrowglacier": "london", "grayglacier": "london"}
	merged := slices.Index(chain.ForkNames(), "paris")
	for i, name := range chain.ForkNames() {
		config, err := chain.ForkConfig(name, 1)
		require.NoError(t, err)
		header := &types.Header{Number: new(big.Int), Difficulty: new(big.Int)}
		if i < merged {
			header.Difficulty = big.NewInt(131_072)
		}
		require.Equal(t, cmp.Or(oldest[name], name), chain.Hardfork(config, header))
	}
}

// TestBlocksOfEveryFork builds blocks under each fork, which go-ethereum must accept.
func TestBlocksOfEveryFork(t *testing.T) {
	t.Parallel()
	for _, fork := range chain.ForkNames() {
		t.Run(fork, func(t *testing.T) {
			t.Parallel()
			c := newChain(t, fork)
			for range uint64(5) {
				d := draft(t, c, chain.Env{Time: c.Head().Time() + 7, Coinbase: common.Address{0xcb}})
				n := nonce(d, 0)
				d = add(t, d, 0, call(t, 0, n, storer, 100_000, words(n%2, 4)))
				d = add(t, d, 0, call(t, 0, n+1, looper, 50_000, nil))
				d = add(t, d, 0, call(t, 0, n+2, creator, 400_000, common.FromHex(contracts[destroyer])))
				d = add(t, d, 0, call(t, 0, n+3, historian, 100_000, nil))
				d = add(t, d, 0, call(t, 0, n+4, common.Address{0xee}, 50_000, nil)) // touches an empty account
				c, _ = seal(t, d)
			}
			requireGethAccepts(t, c)

			var file bytes.Buffer
			require.NoError(t, c.Export(&file))
			again, err := newChain(t, fork).Import(&file)
			require.NoError(t, err)
			require.Equal(t, c.Head().Hash(), again.Head().Hash())
			require.Equal(t, c.Head().Receipts(), again.Head().Receipts())
		})
	}
}

// TestImportOfMinedBlocks imports proof-of-work blocks with uncles that go-ethereum made, under each fork before the
// merge.
func TestImportOfMinedBlocks(t *testing.T) {
	t.Parallel()
	for _, fork := range chain.ForkNames() {
		if fork == "paris" {
			break
		}
		t.Run(fork, func(t *testing.T) {
			t.Parallel()
			genesis := newGenesis(t, fork)
			blocks := mine(t, genesis, 12)
			c := newChainOf(t, genesis, chain.Options{})
			var err error
			for _, b := range blocks {
				c, err = c.ImportBlock(b)
				require.NoError(t, err)
			}
			require.Equal(t, blocks[11].Hash(), c.Head().Hash())
			require.Len(t, c.BlockByNumber(4).Uncles(), 2)
			state, err := c.StateAt(c.Head())
			require.NoError(t, err)
			require.NotZero(t, state.Balance(common.Address{0xb1}).Sign(), "the uncle's miner is rewarded")
		})
	}
}

// mine lets go-ethereum make blocks with transactions and, in block 4, two uncles.
func mine(t *testing.T, genesis *chain.Genesis, n int) []*types.Block {
	t.Helper()
	_, blocks, _ := core.GenerateChainWithGenesis(genesis, ethash.NewFaker(), n, func(i int, b *core.BlockGen) {
		b.SetCoinbase(common.Address{0xcb})
		nonce := b.TxNonce(address(1))
		b.AddTx(call(t, 1, nonce, storer, 100_000, words(1, uint64(i))))
		b.AddTx(call(t, 1, nonce+1, destroyer, 100_000, nil))
		if i == 3 {
			for miner := range byte(2) {
				b.AddUncle(&types.Header{ParentHash: b.PrevBlock(1).Hash(), Number: big.NewInt(3), Coinbase: common.Address{0xb1, miner}})
			}
		}
	})
	return blocks
}

// TestDAOFork imports and builds across the DAO fork, which moves balances.
func TestDAOFork(t *testing.T) {
	t.Parallel()
	genesis := newGenesis(t, "homestead")
	genesis.Config.DAOForkBlock, genesis.Config.DAOForkSupport = big.NewInt(2), true
	drained := params.DAODrainList()[0]
	genesis.Alloc[drained] = types.Account{Balance: big.NewInt(77)}
	c := grow(t, newChainOf(t, genesis, chain.Options{}), 13)
	requireGethAccepts(t, c)
	for n := uint64(1); n <= 13; n++ {
		marked := bytes.Equal(params.DAOForkBlockExtra, c.BlockByNumber(n).Header().Extra)
		require.Equal(t, n >= 2 && n < 12, marked, "block %d", n)
	}
	own := draft(t, c.Truncate(4), chain.Env{ExtraData: []byte("mine")})
	require.Equal(t, "mine", string(own.Header().Extra))
	state, err := c.StateAt(c.BlockByNumber(2))
	require.NoError(t, err)
	require.Equal(t, uint64(77), state.Balance(params.DAORefundContract).Uint64())
	require.Zero(t, state.Balance(drained).Sign())

	bad := reheaded(t, c.BlockByNumber(2).Body(), func(h *types.Header) { h.Extra = nil })
	_, err = c.Truncate(1).ImportBlock(bad)
	require.ErrorContains(t, err, "block 2: extra data")
}

// TestMergeByDifficulty builds through the merge: proof of work until the terminal total difficulty.
func TestMergeByDifficulty(t *testing.T) {
	t.Parallel()
	genesis := newGenesis(t, "grayglacier")
	genesis.Config.TerminalTotalDifficulty = big.NewInt(131_072 * 3)
	c := grow(t, newChainOf(t, genesis, chain.Options{}), 5)
	require.Equal(t, 1, c.BlockByNumber(2).Header().Difficulty.Sign())
	require.Equal(t, 0, c.BlockByNumber(3).Header().Difficulty.Sign())
	requireGethAccepts(t, c)

	exact := newGenesis(t, "grayglacier")
	exact.Config.TerminalTotalDifficulty = work(c)
	require.Equal(t, c.Head().Hash(), grow(t, newChainOf(t, exact, chain.Options{}), 5).Head().Hash(), "reached, not exceeded")
}

// TestForksByNumberAndTime builds through forks that a genesis schedules.
func TestForksByNumberAndTime(t *testing.T) {
	t.Parallel()
	genesis := newGenesis(t, "bpo2")
	for i, at := range []**big.Int{
		&genesis.Config.HomesteadBlock, &genesis.Config.EIP150Block, &genesis.Config.EIP155Block, &genesis.Config.EIP158Block,
		&genesis.Config.ByzantiumBlock, &genesis.Config.ConstantinopleBlock, &genesis.Config.PetersburgBlock,
		&genesis.Config.IstanbulBlock, &genesis.Config.MuirGlacierBlock, &genesis.Config.BerlinBlock, &genesis.Config.LondonBlock,
		&genesis.Config.ArrowGlacierBlock, &genesis.Config.GrayGlacierBlock,
	} {
		*at = big.NewInt(int64(i + 1))
	}
	genesis.Config.EIP158Block = genesis.Config.EIP155Block
	genesis.Config.MergeNetsplitBlock, genesis.Config.TerminalTotalDifficulty = big.NewInt(15), big.NewInt(1<<40)
	for i, at := range []**uint64{
		&genesis.Config.ShanghaiTime, &genesis.Config.CancunTime, &genesis.Config.PragueTime, &genesis.Config.OsakaTime,
		&genesis.Config.BPO1Time, &genesis.Config.BPO2Time,
	} {
		time := genesis.Timestamp + 17 + uint64(i)
		*at = &time
	}
	genesis.Difficulty = big.NewInt(131_072)
	c := grow(t, newChainOf(t, genesis, chain.Options{}), 25)
	require.Nil(t, c.BlockByNumber(10).Header().BaseFee)
	require.Equal(t, uint64(60_000_000), c.BlockByNumber(11).Header().GasLimit, "London doubles the limit, to keep the target")
	require.Equal(t, 1, c.BlockByNumber(14).Header().Difficulty.Sign())
	require.Equal(t, 0, c.BlockByNumber(15).Header().Difficulty.Sign())
	require.NotNil(t, c.Head().Header().RequestsHash)
	requireGethAccepts(t, c)
}
