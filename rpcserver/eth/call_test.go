package eth_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// pendingTag is the block tag as ethclient spells it.
var pendingTag = big.NewInt(int64(rpc.PendingBlockNumber))

// count calls the counter at a block, nil for latest, and returns its new value.
func count(n *servertest.Network, block *big.Int) int64 {
	n.Helper()
	answer, err := n.Eth.CallContract(n.Context(), ethereum.CallMsg{To: &servertest.Counter}, block)
	require.NoError(n, err)
	return new(big.Int).SetBytes(answer).Int64()
}

// Ensure a call sees the pre-confirmed state at pending, and only there (contract 4-rule2).
func TestCallSeesPreconfirmed(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Send(servertest.Alice, &servertest.Counter, nil)
	require.EqualValues(t, 1, count(n, pendingTag), "still in the pool")
	n.Preconfirm()
	require.EqualValues(t, 2, count(n, pendingTag))
	require.EqualValues(t, 1, count(n, nil))
	n.Seal(1)
	require.EqualValues(t, 2, count(n, nil))
	require.EqualValues(t, 1, count(n, common.Big0))
}

// Ensure a revert is -32000 with the returned bytes (contract 7-revert), and under geth's profile 3 with the reason,
// which ethclient then decodes.
func TestCallRevert(t *testing.T) {
	t.Parallel()
	reason := hexutil.MustDecode("0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036261640000000000000000000000000000000000000000000000000000000000")
	message := map[string]any{"to": servertest.Reverter, "data": hexutil.Bytes(reason)}

	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	nothing := map[string]any{"data": "0x60006000fd"} // clients take an error without data for another kind
	require.Equal(t, "0x", n.Fails(-32000, "eth_call", nothing).Data)
	failure := n.Fails(-32000, "eth_call", message, "latest")
	require.Equal(t, "execution reverted", failure.Message)
	require.Equal(t, hexutil.Encode(reason), failure.Data)

	n = servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}})
	require.Equal(t, "0x", n.Fails(3, "eth_call", nothing).Data)
	failure = n.Fails(3, "eth_call", message, "latest")
	require.Equal(t, "execution reverted: bad", failure.Message)
	_, err := n.Eth.CallContract(t.Context(), ethereum.CallMsg{To: &servertest.Reverter, Data: reason}, nil)
	data, ok := ethclient.RevertErrorData(err)
	require.True(t, ok)
	require.Equal(t, reason, data)
}

// Ensure estimates, and the gas of a transaction that is sent without, have the margin that was asked for, up to the
// gas that there may be.
func TestEstimateMargin(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Limits: api.Limits{EstimateMargin: 25}})
	call := map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address}
	require.Equal(t, "0x668a", servertest.Fetch[string](n, "eth_estimateGas", call)) // 26,250
	hash := servertest.Fetch[string](n, "eth_sendTransaction", call)
	require.Equal(t, "0x668a", servertest.Fetch[map[string]any](n, "eth_getTransactionByHash", hash)["gas"])
	call["gas"] = "0x5dc0"
	require.Equal(t, "0x5dc0", servertest.Fetch[string](n, "eth_estimateGas", call))
	require.EqualError(t, api.Limits{EstimateMargin: 1001}.Validate(), "margin of gas estimates is 1001 %, the limit is 1000")
}

// Ensure eth_callAfter answers at once where the nonce is there already, and that its longest timeout is taken.
func TestCallAfterAtItsEdges(t *testing.T) {
	t.Parallel()
	n := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{})
	n.Pay(0, 1, 1)
	n.Preconfirm()
	call := map[string]any{"to": servertest.Counter}
	after := func(nonce, timeout any) map[string]any {
		condition := map[string]any{"account": servertest.Alice.Address, "nonce": nonce}
		if timeout != nil {
			condition["timeout"] = timeout
		}
		return condition
	}
	for _, condition := range []map[string]any{after(0, nil), after(1, nil), after(1, 60_000), after("0x1", "0xea60")} {
		require.Equal(t, common.BigToHash(common.Big1).Hex(), servertest.Fetch[string](n, "eth_callAfter", call, condition))
	}
	failure := n.Fails(api.CodeInvalidParams, "eth_callAfter", call, after(1, 60_001))
	require.Equal(t, "timeout of 60001 ms is too long, the limit is 60000 ms", failure.Message)
	for _, half := range []map[string]any{{"account": servertest.Alice.Address}, {"nonce": 1}} {
		failure = n.Fails(api.CodeInvalidParams, "eth_callAfter", call, half)
		require.Equal(t, "invalid argument 1 (condition) of eth_callAfter: account or nonce is missing, want {account, nonce, timeout?}", failure.Message)
	}
	n.Fails(api.CodeInvalidParams, "eth_callAfter", call, after(1, -1))
	n.Fails(api.CodeInvalidParams, "eth_callAfter", call, map[string]any{"account": servertest.Alice.Address, "nonces": 1})
	require.Equal(t, "Timeout: timeout waiting for nonce condition", n.Fails(api.CodeServer, "eth_callAfter", call, after(2, 1)).Message)
	n.Fails(-32019, "eth_getBalance", servertest.Alice.Address, "0x7")
	overridden := map[common.Address]any{servertest.Counter: map[string]any{"code": "0x60076000526001601ff3"}}
	require.Equal(t, "0x07", servertest.Fetch[string](n, "eth_callAfter", call, after(1, nil), overridden))
}

