package chain_test

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// generator makes random transactions of every type.
type generator struct {
	t       testing.TB
	rand    *rand.Rand
	moreGas uint64 // of each transaction
}

// target returns the recipient of a random transaction, its call data and its value in wei.
func (g *generator) target() (to common.Address, data []byte, value *big.Int) {
	value = new(big.Int)
	switch g.rand.IntN(12) {
	case 0:
		return reverter, nil, value
	case 1:
		return destroyer, nil, value
	case 2:
		return looper, nil, value
	case 3:
		return creator, g.initCode(), value
	case 4:
		return historian, nil, value
	case 5: // a validator's withdrawal request (EIP-7002): public key, amount; the fee is in wei
		return params.WithdrawalQueueAddress, g.bytes(56), big.NewInt(1000)
	case 6: // a consolidation request (EIP-7251): two public keys
		return params.ConsolidationQueueAddress, g.bytes(96), big.NewInt(1000)
	case 7, 8:
		return address(g.rand.IntN(len(accountKeys))), nil, big.NewInt(g.rand.Int64N(params.Ether))
	case 9:
		return common.BigToAddress(big.NewInt(0x1000 + g.rand.Int64N(1000))), nil, big.NewInt(g.rand.Int64N(3))
	default:
		to := []common.Address{storer, doubler}[g.rand.IntN(2)]
		return to, words(g.rand.Uint64N(3), g.rand.Uint64N(50)), value
	}
}

func (g *generator) bytes(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(g.rand.Uint32())
	}
	return out
}

// initCode returns init code that deploys a contract, self-destructs, or fails.
func (g *generator) initCode() []byte {
	return common.FromHex([]string{
		"6005600c60003960056000f3" + contracts[reverter], // deploys reverter
		"6002600c60003960026000f3" + contracts[destroyer],
		contracts[destroyer],
		"60016000556000600055" + contracts[reverter],
		"60ef60005360016000f3", // code must not start with 0xef (EIP-3541)
		"fe",
	}[g.rand.IntN(6)])
}

// transaction returns a signed transaction of a random type and its sender.
func (g *generator) transaction(d *chain.Draft) (*types.Transaction, int) {
	var (
		account         = g.rand.IntN(len(accountKeys))
		nonce           = nonce(d, account)
		to, data, value = g.target()
		gas             = 100_000 + g.rand.Uint64N(400_000) + g.moreGas
		tip             = big.NewInt(g.rand.Int64N(3 * gwei))
		feeCap          = new(big.Int).Add(new(big.Int).Mul(d.Header().BaseFee, big.NewInt(2)), tip)
	)
	switch g.rand.IntN(6) {
	case 0:
		return sign(g.t, account, &types.LegacyTx{Nonce: nonce, To: &to, Gas: gas, GasPrice: feeCap, Data: data, Value: value}), account
	case 1:
		return sign(g.t, account, &types.AccessListTx{
			ChainID: big.NewInt(chainID), Nonce: nonce, To: &to, Gas: gas, GasPrice: feeCap, Data: data, Value: value,
			AccessList: types.AccessList{{Address: storer, StorageKeys: []common.Hash{word(1), word(2)}}},
		}), account
	case 2:
		return sign(g.t, account, &types.BlobTx{
			ChainID: uint256.NewInt(chainID), Nonce: nonce, To: to, Gas: gas, Data: data, Value: uint256.MustFromBig(value),
			GasTipCap: uint256.MustFromBig(tip), GasFeeCap: uint256.MustFromBig(feeCap),
			BlobFeeCap: uint256.NewInt(params.Ether), BlobHashes: g.blobHashes(),
		}), account
	case 3:
		return sign(g.t, account, &types.SetCodeTx{
			ChainID: uint256.NewInt(chainID), Nonce: nonce, To: to, Gas: gas, Data: data, Value: uint256.MustFromBig(value),
			GasTipCap: uint256.MustFromBig(tip), GasFeeCap: uint256.MustFromBig(feeCap),
			AuthList: []types.SetCodeAuthorization{g.authorization(d), g.authorization(d)},
		}), account
	case 4: // deployment
		return sign(g.t, account, &types.DynamicFeeTx{
			ChainID: big.NewInt(chainID), Nonce: nonce, Gas: gas, Data: g.initCode(), GasTipCap: tip, GasFeeCap: feeCap,
		}), account
	default:
		return sign(g.t, account, &types.DynamicFeeTx{
			ChainID: big.NewInt(chainID), Nonce: nonce, To: &to, Gas: gas, Data: data, Value: value, GasTipCap: tip, GasFeeCap: feeCap,
		}), account
	}
}

func (g *generator) blobHashes() []common.Hash {
	hashes := make([]common.Hash, 1+g.rand.IntN(3))
	for i := range hashes {
		copy(hashes[i][:], g.bytes(32))
		hashes[i][0] = 1 // version of a KZG commitment
	}
	return hashes
}

// authorization delegates a random account, or takes the delegation back; some are not valid (EIP-7702).
func (g *generator) authorization(d *chain.Draft) types.SetCodeAuthorization {
	account := g.rand.IntN(len(accountKeys))
	auth, err := types.SignSetCode(accountKeys[account], types.SetCodeAuthorization{
		ChainID: *uint256.NewInt([]uint64{0, chainID, 5}[g.rand.IntN(3)]),
		Address: []common.Address{{}, storer, reverter, historian}[g.rand.IntN(4)],
		Nonce:   nonce(d, account) + g.rand.Uint64N(2),
	})
	require.NoError(g.t, err)
	return auth
}

