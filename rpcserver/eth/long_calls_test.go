package eth_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"math/big"
	"strings"
	"testing"

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
