package dialect_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure what waits is mined in one block: by anvil when automatic mining is switched on, by Hardhat's network with the
// next transaction or by hand. By itself a preset has a block for each.
func TestAutominingAfterManual(t *testing.T) {
	t.Parallel()
	for preset, want := range map[fakenode.Preset][3][]int{
		fakenode.Dev:     {{0, 1, 1, 1}, {0, 1, 1, 1, 1}, {0, 1, 1, 1, 1, 0}},
		fakenode.Anvil:   {{0, 3}, {0, 3, 1}, {0, 3, 1, 0}},
		fakenode.Hardhat: {{0}, {0, 4}, {0, 4, 0}},
	} {
		n := newDevNode(t, fakenode.Config{Preset: preset, Mode: fakenode.Manual})
		send := func() {
			answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "gas": "0x5208"}))
		}
		transactions := func() (counts []int) {
			for i := range uint64(answer[hexutil.Uint64](n, "eth_blockNumber")) + 1 {
				counts = append(counts, int(answer[hexutil.Uint64](n, "eth_getBlockTransactionCountByNumber", hexutil.Uint64(i))))
			}
			return counts
		}
		for range 3 {
			send()
		}
		answer[any](n, "evm_setAutomine", true)
		require.Equal(t, want[0], transactions(), "%s: switched on", preset)
		send()
		require.Equal(t, want[1], transactions(), "%s: another one", preset)
		answer[any](n, "evm_mine")
		require.Equal(t, want[2], transactions(), "%s: by hand", preset)
	}
}

// Ensure a transaction that is not taken has the error of Hardhat's network, number for number.
func TestHardhatRefusals(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat, Mode: fakenode.Manual})
	to := n.Account(1).Address
	tx := func(members map[string]any) map[string]any {
		members["to"], members["gas"] = to, "0x5208"
		return n.object(members)
	}
	first := tx(map[string]any{"nonce": "0x0", "maxFeePerGas": "0x77359401", "maxPriorityFeePerGas": "0x3b9aca00"})
	hash := answer[common.Hash](n, "eth_sendTransaction", first)
	const underpriced = "Replacement transaction underpriced. A gasPrice/%s of at least %d is necessary to replace the existing transaction with nonce 0."
	for want, members := range map[string]map[string]any{
		"Known transaction: " + hash.Hex():                              first,
		fmt.Sprintf(underpriced, "maxFeePerGas", 2_200_000_002):         {"nonce": "0x0", "gasPrice": "0x83215600"},
		fmt.Sprintf(underpriced, "maxPriorityFeePerGas", 1_100_000_000): {"nonce": "0x0", "maxFeePerGas": "0x83215602", "maxPriorityFeePerGas": "0x4190aaff"},
		"Cannot send both gasPrice and maxFeePerGas params":             {"gasPrice": "0x1", "maxFeePerGas": "0x1"},
		"Cannot send both gasPrice and maxPriorityFeePerGas":            {"gasPrice": "0x1", "maxPriorityFeePerGas": "0x1"},
		"Invalid chainId 100 provided, expected 31337 instead.":         {"chainId": "0x64"},
	} {
		_, message, _ := n.failure("eth_sendTransaction", tx(members))
		require.Equal(t, want, message)
	}
	answer[any](n, "evm_mine")
	_, message, _ := n.failure("eth_sendTransaction", first)
	require.Equal(t, "Transaction nonce too low. Expected nonce to be at least 1 but got 0.", message)

	code, message, _ := n.failure("eth_sendTransaction", tx(map[string]any{"chainId": "0x64"}))
	require.Equal(t, -32602, code, message)
	for _, chainID := range []int64{100, 31337} {
		signed, err := types.SignNewTx(n.Account(0).Key, types.NewEIP155Signer(big.NewInt(chainID)), &types.LegacyTx{Nonce: 1, To: &to, Gas: 21_000, GasPrice: big.NewInt(1e9)})
		require.NoError(t, err)
		raw, err := signed.MarshalBinary()
		require.NoError(t, err)
		if chainID == 31337 {
			answer[common.Hash](n, "eth_sendRawTransaction", hexutil.Bytes(raw))
			continue
		}
		code, message, _ = n.failure("eth_sendRawTransaction", hexutil.Bytes(raw))
		require.Equal(t, "Trying to send an incompatible EIP-155 transaction, signed for another chain.", message)
		require.Equal(t, -32602, code)
	}

	deployment, err := types.SignNewTx(n.Account(0).Key, types.LatestSignerForChainID(big.NewInt(31337)),
		&types.LegacyTx{Nonce: 2, Gas: 10_000_000, GasPrice: big.NewInt(1e9), Data: make([]byte, 49_153)})
	require.NoError(t, err)
	raw, err := deployment.MarshalBinary()
	require.NoError(t, err)
	code, message, _ = n.failure("eth_sendRawTransaction", hexutil.Bytes(raw))
	require.Equal(t, "Trying to send a deployment transaction whose init code length is 49153. The max length allowed by EIP-3860 is 49152.", message)
	require.Equal(t, -32602, code)

	old := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat, Hardfork: "berlin"})
	_, message, _ = old.failure("hardhat_setNextBlockBaseFeePerGas", "0x1")
	require.Contains(t, message, "not supported before EIP-1559 is active")
	signed, err := types.SignNewTx(old.Account(0).Key, types.LatestSignerForChainID(big.NewInt(31337)),
		&types.DynamicFeeTx{ChainID: big.NewInt(31337), To: &to, Gas: 21_000, GasFeeCap: big.NewInt(1e9)})
	require.NoError(t, err)
	raw, err = signed.MarshalBinary()
	require.NoError(t, err)
	code, message, _ = old.failure("eth_sendRawTransaction", hexutil.Bytes(raw))
	require.Equal(t, -32602, code, message)
	for _, method := range []string{"eth_call", "eth_estimateGas", "eth_sendTransaction"} {
		code, message, _ = old.failure(method, old.object(map[string]any{"to": to, "maxFeePerGas": "0x1"}))
		require.Equal(t, -32602, code)
		require.Equal(t, "EIP-1559 style fee params (maxFeePerGas or maxPriorityFeePerGas) received but they are not supported by the current hardfork.", message)
	}
}

