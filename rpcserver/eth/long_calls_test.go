package eth_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a call that takes long does not hold up the other requests of its WebSocket connection.
func TestLongCallsLetOthersPass(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{GasCap: 1 << 50, CallTimeout: time.Hour}})
	under := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	under.Seal(2)
	fork, slow := forkOf(t, under, false, api.Settings{})
	answer := slow.hold()
	defer answer()
	spin := map[string]any{"to": servertest.Spinner}
	for method, long := range map[string]struct {
		n      *servertest.Network
		params []any
	}{
		"eth_call": {n, []any{spin, "latest"}},
		"eth_simulateV1": {n, []any{map[string]any{"blockStateCalls": []any{map[string]any{
			"blockOverrides": map[string]any{"gasLimit": hexutil.Uint64(1 << 50)}, "calls": []any{spin}}}}, "latest"}},
		"eth_getTransactionBySenderAndNonce": {fork, []any{servertest.Alice.Address, "0x0"}},
	} {
		s := long.n.Socket()
		require.NoError(t, s.Conn.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": 77, "method": method, "params": long.params}))
		require.Empty(t, s.Told("eth_chainId"), method)
		require.NoError(t, s.Conn.Close())
	}
}

// Ensure the log warns of a transaction with data to an address without code however it was sent, and not of one
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
