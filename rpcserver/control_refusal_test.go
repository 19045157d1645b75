package rpcserver

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
)

// unchanged asserts that do leaves the node as it is.
func (n *network) unchanged(do func()) {
	n.Helper()
	picture := func() string {
		m := n.timeline.Moment()
		state, err := m.Pending().State()
		require.NoError(n, err)
		return string(fetch[json.RawMessage](n, "fakenode_info")) + m.Latest().Header().Root.Hex() + state.Root().Hex()
	}
	before := picture()
	do()
	require.Equal(n, before, picture())
}

func TestControlRefusals(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	n.log(0, "0xa", "0xb", 1)
	n.do("fakenode_seal", 3)
	n.pay(1, 2, 1)
	n.do("fakenode_preconfirm")
	account := fixtures.Dev(3).Address
	for _, c := range []struct {
		method string
		params []any
		code   int
		words  []string
	}{
		{"evm_mine", []any{networkStart}, codeInvalidParams, []string{"1700000000", "1700000007"}},
		{"evm_mine", []any{map[string]any{"blocks": 1_000_001}}, codeInvalidParams, []string{"1000001", "1000000"}},
		{"evm_mine", []any{"soon"}, codeInvalidParams, []string{"soon"}},
		{"anvil_mine", []any{-1}, codeInvalidParams, []string{"-1"}},
		{"evm_increaseTime", []any{-5}, codeInvalidParams, []string{"-5"}},
		{"evm_increaseTime", []any{1e300}, codeInvalidParams, []string{"100 years"}},
		{"evm_setTime", []any{networkStart - 1}, codeInvalidParams, []string{"1699999999", "1700000006"}},
		{"evm_setTime", []any{(time.Duration(networkStart) * 1000).Nanoseconds() * 1000}, codeInvalidParams, []string{"seconds"}},
		{"evm_setNextBlockTimestamp", []any{"0xffffffffffffffff"}, codeInvalidParams, []string{"18446744073709551615", "6000000000"}},
		{"evm_mine", []any{6_000_000_001}, codeInvalidParams, []string{"6000000001", "6000000000"}},
		{"evm_setTime", []any{6_000_000_001}, codeInvalidParams, []string{"6000000001", "6000000000"}},
		{"anvil_mine", []any{3, "0xffffffffffffffff"}, codeInvalidParams, []string{"3155760000"}},
		{"anvil_setBlockTimestampInterval", []any{"0xffffffffffffffff"}, codeInvalidParams, []string{"3155760000"}},
		{"anvil_setBlockTimestampInterval", []any{0}, codeInvalidParams, []string{"0 seconds"}},
		{"evm_setNextBlockTimestamp", []any{networkStart}, codeInvalidParams, []string{"1700000000", "1700000007"}},
		{"evm_setIntervalMining", []any{-1}, codeInvalidParams, []string{"-1"}},
		{"evm_setIntervalMining", []any{1e-9}, codeInvalidParams, []string{"1ms"}},
		{"evm_setAutomine", []any{"yes"}, codeInvalidParams, []string{"true or false"}},
		{"evm_setBlockGasLimit", []any{0}, codeInvalidParams, []string{"0"}},
		{"evm_setBlockGasLimit", []any{100}, codeInvalidParams, []string{"100", "5000"}},
		{"anvil_setMinGasPrice", []any{"0x1"}, codeInvalidParams, []string{"EIP-1559"}},
		{"anvil_setNextBlockBaseFeePerGas", []any{"-1"}, codeInvalidParams, []string{"2^256-1"}},
		{"anvil_setBalance", []any{account, "0x1" + padded("0")}, codeInvalidParams, []string{"2^256-1"}},
		{"anvil_setBalance", []any{account, "0x+1"}, codeInvalidParams, []string{"not a whole number"}},
		{"anvil_setBalance", []any{account, "+1"}, codeInvalidParams, []string{"not a whole number"}},
		{"anvil_setBalance", []any{account, "--1"}, codeInvalidParams, []string{"not a whole number"}},
		{"evm_mine", []any{"0x-1"}, codeInvalidParams, []string{"not a whole number"}},
		{"anvil_setBalance", []any{account, "much"}, codeInvalidParams, []string{"much"}},
		{"anvil_setBalance", []any{account}, codeInvalidParams, []string{"wei"}},
		{"anvil_setStorageAt", []any{account, "0x0", "0x1"}, codeInvalidParams, []string{"32 bytes"}},
		{"anvil_setCode", []any{account, "6001"}, codeInvalidParams, []string{"code"}},
		{"anvil_dealERC20", []any{account, account, 5}, codeInvalidParams, []string{account.Hex()}},
		{"anvil_dealERC20", []any{account, loggerAddress, 5}, codeServer, []string{loggerAddress.Hex()}},
		{"anvil_loadState", []any{"0x1234"}, codeInvalidParams, []string{"dump"}},
		{"anvil_reset", []any{map[string]any{"forking": map[string]any{"jsonRpcUrl": "http://x"}}}, codeInvalidParams, []string{"forking"}},
		{"anvil_reset", []any{map[string]any{"forking": map[string]any{"blockNumber": 3}}}, codeInvalidParams, []string{"not possible on this network"}},
		{"anvil_reset", []any{map[string]any{"forking": map[string]any{"blockNumber": true}}}, codeInvalidParams, []string{"forking.blockNumber", "true"}},
		{"fakenode_forkMisses", nil, codeServer, []string{"fakenode_forkMisses", "not a fork"}},
		{"anvil_rollback", []any{4}, codeInvalidParams, []string{"4", "3"}},
		{"anvil_reorg", []any{4, []any{}}, codeInvalidParams, []string{"4", "3"}},
		{"anvil_reorg", []any{1, []any{[]any{"0x12", 0}}}, codeInvalidParams, []string{"transaction 0"}},
		{"anvil_reorg", []any{1, []any{[]any{map[string]any{"from": fixtures.Dev(0).Address}, 1}}}, codeInvalidParams, []string{"offset 1", "depth, 1"}},
		{"anvil_reorg", []any{1, []any{[]any{map[string]any{"from": loggerAddress}, 0}}}, codeInvalidParams, []string{loggerAddress.Hex()}},
		{"anvil_reorg", []any{1, []any{[]any{map[string]any{"from": fixtures.Dev(0).Address, "to": account, "nonce": "0x9", "gas": "0x5208"}, 0}}}, codeInvalidParams, []string{"nonce"}},
		{"debug_setHead", []any{"0x4"}, codeInvalidParams, []string{"4", "3"}},

		{"evm_mine", []any{map[string]any{"block": 3}}, codeInvalidParams, []string{"block", "blocks"}},
		{"anvil_mine_detailed", []any{map[string]any{"block": 3}}, codeInvalidParams, []string{"block", "blocks"}},
		{"anvil_reset", []any{map[string]any{"froking": 1}}, codeInvalidParams, []string{"froking", "forking"}},
		{"fakenode_calls", []any{map[string]any{"metod": "eth_call"}}, codeInvalidParams, []string{"metod", "method"}},
		{"fakenode_setFault", []any{map[string]any{"method": "*", "tmes": 5, "latencyMs": 1}}, codeInvalidParams, []string{"tmes", "times"}},
		{"fakenode_setFault", []any{map[string]any{"method": "*", "error": map[string]any{"code": 1, "mesage": "no"}}}, codeInvalidParams, []string{"mesage", "message"}},
		{"fakenode_setFault", []any{map[string]any{"method": "*", "error": map[string]any{}}}, codeInvalidParams, []string{"code is 0"}},

		{"fakenode_advance", []any{-200}, codeInvalidParams, []string{"-200"}},
		{"fakenode_advance", []any{uint64(1) << 62}, codeInvalidParams, []string{"100 years"}},
		{"fakenode_advance", []any{2_000_004_000}, codeInvalidParams, []string{"11000022", "11000000"}},
		{"fakenode_advance", nil, codeInvalidParams, []string{"milliseconds"}},
		{"fakenode_seal", []any{1_000_001}, codeInvalidParams, []string{"1000001", "1000000"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 0}}, codeInvalidParams, []string{"depth 0"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 4}}, codeInvalidParams, []string{"4", "3"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1 << 62}}, codeInvalidParams, []string{"limit"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "length": 10_001}}, codeInvalidParams, []string{"10001", "10000"}},
		{"fakenode_reorg", []any{map[string]any{"depht": 1}}, codeInvalidParams, []string{"depht"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "transactions": "lose"}}, codeInvalidParams, []string{"lose", "requeue"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "removedOrder": "random"}}, codeInvalidParams, []string{"random", "forward"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "blocks": []any{[]any{"0x00"}}}}, codeInvalidParams, []string{"blocks[0][0]"}},
		{"fakenode_reorg", []any{map[string]any{"depth": 1, "length": 0, "blocks": []any{[]any{}}}}, codeInvalidParams, []string{"length 0", "1 blocks"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "explode"}}, codeInvalidParams, []string{"explode", "[alterLogs drop duplicate lag lateBlock omit stall]"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "drop", "transactions": "back"}}, codeInvalidParams, []string{"back", "requeue"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "drop", "count": 0}}, codeInvalidParams, []string{"0", "1 or more"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "omit", "count": 1_000_001}}, codeInvalidParams, []string{"fault count 1000001", "1000000"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "omit", "count": uint64(math.MaxUint64)}}, codeInvalidParams, []string{"fault count", "1000000"}},
		{"fakenode_flashblockFault", []any{map[string]any{"kind": "drop", "count": 2}}, codeServer, []string{"2", "flashblocks"}},
		{"fakenode_setSafe", []any{4}, codeNotFound, []string{"0x4", "0x3"}},
		{"fakenode_setFinalized", []any{"four"}, codeInvalidParams, []string{"four"}},
		{"fakenode_revert", []any{9}, codeServer, []string{"0x9"}},
		{"fakenode_scenario", []any{"Doom"}, codeInvalidParams, []string{"Doom"}},

		{"eth_newFilter", []any{map[string]any{"fromBlock": "0x3", "toBlock": "0x2"}}, codeInvalidParams, []string{"0x3", "0x2"}},
		{"eth_newFilter", []any{map[string]any{"blockHash": "0x" + padded("1")}}, codeInvalidParams, []string{"blockHash"}},
		{"eth_newFilter", []any{map[string]any{"address": "me"}}, codeInvalidParams, []string{"filter"}},
		{"eth_getFilterChanges", []any{"0x9"}, codeServer, []string{"0x9"}},
		{"eth_getFilterLogs", []any{"0x9"}, codeServer, []string{"0x9"}},
	} {
		n.unchanged(func() { n.refuses(c.code, c.words, c.method, c.params...) })
	}
	require.False(t, fetch[bool](n, "eth_uninstallFilter", "0x9"))
}

func TestReorgDeeperThanFinalized(t *testing.T) {
	t.Parallel()
	none := uint64(1)
	n := newNetwork(t, preconf.Config{SafeLag: &none, FinalizedLag: &none}, Config{})
	n.do("fakenode_seal", 5)
	n.unchanged(func() {
		n.refuses(codeInvalidParams, []string{"depth 2", "finalized", "at most 1"}, "fakenode_reorg", map[string]any{"depth": 2})
	})
	n.do("fakenode_reorg", map[string]any{"depth": 2, "force": true, "length": 1})
	number, _ := n.head()
	require.EqualValues(t, 4, number)
}

func TestWithoutControl(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{Disabled: Control})
	control := 0
	for method := range methods {
		if Control(method) {
			control++
			n.refuses(codeMethodNotFound, []string{method}, method)
		}
	}
	require.Greater(t, control, 80)
	n.refuses(codeMethodNotFound, nil, "eth_sendUnsignedTransaction", map[string]any{"from": bob.Address, "to": alice.Address})
	n.do("eth_blockNumber")
}