// Ensure that at pending a nonce is that of the block which would be mined, as on Hardhat's network, while a send that
// has none comes after all that waits.
func TestHardhatPendingNonce(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat, Mode: fakenode.Manual})
	alice := n.Account(0).Address
	send := func(feeCap string) common.Hash {
		return answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": alice, "maxFeePerGas": feeCap, "maxPriorityFeePerGas": "0x0"}))
	}
	send("0x77359400")
	send("0x1") // below the base fee: it waits for another block
	last := send("0x77359400")
	require.Equal(t, "0x1", answer[string](n, "eth_getTransactionCount", alice, "pending"))
	require.Equal(t, "0x0", answer[string](n, "eth_getTransactionCount", alice))
	require.Equal(t, "0x2", answer[map[string]any](n, "eth_getTransactionByHash", last)["nonce"])
}

// Ensure what waits is dropped when a command leaves its sender too poor for it alone, or blocks too small, as with
// Hardhat; what follows it waits on.
func TestHardhatDropsWhatCannotBe(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method string
		params func(*devNode) []any
		want   []string
	}{
		"poor":       {"hardhat_setBalance", func(n *devNode) []any { return []any{n.Account(0).Address, "0x500000000000"} }, []string{"0x1", "0x9"}},
		"poorer":     {"hardhat_setBalance", func(n *devNode) []any { return []any{n.Account(0).Address, "0x1"} }, nil},
		"rich":       {"hardhat_setBalance", func(n *devNode) []any { return []any{n.Account(0).Address, "0xde0b6b3a7640000"} }, []string{"0x0", "0x1", "0x9"}},
		"another":    {"hardhat_setBalance", func(n *devNode) []any { return []any{n.Account(1).Address, "0x1"} }, []string{"0x0", "0x1", "0x9"}},
		"small":      {"evm_setBlockGasLimit", func(*devNode) []any { return []any{"0xffff"} }, []string{"0x1", "0x9"}},
		"not so":     {"evm_setBlockGasLimit", func(*devNode) []any { return []any{"0x186a0"} }, []string{"0x0", "0x1", "0x9"}},
		"very small": {"evm_setBlockGasLimit", func(*devNode) []any { return []any{"0x5207"} }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
			answer[bool](n, "evm_setAutomine", false)
			for gas, nonce := range map[string]string{"0x186a0": "0x0", "0x5208": "0x1", "0x5209": "0x9"} {
				answer[any](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "gas": gas, "nonce": nonce, "maxFeePerGas": "0x3b9aca00"}))
			}
			require.True(t, answer[bool](n, test.method, test.params(n)...))
			var left []string
			for _, tx := range answer[[]struct{ Nonce string }](n, "eth_pendingTransactions") {
				left = append(left, tx.Nonce)
			}
			require.ElementsMatch(t, test.want, left)
		})
	}
}

