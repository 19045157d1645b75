package chain_test

import (
	"bytes"
	"iter"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/tests"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// headerChanges make of a header another, most of them an invalid one.
var headerChanges = map[string]func(h, parent *types.Header){
	"none":                 func(_, _ *types.Header) {},
	"parent hash":          func(h, _ *types.Header) { h.ParentHash[0]++ },
	"uncle hash":           func(h, _ *types.Header) { h.UncleHash[0]++ },
	"coinbase":             func(h, _ *types.Header) { h.Coinbase[0]++ },
	"state root":           func(h, _ *types.Header) { h.Root[0]++ },
	"transactions root":    func(h, _ *types.Header) { h.TxHash[0]++ },
	"receipts root":        func(h, _ *types.Header) { h.ReceiptHash[0]++ },
	"bloom":                func(h, _ *types.Header) { h.Bloom[0]++ },
	"mix hash":             func(h, _ *types.Header) { h.MixDigest[0]++ },
	"nonce":                func(h, _ *types.Header) { h.Nonce[0]++ },
	"extra 32":             func(h, _ *types.Header) { h.Extra = make([]byte, 32) },
	"extra 33":             func(h, _ *types.Header) { h.Extra = make([]byte, 33) },
	"DAO extra":            func(h, _ *types.Header) { h.Extra = []byte("dao-hard-fork") },
	"difficulty 0":         func(h, _ *types.Header) { h.Difficulty = new(big.Int) },
	"difficulty 1":         func(h, _ *types.Header) { h.Difficulty = big.NewInt(1) },
	"difficulty + 1":       func(h, _ *types.Header) { h.Difficulty = new(big.Int).Add(h.Difficulty, common.Big1) },
	"difficulty 81 bits":   func(h, _ *types.Header) { h.Difficulty = new(big.Int).Lsh(common.Big1, 80) },
	"number + 1":           func(h, _ *types.Header) { h.Number = new(big.Int).Add(h.Number, common.Big1) },
	"number - 1":           func(h, _ *types.Header) { h.Number = new(big.Int).Sub(h.Number, common.Big1) },
	"number 65 bits":       func(h, _ *types.Header) { h.Number = new(big.Int).Lsh(common.Big1, 64) },
	"gas used + 1":         func(h, _ *types.Header) { h.GasUsed++ },
	"gas used - 1":         func(h, _ *types.Header) { h.GasUsed-- },
	"gas used above limit": func(h, _ *types.Header) { h.GasUsed = h.GasLimit + 1 },
	"gas limit + 1":        func(h, _ *types.Header) { h.GasLimit++ },
	"gas limit step - 1":   func(h, _ *types.Header) { h.GasLimit += h.GasLimit/1024 - 1 },
	"gas limit step":       func(h, _ *types.Header) { h.GasLimit += h.GasLimit / 1024 },
	"gas limit step down":  func(h, _ *types.Header) { h.GasLimit -= h.GasLimit / 1024 },
	"gas limit double":     func(h, _ *types.Header) { h.GasLimit *= 2 },
	"gas limit half":       func(h, _ *types.Header) { h.GasLimit /= 2 },
	"gas limit 4999":       func(h, _ *types.Header) { h.GasLimit = 4999 },
	"gas limit 2^63":       func(h, _ *types.Header) { h.GasLimit = 1 << 63 },
	"time of parent":       func(h, parent *types.Header) { h.Time = parent.Time },
	"time below parent":    func(h, parent *types.Header) { h.Time = parent.Time - 1 },
	"time + 1":             func(h, _ *types.Header) { h.Time++ },
	"time 0":               func(h, _ *types.Header) { h.Time = 0 },
	"base fee none":        func(h, _ *types.Header) { h.BaseFee = nil },
	"base fee 0":           func(h, _ *types.Header) { h.BaseFee = new(big.Int) },
	"base fee of genesis":  func(h, _ *types.Header) { h.BaseFee = big.NewInt(gwei) },
	"base fee 257 bits":    func(h, _ *types.Header) { h.BaseFee = new(big.Int).Lsh(common.Big1, 256) },
	"withdrawals none":     func(h, _ *types.Header) { h.WithdrawalsHash = nil },
	"withdrawals empty":    func(h, _ *types.Header) { h.WithdrawalsHash = &types.EmptyWithdrawalsHash },
	"withdrawals other":    func(h, _ *types.Header) { h.WithdrawalsHash = &common.Hash{1} },
	"blob gas none":        func(h, _ *types.Header) { h.BlobGasUsed = nil },
	"blob gas 0":           func(h, _ *types.Header) { h.BlobGasUsed = new(uint64) },
	"blob gas 1":           func(h, _ *types.Header) { h.BlobGasUsed = pointer(1) },
	"blob gas of a blob":   func(h, _ *types.Header) { h.BlobGasUsed = pointer(131072) },
	"blob gas max":         func(h, _ *types.Header) { h.BlobGasUsed = pointer(math.MaxUint64 &^ 131071) },
	"excess none":          func(h, _ *types.Header) { h.ExcessBlobGas = nil },
	"excess 0":             func(h, _ *types.Header) { h.ExcessBlobGas = new(uint64) },
	"excess of a blob":     func(h, _ *types.Header) { h.ExcessBlobGas = pointer(131072) },
	"excess max":           func(h, _ *types.Header) { h.ExcessBlobGas = pointer(math.MaxUint64) },
	"beacon root none":     func(h, _ *types.Header) { h.ParentBeaconRoot = nil },
	"beacon root 0":        func(h, _ *types.Header) { h.ParentBeaconRoot = new(common.Hash) },
	"beacon root other":    func(h, _ *types.Header) { h.ParentBeaconRoot = &common.Hash{1} },
	"requests none":        func(h, _ *types.Header) { h.RequestsHash = nil },
	"requests empty":       func(h, _ *types.Header) { h.RequestsHash = &types.EmptyRequestsHash },
	"requests other":       func(h, _ *types.Header) { h.RequestsHash = &common.Hash{1} },
	"access list":          func(h, _ *types.Header) { h.BlockAccessListHash = &common.Hash{1} },
	"access list none":     func(h, _ *types.Header) { h.BlockAccessListHash = nil },
	"slot":                 func(h, _ *types.Header) { h.SlotNumber = pointer(1) },
	"slot none":            func(h, _ *types.Header) { h.SlotNumber = nil },
}

func pointer(n uint64) *uint64 { return &n }

// bodyChanges holds functions that return the block with another body. "own uncle" changes the header to match the
// body; the others leave the header as it is.
var bodyChanges = map[string]func(b *types.Block) *types.Block{
	"no withdrawals": func(b *types.Block) *types.Block {
		return types.NewBlockWithHeader(b.Header()).WithBody(types.Body{Transactions: b.Transactions(), Uncles: b.Uncles()})
	},
	"withdrawals empty": func(b *types.Block) *types.Block {
		return types.NewBlockWithHeader(b.Header()).WithBody(types.Body{Transactions: b.Transactions(), Uncles: b.Uncles(), Withdrawals: types.Withdrawals{}})
	},
	"no transactions": func(b *types.Block) *types.Block {
		return types.NewBlockWithHeader(b.Header()).WithBody(types.Body{Uncles: b.Uncles(), Withdrawals: b.Withdrawals()})
	},
	"own uncle": func(b *types.Block) *types.Block {
		header, uncles := b.Header(), []*types.Header{b.Header()}
		header.UncleHash = types.CalcUncleHash(uncles)
		return types.NewBlockWithHeader(header).WithBody(types.Body{Transactions: b.Transactions(), Uncles: uncles, Withdrawals: b.Withdrawals()})
	},
}

// Ensure that under every network of the official tests, across its transition, Import accepts and rejects the same
// blocks as go-ethereum.
func TestImportAgreesWithGeth(t *testing.T) {
	t.Parallel()
	few := []string{"Homestead", "Berlin", "London", "ParisToShanghaiAtTime15k", "Cancun", "Osaka", "BPO2ToAmsterdamAtTime15k"}
	blocks := laboratory.Budget(t, 5, 8)
	for _, network := range laboratory.Budget(t, few, tests.AvailableForks()) {
		rules, _, claimed := networkConfig(network)
		if !claimed {
			continue
		}
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			config := *rules
			if config.TerminalTotalDifficulty == nil {
				config.TerminalTotalDifficulty = big.NewInt(math.MaxInt64) // go-ethereum needs one
			}
			g := newGenesis(t, "osaka")
			g.Config, g.Timestamp, g.Difficulty = &config, 14_000, big.NewInt(131_072)
			maps.Copy(g.Alloc, chain.SystemContracts(&config))
			if config.TerminalTotalDifficulty.Sign() == 0 {
				g.Difficulty = new(big.Int)
			}
			c := newChainOf(t, g, chain.Options{})
			geth, err := core.NewBlockChain(rawdb.NewMemoryDatabase(), g, engine, core.DefaultConfig().WithStateScheme(rawdb.HashScheme))
			require.NoError(t, err)
			defer geth.Stop()
			for i := range blocks {
				next, sealed := seal(t, add(t, draft(t, c, chain.Env{Time: c.Head().Time() + 250}), 0,
					call(t, 0, uint64(i), storer, 100_000, words(uint64(i), 2))))
				for name, b := range changedBlocks(sealed.Body(), c.Head().Header()) {
					var decoded types.Block
					raw := encode(t, b)
					if name != "none" && bytes.Equal(raw, encode(t, sealed.Body())) || rlp.DecodeBytes(raw, &decoded) != nil {
						continue
					}
					if name == "requests empty" && !config.IsPrague(decoded.Number(), decoded.Time()) {
						continue // go-ethereum takes it, EIP-7685 has no such field before prague
					}
					_, ours := c.ImportBlock(&decoded)
					_, theirs := geth.InsertChain(types.Blocks{&decoded})
					require.Equal(t, theirs == nil, ours == nil, "block %d, %s: geth says %v, import %v", i+1, name, theirs, ours)
				}
				_, err := geth.InsertChain(types.Blocks{sealed.Body()})
				require.NoError(t, err)
				require.Equal(t, sealed.Hash(), geth.CurrentBlock().Hash())
				c = next
			}
		})
	}
}

// changedBlocks returns b with each of the changes. Changes of the body come first: go-ethereum checks less if it knows
// the header.
func changedBlocks(b *types.Block, parent *types.Header) iter.Seq2[string, *types.Block] {
	return func(yield func(string, *types.Block) bool) {
		for _, name := range slices.Sorted(maps.Keys(bodyChanges)) {
			if !yield(name, bodyChanges[name](b)) {
				return
			}
		}
		for _, name := range slices.Sorted(maps.Keys(headerChanges)) {
			header := b.Header()
			headerChanges[name](header, parent)
			if !yield(name, types.NewBlockWithHeader(header).WithBody(*b.Body())) {
				return
			}
		}
	}
}
