package dialect_test

import (
	"crypto/ecdsa"
	"encoding/json"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// imitations are the nodes that are named after others.
var imitations = map[string]fakenode.Config{
	"anvil": {Preset: fakenode.Anvil}, "hardhat": {Preset: fakenode.Hardhat}, "geth": {Compat: fakenode.Geth, Mode: fakenode.Instant},
}

// Ensure what users reported of development nodes has its right value with each node that is named after another.
// docs/maintainers/differences.md lists these cases, and the tests of those that are elsewhere.
func TestReported(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T, *devNode, string){
		"1 a presigned transaction of no chain": func(t *testing.T, n *devNode, like string) {
			n.SetBalance(common.HexToAddress("0x52c14140dd9288df7cb5f15038297d1e53f71f6c"), uint256.NewInt(params.Ether))
			half := strings.Repeat("22", 32)
			raw := "0xf8658085174876e800830186a080809461000a80600a3d393df3602a60005260206000f31ba0" + half + "a0" + half
			if like == "geth" { // without --allow-unprotected-txs
				_, message, _ := n.failure("eth_sendRawTransaction", raw)
				require.Contains(t, message, "EIP-155")
				return
			}
			require.Equal(t, "0x1", n.receipt(answer[common.Hash](n, "eth_sendRawTransaction", raw)).Status)
		},
		"2 a gas price with an access list": func(t *testing.T, n *devNode, _ string) {
			bob := strings.ToLower(n.Account(1).Address.Hex())
			for used, list := range map[uint64][]any{
				0x5208: {},
				0x5b68: {map[string]any{"address": bob, "storageKeys": []any{}}},
				0x62d4: {map[string]any{"address": bob, "storageKeys": []any{common.Hash{31: 1}.Hex()}}},
			} {
				object := n.object(map[string]any{"to": bob, "gas": "0x8000", "gasPrice": "0x77359400", "accessList": list})
				signed := string(answer[json.RawMessage](n, "eth_signTransaction", withNonce(n, object))) // go-ethereum has it in an object
				require.Contains(t, signed, `"0x01f8`)
				filled := answer[struct{ Tx map[string]any }](n, "eth_fillTransaction", object).Tx
				hash := answer[common.Hash](n, "eth_sendTransaction", object)
				for _, tx := range []map[string]any{filled, answer[map[string]any](n, "eth_getTransactionByHash", hash)} {
					require.Equal(t, "0x1", tx["type"])
					require.Equal(t, list, tx["accessList"])
				}
				require.Equal(t, hexutil.EncodeUint64(used), answer[map[string]any](n, "eth_getTransactionReceipt", hash)["gasUsed"])
			}
		},
		"4 a filter of logs after evm_revert": func(t *testing.T, n *devNode, _ string) {
			logger := common.Address{19: 0x55}
			n.SetCode(logger, common.FromHex("0x60003560006000a100"))
			filter := answer[string](n, "eth_newFilter", map[string]any{"address": logger})
			snapshot := answer[string](n, "evm_snapshot")
			send := func() {
				answer[any](n, "eth_sendTransaction", n.object(map[string]any{"to": logger, "gas": "0x10000"}))
			}
			send()
			require.True(t, answer[bool](n, "evm_revert", snapshot))
			require.Empty(t, answer[[]any](n, "eth_getFilterChanges", filter))
			send()
			require.Len(t, answer[[]any](n, "eth_getFilterChanges", filter), 1)
		},
		"6 logIndex of simulated logs": func(t *testing.T, n *devNode, _ string) {
			logger, failing := common.Address{19: 0x55}, common.Address{19: 0x56}
			n.SetCode(logger, common.FromHex("0x5f5fa0"))
			n.SetCode(failing, common.FromHex("0x5f5fa05f5ffd"))
			var calls []any
			for _, to := range []common.Address{logger, failing, logger, logger} {
				calls = append(calls, n.object(map[string]any{"to": to}))
			}
			type block struct {
				Calls []struct{ Logs []struct{ LogIndex string } }
			}
			var indices []string
			for _, call := range answer[[]block](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": calls}}}, "latest")[0].Calls {
				for _, log := range call.Logs {
					indices = append(indices, log.LogIndex)
				}
			}
			require.Equal(t, []string{"0x0", "0x1", "0x2"}, indices)
		},
		"7 the difficulty of a simulated block": func(t *testing.T, n *devNode, _ string) {
			block := map[string]any{"blockOverrides": map[string]any{"difficulty": "0x1"}}
			code, message, _ := n.failure("eth_simulateV1", map[string]any{"blockStateCalls": []any{block}}, "latest")
			require.Equal(t, -32602, code)
			require.Contains(t, message, "difficulty")
		},
		"10 signatures of authorizations with leading zeros": func(t *testing.T, n *devNode, like string) {
			delegating := n.Account(3)
			nonce, object := uint64(0), map[string]any(nil)
			for ; object == nil || !strings.HasPrefix(object["r"].(string), "0x00") && !strings.HasPrefix(object["s"].(string), "0x00"); nonce++ {
				object = authorized(t, delegating.Key, common.Address{19: 0x77}, nonce)
			}
			n.SetNonce(delegating.Address, nonce-1)
			transaction := n.object(map[string]any{"to": n.Account(1).Address, "gas": "0x30d40", "authorizationList": []any{object}})
			if like != "anvil" {
				code, message, _ := n.failure("eth_sendTransaction", transaction)
				require.Equal(t, -32602, code)
				require.Contains(t, message, "leading zero")
				return
			}
			answer[common.Hash](n, "eth_sendTransaction", transaction)
			require.Len(t, answer[hexutil.Bytes](n, "eth_getCode", delegating.Address, "latest"), 23)
		},
		"13 a failing transaction without gas": func(t *testing.T, n *devNode, like string) {
			failing := common.Address{19: 0x56}
			n.SetCode(failing, common.FromHex("0x5f5ffd"))
			var hash common.Hash
			err := n.rpc.CallContext(t.Context(), &hash, "eth_sendTransaction", n.object(map[string]any{"to": failing}))
			switch like {
			case "geth":
				require.ErrorContains(t, err, "execution reverted")
				return
			case "hardhat":
				hash = common.HexToHash(err.(rpc.DataError).ErrorData().(map[string]any)["txHash"].(string))
			}
			require.Equal(t, map[string]any{"anvil": "0x1c9c380", "hardhat": "0x1000000"}[like], answer[map[string]any](n, "eth_getTransactionByHash", hash)["gas"])
		},
	} {
		for like, config := range imitations {
			t.Run(name+"/"+like, func(t *testing.T) {
				t.Parallel()
				test(t, newDevNode(t, config), like)
			})
		}
	}
}