// hardhatRefusesWhatWouldWait requires that Hardhat's network mines a transaction that can be mined at once, and
// refuses one that would have to wait, for its nonce or for a base fee.
func hardhatRefusesWhatWouldWait(t *testing.T) {
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
	to := n.Account(1).Address
	send := func(members map[string]any) (message string) {
		members["to"] = to
		if err := n.rpc.CallContext(t.Context(), nil, "eth_sendTransaction", n.object(members)); err != nil {
			return err.Error()
		}
		return ""
	}
	const wait = "Note that transactions can't be queued when automining."
	require.Equal(t, "Nonce too high. Expected nonce to be 0 but got 1. "+wait, send(map[string]any{"nonce": "0x1"}))
	require.Empty(t, send(map[string]any{"nonce": "0x0"}))
	require.Equal(t, "Nonce too low. Expected nonce to be 1 but got 0. "+wait, send(map[string]any{"nonce": "0x0"}))
	for _, member := range []string{"gasPrice", "maxFeePerGas"} {
		fee := func(wei string) map[string]any { return map[string]any{member: wei, "maxPriorityFeePerGas": "0x0"} }
		if member == "gasPrice" {
			fee = func(wei string) map[string]any { return map[string]any{member: wei} }
		}
		answer[any](n, "hardhat_setNextBlockBaseFeePerGas", "0x64")
		require.Equal(t, "Transaction "+member+" (99) is too low for the next block, which has a baseFeePerGas of 100", send(fee("0x63")))
		require.Empty(t, send(fee("0x64")))
	}
}

// hardhatEstimates requires that an estimate of Hardhat's network is enough, and too high by no more than Hardhat's own
// may be.
func hardhatEstimates(t *testing.T) {
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
	require.Equal(t, "0x5209", answer[string](n, "eth_estimateGas", n.object(map[string]any{"to": n.Account(1).Address})))
	for _, c := range []struct{ needs, tolerance uint64 }{
		{3_000, 200}, {12_000, 300}, {40_000, 500}, {150_000, 1_000}, {1_500_000, 10_000}, {5_000_000, 50_000},
	} {
		picky := n.deploy(fmt.Sprintf("63%08x5a10600b57005b5f5ffd", c.needs)) // reverts with less gas left
		call := func(gas uint64) error {
			return n.rpc.CallContext(t.Context(), nil, "eth_call", n.object(map[string]any{"to": picky, "gas": hexutil.Uint64(gas)}))
		}
		estimate := uint64(answer[hexutil.Uint64](n, "eth_estimateGas", n.object(map[string]any{"to": picky})))
		require.NoError(t, call(estimate))
		require.Error(t, call(estimate-c.tolerance-1), "%d is enough, and the estimate is %d", estimate-c.tolerance-1, estimate)
		bounded := answer[hexutil.Uint64](n, "eth_estimateGas", n.object(map[string]any{"to": picky, "gas": hexutil.Uint64(estimate)}))
		require.LessOrEqual(t, uint64(bounded), estimate, "it is at most the gas given")
		require.Error(t, n.rpc.CallContext(t.Context(), nil, "eth_estimateGas", n.object(map[string]any{"to": picky, "gas": hexutil.Uint64(21_000 + c.needs)})))
	}
}

