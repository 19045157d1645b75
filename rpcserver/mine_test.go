package rpcserver

import (
	"encoding/json"
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// head returns number and timestamp of the newest block, the timestamp from the start.
func (n *network) head() (number, after uint64) {
	latest := n.timeline.Moment().Latest()
	return latest.Number(), latest.Time() - networkStart
}

func TestMine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method        string
		params        []any
		result        string
		number, after uint64
	}{
		{"evm_mine", nil, `"0x0"`, 1, 2},
		{"evm_mine", []any{networkStart + 100}, `"0x0"`, 1, 100},
		{"evm_mine", []any{"0x6553f164"}, `"0x0"`, 1, 100},
		{"evm_mine", []any{map[string]any{"blocks": 5}}, `"0x0"`, 5, 10},
		{"evm_mine", []any{map[string]any{"timestamp": networkStart + 100, "blocks": "0x3"}}, `"0x0"`, 3, 104},
		{"anvil_mine", nil, "null", 1, 2},
		{"anvil_mine", []any{"0xa"}, "null", 10, 20},
		{"hardhat_mine", []any{"0x3", "0x3c"}, "null", 3, 122},
		{"hardhat_mine", []any{"0x3", "0x1"}, "null", 3, 4},
		{"hardhat_mine", []any{"0x0"}, "null", 0, 0},
		{"anvil_mine", []any{1, 60}, "null", 1, 2},
		{"fakenode_advance", []any{5000}, `{"timestamp":1700000005,"timestampMs":1700000005000,"blockNumber":2,"flashblockIndex":5}`, 2, 4},
	} {
		n := newNetwork(t, preconf.Config{}, Config{})
		require.JSONEq(t, c.result, string(fetch[json.RawMessage](n, c.method, c.params...)), "%s%v", c.method, c.params)
		number, after := n.head()
		require.Equal(t, c.number, number, "%s%v", c.method, c.params)
		require.Equal(t, c.after, after, "%s%v", c.method, c.params)
	}
}

// Nothing is left armed for the next block.
func TestMineNoBlock(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	n.do("evm_mine", map[string]any{"blocks": 0, "timestamp": networkStart + 5000})
	n.do("evm_mine")
	number, after := n.head()
	require.EqualValues(t, 1, number)
	require.EqualValues(t, 2, after)
}

// Libraries write the numbers of control methods in many ways: ethers' toBeHex(3600) is "0x0e10".
func TestNumbersAsLibrariesWriteThem(t *testing.T) {
	t.Parallel()
	account := fixtures.Dev(3).Address
	for _, written := range []any{10, "10", "0xa", "0x0a", "0x" + padded("a")} {
		n := newNetwork(t, preconf.Config{}, Config{})
		require.EqualValues(t, 10, fetch[float64](n, "evm_increaseTime", written))
		n.do("hardhat_mine", written, written)
		number, _ := n.head()
		require.EqualValues(t, 10, number, "%v", written)
		n.do("hardhat_setNonce", account, written)
		require.Equal(t, "0xa", fetch[string](n, "eth_getTransactionCount", account), "%v", written)
		n.do("anvil_setBalance", account, written)
		require.Equal(t, "0xa", fetch[string](n, "eth_getBalance", account), "%v", written)
		n.do("anvil_setStorageAt", account, written, "0x"+padded("7"))
		require.Equal(t, "0x"+padded("7"), fetch[string](n, "eth_getStorageAt", account, "0xa"), "%v", written)
		n.do("evm_setIntervalMining", written)
		require.EqualValues(t, 10, fetch[float64](n, "anvil_getIntervalMining"), "%v", written)
	}
	n := newNetwork(t, preconf.Config{}, Config{})
	n.do("anvil_setTime", "1700005000")
	n.do("evm_setBlockGasLimit", "30000000")
	n.do("evm_mine")
	_, after := n.head()
	require.EqualValues(t, 5000, after)
	require.EqualValues(t, 30_000_000, n.timeline.Moment().Latest().Header().GasLimit)
	n.fails(api.CodeInvalidParams, "eth_getTransactionBySenderAndNonce", account, "0x0a") // those of eth_ methods are strict
}

func TestMineManyBlocks(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	n.do("anvil_mine", 2000)
	number, after := n.head()
	require.EqualValues(t, 2000, number)
	require.EqualValues(t, 4000, after)
}

