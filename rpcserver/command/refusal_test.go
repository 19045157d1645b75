package command_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// unchanged asserts that do leaves the node as it is.
func unchanged(n *servertest.Network, do func()) {
	n.Helper()
	picture := func() string {
		m := n.Timeline.Moment()
		state, err := m.Pending().State()
		require.NoError(n, err)
		return string(servertest.Fetch[json.RawMessage](n, "fakenode_info")) + m.Latest().Header().Root.Hex() + state.Root().Hex()
	}
	before := picture()
	do()
	require.Equal(n, before, picture())
}

// Ensure commands are refused by the input and the limit, and change nothing.
func TestControlRefusals(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Logs(0, "0xa", "0xb", 1)
	n.Do("fakenode_seal", 3)
	n.Pay(1, 2, 1)
	n.Do("fakenode_preconfirm")
	account := fixtures.Dev(3).Address
	const most = math.MaxInt32
	fault := func(member string, value any) []any {
		all := map[string]any{"method": "eth_call", "latencyMs": 1}
		all[member] = value
		return []any{all}
	}
	for _, c := range []struct {
		method string
		params []any
		code   int
		words  []string
	}{
		{"evm_mine", []any{servertest.Start}, api.CodeInvalidParams, []string{"1700000000", "1700000007"}},
		{"evm_mine", []any{map[string]any{"blocks": 1_000_001}}, api.CodeInvalidParams, []string{"1000001", "1000000"}},
		{"evm_mine", []any{"soon"}, api.CodeInvalidParams, []string{"soon"}},
		{"anvil_mine", []any{-1}, api.CodeInvalidParams, []string{"-1"}},
		{"evm_increaseTime", []any{-5}, api.CodeInvalidParams, []string{"-5"}},
		{"evm_increaseTime", []any{1e300}, api.CodeInvalidParams, []string{"100 years"}},
		{"evm_increaseTime", []any{3_155_760_000.5}, api.CodeInvalidParams, []string{"not between 0 and 3,155,760,000 (100 years)"}},
		{"evm_increaseTime", []any{"soon"}, api.CodeInvalidParams, []string{"not a whole number"}},
		{"evm_increaseTime", []any{true}, api.CodeInvalidParams, []string{"not a number"}},
		{"evm_setTime", []any{servertest.Start - 1}, api.CodeInvalidParams, []string{"1699999999", "1700000006"}},
		{"evm_setTime", []any{(time.Duration(servertest.Start) * 1000).Nanoseconds() * 1000}, api.CodeInvalidParams, []string{"seconds"}},
		{"evm_setNextBlockTimestamp", []any{"0xffffffffffffffff"}, api.CodeInvalidParams, []string{"18446744073709551615", "6000000000"}},
		{"evm_setTime", []any{6_000_000_001}, api.CodeInvalidParams, []string{"6000000001", "6000000000"}},
		{"anvil_mine", []any{3, "0xffffffffffffffff"}, api.CodeInvalidParams, []string{"3155760000"}},
		{"anvil_setBlockTimestampInterval", []any{"0xffffffffffffffff"}, api.CodeInvalidParams, []string{"3155760000"}},
		{"hardhat_setBlockTimestampInterval", []any{8999}, api.CodeInvalidParams, []string{"8999 ms is not a whole number of seconds"}},
		{"anvil_setBlockTimestampInterval", []any{0}, api.CodeInvalidParams, []string{"0 seconds"}},
		{"evm_setIntervalMining", []any{-1}, api.CodeInvalidParams, []string{"-1"}},
		{"evm_setIntervalMining", []any{1e-9}, api.CodeInvalidParams, []string{"1ms"}},
		{"evm_setAutomine", []any{"yes"}, api.CodeInvalidParams, []string{"true or false"}},
		{"evm_setBlockGasLimit", []any{0}, api.CodeInvalidParams, []string{"0"}},
		{"anvil_setMinGasPrice", []any{"0x1"}, api.CodeInvalidParams, []string{"EIP-1559"}},
		{"anvil_setNextBlockBaseFeePerGas", []any{"-1"}, api.CodeInvalidParams, []string{"2^256-1"}},
		{"anvil_setBalance", []any{account, "0x1" + servertest.Padded("0")}, api.CodeInvalidParams, []string{"2^256-1"}},
		{"anvil_setBalance", []any{account, "+1"}, api.CodeInvalidParams, []string{"not a whole number"}},
		{"anvil_setBalance", []any{account, "much"}, api.CodeInvalidParams, []string{"much"}},
		{"anvil_setBalance", []any{account}, api.CodeInvalidParams, []string{"wei"}},
		{"anvil_setStorageAt", []any{account, "0x0", "0x1"}, api.CodeInvalidParams, []string{"32 bytes"}},
		{"anvil_setCode", []any{account, "600"}, api.CodeInvalidParams, []string{"code"}},
		{"anvil_dealERC20", []any{account, account, 5}, api.CodeInvalidParams, []string{account.Hex()}},
		{"anvil_dealERC20", []any{account, servertest.Logger, 5}, api.CodeServer, []string{servertest.Logger.Hex()}},
		{"anvil_loadState", []any{"0x1234"}, api.CodeInvalidParams, []string{"dump"}},
		{"anvil_reset", []any{map[string]any{"forking": map[string]any{"jsonRpcUrl": "http://x"}}}, api.CodeInvalidParams, []string{"forking"}},
		{"anvil_reset", []any{map[string]any{"forking": map[string]any{"blockNumber": 3}}}, api.CodeInvalidParams, []string{"not possible on this network"}},
		{"anvil_reset", []any{map[string]any{"forking": map[string]any{"blockNumber": true}}}, api.CodeInvalidParams, []string{"forking.blockNumber", "true"}},
		{"fakenode_forkMisses", nil, api.CodeServer, []string{"fakenode_forkMisses", "not a fork"}},
		{"anvil_rollback", []any{uint64(math.MaxUint64)}, api.CodeInvalidParams, []string{"18446744073709551615", "3"}},
		{"fakenode_replica", []any{0, map[string]any{"behind": 4_000_000_000}}, api.CodeInvalidParams, []string{`"behind":4000000000`, "behind is not a whole number from 0 to 2^31-1"}},
		{"fakenode_weather", []any{map[string]any{"of": "baseFee", "shape": "ramp", "to": 1, "blocks": 4_000_000_000}}, api.CodeInvalidParams, []string{"4000000000", "blocks is not"}},
		{"fakenode_disconnect", []any{map[string]any{"code": 4_000_000_000}}, api.CodeInvalidParams, []string{"4000000000"}},
		{"fakenode_scenarioStart", []any{"DeepReorg", map[string]any{"amount": 0}}, api.CodeInvalidParams, []string{"amount is number, want a string"}},
		{"fakenode_scenarioStart", []any{"DeepReorg", map[string]any{"amount": "much"}}, api.CodeInvalidParams, []string{"much"}},
		{"fakenode_scenarioStart", []any{"DeepReorg", map[string]any{"x": 1}}, api.CodeInvalidParams, []string{`member "x" is unknown, want payer, merchant, amount`}},
		{"fakenode_scenarioStart", []any{"DeepReorg", map[string]any{"times": 101}}, api.CodeInvalidParams, []string{"times 101 is outside 1 to 100"}},
		{"fakenode_scenarioStart", []any{"DeepReorg", map[string]any{"depth": 1001}}, api.CodeInvalidParams, []string{"depth 1001 is outside 1 to 1000"}},
		{"fakenode_scenarioStart", []any{"DeepReorg", map[string]any{"stepMs": 3_600_001}}, api.CodeInvalidParams, []string{"stepMs 3600001 is outside 0 to 3600000"}},
		{"fakenode_scenarioStart", []any{"DeepReorg", map[string]any{"payer": 99}}, api.CodeInvalidParams, []string{"account 99: the node has accounts 0 to "}},
		{"fakenode_scenarioStart", []any{"DeepReorg", map[string]any{"payer": 2, "merchant": 2}}, api.CodeInvalidParams, []string{"same account"}},
		{"anvil_rollback", []any{4}, api.CodeInvalidParams, []string{"4", "3"}},
		{"anvil_reorg", []any{1, []any{[]any{"0x12"}}}, api.CodeInvalidParams, []string{"not a pair of a transaction and a block offset"}},
		{"anvil_reorg", []any{1, []any{[]any{7, 0}}}, api.CodeInvalidParams, []string{"argument 1"}},
		{"anvil_reorg", []any{1, []any{[]any{"0x12", 0}}}, api.CodeInvalidParams, []string{"transaction 0"}},
		{"anvil_reorg", []any{1, []any{[]any{map[string]any{"from": fixtures.Dev(0).Address}, 1}}}, api.CodeInvalidParams, []string{"offset 1", "depth, 1"}},
		{"anvil_reorg", []any{1, []any{[]any{map[string]any{"from": servertest.Logger}, 0}}}, api.CodeInvalidParams, []string{servertest.Logger.Hex()}},
		{"anvil_reorg", []any{1, []any{[]any{map[string]any{"from": fixtures.Dev(0).Address, "to": account, "nonce": "0x9", "gas": "0x5208"}, 0}}}, api.CodeInvalidParams, []string{"nonce"}},
		{"debug_setHead", []any{"0x4"}, api.CodeInvalidParams, []string{"4", "3"}},

		{"fakenode_setFault", []any{map[string]any{"method": "*", "error": map[string]any{}}}, api.CodeInvalidParams, []string{"code is 0"}},
		{"fakenode_setFault", fault("latencyMs", most+1), api.CodeInvalidParams, []string{"2147483648", "not a whole number from 0 to 2^31-1"}},
		{"fakenode_setFault", fault("behind", most+1), api.CodeInvalidParams, []string{"2147483648", "not a whole number from 0 to 2^31-1"}},
		{"fakenode_setFault", fault("nth", 0), api.CodeInvalidParams, []string{"fault: nth is 0, want 1 or more"}},
		{"fakenode_setFault", fault("times", 0), api.CodeInvalidParams, []string{"not -1 or from 1 to 2^31-1"}},
		{"fakenode_setFault", fault("times", most+1), api.CodeInvalidParams, []string{"not -1 or from 1 to 2^31-1"}},
		{"fakenode_setFault", fault("branch", "other"), api.CodeInvalidParams, []string{`branch is "other", want "orphaned"`}},
		{"fakenode_setFault", fault("method", ""), api.CodeInvalidParams, []string{`fault: method is missing; "*" is every method`}},
		{"fakenode_feedFault", []any{map[string]any{"kind": "gap", "nth": 0}}, api.CodeInvalidParams, []string{"nth is 0, want 1 or more"}},
		{"fakenode_feedFault", []any{map[string]any{"kind": "gap", "nth": uint64(math.MaxUint64)}}, api.CodeInvalidParams, []string{`"nth":18446744073709551615`}},
		{"fakenode_feedFault", []any{map[string]any{"kind": "disconnect", "code": 0}}, api.CodeInvalidParams, []string{"code is 0, want 1 or more"}},
		{"fakenode_bundlerFault", []any{map[string]any{"kind": "late", "milliseconds": uint64(math.MaxInt64/1_000_000 + 1)}}, api.CodeInvalidParams, []string{"9223372036855 ms are too long"}},
		{"fakenode_mintToken", []any{account, "0x1" + servertest.Padded("0")}, api.CodeInvalidParams, []string{"2^256-1"}},
		{"anvil_setERC20Allowance", []any{account, account, common.Address{9}, 1}, api.CodeInvalidParams, []string{"anvil_setERC20Allowance: there is no contract at "}},

		{"fakenode_advance", []any{-200}, api.CodeInvalidParams, []string{"-200"}},
		{"fakenode_advance", []any{uint64(3_155_760_000_001)}, api.CodeInvalidParams, []string{"3155760000001 ms", "the limit is 3155760000000 (100 years)"}},
		{"fakenode_advance", []any{2_727_276_000}, api.CodeInvalidParams, []string{"15000018", "15000000", "fakenode_jump"}},
		{"fakenode_jump", []any{uint64(3_155_760_000_001)}, api.CodeInvalidParams, []string{"3155760000001 ms", "the limit is 3155760000000 (100 years)"}},
		{"fakenode_advance", nil, api.CodeInvalidParams, []string{"milliseconds"}},
		{"fakenode_seal", []any{1_000_001}, api.CodeInvalidParams, []string{"1000001", "1000000"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 0}}, api.CodeInvalidParams, []string{"depth 0"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 4}}, api.CodeInvalidParams, []string{"4", "3"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "length": 10_001}}, api.CodeInvalidParams, []string{"10001", "10000"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "transactions": "lose"}}, api.CodeInvalidParams, []string{"lose", "requeue"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "removedOrder": "random"}}, api.CodeInvalidParams, []string{"random", "forward"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "blocks": []any{[]any{"0x00"}}}}, api.CodeInvalidParams, []string{"blocks[0][0]"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "explode"}}, api.CodeInvalidParams, []string{"explode", "[alterLogs drop duplicate lag lateBlock omit replace stall]"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "drop", "transactions": "back"}}, api.CodeInvalidParams, []string{"back", "requeue"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "drop", "count": 0}}, api.CodeInvalidParams, []string{"0", "1 or more"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "omit", "count": 1_000_001}}, api.CodeInvalidParams, []string{"fault count 1000001", "1000000"}},
		{"fakenode_setSafe", []any{4}, api.CodeNotFound, []string{"0x4", "0x3"}},
		{"fakenode_setFinalized", []any{"four"}, api.CodeInvalidParams, []string{"four"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1_000_001}}, api.CodeInvalidParams, []string{"1000001", "the limit is 1000000"}},
	} {
		unchanged(n, func() { n.Refuses(c.code, c.words, c.method, c.params...) })
	}
}