// hardhatCosts requires that a call on Hardhat's network pays no base fee, and that its sender has what the call may
// cost, and no more, if that is more than its balance.
func hardhatCosts(t *testing.T) {
	n := newDevNode(t, instantHardhat)
	call := n.object(map[string]any{"to": n.Account(1).Address, "value": "0xffffffffffffffffffffffff", "gasPrice": "0x1"})
	require.Equal(t, "0x", answer[string](n, "eth_call", call, "latest"))
	require.Equal(t, "0x5209", answer[string](n, "eth_estimateGas", call))
	_, message, _ := n.failure("eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "value": "0xffffffffffffffffffffffff"}))
	require.Regexp(t, `^Sender doesn't have enough funds to send tx\. The max upfront cost is: \d+ and the sender's balance is: 10000000000000000000000\.$`, message)
	// BASEFEE is 0 in each call, and fees are what is paid without it.
	observer := n.deploy("485f523a60205260405ff3")
	for price, fees := range map[string]map[string]any{
		"0": {}, "1": {"gasPrice": "0x1"}, "ee6b2800": {"gasPrice": "0xee6b2800"}, "2": {"maxFeePerGas": "0xee6b2800", "maxPriorityFeePerGas": "0x2"}, "3": {"maxPriorityFeePerGas": "0x3"},
	} {
		fees["to"] = observer
		want := "0x" + strings.Repeat("0", 128-len(price)) + price
		require.Equal(t, want, answer[string](n, "eth_call", n.object(fees), "latest"))
		require.Equal(t, want, answer[hardhatSteps](n, "debug_traceCall", n.object(fees), "latest").ReturnValue)
	}
	balance := n.deploy("33315f5260205ff3") // returns that of its caller
	poor := common.HexToAddress("0x47dc9a4a1ff2436deb1828d038868561c8a5aedf")
	for _, c := range []struct {
		wei    int64
		member string
		want   int64
	}{{0, "gasPrice", 0}, {1_000, "gasPrice", 0}, {1_000_000, "gasPrice", 900_000}, {0, "maxFeePerGas", 100_000}, {0, "maxPriorityFeePerGas", 0}} { // a tip is paid at once
		answer[bool](n, "hardhat_setBalance", poor, hexutil.EncodeBig(big.NewInt(c.wei)))
		call := map[string]any{"from": poor, "to": balance, "gas": "0x186a0", c.member: "0x1"}
		require.Equal(t, c.want, answer[common.Hash](n, "eth_call", call).Big().Int64(), "%s, %d wei", c.member, c.wei)
	}
	has := answer[hexutil.Big](n, "eth_getBalance", n.Account(0).Address, "latest")
	seen := answer[common.Hash](n, "eth_call", n.object(map[string]any{"to": balance, "value": "0x1"}), "latest")
	require.Equal(t, new(big.Int).Sub(has.ToInt(), common.Big1), seen.Big(), "a sender that can pay has what it has")
}

// Ensure answers of Hardhat's network have the members that Hardhat has in them, and that what it does not take, or
// does not have, is answered as there.
func TestHardhatAnswers(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, instantHardhat)
	_, _, about := n.failure("eth_getBalance", true)
	require.Equal(t, map[string]any{"method": "eth_getBalance", "params": []any{true}}, about.(map[string]any)["data"])
	code, message, _ := n.failure("eth_getBalance", n.Account(0).Address, "")
	require.Equal(t, -32004, code)
	require.Equal(t, "Method eth_getBalance is not supported", message)
	require.NotContains(t, answer[map[string]any](n, "eth_feeHistory", "0x1", "latest", []int{50}), "baseFeePerBlobGas")

	require.Nil(t, answer[any](n, "eth_getFilterChanges", "0x1111111111111111111111111111111111111111111111111111111111111111"))
	of := answer[string](n, "eth_newFilter", map[string]any{"blockHash": n.Moment().Latest().Hash()})
	require.Empty(t, answer[[]any](n, "eth_getFilterLogs", of))
	code, message, _ = n.failure("eth_newFilter", map[string]any{"blockHash": common.Hash{1}})
	require.Equal(t, -32602, code)
	require.Equal(t, "blockHash cannot be found", message)

	hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "gasPrice": "0x77359400"}))
	for _, name := range []string{"blockTimestamp", "yParity", "chainId"} {
		require.NotContains(t, answer[map[string]any](n, "eth_getTransactionByHash", hash), name)
	}
	require.Equal(t, false, answer[hardhatSteps](n, "debug_traceCall", map[string]any{"from": common.Address{9}, "to": common.Address{8}, "value": "0x1"}).Failed)

	answer[bool](n, "evm_setAutomine", false)
	answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
	require.Nil(t, answer[struct{ Transactions []map[string]any }](n, "eth_getBlockByNumber", "pending", true).Transactions[0]["blockHash"])
}

