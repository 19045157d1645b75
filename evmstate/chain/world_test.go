package chain_test

import (
	"crypto/ecdsa"
	"encoding/binary"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/beacon"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

const (
	chainID     = 1337
	genesisTime = 1_700_000_000 // Unix seconds
	gwei        = 1_000_000_000 // wei
)

// Contracts in the test genesis.
var (
	storer    = common.HexToAddress("0xc1") // stores word 0 at slot word 1, logs word 0 under topic word 1
	reverter  = common.HexToAddress("0xc2") // reverts
	destroyer = common.HexToAddress("0xc3") // self-destructs in favour of its caller
	looper    = common.HexToAddress("0xc4") // burns all gas
	creator   = common.HexToAddress("0xc5") // creates a contract with its input as init code
	historian = common.HexToAddress("0xc6") // stores the hash of the parent block at slot NUMBER
	doubler   = common.HexToAddress("0xc7") // stores like storer under another address
)

var contracts = map[common.Address]string{
	storer:    "6000356020355560003560005260203560206000a100",
	reverter:  "60006000fd",
	destroyer: "33ff",
	looper:    "5b600056",
	creator:   "3660006000373660006000f05000",
	historian: "436001900340435500",
	doubler:   "6000356020355560003560005260203560206000a100",
}

// accountKeys are the keys of the funded accounts.
var accountKeys = func() []*ecdsa.PrivateKey {
	keys := make([]*ecdsa.PrivateKey, 8)
	for i := range keys {
		key, err := crypto.ToECDSA(crypto.Keccak256([]byte{byte(i)}))
		if err != nil {
			panic(err)
		}
		keys[i] = key
	}
	return keys
}()

func address(i int) common.Address { return crypto.PubkeyToAddress(accountKeys[i].PublicKey) }

// newGenesis returns a genesis under the named rules: funded accounts, the contracts above and the system contracts.
func newGenesis(t testing.TB, fork string) *chain.Genesis {
	t.Helper()
	config, err := chain.ForkConfig(fork, chainID)
	require.NoError(t, err)
	alloc := chain.SystemContracts(config)
	for i := range accountKeys {
		alloc[address(i)] = types.Account{Balance: new(big.Int).Mul(big.NewInt(1_000_000), big.NewInt(params.Ether))}
	}
	for at, code := range contracts {
		alloc[at] = types.Account{Code: common.FromHex(code), Nonce: 1, Balance: new(big.Int)}
	}
	g := &chain.Genesis{Config: config, Timestamp: genesisTime, GasLimit: 30_000_000, Alloc: alloc, Difficulty: new(big.Int)}
	if config.TerminalTotalDifficulty.Sign() > 0 {
		g.Difficulty = big.NewInt(131_072)
	}
	return g
}

func newChain(t testing.TB, fork string) *chain.Chain {
	t.Helper()
	return newChainOf(t, newGenesis(t, fork), chain.Options{})
}

func newChainOf(t testing.TB, g *chain.Genesis, o chain.Options) *chain.Chain {
	t.Helper()
	c, err := chain.New(g, o)
	require.NoError(t, err)
	return c
}

// sign signs a transaction of the given account for any fork.
func sign(t testing.TB, account int, data types.TxData) *types.Transaction {
	t.Helper()
	var signer types.Signer = types.HomesteadSigner{} // legacy transactions without chain id are valid in every fork
	if _, legacy := data.(*types.LegacyTx); !legacy {
		signer = types.NewPragueSigner(big.NewInt(chainID))
	}
	tx, err := types.SignNewTx(accountKeys[account], signer, data)
	require.NoError(t, err)
	return tx
}

// call returns a signed legacy transaction.
func call(t testing.TB, account int, nonce uint64, to common.Address, gas uint64, data []byte) *types.Transaction {
	t.Helper()
	return sign(t, account, &types.LegacyTx{Nonce: nonce, To: &to, Gas: gas, GasPrice: big.NewInt(100 * gwei), Data: data})
}

// words is the input of storer.
func words(numbers ...uint64) []byte {
	out := make([]byte, 32*len(numbers))
	for i, n := range numbers {
		binary.BigEndian.PutUint64(out[32*i+24:], n)
	}
	return out
}

// word is a number as a topic or storage key.
func word(n uint64) common.Hash { return common.BigToHash(new(big.Int).SetUint64(n)) }

// add adds a transaction of the given account to a draft, where it must be valid.
func add(t testing.TB, d *chain.Draft, account int, tx *types.Transaction) *chain.Draft {
	t.Helper()
	next, _, err := d.Add(tx, address(account))
	require.NoError(t, err)
	return next
}

// draft starts a block.
func draft(t testing.TB, c *chain.Chain, env chain.Env) *chain.Draft {
	t.Helper()
	d, err := c.NewDraft(env)
	require.NoError(t, err)
	return d
}

// seal seals a block that must be valid.
func seal(t testing.TB, d *chain.Draft) (*chain.Chain, *chain.Block) {
	t.Helper()
	c, b, err := d.Seal()
	require.NoError(t, err)
	return c, b
}

// grow seals n empty blocks.
func grow(t testing.TB, c *chain.Chain, n int) *chain.Chain {
	t.Helper()
	for range n {
		c, _ = seal(t, draft(t, c, chain.Env{}))
	}
	return c
}

// nonce returns the next nonce of an account in a draft.
func nonce(d *chain.Draft, account int) uint64 { return d.State().Nonce(address(account)) }

// requireGethAccepts imports the chain into a go-ethereum chain, which executes and checks every block.
func requireGethAccepts(t *testing.T, c *chain.Chain) {
	t.Helper()
	config := core.DefaultConfig().WithStateScheme(rawdb.HashScheme)
	geth, err := core.NewBlockChain(rawdb.NewMemoryDatabase(), c.Genesis(), beacon.New(ethash.NewFaker()), config)
	require.NoError(t, err)
	defer geth.Stop()
	require.Equal(t, geth.Genesis().Hash(), c.BlockByNumber(0).Hash())
	var blocks types.Blocks
	for n := uint64(1); n <= c.Head().Number(); n++ {
		blocks = append(blocks, c.BlockByNumber(n).Body())
	}
	_, err = geth.InsertChain(blocks)
	require.NoError(t, err)
	require.Equal(t, geth.CurrentBlock().Hash(), c.Head().Hash())
}

// newHasher returns a hasher for the roots of lists.
func newHasher() types.ListHasher { return trie.NewStackTrie(nil) }