func TestMineDetailed(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	tx := n.pay(0, 1, 5)
	blocks := fetch[[]struct {
		Number       string
		Transactions []struct{ Hash, From string }
	}](n, "anvil_mine_detailed", map[string]any{"blocks": 2})
	require.Len(t, blocks, 2)
	require.Equal(t, "0x1", blocks[0].Number)
	require.Equal(t, tx.Hash().Hex(), blocks[0].Transactions[0].Hash)
	require.NotEmpty(t, blocks[0].Transactions[0].From)
	require.Empty(t, blocks[1].Transactions)
}

// Each caller is told of its own blocks, however many mine at once.
func TestMineDetailedByManyClients(t *testing.T) {
	t.Parallel()
	const clients, calls = 4, 100
	n := newNetwork(t, preconf.Config{}, Config{})
	answers := make([][]json.RawMessage, clients)
	var callers sync.WaitGroup
	for i := range answers {
		callers.Go(func() {
			for range calls {
				answer, _ := n.try("anvil_mine_detailed", map[string]any{"blocks": 2})
				answers[i] = append(answers[i], answer)
			}
		})
	}
	callers.Wait()
	told := make(map[hexutil.Uint64]bool)
	for _, answer := range slices.Concat(answers...) {
		var blocks []struct{ Number hexutil.Uint64 }
		require.NoError(t, json.Unmarshal(answer, &blocks))
		require.Len(t, blocks, 2)
		require.Equal(t, blocks[0].Number+1, blocks[1].Number)
		told[blocks[0].Number], told[blocks[1].Number] = true, true
	}
	require.Len(t, told, 2*clients*calls)
}

// Blocks mined with timestamps of their own are mined in one go, and none is left if one cannot be.
func TestMineAllOrNothing(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	n.do("evm_setTime", uint64(preconf.LatestTime-100))
	n.pay(0, 1, 1)
	n.do("fakenode_preconfirm")
	n.unchanged(func() {
		n.refuses(api.CodeInvalidParams, []string{"6000000020"}, "anvil_mine", 4, 40)
		n.refuses(api.CodeServer, []string{"6000000002"}, "anvil_mine", 60)
		n.refuses(api.CodeServer, []string{"6000000001"}, "evm_mine", map[string]any{"timestamp": uint64(preconf.LatestTime - 1), "blocks": 2})
		n.refuses(api.CodeServer, []string{"6000000002"}, "anvil_mine_detailed", map[string]any{"timestamp": uint64(preconf.LatestTime), "blocks": 2})
	})
	n.do("anvil_mine", 3, 40)
	number, after := n.head()
	require.EqualValues(t, 3, number)
	require.EqualValues(t, preconf.LatestTime-20-networkStart, after, "no timestamp is left over")
}

func TestTime(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	require.EqualValues(t, networkStart, fetch[uint64](n, "anvil_getGenesisTime"))
	require.EqualValues(t, 3600, fetch[float64](n, "evm_increaseTime", "0xe10"))
	n.do("evm_mine")
	_, after := n.head()
	require.EqualValues(t, 3600, after)

	require.EqualValues(t, 0.5, fetch[float64](n, "evm_increaseTime", 0.5))
	require.EqualValues(t, 6399, fetch[uint64](n, "evm_setTime", networkStart+10_000), "whole seconds of 6399.5")
	n.do("evm_mine")
	_, after = n.head()
	require.EqualValues(t, 10_000, after)

	n.do("evm_setNextBlockTimestamp", networkStart+20_000)
	n.do("evm_mine")
	n.do("evm_mine")
	_, after = n.head()
	require.EqualValues(t, 20_002, after, "one block only")

	n.do("anvil_setBlockTimestampInterval", 7)
	n.do("anvil_mine", 2)
	_, after = n.head()
	require.EqualValues(t, 20_016, after)
	require.True(t, fetch[bool](n, "anvil_removeBlockTimestampInterval"))
	n.do("evm_mine")
	_, after = n.head()
	require.EqualValues(t, 20_018, after)
}

