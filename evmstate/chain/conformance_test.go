package chain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/tests"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// suites are the directories that a directory of outside tests may hold.
var suites = []string{"state-tests", "block-tests", "execution-apis"}

// conformanceDir returns the directory of a suite of outside tests, from FAKENODE_CONFORMANCE (seen from the project's
// root) or beside the project. The test is skipped where there is none, and fails if the variable names a directory
// without any suite.
func conformanceDir(t *testing.T, suite string) string {
	t.Helper()
	base := os.Getenv("FAKENODE_CONFORMANCE")
	if base == "" {
		base = filepath.Join("..", "shared", "conformance")
	} else {
		require.NoError(t, checkConformance(fromRoot(t, base)), "FAKENODE_CONFORMANCE=%s", base)
	}
	dir, err := filepath.EvalSymlinks(filepath.Join(fromRoot(t, base), suite))
	if err != nil {
		t.Skipf("no outside tests (%v): set FAKENODE_CONFORMANCE to the directory that holds %s", err, suite)
	}
	return dir
}

// checkConformance rejects a directory that holds no suite.
func checkConformance(base string) error {
	for _, suite := range suites {
		if _, err := os.Stat(filepath.Join(base, suite)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%s holds none of %s", base, strings.Join(suites, ", "))
}

// fromRoot sees a relative path from the project's root, the directory of go.mod.
func fromRoot(t *testing.T, path string) string {
	t.Helper()
	if filepath.IsAbs(path) {
		return path
	}
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, path)
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, dir, parent, "no go.mod above the test")
		dir = parent
	}
}

// sampled is the distance of the files that the quick set runs of a suite.
const sampled = 16

// runTests runs the named tests in the files below dir, and returns how many that were: run is called for each. The
// quick set runs a sample of the files beside the project, and all where FAKENODE_CONFORMANCE asks for them.
func runTests[T any](t *testing.T, dir string, run func(test T, ran *tally) error) *tally {
	t.Helper()
	ran, step := new(tally), 1
	if os.Getenv("FAKENODE_CONFORMANCE") == "" {
		step = laboratory.Budget(t, sampled, 1)
	}
	t.Run("files", func(t *testing.T) {
		for i, path := range jsonFiles(t, dir) {
			if i%step != 0 {
				continue
			}
			name, err := filepath.Rel(dir, path)
			require.NoError(t, err)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				raw, err := os.ReadFile(path)
				require.NoError(t, err)
				var named map[string]T
				require.NoError(t, json.Unmarshal(raw, &named))
				for name, test := range named {
					require.NoError(t, run(test, ran), name)
				}
			})
		}
	})
	return ran
}

// jsonFiles returns all test files below dir. Directories like .meta hold none.
func jsonFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != dir && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && filepath.Ext(path) == ".json":
			files = append(files, path)
		}
		return nil
	}))
	require.NotEmpty(t, files, "no .json below %s", dir)
	return files
}

// networkConfig returns the rules of a network as the outside tests name it: ours for a plain fork, go-ethereum's for a
// transition ("ShanghaiToCancunAtTime15k") up to Amsterdam. Others are not claimed. A name may end in EIPs that the EVM
// has besides ("Byzantium+1884").
func networkConfig(network string) (config *params.ChainConfig, eips []int, claimed bool) {
	if ours, err := chain.ForkConfig(network, 1); err == nil && network != "" {
		return ours, nil, true
	}
	config, eips, err := tests.GetChainConfig(network)
	if err != nil || config.BogotaTime != nil || config.UBTTime != nil {
		return nil, nil, false
	}
	return config, eips, true
}

// tally counts the tests that a runner ran, and by network those it left out.
type tally struct {
	sync.Mutex
	ran     int
	skipped map[string]int
}

func (c *tally) count(network string, claimed bool) {
	c.Lock()
	defer c.Unlock()
	if claimed {
		c.ran++
		return
	}
	if c.skipped == nil {
		c.skipped = make(map[string]int)
	}
	c.skipped[network]++
}

