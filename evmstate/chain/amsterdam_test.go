package chain_test

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// amsterdamGenesis starts in BPO2 and reaches Amsterdam after 20 blocks or so of a random chain.
func amsterdamGenesis(t testing.TB) *chain.Genesis {
	g := newGenesis(t, "bpo2")
	g.Config.AmsterdamTime = new(g.Timestamp + 3600)
	for address, account := range chain.SystemContracts(g.Config) {
		g.Alloc[address] = account
	}
	g.GasLimit = 60_000_000
	return g
}

// TestRandomChainIntoAmsterdam makes random blocks that cross the fork, with reorgs, imports them again, and has
// go-ethereum import them. With FAKENODE_EXPORT_DIR set the export stays there, for `make verify-geth`.
func TestRandomChainIntoAmsterdam(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	g := &generator{t: t, rand: rand.New(rand.NewPCG(7, 8)), moreGas: 700_000}
	c := g.grow(newChainOf(t, amsterdamGenesis(t), chain.Options{}), laboratory.Budget[uint64](t, 60, 200), true)
	require.False(t, c.Config().IsAmsterdam(common.Big1, c.BlockByNumber(1).Time()))
	require.True(t, c.Config().IsAmsterdam(common.Big1, c.Head().Time()))

	var genesis, file bytes.Buffer
	require.NoError(t, c.ExportGenesis(&genesis))
	require.NoError(t, c.Export(&file))
	if dir := os.Getenv("FAKENODE_EXPORT_DIR"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "amsterdam-genesis.json"), genesis.Bytes(), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "amsterdam-chain.rlp"), file.Bytes(), 0o644))
	}
	again := importFiles(t, genesis.Bytes(), file.Bytes())
	require.Equal(t, c.Head().Hash(), again.Head().Hash())
	requireGethAccepts(t, c)

	refunded, ofState := false, false
	for n := uint64(0); n <= c.Head().Number(); n++ {
		b, imported := c.BlockByNumber(n), again.BlockByNumber(n)
		require.Equal(t, accessList(t, b), accessList(t, imported), "access list of block %d", n)
		require.Equal(t, b.GasByKind(), imported.GasByKind(), "gas of block %d", n)
		raw, err := b.Record()
		require.NoError(t, err)
		kept, err := chain.BlockFromRecord(raw)
		require.NoError(t, err)
		require.Equal(t, accessList(t, b), accessList(t, kept), "kept access list of block %d", n)
		require.ElementsMatch(t, b.GasByKind(), kept.GasByKind(), "kept gas of block %d", n)
		if b.Header().SlotNumber == nil {
			require.Nil(t, accessList(t, b), "block %d", n)
			require.Nil(t, b.GasByKind(), "block %d", n)
			continue
		}
		require.Equal(t, *b.Header().BlockAccessListHash, accessList(t, b).Hash(), "block %d", n)
		var total tracing.Gas
		for _, gas := range b.GasByKind() {
			total.Execution, total.State = total.Execution+gas.Execution, total.State+gas.State
		}
		require.Equal(t, max(total.Execution, total.State), b.Header().GasUsed, "gas used of block %d", n)
		if receipts := b.Receipts(); len(receipts) > 0 {
			last := receipts[len(receipts)-1].CumulativeGasUsed
			refunded = refunded || last < total.Execution+total.State
			ofState = ofState || total.State > total.Execution
		}
	}
	require.True(t, refunded, "no block had a refund")
	require.True(t, ofState, "no block used more state gas than execution gas")
}

// TestSlotNumbers checks that blocks count slots from the fork on, and that their producer may choose the slot.
func TestSlotNumbers(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "bpo2")
	g.Config.AmsterdamTime = new(uint64(genesisTime + 2))
	for address, account := range chain.SystemContracts(g.Config) {
		g.Alloc[address] = account
	}
	c := grow(t, newChainOf(t, g, chain.Options{}), 3)
	require.Nil(t, c.BlockByNumber(1).Header().SlotNumber)
	require.Equal(t, uint64(0), *c.BlockByNumber(2).Header().SlotNumber)
	require.Equal(t, uint64(1), *c.BlockByNumber(3).Header().SlotNumber)
	c, _ = seal(t, draft(t, c, chain.Env{SlotNumber: new(uint64(70))}))
	c = grow(t, c, 1)
	require.Equal(t, uint64(71), *c.Head().Header().SlotNumber)
	requireGethAccepts(t, c)
}

// TestAccessListTooLong checks that a block is not sealed whose gas limit is too low for its access list (EIP-7928).
func TestAccessListTooLong(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "amsterdam")
	g.GasLimit = 20_000
	_, _, err := draft(t, newChainOf(t, g, chain.Options{}), chain.Env{}).Seal()
	require.ErrorContains(t, err, "sealing block 1: block access list exceeds size constraint")
	require.ErrorContains(t, err, "block gas limit 20000 / 2000")
}

// TestTransactionAboveTheExecutionCap checks that a gas limit above 2^24 is valid in Amsterdam, and leaves what is
// above for state gas: it creates 300 slots, which the cap alone could not pay for.
func TestTransactionAboveTheExecutionCap(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "amsterdam")
	g.GasLimit = 60_000_000
	filler := common.HexToAddress("0xf1") // fills as many slots as its input says
	g.Alloc[filler] = types.Account{Code: common.FromHex("6000355b8015601357808055600190036003565b00"), Balance: new(big.Int)}
	c := newChainOf(t, g, chain.Options{})
	for gas, status := range map[uint64]uint64{params.MaxTxGas: types.ReceiptStatusFailed, 35_000_000: types.ReceiptStatusSuccessful} {
		d := draft(t, c, chain.Env{})
		_, receipt, err := d.Add(call(t, 0, 0, filler, gas, words(300)), address(0))
		require.NoError(t, err)
		require.Equal(t, status, receipt.Status, "%d gas", gas)
	}
	d := add(t, draft(t, c, chain.Env{}), 0, call(t, 0, 0, filler, 35_000_000, words(300)))
	require.Equal(t, uint64(300*97_920), d.GasByKind()[0].State)
	require.Equal(t, d.GasByKind()[0].State, d.GasUsed())
	require.Equal(t, uint64(60_000_000)-d.GasUsed(), d.GasLeft())
}

func accessList(t testing.TB, b *chain.Block) *bal.BlockAccessList {
	t.Helper()
	list, err := b.AccessList()
	require.NoError(t, err)
	return list
}

// Ensure a block whose access list does not match its header, or that has one before Amsterdam, is not imported
// (EIP-7928).
func TestImportChecksAccessList(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "amsterdam")
	sealed := grow(t, newChainOf(t, g, chain.Options{}), 1).Head().Body()
	require.NotNil(t, sealed.AccessList())
	_, err := newChainOf(t, g, chain.Options{}).ImportBlock(sealed)
	require.NoError(t, err)
	_, err = newChainOf(t, g, chain.Options{}).ImportBlock(sealed.WithAccessList(&bal.BlockAccessList{}))
	require.ErrorContains(t, err, "block access list")
	require.ErrorContains(t, err, sealed.BlockAccessListHash().Hex())

	g = newGenesis(t, "osaka")
	early := grow(t, newChainOf(t, g, chain.Options{}), 1).Head().Body().WithAccessList(&bal.BlockAccessList{})
	_, err = newChainOf(t, g, chain.Options{}).ImportBlock(early)
	require.ErrorContains(t, err, "none before amsterdam")
}
