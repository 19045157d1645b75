package fakenode_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// presetHabits lists what a node does under each preset: which transactions it takes (a fee cap of 1 wei, a
// replacement with a higher cap alone, gas beyond EIP-7825), how far the safe block is behind, which hash the pending
// block has, whether a call has a base fee, its gas, and the scalars of L1's fees in the deposit of a block.
var presetHabits = map[fakenode.Preset]string{
	fakenode.Dev:             "low yes, bump no, large no; safe 4, pending zero; base fee false, gas 49978998; scalars none",
	fakenode.Base:            "low yes, bump no, large no; safe 4, pending own; base fee false, gas 49978998; scalars 0x000008dd00101c12",
	fakenode.BaseFlashblocks: "low yes, bump no, large no; safe 4, pending zero; base fee false, gas 49978998; scalars 0x000008dd00101c12",
	fakenode.Optimism:        "low yes, bump no, large no; safe 4, pending own; base fee false, gas 49978998; scalars 0x0000146b000f79c5",
	fakenode.Unichain:        "low yes, bump no, large no; safe 4, pending zero; base fee false, gas 49978998; scalars 0x000007d0000dbba0",
	fakenode.MegaETH:         "low yes, bump no, large no; safe 4, pending own; base fee false, gas 49978998; scalars none",
	fakenode.Rise:            "low yes, bump no, large no; safe 4, pending own; base fee false, gas 49978998; scalars none",
	fakenode.Anvil:           "low no, bump yes, large yes; safe 4, pending own; base fee true, gas 29978998; scalars none",
	fakenode.Hardhat:         "low yes, bump no, large yes; safe 0, pending own; base fee false, gas 49978998; scalars none",
}

// Ensure each preset has the habits of what it is named after.
func TestPresetsHaveHabits(t *testing.T) {
	t.Parallel()
	for _, preset := range fakenode.Presets() {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			require.Equal(t, presetHabits[preset], habitsOf(t, preset))
		})
	}
}

// habitsOf returns the row of presetHabits of a new node.
func habitsOf(t *testing.T, preset fakenode.Preset) string {
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: fakenode.Manual})
	client := node.Client()
	node.Seal()
	bound := types.LatestSignerForChainID(new(big.Int).SetUint64(node.ChainID()))
	send := func(data types.TxData) string {
		tx, err := types.SignNewTx(node.Account(0).Key, bound, data)
		require.NoError(t, err)
		raw, err := tx.MarshalBinary()
		require.NoError(t, err)
		if client.Client().Call(nil, "eth_sendRawTransaction", hexutil.Encode(raw)) != nil {
			return "no"
		}
		return "yes"
	}
	paying := func(nonce, gas uint64, limit int64) *types.DynamicFeeTx {
		return &types.DynamicFeeTx{Nonce: nonce, Gas: gas, GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(limit), To: &common.Address{1}}
	}
	low := send(paying(0, 21_000, 1))
	node.DropTransaction(types.NewTx(paying(0, 21_000, 1)).Hash())
	require.Equal(t, "yes", send(paying(1, 21_000, 2e9)))
	bump := send(paying(1, 21_000, 2e9+1))
	large := send(paying(2, 1<<24+1, 2e9))

	for range 3 {
		node.Seal()
	}
	safe, err := client.BlockByNumber(t.Context(), big.NewInt(-4))
	require.NoError(t, err)
	var pending struct{ Hash *common.Hash }
	require.NoError(t, client.Client().Call(&pending, "eth_getBlockByNumber", "pending", false))
	hash := "null"
	if pending.Hash != nil {
		hash = map[bool]string{true: "zero", false: "own"}[*pending.Hash == common.Hash{}]
	}
	word := func(opcode string) uint64 {
		var answer hexutil.Bytes
		code := map[common.Address]any{{1}: map[string]any{"code": "0x" + opcode + "5f5260205ff3"}}
		require.NoError(t, client.Client().Call(&answer, "eth_call", map[string]any{"to": common.Address{1}}, "latest", code))
		return new(big.Int).SetBytes(answer).Uint64()
	}
	scalars := "none"
	if first := node.Moment().Latest(); first.Count() > 0 && first.Transaction(0).Type() == optimism.DepositType {
		scalars = hexutil.Encode(first.Transaction(0).Data()[4:12])
	}
	return fmt.Sprintf("low %s, bump %s, large %s; safe %d, pending %s; base fee %v, gas %d; scalars %s",
		low, bump, large, node.BlockNumber()-safe.NumberU64(), hash, word("48") > 0, word("5a"), scalars)
}

// Ensure blocks that anvil's preset makes in a second of the wall clock have its time, as anvil's have.
func TestPresetAnvilBlocksOfOneSecond(t *testing.T) {
	t.Parallel()
	isAhead := func(c fakenode.Config) bool {
		c.RealClock, c.Mode = true, fakenode.Manual
		node := fakenode.RunConfigT(t, c)
		for range 60 {
			node.Seal()
		}
		return int64(node.Moment().Latest().Time()) > time.Now().Unix()+30
	}
	require.False(t, isAhead(fakenode.Config{Preset: fakenode.Anvil}))
	require.True(t, isAhead(fakenode.Config{}))
}

// Ensure a genesis of one's own has Ethereum's rules under a preset with others, and what goes with those alone is
// refused.
func TestPresetRulesOfAGenesis(t *testing.T) {
	t.Parallel()
	genesis := fakenode.NewGenesis(nil)
	_, err := fakenode.New(fakenode.Config{Preset: fakenode.Optimism, Genesis: genesis, Fees: fakenode.FeeRules{Elasticity: 2}})
	require.ErrorContains(t, err, `rules "ethereum" take no denominator`)
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, Genesis: genesis})
	node.Seal()
	require.Zero(t, node.Moment().Latest().Count(), "no deposit")
}