// Ensure a call that waits for the chain under a fork does not hold up the other requests of its WebSocket connection.
func TestCallsOfAForkLetOthersPass(t *testing.T) {
	t.Parallel()
	under := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	under.Seal(2)
	fork, slow := forkOf(t, under, false, api.Settings{})
	defer slow.hold()()
	s := fork.Socket()
	params := []any{servertest.Alice.Address, "0x0"}
	require.NoError(t, s.Conn.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": 77, "method": "eth_getTransactionBySenderAndNonce", "params": params}))
	require.Empty(t, s.Told("eth_chainId"))
	require.NoError(t, s.Conn.Close())
}

// Ensure the log warns once of transactions with data to an address without code however they were sent, and not of one
// without data, with code or to a precompile.
func TestWarningOfNoCodeHoweverSent(t *testing.T) {
	t.Parallel()
	nowhere, sha256 := common.Address{19: 0x99}, common.BytesToAddress([]byte{2})
	for name, tc := range map[string]struct {
		to    *common.Address
		data  []byte
		warns bool
	}{
		"nowhere":            {&nowhere, []byte{1}, true},
		"without data":       {&nowhere, nil, false},
		"with code":          {&servertest.Logger, []byte{1}, false},
		"precompile":         {&sha256, []byte{1}, false},
		"creates a contract": {nil, []byte{0}, false},
	} {
		for _, raw := range []bool{false, true} {
			var log bytes.Buffer
			n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
			if raw {
				n.Do("eth_sendRawTransaction", hexutil.Encode(servertest.Raw(t, n.Sign(1, tc.to, new(big.Int), tc.data))))
			} else {
				n.Send(servertest.Alice, tc.to, tc.data)
			}
			require.Equal(t, tc.warns, strings.Contains(log.String(), "address without code"), "%s, raw %v: %s", name, raw, log.String())
			if tc.warns {
				n.Send(servertest.Alice, tc.to, tc.data)
				require.Equal(t, 1, strings.Count(log.String(), "address without code"), "once")
				info := servertest.Fetch[struct{ Codeless []common.Address }](n, "fakenode_info")
				require.Equal(t, []common.Address{nowhere}, info.Codeless)
			}
		}
	}
}

// Ensure the data of each call of the console are told, and the tree of a failed call, and of other calls neither.
func TestConsoleAndTracesOfCalls(t *testing.T) {
	t.Parallel()
	var console, traces []string
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{
		Console: func(data []byte) { console = append(console, hexutil.Encode(data)) },
		Traces:  func(text string) { traces = append(traces, text) },
	}})
	code := program.New().Mstore([]byte{0xab, 0xcd}, 0).Call(nil, uint256.MustFromBig(chain.ConsoleAddress.Big()), 0, 0, 2, 0, 0).Op(vm.STOP).Bytes()
	with := func(code []byte) any {
		return map[common.Address]any{servertest.Counter: map[string]any{"code": hexutil.Bytes(code)}}
	}
	call := map[string]any{"to": servertest.Counter}
	n.Do("eth_call", call, "latest", with(code))
	require.Equal(t, []string{"0xabcd"}, console)
	n.Do("eth_call", call, "latest")
	require.Len(t, console, 1)
	require.Empty(t, traces)
	n.Fails(api.CodeServer, "eth_call", call, "latest", with([]byte{byte(vm.INVALID)}))
	require.Len(t, traces, 1)
	n.Fails(api.CodeServer, "eth_estimateGas", call, "latest", with([]byte{byte(vm.INVALID)}))
	require.Len(t, traces, 2)
	require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, "eth_getTransactionByHash", common.Hash{1})))
}
