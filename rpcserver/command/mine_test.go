package command_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
)

// head returns number and timestamp of the newest block, the timestamp from the start.
func head(n *servertest.Network) (number, after uint64) {
	latest := n.Timeline.Moment().Latest()
	return latest.Number(), latest.Time() - servertest.Start
}

type poolCount struct{ Pending, Queued string }

func TestMine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method        string
		params        []any
		result        string
		number, after uint64
	}{
		{"evm_mine", nil, `"0x0"`, 1, 2},
		{"evm_mine", []any{servertest.Start + 100}, `"0x0"`, 1, 100},
		{"evm_mine", []any{"0x6553f164"}, `"0x0"`, 1, 100},
		{"evm_mine", []any{map[string]any{"blocks": 5}}, `"0x0"`, 5, 10},
		{"evm_mine", []any{map[string]any{"timestamp": servertest.Start + 100, "blocks": "0x3"}}, `"0x0"`, 3, 104},
		{"anvil_mine", nil, "null", 1, 2},
		{"anvil_mine", []any{"0xa"}, "null", 10, 20},
		{"hardhat_mine", []any{"0x3", "0x3c"}, "null", 3, 122},
		{"hardhat_mine", []any{"0x3", "0x1"}, "null", 3, 4},
		{"hardhat_mine", []any{"0x0"}, "null", 0, 0},
		{"anvil_mine", []any{1, 60}, "null", 1, 2},
		{"fakenode_advance", []any{5000}, `{"timestamp":1700000005,"timestampMs":1700000005000,"blockNumber":2,"flashblockIndex":5}`, 2, 4},
		{"fakenode_jump", []any{5000}, `{"timestamp":1700000005,"timestampMs":1700000005000,"blockNumber":1,"flashblockIndex":null}`, 1, 5},
		{"fakenode_jump", []any{0}, `{"timestamp":1700000002,"timestampMs":1700000002000,"blockNumber":1,"flashblockIndex":null}`, 1, 2},
	} {
		n := servertest.Plain(t)
		require.JSONEq(t, c.result, string(servertest.Fetch[json.RawMessage](n, c.method, c.params...)), "%s%v", c.method, c.params)
		number, after := head(n)
		require.Equal(t, c.number, number, "%s%v", c.method, c.params)
		require.Equal(t, c.after, after, "%s%v", c.method, c.params)
	}
}

// Nothing is left armed for the next block.
func TestMineNoBlock(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("evm_mine", map[string]any{"blocks": 0, "timestamp": servertest.Start + 5000})
	n.Do("evm_mine")
	number, after := head(n)
	require.EqualValues(t, 1, number)
	require.EqualValues(t, 2, after)
}

// Libraries write the numbers of control methods in many ways: ethers' toBeHex(3600) is "0x0e10".
func TestNumbersAsLibrariesWriteThem(t *testing.T) {
	t.Parallel()
	account := fixtures.Dev(3).Address
	for _, written := range []any{10, "10", "0xa", "0x0a", "0x" + servertest.Padded("a")} {
		n := servertest.Plain(t)
		require.EqualValues(t, 10, servertest.Fetch[float64](n, "evm_increaseTime", written))
		n.Do("hardhat_mine", written, written)
		number, _ := head(n)
		require.EqualValues(t, 10, number, "%v", written)
		n.Do("hardhat_setNonce", account, written)
		require.Equal(t, "0xa", servertest.Fetch[string](n, "eth_getTransactionCount", account), "%v", written)
		n.Do("anvil_setBalance", account, written)
		require.Equal(t, "0xa", servertest.Fetch[string](n, "eth_getBalance", account), "%v", written)
		n.Do("anvil_setStorageAt", account, written, "0x"+servertest.Padded("7"))
		require.Equal(t, "0x"+servertest.Padded("7"), servertest.Fetch[string](n, "eth_getStorageAt", account, "0xa"), "%v", written)
		n.Do("evm_setIntervalMining", written)
		require.EqualValues(t, 10, servertest.Fetch[float64](n, "anvil_getIntervalMining"), "%v", written)
	}
	n := servertest.Plain(t)
	n.Do("anvil_setTime", "1700005000")
	n.Do("evm_setBlockGasLimit", "30000000")
	n.Do("evm_mine")
	_, after := head(n)
	require.EqualValues(t, 5000, after)
	require.EqualValues(t, 30_000_000, n.Timeline.Moment().Latest().Header().GasLimit)
	n.Fails(api.CodeInvalidParams, "eth_getTransactionBySenderAndNonce", account, "0x0a") // those of eth_ methods are strict
}

