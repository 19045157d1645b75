package chain_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// importFiles builds a chain from an export.
func importFiles(t *testing.T, genesis, blocks []byte) *chain.Chain {
	t.Helper()
	g := new(chain.Genesis)
	require.NoError(t, json.Unmarshal(genesis, g))
	c, err := newChainOf(t, g, chain.Options{}).Import(bytes.NewReader(blocks))
	require.NoError(t, err)
	return c
}

// reheaded returns b with a changed header.
func reheaded(t testing.TB, b *types.Block, change func(h *types.Header)) *types.Block {
	t.Helper()
	header := b.Header()
	change(header)
	return types.NewBlockWithHeader(header).WithBody(*b.Body())
}

func TestImportRefusesWrongHeaders(t *testing.T) {
	t.Parallel()
	g := &generator{t: t, rand: rand.New(rand.NewPCG(3, 4))}
	below := g.grow(newChain(t, "osaka"), 3, false)
	d := g.fill(draft(t, below, g.env(below)), 10)
	_, valid := seal(t, d)

	one, hash, zero := uint64(1), common.Hash{1}, uint64(0)
	for field, change := range map[string]func(h *types.Header){
		"parent hash":              func(h *types.Header) { h.ParentHash = hash },
		"number":                   func(h *types.Header) { h.Number = big.NewInt(9) },
		"header":                   func(h *types.Header) { h.Number = new(big.Int).Lsh(common.Big1, 64) },
		"extra data":               func(h *types.Header) { h.Extra = make([]byte, 33) },
		"timestamp":                func(h *types.Header) { h.Time = below.Head().Time() },
		"gas used":                 func(h *types.Header) { h.GasUsed++ },
		"gas limit":                func(h *types.Header) { h.GasLimit += h.GasLimit / 1024 },
		"base fee":                 func(h *types.Header) { h.BaseFee = big.NewInt(1) },
		"difficulty":               func(h *types.Header) { h.Difficulty = big.NewInt(131_072) },
		"nonce":                    func(h *types.Header) { h.Nonce[0] = 1 },
		"uncle hash":               func(h *types.Header) { h.UncleHash = hash },
		"transactions root":        func(h *types.Header) { h.TxHash = hash },
		"withdrawals root":         func(h *types.Header) { h.WithdrawalsHash = &hash },
		"excess blob gas":          func(h *types.Header) { h.ExcessBlobGas = &one },
		"blob gas used":            func(h *types.Header) { h.BlobGasUsed = &one },
		"slot number":              func(h *types.Header) { h.SlotNumber = &zero },
		"block access list hash":   func(h *types.Header) { h.BlockAccessListHash = &hash },
		"logs bloom":               func(h *types.Header) { h.Bloom[0]++ },
		"receipts root":            func(h *types.Header) { h.ReceiptHash = hash },
		"requests hash":            func(h *types.Header) { h.RequestsHash = &hash },
		"state root":               func(h *types.Header) { h.Root = hash },
		"parent beacon block root": func(h *types.Header) { h.ParentBeaconRoot = nil },
		"blob gas used ":           func(h *types.Header) { h.BlobGasUsed = nil },
		"excess blob gas ":         func(h *types.Header) { h.ExcessBlobGas = nil },
	} {
		field = strings.TrimSpace(field)
		bad := reheaded(t, valid.Body(), change)
		_, err := below.ImportBlock(bad)
		var refused *chain.ImportError
		require.ErrorAs(t, err, &refused, field)
		require.Equal(t, field, refused.Field)
		require.NotEqual(t, refused.Got, refused.Want, field)
		require.Contains(t, err.Error(), field)
		if field != "number" {
			require.Equal(t, valid.Number(), refused.Number, field)
		}
	}
	same, err := below.ImportBlock(valid.Body())
	require.NoError(t, err)
	require.Equal(t, valid.Hash(), same.Head().Hash())
}

