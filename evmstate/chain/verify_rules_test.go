package chain_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"testing"
	"testing/iotest"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// Ensure a block of a fork that is not implemented is refused.
func TestImportOfUnknownForks(t *testing.T) {
	t.Parallel()
	bogota := newGenesis(t, "osaka")
	bogota.Config.BogotaTime = new(uint64(genesisTime + 10))
	c := newChainOf(t, bogota, chain.Options{})
	_, valid := seal(t, draft(t, c, chain.Env{}))
	_, err := c.ImportBlock(reheaded(t, valid.Body(), func(h *types.Header) { h.Time = genesisTime + 10 }))
	require.ErrorContains(t, err, "block 1: fork: got fork bogota, active at block 1")
	require.ErrorContains(t, err, "want frontier to amsterdam")
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

// Ensure input that breaks off or fails is an error that says where.
func TestImportOfBrokenInput(t *testing.T) {
	t.Parallel()
	empty := newChain(t, "osaka")
	c := grow(t, empty, 3)
	var file bytes.Buffer
	require.NoError(t, c.Export(&file))
	blocks := file.Bytes()
	first := len(encode(t, c.BlockByNumber(1).Body()))
	failed := errors.New("the disk is gone")
	for _, test := range []struct {
		in   io.Reader
		want string
	}{
		{bytes.NewReader(blocks[:first-1]), fmt.Sprintf("block 1: rlp: got %d bytes, then the end of the input, where its length says %d, want a block", first-1, first)},
		{bytes.NewReader(blocks[:first+2]), "block 2: rlp: got the end of the input within a length, want a block"},
		{io.MultiReader(bytes.NewReader(blocks[:first+20]), iotest.ErrReader(failed)), failed.Error()},
		{io.MultiReader(bytes.NewReader(blocks[:first+1]), iotest.ErrReader(failed)), failed.Error()},
		{iotest.ErrReader(failed), failed.Error()},
	} {
		_, err := empty.Import(bufio.NewReaderSize(test.in, 16))
		require.ErrorContains(t, err, test.want)
	}
	again, err := empty.Import(iotest.OneByteReader(bytes.NewReader(blocks)))
	require.NoError(t, err)
	require.Equal(t, c.Head().Hash(), again.Head().Hash())
	nothing, err := empty.Import(bytes.NewReader(nil))
	require.NoError(t, err)
	require.Same(t, empty, nothing)
	require.ErrorIs(t, c.Export(failingOutput{failed}), failed)

	fork := forkOf(t, fakenode.RunT(t), chain.Options{})
	require.ErrorContains(t, fork.ExportGenesis(&file), "the chain is a fork of another at block 0: it has no genesis of its own")
}

// failingOutput fails to write.
type failingOutput struct{ error }

func (o failingOutput) Write([]byte) (int, error) { return 0, o.error }

// Ensure of two branches with equal difficulty the older one stays, and a chain knows whether another only added to
// it.
func TestBranchesOfEqualWeight(t *testing.T) {
	t.Parallel()
	base := grow(t, newChain(t, "london"), 2)
	_, older := seal(t, draft(t, base, chain.Env{Coinbase: common.Address{1}}))
	_, younger := seal(t, draft(t, base, chain.Env{Coinbase: common.Address{2}}))
	require.Equal(t, older.TotalDifficulty(), younger.TotalDifficulty())
	c, err := base.ImportBlock(older.Body())
	require.NoError(t, err)
	c, err = c.ImportBlock(younger.Body())
	require.NoError(t, err)
	require.Equal(t, older.Hash(), c.Head().Hash())
	require.Len(t, c.Orphans(), 1)
	again, err := c.ImportBlock(younger.Body())
	require.NoError(t, err)
	require.Same(t, c, again, "it is known")

	require.True(t, base.SameOrphans(base))
	require.True(t, grow(t, base, 3).SameOrphans(base))
	require.False(t, c.SameOrphans(base), "it has one more")
	require.False(t, base.Truncate(1).SameOrphans(base))
	require.False(t, base.SameOrphans(grow(t, base, 1)), "it lacks a block")
	other, _ := seal(t, draft(t, newChain(t, "london"), chain.Env{Coinbase: common.Address{3}}))
	require.False(t, grow(t, other, 1).SameOrphans(base), "its blocks are others")
	require.Equal(t, c.Orphans(), c.OrphansSince(grow(t, base, 1).Truncate(1)), "it does not go on from that")
	require.Empty(t, base.OrphansSince(base))

	pruned := newChainOf(t, newGenesis(t, "osaka"), chain.Options{History: 2})
	pruned = grow(t, pruned, 60)
	side, sideBlock := seal(t, draft(t, grow(t, newChain(t, "osaka"), 3), chain.Env{Coinbase: common.Address{4}}))
	require.EqualValues(t, 4, side.Head().Number())
	_, err = pruned.ImportBlock(sideBlock.Body())
	require.EqualError(t, err, "state of block 3 is pruned")
}

// Ensure a draft has the accesses and the gas by kind of its transactions from Amsterdam on, and the sealed block
// those of its end as well.
func TestAccessesOfDrafts(t *testing.T) {
	t.Parallel()
	old := add(t, draft(t, newChain(t, "osaka"), chain.Env{}), 0, call(t, 0, 0, storer, 100_000, words(1, 2)))
	require.Nil(t, old.AccessList())
	require.Nil(t, old.GasByKind())
	_, oldBlock := seal(t, old)
	require.Nil(t, oldBlock.GasByKind())
	list, err := oldBlock.AccessList()
	require.NoError(t, err)
	require.Nil(t, list)

	begun := draft(t, newChain(t, "amsterdam"), chain.Env{})
	before := len(*begun.AccessList())
	d := add(t, begun, 0, call(t, 0, 0, storer, 200_000, words(1, 2)))
	require.Len(t, *begun.AccessList(), before, "the draft is as it was")
	require.Greater(t, len(*d.AccessList()), before)
	gas := d.GasByKind()
	require.Len(t, gas, 1)
	require.Positive(t, gas[0].Execution)
	require.Positive(t, gas[0].State, "of a new slot")
	require.Equal(t, max(gas[0].Execution, gas[0].State), d.GasUsed())
	_, block := seal(t, d)
	require.Equal(t, gas, block.GasByKind())
	list, err = block.AccessList()
	require.NoError(t, err)
	require.Equal(t, list.Hash(), *block.Header().BlockAccessListHash)
	require.GreaterOrEqual(t, len(*list), len(*d.AccessList()))
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

// Ensure blocks from a file are put together only where each follows the one before it.
func TestRestoreRefusesGaps(t *testing.T) {
	t.Parallel()
	empty := newChain(t, "osaka")
	c := grow(t, empty, 4)
	blocks := func(numbers ...uint64) (list []*chain.Block) {
		for _, n := range numbers {
			list = append(list, c.BlockByNumber(n))
		}
		return list
	}
	state, err := c.StateAt(c.Head())
	require.NoError(t, err)
	for _, kept := range []chain.Kept{{Blocks: blocks(2)}, {Blocks: blocks(1, 3)}, {Blocks: blocks(2, 1)}, {Blocks: blocks(1), Orphans: blocks(3)}} {
		kept.Head = state
		_, err := empty.Restore(kept)
		require.ErrorContains(t, err, "does not follow the block before it")
	}
	restored, err := empty.Restore(chain.Kept{Blocks: blocks(1, 2, 3, 4), Head: state})
	require.NoError(t, err)
	require.Equal(t, c.Head().Hash(), restored.Head().Hash())
}

// Ensure a block whose parent has no base fee has no blob fee by Osaka's rules: that follows from the base fee.
func TestLondonAndOsakaAtOnce(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "osaka")
	g.Config.LondonBlock, g.Config.ArrowGlacierBlock, g.Config.GrayGlacierBlock, g.Config.MergeNetsplitBlock = common.Big1, nil, nil, common.Big1
	for _, at := range []**uint64{&g.Config.ShanghaiTime, &g.Config.CancunTime, &g.Config.PragueTime, &g.Config.OsakaTime} {
		*at = new(uint64(genesisTime + 1))
	}
	c := newChainOf(t, g, chain.Options{})
	_, err := c.NewDraft(chain.Env{})
	require.EqualError(t, err, "block 1 is the first of london and in osaka: its blob fee needs a parent with a base fee")
}