// withNonce returns a transaction with what eth_signTransaction needs.
func withNonce(n *devNode, object map[string]any) map[string]any {
	object = maps.Clone(object)
	object["nonce"] = answer[string](n, "eth_getTransactionCount", object["from"], "pending")
	return object
}

// authorized returns an authorization with a signature in words.
func authorized(t *testing.T, key *ecdsa.PrivateKey, implementation common.Address, nonce uint64) map[string]any {
	t.Helper()
	signed, err := types.SignSetCode(key, types.SetCodeAuthorization{ChainID: *uint256.NewInt(31337), Address: implementation, Nonce: nonce})
	require.NoError(t, err)
	return map[string]any{
		"chainId": "0x7a69", "address": implementation, "nonce": hexutil.Uint64(nonce), "yParity": hexutil.Uint64(signed.V),
		"r": common.Hash(signed.R.Bytes32()).Hex(), "s": common.Hash(signed.S.Bytes32()).Hex(),
	}
}

// Ensure a fork under a preset has the chain id that the node it is named after gives it.
func TestReportedForks(t *testing.T) {
	t.Parallel()
	below := newDevNode(t, fakenode.Config{Preset: fakenode.Optimism, Rules: fakenode.EthereumRules})
	for preset, id := range map[fakenode.Preset]string{fakenode.Hardhat: "0x7a69", fakenode.Anvil: "0xa"} {
		n := newDevNode(t, fakenode.Config{Preset: preset, Fork: &fakenode.Fork{URL: below.URL()}, Logger: slog.New(slog.DiscardHandler)})
		require.Equal(t, id, answer[string](n, "eth_chainId"), "11: %s", preset)
		below.Seal()
		for _, options := range []map[string]any{
			{"jsonRpcUrl": below.URL(), "blockNumber": 0}, {"forking": map[string]any{"jsonRpcUrl": below.URL(), "blockNumber": "0x0"}},
		} {
			answer[any](n, "anvil_reset", options)
			require.Equal(t, "0x0", answer[string](n, "eth_blockNumber"), "12")
			require.Equal(t, id, answer[string](n, "eth_chainId"))
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
			require.Equal(t, "0x1", n.receipt(hash).Status)
		}
	}
}

// Ensure an estimate without a block counts what waits, as with both development nodes; go-ethereum's is at latest.
func TestEstimatesAtPending(t *testing.T) {
	t.Parallel()
	for like, config := range imitations {
		config.Mode = fakenode.Manual
		n := newDevNode(t, config)
		first := common.Address{19: 0x58}
		n.SetCode(first, common.FromHex("0x60015f5500")) // writes 1 into slot 0
		call := n.object(map[string]any{"to": first})
		latest, before := answer[string](n, "eth_estimateGas", call, "latest"), answer[string](n, "eth_estimateGas", call)
		require.Equal(t, latest, before, like)
		call["gas"] = "0x186a0"
		answer[any](n, "eth_sendTransaction", call)
		n.Preconfirm()
		delete(call, "gas")
		pending := answer[string](n, "eth_estimateGas", call, "pending")
		require.NotEqual(t, latest, pending, like)
		want := pending
		if like == "geth" {
			want = latest
		}
		require.Equal(t, want, answer[string](n, "eth_estimateGas", call), like)
	}
}

// Ensure the development nodes take call data of any size that a block has gas for, and go-ethereum's pool 128 KiB.
func TestLongCallData(t *testing.T) {
	t.Parallel()
	for like, config := range imitations {
		n := newDevNode(t, config)
		call := n.object(map[string]any{"to": n.Account(1).Address, "gas": "0x600000", "data": "0x" + strings.Repeat("00", 400_000)})
		if like == "geth" {
			_, message, _ := n.failure("eth_sendTransaction", call)
			require.Contains(t, message, "limit 131072")
			continue
		}
		require.Equal(t, "0x1", n.receipt(answer[common.Hash](n, "eth_sendTransaction", call)).Status)
	}
}

// Ensure anvil's evm_setTime takes milliseconds, as from JavaScript's Date.now.
func TestSetTimeInMilliseconds(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil})
	at := n.Now().Unix() + 1000
	for _, method := range []string{"evm_setTime", "anvil_setTime"} {
		answer[any](n, method, at*1000+7)
		require.Equal(t, at, n.Now().Unix())
		at += 1000
	}
}