// report writes one line to the test's output, and fails the test where nothing ran. `go test` shows the line with -v.
func (c *tally) report(t *testing.T, what string) {
	t.Helper()
	var left []string
	for network, n := range c.skipped {
		left = append(left, fmt.Sprintf("%s (%d)", network, n))
	}
	slices.Sort(left)
	if left == nil {
		left = []string{"none"}
	}
	fmt.Printf("%s: %d ran; forks not claimed: %s\n", what, c.ran, strings.Join(left, ", "))
	require.NotZero(t, c.ran, "no %s ran", what)
}

// Ensure every network of go-ethereum's runner up to Amsterdam is claimed, and a chain starts under it.
func TestConformanceNetworks(t *testing.T) {
	t.Parallel()
	left := []string{"Binary", "Verkle"}
	for _, network := range append(tests.AvailableForks(), "Petersburg", "Byzantium+1884", "Byzantium+1", "Tomorrow", "") {
		config, _, claimed := networkConfig(network)
		if !claimed {
			require.Contains(t, append(left, "Byzantium+1", "Tomorrow", ""), network)
			continue
		}
		require.NotContains(t, left, network)
		c := newChainOf(t, &chain.Genesis{Config: config, GasLimit: 30_000_000, Alloc: chain.SystemContracts(config)}, chain.Options{})
		grow(t, c, 6)
	}
}

// TestExecutionAPIsChain imports the chain of ethereum/execution-apis: proof of work with uncles, the merge, every fork
// from Homestead to BPO2 and every transaction type. It also exports it again, byte for byte.
func TestExecutionAPIsChain(t *testing.T) {
	t.Parallel()
	dir := conformanceDir(t, "execution-apis")
	raw, err := os.ReadFile(filepath.Join(dir, "genesis.json"))
	require.NoError(t, err)
	genesis := new(chain.Genesis)
	require.NoError(t, json.Unmarshal(raw, genesis))
	raw, err = os.ReadFile(filepath.Join(dir, "headfcu.json"))
	require.NoError(t, err)
	var update struct {
		Params []struct {
			Head common.Hash `json:"headBlockHash"`
		} `json:"params"`
	}
	_ = json.Unmarshal(raw, &update) // the second parameter is no object
	blocks, err := os.ReadFile(filepath.Join(dir, "chain.rlp"))
	require.NoError(t, err)

	c, err := chain.New(genesis, chain.Options{})
	require.NoError(t, err)
	c, err = c.Import(bytes.NewReader(blocks))
	require.NoError(t, err)
	require.Equal(t, uint64(54), c.Head().Number())
	require.Equal(t, update.Params[0].Head, c.Head().Hash(), hexutil.Encode(raw))

	var out bytes.Buffer
	require.NoError(t, c.Export(&out))
	require.True(t, bytes.Equal(blocks, out.Bytes()), "the export differs from the import")
}

// blockTest is one of ethereum/tests' BlockchainTests: a genesis, blocks in RLP, and the expected chain after them.
type blockTest struct {
	Network       string                `json:"network"`
	Genesis       blockTestHeader       `json:"genesisBlockHeader"`
	Pre           types.GenesisAlloc    `json:"pre"`
	Blocks        []blockTestBlock      `json:"blocks"`
	LastBlockHash common.UnprefixedHash `json:"lastblockhash"`
	PostState     types.GenesisAlloc    `json:"postState"`
	PostStateHash *common.Hash          `json:"postStateHash"`
}

type blockTestHeader struct {
	Hash          common.Hash           `json:"hash"`
	ParentHash    common.Hash           `json:"parentHash"`
	Coinbase      common.Address        `json:"coinbase"`
	MixHash       common.Hash           `json:"mixHash"`
	Nonce         types.BlockNonce      `json:"nonce"`
	ExtraData     hexutil.Bytes         `json:"extraData"`
	Difficulty    *math.HexOrDecimal256 `json:"difficulty"`
	GasLimit      math.HexOrDecimal64   `json:"gasLimit"`
	GasUsed       math.HexOrDecimal64   `json:"gasUsed"`
	Timestamp     math.HexOrDecimal64   `json:"timestamp"`
	BaseFee       *math.HexOrDecimal256 `json:"baseFeePerGas"`
	BlobGasUsed   *math.HexOrDecimal64  `json:"blobGasUsed"`
	ExcessBlobGas *math.HexOrDecimal64  `json:"excessBlobGas"`
}

