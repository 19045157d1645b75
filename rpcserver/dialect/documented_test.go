package dialect_test

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// devNode is a node that imitates a development node, as a client sees it.
type devNode struct {
	*fakenode.Node
	t   *testing.T
	rpc *rpc.Client
}

func newDevNode(t *testing.T, c fakenode.Config) *devNode {
	t.Helper()
	n := &devNode{Node: fakenode.RunConfigT(t, c), t: t}
	client, err := rpc.Dial(n.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	n.rpc = client
	return n
}

// answer calls a method that must succeed and returns its result.
func answer[T any](n *devNode, method string, params ...any) (result T) {
	n.t.Helper()
	require.NoError(n.t, n.rpc.CallContext(n.t.Context(), &result, method, params...), method)
	return result
}

// failure calls a method that must fail and returns its error.
func (n *devNode) failure(method string, params ...any) (code int, message string, data any) {
	n.t.Helper()
	err := n.rpc.CallContext(n.t.Context(), nil, method, params...)
	require.Error(n.t, err, method)
	if with, ok := err.(rpc.DataError); ok {
		data = with.ErrorData()
	}
	return err.(rpc.Error).ErrorCode(), err.Error(), data
}

// object is a transaction from the first account.
func (n *devNode) object(members map[string]any) map[string]any {
	object := map[string]any{"from": n.Account(0).Address}
	maps.Copy(object, members)
	return object
}

// deploy deploys code and returns its address.
func (n *devNode) deploy(code string) common.Address {
	n.t.Helper()
	const copyRest = "0x600b380380600b5f395ff3" // returns what follows it
	hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"data": copyRest + code}))
	return *n.receipt(hash).ContractAddress
}

// mined holds the members that the tests read of a receipt.
type mined struct {
	Status          string
	BlockNumber     string
	ContractAddress *common.Address
}

// receipt returns the receipt of a transaction, nil if there is none.
func (n *devNode) receipt(hash common.Hash) *mined {
	n.t.Helper()
	return answer[*mined](n, "eth_getTransactionReceipt", hash)
}

// The code of contracts that fail.
const (
	echoRevert    = "365f5f37365ffd" // reverts with its call data
	invalidOpcode = "fe"
	endlessLoop   = "5b5f56"
)

