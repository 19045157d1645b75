package integration_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure simulations of random size and content leave no trace: afterwards the node and a clone that simulated nothing
// answer and act alike, with equal state, pool, pending block, journal, ids and block hashes.
func TestSimulationLeavesNoTrace(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	node.emit(0, 1, 2)
	node.Seal()
	node.send(0, &counter, nil)
	node.Preconfirm()
	node.send(1, &counter, nil)
	clone := visit(t, node.Clone())
	calls := len(node.Calls(""))

	random := rand.New(rand.NewPCG(1, 2))
	sent := 0
	for range 100 {
		tag := []string{"pending", "latest", "earliest", "safe"}[random.IntN(4)]
		payload, call := randomSimulation(random), randomCall(random)
		for method, argument := range map[string]any{"eth_simulateV1": payload, "eth_call": call, "eth_estimateGas": call, "eth_createAccessList": call} {
			// Some fail; that must leave no trace either.
			_ = node.client.CallContext(t.Context(), nil, method, argument, tag)
			sent++
		}
	}
	require.Len(t, node.Calls(""), calls+sent, "simulated calls are not calls of the node")
	for _, script := range []func(l *lab) any{
		func(l *lab) any { return l.ask("eth_getBlockByNumber", "latest", true) },
		func(l *lab) any { return l.ask("eth_getBlockByNumber", "pending", true) },
		func(l *lab) any { return l.Moment().Pending().Header() },
		func(l *lab) any { return l.ask("txpool_content") },
		func(l *lab) any { return l.ask("fakenode_info") },
		func(l *lab) any { return l.ask("eth_newFilter", object{}) },
		func(l *lab) any { return l.Snapshot() },
		func(l *lab) any { return l.Now() },
		func(l *lab) any { return l.emit(2, 3, 4) },
		func(l *lab) any { return l.Preconfirm().Index },
		func(l *lab) any { return l.Seal() },
		func(l *lab) any { return l.ask("eth_getLogs", object{"fromBlock": "earliest", "toBlock": "pending"}) },
		func(l *lab) any { return l.Moment().Latest().Header().Root },
		func(l *lab) any { return l.Seal() },
	} {
		require.Equal(t, script(clone), script(node))
	}
}

// randomSimulation has up to 40 blocks of up to 5 calls, with overrides.
func randomSimulation(random *rand.Rand) object {
	blocks := make([]object, random.IntN(40)+1)
	for i := range blocks {
		calls := make([]object, random.IntN(6))
		for j := range calls {
			calls[j] = randomCall(random)
		}
		blocks[i] = object{"calls": calls}
		if random.IntN(3) == 0 {
			blocks[i]["stateOverrides"] = object{
				fixtures.Dev(random.IntN(3)).Address.Hex(): object{"balance": "0xde0b6b3a7640000", "nonce": hexutil.Uint64(random.IntN(9))},
				counter.Hex(): object{"stateDiff": object{word(0).Hex(): word(byte(random.IntN(255) + 1))}},
			}
		}
		if random.IntN(8) == 0 {
			blocks[i]["blockOverrides"] = object{"gasLimit": hexutil.Uint64(random.IntN(1_000_000)), "feeRecipient": fixtures.Dev(3).Address}
		}
	}
	return object{"blockStateCalls": blocks, "traceTransfers": random.IntN(2) == 0, "validation": random.IntN(4) == 0}
}

func randomCall(random *rand.Rand) object {
	targets := slices.SortedFunc(maps.Keys(labContracts()), common.Address.Cmp)
	call := object{
		"from":  fixtures.Dev(random.IntN(3)).Address,
		"to":    targets[random.IntN(len(targets))],
		"value": hexutil.Uint64(random.IntN(3)),
		"gas":   hexutil.Uint64(21_000 + random.IntN(80_000)),
		"input": hexutil.Bytes(labcode.EmitterCall(byte(random.IntN(256)), byte(random.IntN(256)))),
	}
	if random.IntN(6) == 0 {
		delete(call, "to")
		call["input"] = hexutil.Bytes(labcode.Deployment(labcode.Counter()))
	}
	return call
}