type blockTestBlock struct {
	RLP    string           `json:"rlp"`
	Header *blockTestHeader `json:"blockHeader"` // nil: the block is invalid
}

// TestBlockTests imports the blocks of the official block tests and compares head, state and genesis.
func TestBlockTests(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	runTests(t, conformanceDir(t, "block-tests"), (*blockTest).runClaimed).report(t, "block tests")
}

// runClaimed runs the test if we claim its fork.
func (b *blockTest) runClaimed(ran *tally) error {
	_, _, claimed := networkConfig(b.Network)
	ran.count(b.Network, claimed)
	if !claimed {
		return nil
	}
	return b.run()
}

// genesis returns the test's genesis in geth's format.
func (b *blockTest) genesis() *chain.Genesis {
	config, _, _ := networkConfig(b.Network)
	return &chain.Genesis{
		Config:        config,
		Nonce:         b.Genesis.Nonce.Uint64(),
		Timestamp:     uint64(b.Genesis.Timestamp),
		ParentHash:    b.Genesis.ParentHash,
		ExtraData:     b.Genesis.ExtraData,
		GasLimit:      uint64(b.Genesis.GasLimit),
		GasUsed:       uint64(b.Genesis.GasUsed),
		Difficulty:    (*big.Int)(b.Genesis.Difficulty),
		Mixhash:       b.Genesis.MixHash,
		Coinbase:      b.Genesis.Coinbase,
		Alloc:         b.Pre,
		BaseFee:       (*big.Int)(b.Genesis.BaseFee),
		BlobGasUsed:   (*uint64)(b.Genesis.BlobGasUsed),
		ExcessBlobGas: (*uint64)(b.Genesis.ExcessBlobGas),
	}
}

func (b *blockTest) run() error {
	c, err := chain.New(b.genesis(), chain.Options{})
	if err != nil {
		return err
	}
	if got := c.Head().Hash(); got != b.Genesis.Hash {
		return fmt.Errorf("genesis hash: got %s, want %s", got, b.Genesis.Hash)
	}
	for i, block := range b.Blocks {
		next, err := block.importOn(c)
		if (err == nil) != (block.Header != nil) {
			return fmt.Errorf("block %d: got error %v, valid is %t", i, err, block.Header != nil)
		}
		if err != nil {
			continue
		}
		c = next
		if known, _ := c.BlockByHash(block.Header.Hash); known == nil {
			return fmt.Errorf("block %d: %s is not in the chain", i, block.Header.Hash)
		}
	}
	if got := c.Head().Hash(); got != common.Hash(b.LastBlockHash) {
		return fmt.Errorf("head: got %s, want %x", got, b.LastBlockHash)
	}
	return b.compareState(c)
}

// importOn returns the chain with the block.
func (b *blockTestBlock) importOn(c *chain.Chain) (*chain.Chain, error) {
	raw, err := hexutil.Decode(b.RLP)
	if err != nil {
		return nil, err
	}
	var block types.Block
	if err := rlp.DecodeBytes(raw, &block); err != nil {
		return nil, err
	}
	return c.ImportBlock(&block)
}

// compareState checks the accounts that the test lists; there may be others.
func (b *blockTest) compareState(c *chain.Chain) error {
	state, err := c.StateAt(c.Head())
	if err != nil {
		return err
	}
	if b.PostStateHash != nil && state.Root() != *b.PostStateHash {
		return fmt.Errorf("state root: got %s, want %s", state.Root(), *b.PostStateHash)
	}
	for address, want := range b.PostState {
		nonce, balance, code := state.Nonce(address), state.Balance(address), state.Code(address)
		if nonce != want.Nonce || balance.ToBig().Cmp(want.Balance) != 0 || !bytes.Equal(code, want.Code) {
			return fmt.Errorf("account %s: got nonce %d, balance %v, code %x, want %+v", address, nonce, balance, code, want)
		}
		for slot, value := range want.Storage {
			if got := state.Storage(address, slot); got != value {
				return fmt.Errorf("account %s, slot %s: got %s, want %s", address, slot, got, value)
			}
		}
	}
	return nil
}