// documented returns the first cells of the table under a heading of a page.
func documented(t *testing.T, page, heading string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found, "%s has no %q", page, heading)
	section, _, _ = strings.Cut(section, "\n## ")
	var cells []string
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \|`).FindAllStringSubmatch(section, -1)[1:] {
		cells = append(cells, row[1])
	}
	return cells
}

// runDocumented runs the case of each row of a table; there must be one for each, and no other.
func runDocumented(t *testing.T, page, heading string, cases map[string]func(*testing.T)) {
	t.Helper()
	require.ElementsMatch(t, documented(t, page, heading), slices.Collect(maps.Keys(cases)))
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// signsAnyChain checks that a node signs the example of EIP-712, whose domain is of chain 1.
func signsAnyChain(t *testing.T, n *devNode) {
	t.Helper()
	digest := common.FromHex("0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2")
	signature := answer[hexutil.Bytes](n, "eth_signTypedData_v4", n.Account(0).Address, `{
		"types": {
			"EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"},
				{"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}],
			"Person": [{"name": "name", "type": "string"}, {"name": "wallet", "type": "address"}],
			"Mail": [{"name": "from", "type": "Person"}, {"name": "to", "type": "Person"}, {"name": "contents", "type": "string"}]
		},
		"primaryType": "Mail",
		"domain": {"name": "Ether Mail", "version": "1", "chainId": 1, "verifyingContract": "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
		"message": {"from": {"name": "Cow", "wallet": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
			"to": {"name": "Bob", "wallet": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"}, "contents": "Hello, Bob!"}
	}`)
	signature[crypto.RecoveryIDOffset] -= 27
	key, err := crypto.SigToPub(digest, signature)
	require.NoError(t, err)
	require.Equal(t, n.Account(0).Address, crypto.PubkeyToAddress(*key))
}

// requireLogsWithin makes a log and requires that a range beyond the head ends there, and that one the wrong way round
// has no logs.
func requireLogsWithin(n *devNode) {
	n.t.Helper()
	emitter := n.deploy("5f5fa0")
	answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": emitter}))
	require.Len(n.t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x0", "toBlock": "0x40"}), 1)
	require.Len(n.t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"toBlock": "0x40"}), 1)
	require.Empty(n.t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x1", "toBlock": "0x0"}))
	require.Empty(n.t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x0", "toBlock": "0x1"}))
}

// Ensure --preset anvil answers as docs/anvil.md says where the contract or geth says otherwise.
func TestPresetAnvil(t *testing.T) {
	t.Parallel()
	instant := fakenode.Config{Preset: fakenode.Anvil}
	runDocumented(t, "../../docs/anvil.md", "Under the preset", map[string]func(*testing.T){
		"`eth_getLogs` beyond the head": func(t *testing.T) {
			n := newDevNode(t, instant)
			requireLogsWithin(n)
			for _, filter := range []map[string]any{{"fromBlock": "0x5"}, {"fromBlock": "0x5", "toBlock": "0x6"}} {
				code, _, _ := n.failure("eth_getLogs", filter)
				require.Equal(t, -32602, code)
			}
		},
		"`anvil_setCode` with code over the limit": func(t *testing.T) {
			n := newDevNode(t, instant)
			for size, method := range []string{"anvil_setCode", "hardhat_setCode", "evm_setAccountCode"} {
				answer[any](n, method, n.Account(0).Address, hexutil.Bytes(make([]byte, 70_000+size)))
				require.Len(t, answer[hexutil.Bytes](n, "eth_getCode", n.Account(0).Address, "latest"), 70_000+size)
			}
		},
		"flashblocks": func(t *testing.T) {
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Interval})
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			n.Advance(time.Second)
			require.Nil(t, n.receipt(hash))
			n.Preconfirm()
			require.NotNil(t, n.receipt(hash), "on command")
			n.Advance(time.Second)
			require.Equal(t, "0x1", answer[string](n, "eth_blockNumber"))
		},
		"a transaction without `gas`": func(t *testing.T) {
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
			object := n.object(map[string]any{"to": n.Account(1).Address, "data": "0x01"})
			answer[any](n, "anvil_setCode", n.Account(1).Address, "0x60015f55") // sets a slot, which costs less where it is set
			answer[common.Hash](n, "eth_sendTransaction", object)
			hash := answer[common.Hash](n, "eth_sendTransaction", object)
			gas := answer[struct{ Gas string }](n, "eth_getTransactionByHash", hash).Gas
			require.Equal(t, answer[string](n, "eth_estimateGas", object, "latest"), gas)
			require.NotEqual(t, answer[string](n, "eth_estimateGas", object, "pending"), gas)
			answer[any](n, "anvil_setNextBlockBaseFeePerGas", "0x174876e800") // from which the next one falls
			n.Seal()
			hash = answer[common.Hash](n, "eth_sendTransaction", object)
			gas = answer[struct{ Gas string }](n, "eth_getTransactionByHash", hash).Gas
			require.Equal(t, answer[string](n, "eth_estimateGas", object, "latest"), gas)

			answer[any](n, "anvil_setCode", n.Account(1).Address, "0x415f5500") // keeps the fee recipient
			answer[any](n, "anvil_setCoinbase", n.Account(2).Address)
			hash = answer[common.Hash](n, "eth_sendTransaction", object)
			require.Greater(t, uint64(answer[struct{ Gas hexutil.Uint64 }](n, "eth_getTransactionByHash", hash).Gas), uint64(40_000))
		},
		"a transaction without `gas` that fails": func(t *testing.T) {
			n := newDevNode(t, instant)
			reverter := n.deploy(echoRevert)
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": reverter, "data": "0x12"}))
			require.Equal(t, "0x0", n.receipt(hash).Status)
		},
		"`eth_estimateGas` of what the sender cannot pay": func(t *testing.T) {
			n := newDevNode(t, instant)
			call := n.object(map[string]any{"to": n.Account(1).Address, "value": "0xffffffffffffffffffffffff", "gasPrice": "0xffffffffff"})
			require.Equal(t, "0x5208", answer[string](n, "eth_estimateGas", call))
			call["from"], call["gasPrice"] = "0x00000000000000000000000000000000000000cc", "0x1"
			require.Equal(t, "0x5208", answer[string](n, "eth_estimateGas", call))
			for _, without := range []map[string]any{
				{"to": n.Account(1).Address, "value": "0xde0b6b3a7640000"},                                       // a sender
				{"from": n.Account(0).Address, "to": n.Account(1).Address, "maxPriorityFeePerGas": "0x77359400"}, // a fee cap
			} {
				require.Equal(t, "0x5208", answer[string](n, "eth_estimateGas", without))
			}
			listed := n.object(map[string]any{"to": n.Account(1).Address, "accessList": []any{map[string]any{"address": n.Account(1).Address, "storageKeys": []any{}}}})
			require.Equal(t, "0x5b68", answer[string](n, "eth_estimateGas", listed))
			call["data"] = "0x12"
			code, message, _ := n.failure("eth_estimateGas", call)
			require.Equal(t, []any{-32003, "Insufficient funds for gas * price + value"}, []any{code, message})
			contract, plain := n.deploy("00"), n.Account(1).Address
			code, message, _ = n.failure("eth_estimateGas", n.object(map[string]any{"to": contract, "gas": "0x5207"}))
			require.Equal(t, []any{-32003, "gas required exceeds allowance (20999)"}, []any{code, message})
			overrides := map[string]any{plain.Hex(): map[string]any{"code": "0x6001600055"}, contract.Hex(): map[string]any{"code": "0x"}}
			require.Equal(t, "0xa862", answer[string](n, "eth_estimateGas", n.object(map[string]any{"to": plain}), "latest", overrides))
			costly := n.object(map[string]any{"to": contract, "value": "0xffffffffffffffffffffffff", "gasPrice": "0xffffffffff"})
			require.Equal(t, "0x5208", answer[string](n, "eth_estimateGas", costly, "latest", overrides))
		},
		"`pending` while nothing is pre-confirmed": func(t *testing.T) { requirePendingPool(t, fakenode.Anvil) },
		"a replacement": func(t *testing.T) {
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
			object := n.object(map[string]any{"to": n.Account(1).Address, "nonce": "0x0", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1"})
			answer[common.Hash](n, "eth_sendTransaction", object)
			object["value"] = "0x1"
			_, message, _ := n.failure("eth_sendTransaction", object)
			require.Equal(t, "replacement transaction underpriced", message)
			object["maxFeePerGas"] = "0x77359401"
			hash := answer[common.Hash](n, "eth_sendTransaction", object)
			n.Seal()
			require.Equal(t, "0x1", n.receipt(hash).Status)
		},
		"`newPendingTransactions` behind a missing nonce": func(t *testing.T) { requireAnnounced(t, instant, false) },
		"a state override of a precompile":                func(t *testing.T) { requirePrecompile(newDevNode(t, instant), true) },
		"`anvil_setNonce` below the current nonce": func(t *testing.T) {
			n := newDevNode(t, instant)
			for _, method := range []string{"anvil_setNonce", "hardhat_setNonce", "evm_setAccountNonce"} {
				answer[any](n, method, n.Account(0).Address, "0x1a4")
				answer[any](n, method, n.Account(0).Address, "0x45")
				require.Equal(t, "0x45", answer[string](n, "eth_getTransactionCount", n.Account(0).Address, "latest"))
			}
		},
		"the reason of a failure": func(t *testing.T) {
			n := newDevNode(t, instant)
			reverter := n.deploy(echoRevert)
			word := func(n uint64) string { return fmt.Sprintf("%064x", n) }
			for data, want := range map[string]string{
				"0x":                      "execution reverted",
				"0x4e487b71" + word(1):    "execution reverted: panic: assertion failed (0x01)",
				"0x4e487b71" + word(0x11): "execution reverted: panic: arithmetic underflow or overflow (0x11)",
				"0x4e487b71" + word(0x99): "execution reverted: panic: unknown code: 0x99",
				"0x08c379a0" + word(32) + word(2) + "6e6f" + strings.Repeat("0", 60): "execution reverted: no",
				"0xdb731cf4":                  "execution reverted: custom error 0xdb731cf4",
				"0xdb731cf4" + "ff" + word(7): "execution reverted: custom error 0xdb731cf4: ff" + word(7),
			} {
				code, message, about := n.failure("eth_call", n.object(map[string]any{"to": reverter, "data": data}))
				require.Equal(t, []any{3, want, data}, []any{code, message, about})
			}
			_, message, _ := n.failure("eth_sendTransaction", n.object(map[string]any{"to": reverter, "gas": "0x64"}))
			require.Equal(t, "intrinsic gas too low", message)
			_, message, _ = n.failure("eth_sendTransaction", n.object(map[string]any{"to": reverter, "gas": "0x5f5e100"}))
			require.Equal(t, "intrinsic gas too high -- tx.gas_limit > env.block.gas_limit", message)
			_, message, _ = n.failure("eth_sendTransaction", n.object(map[string]any{"to": reverter, "gas": "0x5208", "value": "0xffffffffffffffffffff"}))
			require.Equal(t, "Insufficient funds for gas * price + value", message)
		},
		"a burst of blocks": func(t *testing.T) {
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, RealClock: true})
			const burst = 30
			for range burst {
				answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			}
			answer[any](n, "evm_setAutomine", false)
			for range burst {
				answer[any](n, "evm_mine")
			}
			head := answer[struct{ Number, Timestamp hexutil.Uint64 }](n, "eth_getBlockByNumber", "latest", false)
			require.EqualValues(t, 2*burst, head.Number)
			require.Less(t, uint64(head.Timestamp)-answer[uint64](n, "anvil_getGenesisTime"), uint64(burst), "seconds: one after another it would be above")
		},
		"a sender that is left out": func(t *testing.T) {
			n := newDevNode(t, instant)
			hash := answer[common.Hash](n, "eth_sendTransaction", map[string]any{"to": n.Account(1).Address})
			require.Equal(t, n.Account(0).Address, answer[struct{ From common.Address }](n, "eth_getTransactionByHash", hash).From)
		},
		"the gas of a call without `gas`": func(t *testing.T) {
			n := newDevNode(t, instant)
			gas := n.deploy("5a5f5260205ff3") // returns GAS
			left := func(override any, members map[string]any) uint64 {
				return new(big.Int).SetBytes(answer[hexutil.Bytes](n, "eth_call", n.object(members), "latest", nil, override)).Uint64() + 21_000 + 2
			}
			require.EqualValues(t, 30_000_000, left(nil, map[string]any{"to": gas}))
			require.EqualValues(t, 160_000_000, left(map[string]any{"gasLimit": "0x9896800"}, map[string]any{"to": gas}))
			require.EqualValues(t, 160_000_000, left(nil, map[string]any{"to": gas, "gas": "0x9896800"})) // also more than that
			answer[any](n, "anvil_setBlockGasLimit", "0x989680")
			answer[any](n, "anvil_mine")
			require.EqualValues(t, 10_000_000, left(nil, map[string]any{"to": gas}))
		},
		"a fee cap below the base fee": func(t *testing.T) {
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
			code, message, _ := n.failure("eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "gasPrice": "0x1"}))
			require.Equal(t, []any{-32003, "max fee per gas less than block base fee"}, []any{code, message})
			require.Equal(t, "0x", answer[string](n, "eth_call", n.object(map[string]any{"to": n.Account(1).Address, "gasPrice": "0x1"})))
			// Also below a base fee that the call itself sets.
			call := n.object(map[string]any{"to": n.Account(1).Address, "gasPrice": "0x3b9aca00"})
			for _, method := range []string{"eth_call", "eth_estimateGas"} {
				answer[any](n, method, call, "latest", nil, map[string]any{"baseFee": "0x77359400"})
			}
		},
		"fees that are left out": func(t *testing.T) {
			n := newDevNode(t, instant)
			filled := answer[struct{ Tx map[string]any }](n, "eth_fillTransaction", n.object(map[string]any{"to": n.Account(1).Address})).Tx
			require.Equal(t, []any{"0x77359400", "0x3b9aca00"}, []any{filled["maxFeePerGas"], filled["maxPriorityFeePerGas"]})
			require.Equal(t, "0x77359400", filledCap(n, "0x1"), "the suggested tip")
			require.Equal(t, "0x165a0bc00", filledCap(n, "0x12a05f200"), "the base fee and a high tip")
			require.Equal(t, []any{strings.ToLower(n.Account(0).Address.Hex()), nil}, []any{filled["from"], filled["blockHash"]})
			raw := answer[hexutil.Bytes](n, "eth_signTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			answer[common.Hash](n, "eth_sendRawTransaction", raw)
		},
		"quantities in a transaction object": func(t *testing.T) {
			n := newDevNode(t, instant)
			for _, one := range []any{1, "1", "0x01"} {
				object := n.object(map[string]any{"to": n.Account(1).Address, "value": one, "gas": 21_000})
				hash := answer[common.Hash](n, "eth_sendTransaction", object)
				require.Equal(t, "0x1", answer[map[string]any](n, "eth_getTransactionByHash", hash)["value"])
			}
			code, _, _ := n.failure("eth_call", n.object(map[string]any{"to": n.Account(1).Address, "value": "many"}))
			require.Equal(t, -32602, code)
		},
		"names of block overrides": func(t *testing.T) {
			n := newDevNode(t, instant)
			answer[any](n, "anvil_setCode", common.Address{9}, hexutil.Bytes(labcode.Observer(vm.NUMBER, vm.TIMESTAMP, vm.COINBASE, vm.PREVRANDAO, vm.BASEFEE)))
			overrides := map[string]any{
				"blockNumber": "0x11", "timestamp": "0x6fffffff", "coinbase": common.Address{19: 0x33}, "random": common.Hash{31: 0x44}, "baseFee": "0x55",
				"blockHash": map[string]any{"0x10": common.Hash{31: 0x66}},
			}
			call := map[string]any{"to": common.Address{9}}
			seen := fmt.Sprintf("0x%064x%064x%064x%064x%064x%064x", 0x11, 0x6fffffff, 0x33, 0x44, 0x55, 0x66)
			require.Equal(t, seen, answer[string](n, "eth_call", call, "latest", map[string]any{}, overrides))
			traced := answer[struct{ Output string }](n, "debug_traceCall", call, "latest", map[string]any{"tracer": "callTracer", "blockOverrides": overrides})
			require.Equal(t, seen, traced.Output)
			delete(overrides, "blockHash")
			block := map[string]any{"blockOverrides": overrides, "calls": []any{call}}
			blocks := answer[[]struct{ BaseFeePerGas string }](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{block}}, "latest")
			require.Equal(t, "0x55", blocks[len(blocks)-1].BaseFeePerGas)
		},
		"an unknown filter or snapshot": func(t *testing.T) {
			n := newDevNode(t, instant)
			for _, id := range []string{"0x99", "0x" + strings.Repeat("1", 64), "none"} {
				code, message, _ := n.failure("eth_getFilterChanges", id)
				require.Equal(t, -32000, code)
				require.Contains(t, message, "filter not found")
				require.False(t, answer[bool](n, "eth_uninstallFilter", id))
				require.False(t, answer[bool](n, "evm_revert", id))
			}
		},
		"a block, mined or pending": func(t *testing.T) {
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
			require.Equal(t, "0x0", answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)["totalDifficulty"])
			require.NotEqual(t, common.Hash{}, answer[struct{ Hash common.Hash }](n, "eth_getBlockByNumber", "pending", false).Hash)
			mined := answer[[]map[string]any](n, "anvil_mine_detailed")
			require.Equal(t, "0x0", mined[0]["totalDifficulty"])
		},
		"`BASEFEE` in a call without a fee": func(t *testing.T) {
			n := newDevNode(t, instant)
			reader := n.deploy("485f5260205ff3")
			block := answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)
			fee := answer[hexutil.Bytes](n, "eth_call", map[string]any{"to": reader}, "latest")
			require.Equal(t, block["baseFeePerGas"], hexutil.EncodeBig(new(big.Int).SetBytes(fee)))
		},
		"`anvil_mine` with an interval": func(t *testing.T) {
			n := newDevNode(t, instant)
			before := answer[struct{ Timestamp hexutil.Uint64 }](n, "eth_getBlockByNumber", "latest", false).Timestamp
			answer[any](n, "anvil_mine", "0x1", "0x15180")
			answer[any](n, "anvil_mine", 3, 60)
			after := answer[struct{ Timestamp hexutil.Uint64 }](n, "eth_getBlockByNumber", "latest", false).Timestamp
			require.EqualValues(t, 86_400+3*60, after-before)
		},
		"the order of transactions": func(t *testing.T) {
			for _, order := range []fakenode.Order{0, fakenode.Fees} { // what --order fees says
				n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual, Order: order})
				answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "gasPrice": "0x77359400"}))
				dear := answer[common.Hash](n, "eth_sendTransaction", map[string]any{
					"from": n.Account(2).Address, "to": n.Account(1).Address, "maxFeePerGas": "0x12a05f200", "maxPriorityFeePerGas": "0x1",
				})
				answer[any](n, "anvil_mine")
				require.Equal(t, dear, answer[struct{ Transactions []common.Hash }](n, "eth_getBlockByNumber", "latest", false).Transactions[0])
				require.Equal(t, "fees", answer[map[string]any](n, "anvil_nodeInfo")["transactionOrder"])
			}
		},
		"codes of errors": func(t *testing.T) {
			n := newDevNode(t, instant)
			invalid := n.deploy(invalidOpcode)
			for want, call := range map[int][]any{
				-32603: {"eth_call", n.object(map[string]any{"to": invalid})},
				-32003: {"eth_call", n.object(map[string]any{"to": invalid, "value": "0xffffffffffffffffffff"})},
				-32602: {"eth_call", n.object(map[string]any{"to": invalid}), "0x99"},
				-32001: {"eth_call", n.object(map[string]any{"to": invalid}), map[string]any{"blockHash": common.Hash{1}}},
				3:      {"eth_createAccessList", n.object(map[string]any{"to": n.deploy(echoRevert)})},
			} {
				code, _, _ := n.failure(call[0].(string), call[1:]...)
				require.Equal(t, want, code, call)
			}
			for want, call := range map[string][]any{
				"No Signer available":          {"eth_sendTransaction", map[string]any{"from": common.Address{1}, "to": common.Address{2}}},
				"Failed to decode transaction": {"eth_sendRawTransaction", "0x01"},
			} {
				code, message, _ := n.failure(call[0].(string), call[1:]...)
				require.Equal(t, -32602, code)
				require.Contains(t, message, want)
			}
		},
		"the gas limit of a block": func(t *testing.T) {
			require.Equal(t, "0x1c9c380", answer[map[string]any](newDevNode(t, instant), "eth_getBlockByNumber", "0x0", false)["gasLimit"])
		},
		"the base fee of block 1": func(t *testing.T) {
			n := newDevNode(t, instant)
			answer[any](n, "anvil_mine", "0x2")
			for number, want := range []string{"0x3b9aca00", "0x3b9aca00", "0x342770c0"} {
				require.Equal(t, want, answer[map[string]any](n, "eth_getBlockByNumber", hexutil.Uint64(number), false)["baseFeePerGas"])
			}
		},
		"typed data of another chain":       func(t *testing.T) { signsAnyChain(t, newDevNode(t, instant)) },
		"a transaction from before EIP-155": func(t *testing.T) { takesUnprotected(t, newDevNode(t, instant)) },
		"the fee recipient": func(t *testing.T) {
			n := newDevNode(t, instant)
			require.Equal(t, common.HexToAddress("0x0000000000000000000000000000000000000000"), answer[common.Address](n, "eth_coinbase"))
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			block := answer[map[string]any](n, "eth_getBlockByNumber", n.receipt(hash).BlockNumber, false)
			require.Equal(t, "0x0000000000000000000000000000000000000000", block["miner"])
		},
		"a receipt without blobs": func(t *testing.T) {
			n := newDevNode(t, instant)
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			require.Equal(t, "0x1", answer[map[string]any](n, "eth_getTransactionReceipt", hash)["blobGasPrice"])
			synced := answer[map[string]any](n, "eth_sendTransactionSync", n.object(map[string]any{"to": n.Account(1).Address}))
			require.Equal(t, "0x1", synced["blobGasPrice"])
			require.Nil(t, answer[any](n, "eth_getTransactionReceipt", common.Hash{1}))
		},
		"an unknown method": func(t *testing.T) {
			code, message, _ := newDevNode(t, instant).failure("eth_nope")
			require.Equal(t, -32601, code)
			require.Equal(t, "Method not found", message)
		},
	})
}

// Ensure --preset hardhat answers as docs/recipes/hardhat.md says, word for word as Hardhat 2.29.
func TestPresetHardhat(t *testing.T) {
	t.Parallel()
	instant := fakenode.Config{Preset: fakenode.Hardhat}
	runDocumented(t, "../../docs/recipes/hardhat.md", "As Hardhat's own network", map[string]func(*testing.T){
		"typed data of another chain":      func(t *testing.T) { signsAnyChain(t, newDevNode(t, instant)) },
		"a state override of a precompile": func(t *testing.T) { requirePrecompile(newDevNode(t, instant), true) },
		"`eth_getLogs` beyond the head": func(t *testing.T) {
			n := newDevNode(t, instant)
			requireLogsWithin(n)
			require.Empty(t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x5"}))
			require.Empty(t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x5", "toBlock": "0x6"}))
		},
		"what cannot be a transaction, or a call": func(t *testing.T) {
			n := newDevNode(t, instant)
			to := n.Account(1).Address
			for _, method := range []string{"eth_sendTransaction", "eth_call", "eth_estimateGas", "debug_traceCall"} {
				for want, members := range map[string]map[string]any{
					"Contract creation without any data provided":              {},
					"maxPriorityFeePerGas (2) is bigger than maxFeePerGas (1)": {"to": to, "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x2"},
					"Transaction requires at least 21000 gas but got 20999":    {"to": to, "gas": "0x5207"},
				} {
					code, message, _ := n.failure(method, n.object(members))
					require.Equal(t, -32000, code, method)
					require.Equal(t, want, message, method)
				}
			}
			for want, inner := range map[string]types.TxData{
				"Trying to send a raw transaction with an invalid chainId. The expected chainId is 31337": &types.DynamicFeeTx{ChainID: big.NewInt(1), To: &to, Gas: 21_000},
				"maxPriorityFeePerGas (2) is bigger than maxFeePerGas (1)":                                &types.DynamicFeeTx{ChainID: big.NewInt(31337), To: &to, Gas: 21_000, GasFeeCap: big.NewInt(1), GasTipCap: big.NewInt(2)},
			} {
				tx := types.NewTx(inner)
				raw, err := types.MustSignNewTx(n.Account(0).Key, types.LatestSignerForChainID(tx.ChainId()), inner).MarshalBinary()
				require.NoError(t, err)
				code, message, _ := n.failure("eth_sendRawTransaction", hexutil.Bytes(raw))
				require.Equal(t, want, message)
				require.Equal(t, tx.ChainId().Int64() == 1, code == -32602)
			}
			code, _, _ := n.failure("eth_sendRawTransaction", "0x01")
			require.Equal(t, -32602, code)
		},
		"a sender that is left out": func(t *testing.T) {
			n := newDevNode(t, instant)
			caller := n.deploy("335f5260205ff3") // returns its caller
			require.Equal(t, common.BytesToHash(n.Account(0).Address.Bytes()), answer[common.Hash](n, "eth_call", map[string]any{"to": caller}, "latest"))
			answer[hexutil.Uint64](n, "eth_estimateGas", map[string]any{"to": n.Account(1).Address, "value": "0x1"})
			answer[common.Hash](n, "eth_sendTransaction", map[string]any{"to": n.Account(1).Address, "value": "0x1"})
		},
		"the order of transactions": func(t *testing.T) {
			n := newDevNode(t, instant)
			answer[bool](n, "evm_setAutomine", false)
			send := func(from int, tip string) common.Hash {
				return answer[common.Hash](n, "eth_sendTransaction", map[string]any{"from": n.Account(from).Address, "to": n.Account(2).Address, "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": tip})
			}
			low, high := send(0, "0x1"), send(1, "0x2")
			answer[string](n, "evm_mine")
			require.Equal(t, []any{high.Hex(), low.Hex()}, answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)["transactions"])
		},
		"a block, mined or pending": func(t *testing.T) {
			n := newDevNode(t, instant)
			mined := answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)
			require.Equal(t, "0x0", answer[map[string]any](n, "eth_getBlockByHash", mined["hash"], false)["totalDifficulty"])
			pending := answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)
			require.Equal(t, "0x0", pending["totalDifficulty"])
			require.NotEqual(t, common.Hash{}.Hex(), pending["hash"])
		},
		"`eth_mining`, `hardhat_setMinGasPrice`, `hardhat_stopImpersonatingAccount`": func(t *testing.T) {
			n := newDevNode(t, instant)
			require.False(t, answer[bool](n, "eth_mining"))
			code, _, _ := n.failure("hardhat_setMinGasPrice", "0x1")
			require.Equal(t, -32000, code)
			someone := common.Address{1}
			require.False(t, answer[bool](n, "hardhat_stopImpersonatingAccount", someone))
			answer[bool](n, "hardhat_impersonateAccount", someone)
			require.True(t, answer[bool](n, "hardhat_stopImpersonatingAccount", someone))
		},
		"a transaction from before EIP-155": func(t *testing.T) { takesUnprotected(t, newDevNode(t, instant)) },
		"the fee recipient": func(t *testing.T) {
			n := newDevNode(t, instant)
			require.Equal(t, common.HexToAddress("0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e"), answer[common.Address](n, "eth_coinbase"))
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			block := answer[map[string]any](n, "eth_getBlockByNumber", n.receipt(hash).BlockNumber, false)
			require.Equal(t, "0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e", block["miner"])
		},
		"a transaction that fails": func(t *testing.T) {
			n := newDevNode(t, instant)
			reverter := n.deploy(echoRevert)
			for data, want := range hardhatReverts {
				_, message, about := n.failure("eth_sendTransaction", n.object(map[string]any{"to": reverter, "data": data}))
				require.Equal(t, want, message)
				members := about.(map[string]any)
				require.Equal(t, data, members["data"])
				require.Equal(t, want, members["message"])
				require.Equal(t, "0x0", n.receipt(common.HexToHash(members["txHash"].(string))).Status, "it was mined")
			}
			for code, want := range map[string]string{
				invalidOpcode: "Error: VM Exception while processing transaction: invalid opcode",
				endlessLoop:   "Transaction ran out of gas",
				"50":          "Error: Transaction reverted without a reason string", // stack underflow
			} {
				contract := n.deploy(code)
				_, message, _ := n.failure("eth_sendTransaction", n.object(map[string]any{"to": contract, "gas": "0x186a0"}))
				require.Equal(t, want, message)
			}
			signed, err := types.SignNewTx(n.Account(1).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
				To: &reverter, Gas: 100_000, GasPrice: big.NewInt(params.GWei),
			})
			require.NoError(t, err)
			raw, err := signed.MarshalBinary()
			require.NoError(t, err)
			code, message, _ := n.failure("eth_sendRawTransaction", hexutil.Bytes(raw))
			require.Equal(t, -32603, code)
			require.Equal(t, "Error: Transaction reverted without a reason string", message)
			answer[bool](n, "evm_setAutomine", false)
			answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": reverter})) // nobody knows yet
		},
		"a call or estimate that fails": func(t *testing.T) {
			n := newDevNode(t, instant)
			reverter := n.deploy(echoRevert)
			for _, method := range []string{"eth_call", "eth_estimateGas"} {
				for data, want := range hardhatReverts {
					code, message, about := n.failure(method, n.object(map[string]any{"to": reverter, "data": data}))
					require.Equal(t, -32603, code)
					require.Equal(t, want, message)
					require.Equal(t, map[string]any{"message": want, "data": data}, about)
				}
			}
		},
		"`pending` without automining": func(t *testing.T) { requirePendingPool(t, fakenode.Hardhat) },
		"`debug_traceTransaction`, `debug_traceCall`": func(t *testing.T) {
			n := newDevNode(t, instant)
			// The creation code writes 0x1234 into slot 1, 5 into memory, and returns that word.
			making := n.object(map[string]any{"data": "0x611234600155600560005260206000f3", "gas": "0x186a0"})
			steps := answer[hardhatSteps](n, "debug_traceTransaction", answer[common.Hash](n, "eth_sendTransaction", making))
			require.False(t, steps.Failed)
			require.EqualValues(t, 81758, steps.Gas)
			word := func(n uint64) string { return fmt.Sprintf("%064x", n) }
			last := steps.StructLogs[len(steps.StructLogs)-1]
			require.Equal(t, map[string]any{
				"depth": 1.0, "gas": 24642.0, "gasCost": 0.0, "op": "RETURN", "pc": 15.0,
				"memory": []any{word(5)}, "stack": []any{word(32), word(0)}, "storage": map[string]any{word(1): word(0x1234)},
			}, last)
			require.Equal(t, map[string]any{}, steps.StructLogs[0]["storage"])
			bare := map[string]any{"disableMemory": true, "disableStack": true, "disableStorage": true}
			steps = answer[hardhatSteps](n, "debug_traceCall", making, "latest", bare)
			require.Len(t, steps.StructLogs[0], 5)

			// A contract delegates to one that writes 7 into slot 1.
			writer := n.deploy("600760015500")
			caller := n.deploy("600060006000600073" + hex.EncodeToString(writer[:]) + "5af45000")
			steps = answer[hardhatSteps](n, "debug_traceCall", n.object(map[string]any{"to": caller}), "latest")
			require.Equal(t, map[string]any{word(1): word(7)}, steps.StructLogs[len(steps.StructLogs)-1]["storage"])
			failed := answer[hardhatSteps](n, "debug_traceCall", n.object(map[string]any{"data": "0x60006000fd"}), "latest")
			require.True(t, failed.Failed)
			require.Empty(t, failed.ReturnValue)
			named := map[string]any{"tracer": "prestateTracer"} // a program that links it has it
			_, message, _ := n.failure("debug_traceCall", making, "latest", named)
			require.Contains(t, message, "tracer prestateTracer: this program has only the struct logger")
		},
		"a transaction without `gas`": func(t *testing.T) {
			n := newDevNode(t, instant)
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			tx := answer[map[string]any](n, "eth_getTransactionByHash", hash)
			require.Equal(t, "0x1000000", tx["gas"])
			answer[bool](n, "evm_setBlockGasLimit", "0xf4240")
			hash = answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			require.Equal(t, "0xf4240", answer[map[string]any](n, "eth_getTransactionByHash", hash)["gas"])
		},
		"`eth_estimateGas`": func(t *testing.T) {
			n := newDevNode(t, instant)
			require.Equal(t, "0x5209", answer[string](n, "eth_estimateGas", n.object(map[string]any{"to": n.Account(1).Address})))
			// A call that checks how much gas it has left needs more than it uses.
			inner := n.deploy("60ff5f5260205ff3")
			outer := n.deploy("5f5f5f5f5f73" + strings.ToLower(inner.Hex()[2:]) + "611000f1505a6103e810602a575f5ffd5b00")
			gas := answer[string](n, "eth_estimateGas", n.object(map[string]any{"to": outer}))
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": outer, "gas": gas}))
			require.Equal(t, "0x1", n.receipt(hash).Status)
		},
		"what a call costs": func(t *testing.T) {
			n := newDevNode(t, instant)
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
			balanceOfCaller := n.deploy("33315f5260205ff3")
			balance := answer[hexutil.Big](n, "eth_getBalance", n.Account(0).Address, "latest")
			seen := answer[hexutil.Bytes](n, "eth_call", n.object(map[string]any{"to": balanceOfCaller, "value": "0x1"}), "latest")
			require.Equal(t, new(big.Int).Sub(balance.ToInt(), common.Big1), new(big.Int).SetBytes(seen), "a sender that can pay has what it has")
		},
		"automining": func(t *testing.T) {
			n := newDevNode(t, instant)
			_, message, _ := n.failure("eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "nonce": "0x7"}))
			require.Equal(t, "Nonce too high. Expected nonce to be 0 but got 7. Note that transactions can't be queued when automining.", message)
			_, message, _ = n.failure("eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x1"}))
			require.Equal(t, "Transaction maxFeePerGas (1) is too low for the next block, which has a baseFeePerGas of 875000000", message)
		},
		"time": func(t *testing.T) {
			n := newDevNode(t, instant)
			head := n.Moment().Latest().Time()
			require.Equal(t, "10", answer[string](n, "evm_increaseTime", 10))
			_, message, _ := n.failure("evm_setNextBlockTimestamp", head-1)
			require.Regexp(t, `^Timestamp \d+ is lower than the previous block's timestamp \d+$`, message)
			_, message, _ = n.failure("evm_setNextBlockTimestamp", head)
			require.Regexp(t, `^Timestamp \d+ is equal to the previous block's timestamp\. Enable the 'allowBlocksWithSameTimestamp' option to allow this$`, message)
			require.Regexp(t, `^\d+$`, answer[string](n, "evm_setNextBlockTimestamp", head+100))
			require.Equal(t, "0", answer[string](n, "evm_mine"))
			require.Equal(t, head+100, n.Moment().Latest().Time())
		},
		"`evm_setIntervalMining`": func(t *testing.T) {
			n := newDevNode(t, instant)
			require.True(t, answer[bool](n, "evm_setIntervalMining", 0))
			require.True(t, answer[bool](n, "hardhat_getAutomine"))
			for blocks, interval := range map[uint64]any{1: 3000, 3: []int{1000, 9000}} {
				require.True(t, answer[bool](n, "evm_setIntervalMining", interval))
				before := n.BlockNumber()
				n.Advance(3 * time.Second)
				require.Equal(t, before+blocks, n.BlockNumber(), interval)
			}
			require.False(t, answer[bool](n, "hardhat_getAutomine"))
			_, message, _ := n.failure("evm_setIntervalMining", []int{2, 1})
			require.Contains(t, message, "have [2,1] (not the least and the most)")
		},
		"`hardhat_setNonce` below the nonce, a block that is not there, gas above a block's": func(t *testing.T) {
			n := newDevNode(t, instant)
			alice := n.Account(0).Address
			require.True(t, answer[bool](n, "hardhat_setNonce", alice, "0x7"))
			_, message, _ := n.failure("hardhat_setNonce", alice, "0x6")
			require.Equal(t, "New nonce (6) must not be smaller than the existing nonce (7)", message)
			_, message, _ = n.failure("eth_getBalance", alice, "0x99")
			require.Equal(t, "Received invalid block tag 153. Latest block number is 0", message)
			unknown := common.Hash{31: 1}
			_, message, _ = n.failure("eth_getBalance", alice, map[string]any{"blockHash": unknown})
			require.Equal(t, "Received invalid block tag "+unknown.Hex()+". Latest block number is 0", message)
			_, message, _ = n.failure("eth_sendTransaction", n.object(map[string]any{"to": alice, "gas": "0xffffffff"}))
			require.Equal(t, "Transaction gas limit is 4294967295 and exceeds block gas limit of 60000000", message)
		},
		"`safe`, `finalized`": func(t *testing.T) {
			n := newDevNode(t, instant)
			n.Seal()
			for _, tag := range []string{"safe", "finalized"} {
				require.Equal(t, "0x1", answer[map[string]any](n, "eth_getBlockByNumber", tag, false)["number"])
			}
		},
		"`web3_clientVersion`, `hardhat_metadata`": func(t *testing.T) {
			n := newDevNode(t, instant)
			require.Equal(t, "HardhatNetwork/2.29.1/@nomicfoundation/edr/0.3.8", answer[string](n, "web3_clientVersion"))
			about := answer[map[string]any](n, "hardhat_metadata")
			require.Equal(t, "edr/0.3.8/revm/33.1.0", about["clientVersion"])
			require.Equal(t, []string{"chainId", "clientVersion", "instanceId", "latestBlockHash", "latestBlockNumber"}, slices.Sorted(maps.Keys(about)))
		},
		"an unknown method": func(t *testing.T) {
			code, message, about := newDevNode(t, instant).failure("eth_nope")
			require.Equal(t, -32004, code)
			require.Equal(t, "Method eth_nope is not supported", message)
			require.Equal(t, map[string]any{"message": message, "data": nil}, about)
		},
		"`hardhat_setCode` with code over the limit": func(t *testing.T) {
			n := newDevNode(t, instant)
			answer[any](n, "hardhat_setCode", n.Account(0).Address, hexutil.Bytes(make([]byte, 70_000)))
			require.Len(t, answer[hexutil.Bytes](n, "eth_getCode", n.Account(0).Address, "latest"), 70_000)
		},
		"commands without a result": func(t *testing.T) {
			n := newDevNode(t, instant)
			account := n.Account(0).Address
			for method, arguments := range map[string][]any{
				"hardhat_mine": {}, "hardhat_setBalance": {account, "0x1"}, "hardhat_setNonce": {account, "0x5"}, "hardhat_setCode": {account, "0x"},
				"hardhat_impersonateAccount": {account}, "hardhat_setCoinbase": {account},
				"hardhat_setNextBlockBaseFeePerGas": {"0x1"}, "hardhat_setPrevRandao": {common.Hash{31: 1}}, "hardhat_setLoggingEnabled": {true},
				"evm_setAutomine": {true}, "hardhat_reset": {},
			} {
				require.Equal(t, true, answer[any](n, method, arguments...), method)
			}
		},
	})
}