// Ensure what a request may simulate is bounded, and that the error names the bound.
func TestSimulationBounds(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	most := slices.Repeat([]object{{}}, 256)
	require.Len(t, node.simulate(payload(most...), "pending"), 256)
	message, _ := node.fails(-38026, "eth_simulateV1", payload(append(most, object{})...), "pending")
	require.Contains(t, message, "256")

	invalid := common.HexToAddress("0xfe") // fails at once, and uses all the gas it is given
	blocks := node.simulate(payload(
		object{
			"stateOverrides": object{invalid.Hex(): object{"code": "0xfe"}},
			"calls":          []object{{"to": invalid, "gas": hexutil.Uint64(29_000_000)}},
		},
		object{"calls": []object{{"to": invalid, "gas": hexutil.Uint64(20_000_000)}}},
		object{"calls": []object{endless}},
	), "pending")
	spent := blocks[2].Calls[0]
	require.Contains(t, spent.Error, "out of gas (gas limit was capped", "50,000,000 gas are shared by the request")
	require.EqualValues(t, 1_000_000, spent.GasUsed)

	message, _ = node.fails(-38015, "eth_simulateV1", payload(object{
		"blockOverrides": object{"gasLimit": "0x5208"}, "calls": []object{{"to": counter, "gas": "0x5209"}},
	}), "pending")
	require.Contains(t, message, "gas limit")
	message, _ = node.fails(-32000, "eth_call", object{"to": invalid}, "pending",
		object{invalid.Hex(): object{"code": hexutil.Bytes(program.New().Push(1 << 40).Op(vm.MLOAD).Bytes())}})
	require.Contains(t, message, "out of gas")
}

// Ensure a simulation that takes too long ends with an error that names the limit, and the node answers on.
func TestSimulationTimeLimit(t *testing.T) {
	t.Parallel()
	for method, test := range map[string]struct {
		limit    time.Duration
		argument any
	}{
		"eth_simulateV1":       {time.Millisecond, unbounded},
		"eth_call":             {time.Millisecond, endless},
		"eth_createAccessList": {time.Millisecond, endless},
		"eth_estimateGas":      {time.Nanosecond, endless}, // Osaka bounds the gas of one transaction, so it soon ends by itself.
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			server := serveLab(t, api.Limits{GasCap: 1 << 62, CallTimeout: test.limit})
			require.NoError(t, server.Listen("127.0.0.1:0"))
			client, err := rpc.Dial(server.URL())
			require.NoError(t, err)
			t.Cleanup(client.Close)
			err = client.Call(nil, method, test.argument, "pending")
			require.ErrorContains(t, err, test.limit.String())
			require.NotEqual(t, -32603, err.(rpc.Error).ErrorCode())
			require.NoError(t, client.Call(nil, "eth_getCode", burner, "pending"))
		})
	}
}

// Ensure a simulation ends when its client goes away: without limits it would run for hours.
func TestSimulationStopsWithItsClient(t *testing.T) {
	t.Parallel()
	server := serveLab(t, api.Limits{GasCap: 1 << 62, CallTimeout: 24 * time.Hour})
	for method, argument := range map[string]any{
		"eth_simulateV1": unbounded,
		"eth_call":       endless,
	} {
		started, ended := make(chan bool, 1), make(chan bool, 1)
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			started <- true
			server.ServeHTTP(w, r)
			ended <- true
		}))
		client, err := rpc.Dial(front.URL)
		require.NoError(t, err)
		ctx, leave := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() { failed <- client.CallContext(ctx, nil, method, argument, "pending") }()
		next(t, started)
		leave()
		require.ErrorIs(t, next(t, failed), context.Canceled)
		next(t, ended)
		client.Close()
		front.Close()
	}
}

// Ensure the same over WebSocket, where the request is one of many on a connection.
func TestSimulationStopsWithItsConnection(t *testing.T) {
	t.Parallel()
	server := serveLab(t, api.Limits{GasCap: 1 << 62, CallTimeout: 24 * time.Hour})
	ended := make(chan bool, 1)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		server.ServeHTTP(w, r)
		ended <- true
	}))
	t.Cleanup(front.Close)
	socket, response, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(front.URL, "http"), nil)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.NoError(t, socket.WriteJSON(object{"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": []any{endless, "pending"}}))
	require.NoError(t, socket.Close())
	next(t, ended)
	require.NoError(t, server.Close(), "nothing runs on")
}

// endless is a call that ends only with its gas.
var endless = object{"to": burner, "input": common.MaxHash}

// unbounded is a simulation of it in a block that has gas for hours.
var unbounded = object{"blockStateCalls": []object{{"blockOverrides": object{"gasLimit": "0x3fffffffffffffff"}, "calls": []object{endless}}}}

// serveLab is a server of the lab's genesis with limits of its own. It listens nowhere yet.
func serveLab(t testing.TB, limits api.Limits) *rpcserver.Server {
	t.Helper()
	sealed, err := chain.New(labGenesis(), chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: sealed})
	require.NoError(t, err)
	server := rpcserver.New(rpcserver.Config{Main: timeline, Limits: limits})
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server
}
