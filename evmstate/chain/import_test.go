package chain_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
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

	"github.com/fakenode/fakenode"
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
	require.EqualError(t, err, "block 1: rlp: got rlp: expected input list for types.extblock, want a block")
	_, err = empty.Import(bytes.NewReader([]byte{0xc0}))
	require.ErrorContains(t, err, "block 1: rlp: got rlp: too few elements", "an empty list is a list")
	_, err = empty.Import(bytes.NewReader([]byte{0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}))
	require.ErrorContains(t, err, "exceeds available input length")
	whole := encode(t, c.BlockByNumber(1).Body())
	_, err = empty.Import(bytes.NewReader(whole[:len(whole)-1]))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
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

// Ensure Verify returns the error that an import of the exported blocks would, and that a lenient import accepts blocks
// that only their headers make invalid.
func TestVerify(t *testing.T) {
	t.Parallel()
	genesis := newGenesis(t, "osaka")
	strict, lenient := chain.Options{}, chain.Options{Lenient: true}
	below := grow(t, newChainOf(t, genesis, strict), 2)
	now := below.Head().Time()
	require.NoError(t, below.Verify(strict))
	for field, env := range map[string]chain.Env{
		"timestamp": {Time: now},
		"gas limit": {GasLimit: 100},
		"base fee":  {BaseFee: big.NewInt(7)},
	} {
		c, _ := seal(t, draft(t, below, env))
		c = grow(t, c, 1)
		var file bytes.Buffer
		require.NoError(t, c.Export(&file))

		var refused *chain.ImportError
		require.ErrorAs(t, c.Verify(strict), &refused, field)
		require.Equal(t, field, refused.Field)
		_, err := newChainOf(t, genesis, strict).Import(bytes.NewReader(file.Bytes()))
		require.Equal(t, c.Verify(strict), err)

		require.NoError(t, c.Verify(lenient), field)
		again, err := newChainOf(t, genesis, lenient).Import(bytes.NewReader(file.Bytes()))
		require.NoError(t, err, field)
		require.Equal(t, c.Head().Hash(), again.Head().Hash())
	}

	impersonated, _, err := draft(t, below, chain.Env{}).Add(call(t, 0, 0, storer, 100_000, words(1, 2)), address(1))
	require.NoError(t, err)
	c, _ := seal(t, impersonated)
	require.ErrorContains(t, c.Verify(lenient), "block 3: transaction 0: got no signature, want that of "+address(1).Hex())
}

// Ensure a chain's gas limit does not fall below the least one, and that a lenient import takes a limit, a time and
// fees that do not follow from the parent, within what a header can hold.
func TestLenientImport(t *testing.T) {
	t.Parallel()
	low := newGenesis(t, "osaka")
	low.GasLimit = 5000
	c := newChainOf(t, low, chain.Options{})
	_, valid := seal(t, draft(t, c, chain.Env{GasLimit: 5000}))
	_, err := c.ImportBlock(reheaded(t, valid.Body(), func(h *types.Header) { h.GasLimit = 4999 }))
	require.ErrorContains(t, err, "gas limit: got 4999, want less than 4 from 5000, between 5000 and")
	_, err = c.ImportBlock(valid.Body())
	require.NoError(t, err)
	lenient := newChainOf(t, low, chain.Options{Lenient: true})
	_, valid = seal(t, draft(t, lenient, chain.Env{GasLimit: math.MaxInt64, Time: genesisTime, BaseFee: common.Big1, BlobBaseFee: big.NewInt(5)}))
	_, err = lenient.ImportBlock(valid.Body())
	require.NoError(t, err)
	_, err = lenient.ImportBlock(reheaded(t, valid.Body(), func(h *types.Header) { h.Time-- }))
	require.ErrorContains(t, err, "timestamp: got 1699999999")
	_, err = lenient.ImportBlock(reheaded(t, valid.Body(), func(h *types.Header) { h.GasLimit++ }))
	require.ErrorContains(t, err, "gas limit: got 9223372036854775808")
	_, err = lenient.ImportBlock(reheaded(t, valid.Body(), func(h *types.Header) { h.ExcessBlobGas = nil }))
	require.ErrorContains(t, err, "excess blob gas: got none")
}

// Ensure no blocks are imported into an OP-stack chain, nor verified for one.
func TestRollupsImportNothing(t *testing.T) {
	t.Parallel()
	_, c := newRollup(t)
	next, block := seal(t, draft(t, c, chain.Env{}))
	const want = "rules: got the rules of optimism, want those of ethereum: blocks with deposits cannot be imported"
	_, err := c.ImportBlock(types.NewBlockWithHeader(block.Header()))
	require.EqualError(t, err, "block 1: "+want)
	require.EqualError(t, next.Verify(chain.Options{}), "block 1: "+want)
	_, other := seal(t, draft(t, newChain(t, "osaka"), chain.Env{Coinbase: common.Address{9}}))
	_, err = next.ImportBlock(other.Body())
	require.EqualError(t, err, "block 1: "+want)
}

// Ensure of two branches with equal difficulty the older one stays.
func TestBranchesOfEqualWeight(t *testing.T) {
	t.Parallel()
	base := grow(t, newChain(t, "london"), 2)
	_, older := seal(t, draft(t, base, chain.Env{Coinbase: common.Address{1}}))
	_, younger := seal(t, draft(t, base, chain.Env{Coinbase: common.Address{2}}))
	require.Equal(t, older.Header().Difficulty, younger.Header().Difficulty)
	c, err := base.ImportBlock(older.Body())
	require.NoError(t, err)
	c, err = c.ImportBlock(younger.Body())
	require.NoError(t, err)
	require.Equal(t, older.Hash(), c.Head().Hash())
	require.Len(t, c.Orphans(), 1)
	again, err := c.ImportBlock(younger.Body())
	require.NoError(t, err)
	require.Same(t, c, again, "it is known")
}

// Ensure a fork on a chain without the contracts of requests seals blocks all the same, with its withdrawals.
func TestForkWithoutSystemContracts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"osaka", "amsterdam"} {
		under := fakenode.RunConfigT(t, fakenode.Config{Hardfork: name, Rules: fakenode.EthereumRules})
		client := under.Client().Client()
		require.NoError(t, client.CallContext(t.Context(), nil, "anvil_setCode", params.WithdrawalQueueAddress, "0x"))
		c := forkOf(t, under, chain.Options{})
		c, block := seal(t, draft(t, c, chain.Env{Withdrawals: types.Withdrawals{{Address: common.Address{0xee}, Amount: 3}}}))
		require.Empty(t, block.Requests())
		require.Equal(t, types.EmptyRequestsHash, *block.Header().RequestsHash)
		state, err := c.StateAt(block)
		require.NoError(t, err)
		require.EqualValues(t, 3*gwei, state.Balance(common.Address{0xee}).Uint64())
		require.Equal(t, name == "amsterdam", block.Header().BlockAccessListHash != nil)
	}
}

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