// hardhatReverts maps the data of a revert to Hardhat's text.
var hardhatReverts = map[string]string{
	"0x": "Error: Transaction reverted without a reason string",
	"0x08c379a000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000004" +
		"6e6f706500000000000000000000000000000000000000000000000000000000": "Error: VM Exception while processing transaction: reverted with reason string 'nope'",
	"0x4e487b710000000000000000000000000000000000000000000000000000000000000011": "Error: VM Exception while processing transaction: reverted with panic code 0x11 " +
		"(Arithmetic operation overflowed outside of an unchecked block)",
	"0x4e487b710000000000000000000000000000000000000000000000000000000000000099": "Error: VM Exception while processing transaction: reverted with unknown panic code 0x99",
	"0xdeadbeef01": "Error: VM Exception while processing transaction: reverted with an unrecognized custom error (return data: 0xdeadbeef01)",
}

// hardhatSteps is the result of Hardhat's struct logger.
type hardhatSteps struct {
	Failed      bool
	Gas         uint64
	ReturnValue string
	StructLogs  []map[string]any
}

// requirePendingPool requires that under a preset pending is what the next block would be, until there is one.
func requirePendingPool(t *testing.T, preset fakenode.Preset) {
	n := newDevNode(t, fakenode.Config{Preset: preset, Mode: fakenode.Manual})
	alice, bob := n.Account(0).Address, n.Account(1).Address
	before := answer[hexutil.Big](n, "eth_getBalance", bob, "latest")
	paid := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": bob, "value": "0x5"}))
	// Code that returns 42 is deployed; one of a later nonce has to wait.
	made := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"data": "0x600a600c600039600a6000f3602a60005260206000f3", "gas": "0x186a0"}))
	answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": bob, "nonce": "0x9", "gas": "0x5208"}))
	address := crypto.CreateAddress(alice, 1)
	after := new(big.Int).Add(before.ToInt(), big.NewInt(5))
	for range 2 { // the same when asked again
		require.Equal(t, "0x2", answer[string](n, "eth_getTransactionCount", alice, "pending"))
		require.Equal(t, before, answer[hexutil.Big](n, "eth_getBalance", bob, "latest"))
		require.Equal(t, hexutil.Big(*after), answer[hexutil.Big](n, "eth_getBalance", bob, "pending"))
		require.Equal(t, "0x602a60005260206000f3", answer[string](n, "eth_getCode", address, "pending"))
		require.Equal(t, fmt.Sprintf("0x%064x", 42), answer[string](n, "eth_call", map[string]any{"to": address}, "pending"))
		pending := answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)
		require.Equal(t, []any{paid.Hex(), made.Hex()}, pending["transactions"])
		require.Equal(t, "0x2", answer[string](n, "eth_getBlockTransactionCountByNumber", "pending"))
		require.Nil(t, n.receipt(paid))
		require.Empty(t, answer[[]any](n, "eth_getLogs", map[string]any{"fromBlock": "pending", "toBlock": "pending"}))
	}
	n.Seal()
	require.Equal(t, "0x1", n.receipt(paid).BlockNumber)
	require.Equal(t, address, *n.receipt(made).ContractAddress)
	require.Equal(t, []any{}, answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)["transactions"], "one waits for a nonce")
}

// takesUnprotected requires that a node takes a signed transaction that is bound to no chain.
func takesUnprotected(t *testing.T, n *devNode) {
	tx, err := types.SignNewTx(n.Account(0).Key, types.HomesteadSigner{}, &types.LegacyTx{To: new(n.Account(1).Address), Gas: 21_000, GasPrice: big.NewInt(2 * params.GWei)})
	require.NoError(t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(t, err)
	hash := answer[common.Hash](n, "eth_sendRawTransaction", hexutil.Bytes(raw))
	require.Equal(t, tx.Hash(), hash)
	require.Equal(t, "0x1", n.receipt(hash).Status)
}

// filledCap returns the fee cap that eth_fillTransaction chooses for a tip.
func filledCap(n *devNode, tip string) any {
	n.t.Helper()
	object := n.object(map[string]any{"to": n.Account(1).Address, "maxPriorityFeePerGas": tip})
	return answer[struct{ Tx map[string]any }](n, "eth_fillTransaction", object).Tx["maxFeePerGas"]
}
