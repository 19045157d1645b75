package integration_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

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