func TestMiningModes(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	require.False(t, fetch[bool](n, "anvil_getAutomine"))
	require.Nil(t, fetch[*float64](n, "anvil_getIntervalMining"))

	n.do("evm_setAutomine", true)
	require.True(t, fetch[bool](n, "hardhat_getAutomine"))
	tx := n.pay(0, 1, 1)
	receipt := fetch[map[string]any](n, "eth_getTransactionReceipt", tx.Hash())
	require.Equal(t, "0x1", receipt["blockNumber"], "sealed before the send returned")

	n.do("evm_setIntervalMining", 3)
	require.EqualValues(t, 3, *fetch[*float64](n, "anvil_getIntervalMining"))
	require.False(t, fetch[bool](n, "anvil_getAutomine"))
	n.do("fakenode_advance", 9000)
	number, _ := n.head()
	require.EqualValues(t, 4, number)
	n.do("evm_setAutomine", false) // as other nodes: not what ends an interval
	require.NotNil(t, fetch[*float64](n, "anvil_getIntervalMining"))

	n.do("anvil_setIntervalMining", 0.2)
	require.InDelta(t, 0.2, *fetch[*float64](n, "anvil_getIntervalMining"), 1e-9)
	n.do("fakenode_advance", 2000)
	number, _ = n.head()
	require.EqualValues(t, 14, number)

	n.do("evm_setIntervalMining", 0)
	require.Nil(t, fetch[*float64](n, "anvil_getIntervalMining"))
	require.Equal(t, "manual", fetch[struct{ Config struct{ Seal string } }](n, "fakenode_info").Config.Seal)
}

func TestEvmSnapshots(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	first := fetch[string](n, "evm_snapshot")
	n.pay(0, 1, 1)
	n.do("evm_mine")
	second := fetch[string](n, "evm_snapshot")
	n.do("evm_mine")
	third := fetch[string](n, "evm_snapshot")
	require.Equal(t, []string{"0x1", "0x2", "0x3"}, []string{first, second, third})

	require.True(t, fetch[bool](n, "evm_revert", second))
	number, _ := n.head()
	require.EqualValues(t, 1, number)
	require.False(t, fetch[bool](n, "evm_revert", second), "used up")
	require.False(t, fetch[bool](n, "evm_revert", third), "gone with the earlier one")
	require.True(t, fetch[bool](n, "anvil_revert", first))
	number, _ = n.head()
	require.Zero(t, number)
	require.Equal(t, "0x0", fetch[poolCount](n, "txpool_status").Pending)
	require.False(t, fetch[bool](n, "evm_revert", "0x77"))

	kept := fetch[string](n, "fakenode_snapshot")
	for range 3 {
		n.do("evm_mine")
		require.True(t, fetch[bool](n, "fakenode_revert", kept), "re-usable")
	}
	n.refuses(api.CodeServer, []string{"0x77"}, "fakenode_revert", 0x77)
}

func TestNextBlock(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	randao := "0x" + padded("7777")
	n.do("anvil_setNextBlockBaseFeePerGas", "0x0077359400") // 2 gwei, with leading zeros
	n.do("hardhat_setPrevRandao", randao)
	n.do("hardhat_setCoinbase", fixtures.Dev(7).Address)
	require.True(t, fetch[bool](n, "evm_setBlockGasLimit", "0x1c9c380"))
	n.do("evm_mine")
	header := n.timeline.Moment().Latest().Header()
	require.Equal(t, big.NewInt(2_000_000_000), header.BaseFee)
	require.Equal(t, randao, header.MixDigest.Hex())
	require.Equal(t, fixtures.Dev(7).Address, header.Coinbase)
	require.EqualValues(t, 30_000_000, header.GasLimit)
	n.do("evm_mine")
	header = n.timeline.Moment().Latest().Header()
	require.NotEqual(t, randao, header.MixDigest.Hex(), "one block only")
	require.Equal(t, fixtures.Dev(7).Address, header.Coinbase, "until it is changed")
}

// The clock ends at a time that the error names; nothing runs over.
func TestEndOfTime(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	n.do("evm_setTime", uint64(preconf.LatestTime))
	n.do("evm_mine")
	n.unchanged(func() {
		n.refuses(api.CodeServer, []string{"6000000000"}, "evm_mine")
		n.refuses(api.CodeServer, []string{"6000000000"}, "fakenode_preconfirm")
		n.refuses(api.CodeInvalidParams, []string{"6000000000"}, "fakenode_advance", 1000)
		n.refuses(api.CodeInvalidParams, []string{"6000000000"}, "evm_increaseTime", 1)
		n.refuses(api.CodeInvalidParams, []string{"6000000000"}, "fakenode_reorg", map[string]any{"depth": 1})
	})
	n.do("fakenode_reorg", map[string]any{"depth": 1, "length": 1})
	n.do("anvil_setBlockTimestampInterval", 19)
	n.pay(0, 1, 1)
	n.unchanged(func() { n.refuses(api.CodeServer, []string{"6000000019"}, "evm_setAutomine", true) })
}
