package chain_test

import (
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/beacon"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// engine is go-ethereum's consensus without seals.
var engine = beacon.New(ethash.NewFaker())

// newGeth returns a go-ethereum chain that keeps every state, as light as it gets.
func newGeth(b *testing.B, g *chain.Genesis) *core.BlockChain {
	b.Helper()
	config := core.DefaultConfig().WithStateScheme(rawdb.HashScheme).WithArchive(true)
	config.TrieCleanLimit, config.SnapshotLimit = 0, 0
	geth, err := core.NewBlockChain(rawdb.NewMemoryDatabase(), g, engine, config)
	require.NoError(b, err)
	return geth
}

func BenchmarkNewChain(b *testing.B) {
	g := newGenesis(b, "osaka")
	b.Run("fakenode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newChainOf(b, g, chain.Options{History: 100})
		}
	})
	b.Run("geth-blockchain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newGeth(b, g).Stop()
		}
	})
}

// transfers returns n signed transfers of 1 wei from account 0.
func transfers(b *testing.B, n int) []*types.Transaction {
	to := common.Address{0xaa}
	txs := make([]*types.Transaction, n)
	for i := range txs {
		txs[i] = sign(b, 0, &types.LegacyTx{Nonce: uint64(i), To: &to, Gas: 21_000, GasPrice: big.NewInt(100 * gwei), Value: common.Big1})
	}
	return txs
}

// BenchmarkSeal builds blocks with system calls, roots and hash: of one transfer, and empty. geth's GenerateChain does
// the same work on core/state.
func BenchmarkSeal(b *testing.B) {
	const batch = 200
	txs := transfers(b, batch)
	for _, test := range []struct {
		name string
		txs  bool
	}{{"transfer", true}, {"empty", false}} {
		g := newGenesis(b, "osaka")
		b.Run(test.name+"/fakenode", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				c := newChainOf(b, g, chain.Options{})
				for _, tx := range txs {
					d := draft(b, c, chain.Env{})
					if test.txs {
						d = add(b, d, 0, tx)
					}
					c, _ = seal(b, d)
				}
			}
			perBlock(b, batch)
		})
		b.Run(test.name+"/geth-state", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				core.GenerateChainWithGenesis(g, engine, batch, func(i int, block *core.BlockGen) {
					if test.txs {
						block.AddTx(txs[i])
					}
				})
			}
			perBlock(b, batch)
		})
	}
}

func perBlock(b *testing.B, blocks int) {
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*blocks), "µs/block")
}

// BenchmarkAppendEmptyBlock seals one empty block after another with the default history.
func BenchmarkAppendEmptyBlock(b *testing.B) {
	c := newChain(b, "osaka")
	b.ReportAllocs()
	for b.Loop() {
		c = grow(b, c, 1)
	}
}

// BenchmarkRevert takes 1,000 blocks off the chain and keeps them as orphans. To go back to a snapshot takes no work of
// the chain at all: it is a pointer.
func BenchmarkRevert(b *testing.B) {
	start := newChain(b, "osaka")
	grown := grow(b, start, 1000)
	b.Run("fakenode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.Equal(b, uint64(0), grown.Truncate(0).Head().Number())
		}
	})
	b.Run("geth-sethead", func(b *testing.B) {
		geth := newGeth(b, start.Genesis())
		defer geth.Stop()
		var blocks types.Blocks
		for n := uint64(1); n <= 1000; n++ {
			blocks = append(blocks, grown.BlockByNumber(n).Body())
		}
		b.ReportAllocs()
		for b.Loop() {
			b.StopTimer()
			_, err := geth.InsertChain(blocks)
			require.NoError(b, err)
			b.StartTimer()
			require.NoError(b, geth.SetHead(0))
		}
	})
}

// BenchmarkStateAt reads a balance at a random block of 10,000.
func BenchmarkStateAt(b *testing.B) {
	c := grow(b, newChain(b, "osaka"), 9_999)
	random := rand.New(rand.NewPCG(1, 1))
	b.Run("fakenode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			state, err := c.StateAt(c.BlockByNumber(random.Uint64N(10_000)))
			require.NoError(b, err)
			state.Balance(address(0))
		}
	})
	b.Run("geth-state", func(b *testing.B) {
		geth := newGeth(b, c.Genesis())
		defer geth.Stop()
		for n := uint64(1); n < 10_000; n += 1000 {
			var blocks types.Blocks
			for k := n; k < min(n+1000, 10_000); k++ {
				blocks = append(blocks, c.BlockByNumber(k).Body())
			}
			_, err := geth.InsertChain(blocks)
			require.NoError(b, err)
		}
		b.ReportAllocs()
		for b.Loop() {
			h := c.BlockByNumber(random.Uint64N(10_000)).Header()
			state, err := geth.StateAt(h.Root, h.Number, h.Time)
			require.NoError(b, err)
			state.GetBalance(address(0))
		}
	})
}

// loggingChain has 100,000 blocks, one in 50 with a log.
var loggingChain = sync.OnceValue(func() *chain.Chain {
	b := new(testing.B)
	c := newChain(b, "osaka")
	for i := range 2_000 {
		tx := call(b, 0, uint64(i), storer, 100_000, words(1, uint64(i)))
		c, _ = seal(b, add(b, draft(b, c, chain.Env{}), 0, tx))
		c = grow(b, c, 49)
	}
	return c
})

// BenchmarkLogs finds the logs of an address: 2,000 in 100,000 blocks, and 40 in 2,000 blocks, as with geth.
func BenchmarkLogs(b *testing.B) {
	c := loggingChain()
	query := func(b *testing.B, f chain.LogFilter, to uint64, want int) {
		b.ReportAllocs()
		for b.Loop() {
			found := 0
			logs, err := c.Logs(f, 0, to)
			require.NoError(b, err)
			for range logs {
				found++
			}
			require.Equal(b, want, found)
		}
	}
	byAddress := chain.LogFilter{Addresses: []common.Address{storer}}
	b.Run("100000-address/fakenode", func(b *testing.B) { query(b, byAddress, 100_000, 2_000) })
	b.Run("100000-absent/fakenode", func(b *testing.B) {
		query(b, chain.LogFilter{Addresses: []common.Address{{9}}}, 100_000, 0)
	})
	b.Run("100000-topic/fakenode", func(b *testing.B) {
		query(b, chain.LogFilter{Topics: [][]common.Hash{{word(77)}}}, 100_000, 1)
	})
	b.Run("2000-address/fakenode", func(b *testing.B) { query(b, byAddress, 2_000, 40) })
}