// fill adds up to n random transactions. Those that do not fit into the block are left out.
func (g *generator) fill(d *chain.Draft, n int) *chain.Draft {
	for range n {
		tx, account := g.transaction(d)
		next, _, err := d.Add(tx, address(account))
		if errors.Is(err, core.ErrGasLimitReached) || errors.Is(err, chain.ErrBlobGasLimitReached) {
			continue
		}
		require.NoError(g.t, err)
		d = next
	}
	return d
}

// env returns a random environment up to 5 minutes and 45 seconds after the head: 500 of them make about a day.
func (g *generator) env(c *chain.Chain) chain.Env {
	env := chain.Env{Time: c.Head().Time() + 1 + g.rand.Uint64N(345), Coinbase: address(g.rand.IntN(len(accountKeys)))}
	copy(env.PrevRandao[:], g.bytes(32))
	env.BeaconRoot = new(common.Hash)
	copy(env.BeaconRoot[:], g.bytes(32))
	for range g.rand.IntN(3) {
		env.Withdrawals = append(env.Withdrawals, &types.Withdrawal{
			Index: g.rand.Uint64(), Validator: g.rand.Uint64(),
			Address: common.BigToAddress(big.NewInt(0x2000 + g.rand.Int64N(100))), Amount: g.rand.Uint64N(1e9),
		})
	}
	return env
}

// grow adds n random blocks. With reorgs, one block in 20 is preceded by cutting off up to five.
func (g *generator) grow(c *chain.Chain, n uint64, reorgs bool) *chain.Chain {
	for end := c.Head().Number() + n; c.Head().Number() < end; {
		if head := c.Head().Number(); reorgs && g.rand.IntN(20) == 0 && head > 5 {
			c = c.Truncate(head - 1 - g.rand.Uint64N(5))
		}
		d := g.fill(draft(g.t, c, g.env(c)), g.rand.IntN(12))
		c, _ = seal(g.t, d)
	}
	return c
}

// dayGenesis starts in Osaka and reaches BPO1 and BPO2 within a day of so many seconds.
func dayGenesis(t testing.TB, day uint64) *chain.Genesis {
	g := newGenesis(t, "osaka")
	bpo1, bpo2 := g.Timestamp+day/4, g.Timestamp+day/2
	g.Config.BPO1Time, g.Config.BlobScheduleConfig.BPO1 = &bpo1, params.DefaultBPO1BlobConfig
	g.Config.BPO2Time, g.Config.BlobScheduleConfig.BPO2 = &bpo2, params.DefaultBPO2BlobConfig
	return g
}

// TestRandomChain makes blocks of random transactions over a day with reorgs in between, exports them, imports them
// again, and has go-ethereum import them. With FAKENODE_EXPORT_DIR set the export stays there, for `make verify-geth`.
func TestRandomChain(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	g := &generator{t: t, rand: rand.New(rand.NewPCG(1, 2))}
	last := laboratory.Budget[uint64](t, 80, 500)
	c := g.grow(newChainOf(t, dayGenesis(t, 173*last), chain.Options{}), last, true)

	dir := os.Getenv("FAKENODE_EXPORT_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	var genesis, blocks bytes.Buffer
	require.NoError(t, c.ExportGenesis(&genesis))
	require.NoError(t, c.Export(&blocks))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "genesis.json"), genesis.Bytes(), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chain.rlp"), blocks.Bytes(), 0o644))

	again := importFiles(t, genesis.Bytes(), blocks.Bytes())
	require.Equal(t, c.Head().Hash(), again.Head().Hash())
	for n := range last + 1 {
		got, want := again.BlockByNumber(n), c.BlockByNumber(n)
		require.Equal(t, want.Receipts(), got.Receipts(), "block %d", n)
		for i := range want.Transactions() {
			require.Equal(t, want.Sender(i), got.Sender(i))
		}
	}
	requireGethAccepts(t, c)
	requireEveryTypeUsed(t, c)
}

// requireEveryTypeUsed checks that the random chain is worth its name.
func requireEveryTypeUsed(t *testing.T, c *chain.Chain) {
	t.Helper()
	seen := make(map[uint8]int)
	failed, requests, blocks := 0, 0, int(c.Head().Number())
	for n := uint64(1); n <= c.Head().Number(); n++ {
		b := c.BlockByNumber(n)
		if *b.Header().RequestsHash != types.EmptyRequestsHash {
			requests++
		}
		for _, r := range b.Receipts() {
			seen[r.Type]++
			if r.Status == types.ReceiptStatusFailed {
				failed++
			}
		}
	}
	for kind := range uint8(5) {
		require.Greater(t, seen[kind], blocks/5, "transactions of type %d", kind)
	}
	require.Greater(t, failed, blocks/5)
	require.Greater(t, requests, blocks/5)
	require.InDelta(t, 173*blocks, c.Head().Time()-c.BlockByNumber(0).Time(), float64(15*blocks))
}