func TestImportRefusesWrongBodies(t *testing.T) {
	t.Parallel()
	c := newChain(t, "osaka")
	_, valid := seal(t, add(t, draft(t, c, chain.Env{}), 0, call(t, 0, 0, storer, 100_000, words(1, 2))))
	body := valid.Body()
	blobs := sign(t, 0, &types.BlobTx{Gas: 21_000, BlobHashes: []common.Hash{{1}}, Sidecar: &types.BlobTxSidecar{}})
	large := call(t, 0, 0, storer, 100_000, make([]byte, params.MaxBlockSize))
	for name, test := range map[string]struct {
		txs         types.Transactions
		withdrawals types.Withdrawals
		field       string
		cause       error
	}{
		"nonce too high":      {types.Transactions{call(t, 0, 1, storer, 100_000, nil)}, types.Withdrawals{}, "transaction 0", core.ErrNonceTooHigh},
		"blob sidecar":        {types.Transactions{blobs}, types.Withdrawals{}, "transaction 0", nil},
		"too large":           {types.Transactions{large}, types.Withdrawals{}, "size", nil},
		"no funds":            {types.Transactions{sign(t, 0, &types.LegacyTx{Gas: 30_000, GasPrice: new(big.Int).Lsh(common.Big1, 200)})}, types.Withdrawals{}, "transaction 0", core.ErrInsufficientFunds},
		"fee of 257 bits":     {types.Transactions{sign(t, 0, &types.LegacyTx{Gas: 30_000, GasPrice: new(big.Int).Lsh(common.Big1, 256)})}, types.Withdrawals{}, "transaction 0", nil},
		"gas cap":             {types.Transactions{call(t, 0, 0, storer, 1<<24+1, nil)}, types.Withdrawals{}, "transaction 0", core.ErrGasLimitTooHigh},
		"not a signature":     {types.Transactions{types.NewTx(&types.LegacyTx{Gas: 30_000})}, types.Withdrawals{}, "transaction 0", nil},
		"withdrawals missing": {body.Transactions(), nil, "withdrawals", nil},
	} {
		header := body.Header()
		header.TxHash = types.DeriveSha(test.txs, newHasher())
		bad := types.NewBlockWithHeader(header).WithBody(types.Body{Transactions: test.txs, Withdrawals: test.withdrawals})
		_, err := c.ImportBlock(bad)
		var refused *chain.ImportError
		require.ErrorAs(t, err, &refused, name)
		require.Equal(t, test.field, refused.Field, name)
		require.Equal(t, uint64(1), refused.Number, name)
		if test.cause != nil {
			require.ErrorIs(t, err, test.cause, name)
		}
	}
}

func TestImportStopsAtTheWrongBlock(t *testing.T) {
	t.Parallel()
	g := &generator{t: t, rand: rand.New(rand.NewPCG(5, 6))}
	empty := newChain(t, "prague")
	c := g.grow(empty, 4, false)
	var file bytes.Buffer
	for n := uint64(0); n <= 4; n++ { // with the genesis, as geth writes it
		b := c.BlockByNumber(n).Body()
		if n == 3 {
			b = reheaded(t, b, func(h *types.Header) { h.Root = common.Hash{7} })
		}
		require.NoError(t, rlp.Encode(&file, b))
	}
	_, err := empty.Import(bytes.NewReader(file.Bytes()))
	require.EqualError(t, err, "block 3: state root: got "+common.Hash{7}.String()+", want "+c.BlockByNumber(3).Header().Root.String())

	_, err = empty.Import(bytes.NewReader([]byte{0x80}))
	require.EqualError(t, err, "block 1: rlp: got byte 0x80, not the start of a list, want a block")
	_, err = empty.Import(bytes.NewReader([]byte{0xc0}))
	require.ErrorContains(t, err, "block 1: rlp: got rlp: too few elements", "an empty list is a list")
	_, err = empty.Import(bytes.NewReader([]byte{0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}))
	require.ErrorContains(t, err, "above the limit")
	_, err = empty.Import(bytes.NewReader([]byte{0xf9, 0x10, 0x00, 0x01}))
	require.ErrorContains(t, err, "the end of the input")
}

func encode(t testing.TB, b *types.Block) []byte {
	t.Helper()
	raw, err := rlp.EncodeToBytes(b)
	require.NoError(t, err)
	return raw
}

// FuzzImport feeds arbitrary bytes to Import: it must reject them without a panic, or make a chain of valid blocks.
func FuzzImport(f *testing.F) {
	g := &generator{t: f, rand: rand.New(rand.NewPCG(7, 8))}
	c := g.grow(newChain(f, "osaka"), 3, false)
	mined := newChain(f, "london")
	_, b := seal(f, add(f, draft(f, mined, chain.Env{}), 0, call(f, 0, 0, storer, 100_000, words(1, 2))))
	for n := range uint64(4) {
		f.Add(encode(f, c.BlockByNumber(n).Body()))
	}
	f.Add(encode(f, b.Body()))
	below := c.Truncate(1)
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, c := range []*chain.Chain{below, mined} {
			var b types.Block
			if err := rlp.DecodeBytes(raw, &b); err == nil { // past the first checks, to the later ones
				_, _ = c.ImportBlock(reheaded(t, &b, func(h *types.Header) {
					h.ParentHash, h.Number = c.Head().Hash(), new(big.Int).SetUint64(c.Head().Number()+1)
				}))
			}
			next, err := c.Import(bytes.NewReader(raw))
			if err != nil {
				require.Nil(t, next)
				continue
			}
			_, err = next.StateAt(next.Head())
			require.NoError(t, err)
		}
	})
}