// Ensure each step of Hardhat's struct logger has the slots of the contract whose storage it uses, through each kind of
// call and back.
func TestHardhatTraceFollowsStorage(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, instantHardhat)
	outer, inner, reader, maker := common.Address{1, 1}, common.Address{2, 2}, common.Address{3, 3}, common.Address{4, 4}
	n.SetCode(inner, program.New().Sstore(7, 0x77).Op(vm.STOP).Bytes())
	n.SetCode(reader, program.New().Push(9).Op(vm.SLOAD, vm.POP, vm.STOP).Bytes())
	creation := program.New().Sstore(5, 0x55).Op(vm.STOP).Bytes()
	n.SetCode(maker, program.New().Mstore(creation, 0).Push(len(creation)).Push0().Push0().Op(vm.CREATE, vm.POP, vm.STOP).Bytes())
	for name, c := range map[string]struct {
		call         []byte
		within, back map[string]any // the slots of the last step of the code called, and of the step after
	}{
		"call":         {program.New().Call(nil, inner, 0, 0, 0, 0, 0).Bytes(), slots(7, 0x77), slots(1, 0x11)},
		"staticcall":   {program.New().StaticCall(nil, reader, 0, 0, 0, 0).Bytes(), slots(9, 0), slots(1, 0x11)},
		"delegatecall": {program.New().DelegateCall(nil, inner, 0, 0, 0, 0).Bytes(), slots(1, 0x11, 7, 0x77), slots(1, 0x11, 7, 0x77)},
		"callcode":     {program.New().CallCode(nil, inner, 0, 0, 0, 0, 0).Bytes(), slots(1, 0x11, 7, 0x77), slots(1, 0x11, 7, 0x77)},
		"create":       {program.New().DelegateCall(nil, maker, 0, 0, 0, 0).Bytes(), slots(5, 0x55), slots(1, 0x11)},
	} {
		n.SetCode(outer, append(program.New().Sstore(1, 0x11).Append(c.call).Bytes(), byte(vm.POP), byte(vm.STOP)))
		sent := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": outer, "gas": "0xf4240"}))
		steps := answer[hardhatSteps](n, "debug_traceTransaction", sent).StructLogs
		deepest, last := 1.0, 0
		for i, step := range steps {
			if depth := step["depth"].(float64); depth >= deepest {
				deepest, last = depth, i
			}
		}
		require.Greater(t, deepest, 1.0, name)
		require.Equal(t, map[string]any{}, steps[0]["storage"], name)
		require.Equal(t, c.within, steps[last]["storage"], name)
		require.Equal(t, c.back, steps[len(steps)-1]["storage"], name)
	}
}

// slots returns pairs of slots and values as a step has them.
func slots(pairs ...int) map[string]any {
	all := make(map[string]any)
	for i := 0; i < len(pairs); i += 2 {
		all[fmt.Sprintf("%064x", pairs[i])] = fmt.Sprintf("%064x", pairs[i+1])
	}
	return all
}