// Each caller is told of its own blocks, however many mine at once.
func TestMineDetailedByManyClients(t *testing.T) {
	t.Parallel()
	const clients, calls = 4, 25
	n := servertest.Plain(t)
	tx := n.Pay(0, 1, 5)
	first := servertest.Fetch[[]struct{ Transactions []struct{ Hash string } }](n, "anvil_mine_detailed", map[string]any{"blocks": 2})
	require.Equal(t, tx.Hash().Hex(), first[0].Transactions[0].Hash, "whole transactions")
	require.Empty(t, first[1].Transactions)
	answers := make([][]json.RawMessage, clients)
	var callers sync.WaitGroup
	for i := range answers {
		callers.Go(func() {
			for range calls {
				answer, _ := n.Try("anvil_mine_detailed", map[string]any{"blocks": 2})
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
	n := servertest.Plain(t)
	n.Do("evm_setTime", uint64(control.LatestTime-100))
	n.Pay(0, 1, 1)
	n.Do("fakenode_preconfirm")
	unchanged(n, func() {
		n.Refuses(api.CodeInvalidParams, []string{"6000000020"}, "anvil_mine", 4, 40)
		n.Refuses(api.CodeServer, []string{"6000000002"}, "anvil_mine", 60)
		n.Refuses(api.CodeServer, []string{"6000000001"}, "evm_mine", map[string]any{"timestamp": uint64(control.LatestTime - 1), "blocks": 2})
		n.Refuses(api.CodeServer, []string{"6000000002"}, "anvil_mine_detailed", map[string]any{"timestamp": uint64(control.LatestTime), "blocks": 2})
	})
	n.Do("anvil_mine", 3, 40)
	number, after := head(n)
	require.EqualValues(t, 3, number)
	require.EqualValues(t, control.LatestTime-20-servertest.Start, after, "no timestamp is left over")
}

func TestTime(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	require.EqualValues(t, servertest.Start, servertest.Fetch[uint64](n, "anvil_getGenesisTime"))
	require.EqualValues(t, 3600, servertest.Fetch[float64](n, "evm_increaseTime", "0xe10"))
	n.Do("evm_mine")
	_, after := head(n)
	require.EqualValues(t, 3600, after)

	require.EqualValues(t, 0.5, servertest.Fetch[float64](n, "evm_increaseTime", 0.5))
	require.EqualValues(t, 6400, servertest.Fetch[uint64](n, "evm_setTime", servertest.Start+10_000), "6399.5 s in whole ones, as anvil counts")
	n.Do("evm_mine")
	_, after = head(n)
	require.EqualValues(t, 10_000, after)

	n.Do("evm_setNextBlockTimestamp", servertest.Start+20_000)
	n.Do("evm_mine")
	n.Do("evm_mine")
	_, after = head(n)
	require.EqualValues(t, 20_002, after, "one block only")

	n.Do("anvil_setBlockTimestampInterval", 7)
	n.Do("anvil_mine", 2)
	_, after = head(n)
	require.EqualValues(t, 20_016, after)
	require.True(t, servertest.Fetch[bool](n, "anvil_removeBlockTimestampInterval"))
	n.Do("evm_mine")
	_, after = head(n)
	require.EqualValues(t, 20_018, after)
}

// Ensure of a time for the next block and one for the clock the later call counts, and that an interval begins at it.
func TestSetTimeDecidesTheNextBlock(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{})
	n.Do("evm_setNextBlockTimestamp", servertest.Start+100)
	n.Do("evm_setTime", servertest.Start+5000)
	n.Do("evm_mine")
	_, after := head(n)
	require.EqualValues(t, 5000, after)

	n.Do("anvil_setBlockTimestampInterval", 10)
	n.Do("evm_setTime", servertest.Start+9000)
	for want := uint64(9010); want < 9040; want += 10 {
		n.Do("evm_mine")
		_, after = head(n)
		require.Equal(t, want, after)
	}
}

// Ensure an interval may be a part of a second, and that only another mode ends it.
func TestMiningModes(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	interval := func() *float64 { return servertest.Fetch[*float64](n, "anvil_getIntervalMining") }
	require.Nil(t, interval())
	n.Do("evm_setIntervalMining", 0.2)
	require.InDelta(t, 0.2, *interval(), 1e-9)
	n.Do("fakenode_advance", 2000)
	number, _ := head(n)
	require.EqualValues(t, 10, number)
	n.Do("evm_setAutomine", false)
	require.NotNil(t, interval())
	n.Do("evm_setAutomine", true)
	require.Nil(t, interval())
	n.Do("evm_setIntervalMining", 3)
	require.False(t, servertest.Fetch[bool](n, "anvil_getAutomine"))
	n.Do("evm_setIntervalMining", 0)
	require.Equal(t, "manual", servertest.Fetch[struct{ Config struct{ Seal string } }](n, "fakenode_info").Config.Seal)
}

// Ensure a revert takes back the pool, too, and announces the blocks that it removes if it is asked to.
func TestReverts(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	kept := servertest.Fetch[string](n, "fakenode_snapshot")
	for _, announce := range []any{false, nil, true} {
		n.Pay(0, 1, 1)
		n.Nonces[servertest.Alice.Address] = 0
		n.Seal(5)
		before := len(servertest.Fetch[[]any](n, "fakenode_orphans"))
		require.True(t, servertest.Fetch[bool](n, "fakenode_revert", kept, announce))
		number, _ := head(n)
		require.Zero(t, number)
		require.Equal(t, "0x0", servertest.Fetch[poolCount](n, "txpool_status").Pending)
		require.Equal(t, announce == true, len(servertest.Fetch[[]any](n, "fakenode_orphans")) == before+5, "%v", announce)
	}
	require.True(t, servertest.Fetch[bool](n, "evm_revert", kept))
	require.False(t, servertest.Fetch[bool](n, "evm_revert", kept), "used up")
}

func TestNextBlock(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	randao := "0x" + servertest.Padded("7777")
	n.Do("anvil_setNextBlockBaseFeePerGas", "0x0077359400") // 2 gwei, with leading zeros
	n.Do("hardhat_setPrevRandao", randao)
	n.Do("hardhat_setCoinbase", fixtures.Dev(7).Address)
	require.True(t, servertest.Fetch[bool](n, "evm_setBlockGasLimit", "0x1c9c380"))
	n.Do("evm_mine")
	header := n.Timeline.Moment().Latest().Header()
	require.Equal(t, big.NewInt(2_000_000_000), header.BaseFee)
	require.Equal(t, randao, header.MixDigest.Hex())
	require.Equal(t, fixtures.Dev(7).Address, header.Coinbase)
	require.EqualValues(t, 30_000_000, header.GasLimit)
	n.Do("evm_mine")
	header = n.Timeline.Moment().Latest().Header()
	require.NotEqual(t, randao, header.MixDigest.Hex(), "one block only")
	require.Equal(t, fixtures.Dev(7).Address, header.Coinbase, "until it is changed")
}

// The clock ends at a time that the error names; nothing runs over.
func TestEndOfTime(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("evm_setTime", uint64(control.LatestTime))
	n.Do("evm_mine")
	unchanged(n, func() {
		n.Refuses(api.CodeServer, []string{"6000000000"}, "evm_mine")
		n.Refuses(api.CodeServer, []string{"6000000000"}, "fakenode_preconfirm")
		n.Refuses(api.CodeInvalidParams, []string{"6000000000"}, "fakenode_advance", 1000)
		n.Refuses(api.CodeInvalidParams, []string{"6000000000"}, "evm_increaseTime", 1)
		n.Refuses(api.CodeInvalidParams, []string{"6000000000"}, "fakenode_reorg", map[string]any{"depth": 1})
	})
	n.Do("fakenode_reorg", map[string]any{"depth": 1, "length": 1})
	n.Do("anvil_setBlockTimestampInterval", 19)
	n.Pay(0, 1, 1)
	unchanged(n, func() { n.Refuses(api.CodeServer, []string{"6000000019"}, "evm_setAutomine", true) })
}

// likeNode returns a network that imitates a development node, and seals by a mode.
func likeNode(t *testing.T, node dialect.Node, mode control.Mode) *servertest.Network {
	t.Helper()
	return servertest.New(t, preconf.Config{Mode: mode}, rpcserver.Config{DevNode: node})
}

// Ensure anvil's mining with an interval has limits, and reaches the longest interval.
func TestIntervalsOfAnvil(t *testing.T) {
	t.Parallel()
	n := likeNode(t, dialect.Anvil, control.Manual)
	n.Do("anvil_mine", 2, 0)
	number, after := head(n)
	require.Equal(t, []uint64{2, 4}, []uint64{number, after})
	unchanged(n, func() {
		n.Refuses(api.CodeInvalidParams, []string{"an interval of 3155760001 seconds is too long: the limit is 3155760000"}, "anvil_mine", 1, 3_155_760_001)
		n.Refuses(api.CodeInvalidParams, []string{"1000001 blocks are too many for one request: the limit is 1000000"}, "anvil_mine", 1_000_001, 1)
	})
	n.Do("anvil_mine", 1, uint64(3_155_760_000))
	_, after = head(n)
	require.EqualValues(t, 3_155_760_004, after)
}
