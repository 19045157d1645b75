package eth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// requestBody is the body of one call.
func requestBody(b *testing.B, method string, params ...any) []byte {
	b.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	require.NoError(b, err)
	return body
}

// BenchmarkMethods measures single calls without a socket.
func BenchmarkMethods(b *testing.B) {
	n := servertest.New(b, preconf.Config{}, rpcserver.Config{})
	for i := range byte(200) {
		n.Emit(i, 1)
		if i%20 == 19 {
			n.Seal(1)
		}
	}
	n.Emit(1, 1)
	n.Preconfirm()
	all := map[string]any{"fromBlock": "0x0", "toBlock": "pending"}
	for _, bench := range []struct {
		name string
		body []byte
	}{
		{"eth_getLogs_201", requestBody(b, "eth_getLogs", all)},
		{"eth_call", requestBody(b, "eth_call", map[string]any{"to": servertest.Counter}, "latest")},
		{"eth_call_pending", requestBody(b, "eth_call", map[string]any{"to": servertest.Counter}, "pending")},
		{"eth_getCode", requestBody(b, "eth_getCode", servertest.Counter, "pending")},
		{"eth_simulateV1", requestBody(b, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{map[string]any{"to": servertest.Counter}}}}}, "pending")},
		{"eth_getBlockByNumber", requestBody(b, "eth_getBlockByNumber", "latest", false)},
		{"eth_getBlockByNumber_full", requestBody(b, "eth_getBlockByNumber", "latest", true)},
		{"eth_getBlockByNumber_pending", requestBody(b, "eth_getBlockByNumber", "pending", false)},
		{"eth_getBalance", requestBody(b, "eth_getBalance", servertest.Alice.Address, "pending")},
		{"eth_getBlockReceipts_20", requestBody(b, "eth_getBlockReceipts", "latest")},
		{"eth_estimateGas", requestBody(b, "eth_estimateGas", map[string]any{"to": servertest.Counter})},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n.Server.Call(context.Background(), world.Main, bench.body)
			}
		})
	}
}

// BenchmarkSimulateWhileSealing measures simulations of several clients during sealing: each seal of two transactions
// comes after a fixed number of simulations of all clients.
func BenchmarkSimulateWhileSealing(b *testing.B) {
	for _, clients := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			n := servertest.New(b, preconf.Config{}, rpcserver.Config{})
			calls := make([]any, 20)
			for i := range calls {
				calls[i] = map[string]any{"to": servertest.Counter}
			}
			body := requestBody(b, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": calls}}}, "pending")
			turns := make(chan struct{}, clients)
			stopped := make(chan struct{})
			go func() {
				defer close(stopped)
				done := 0
				for range turns {
					if done++; done%100 != 0 {
						continue
					}
					for range 2 {
						var hash common.Hash
						_ = n.Eth.Client().Call(&hash, "eth_sendTransaction", map[string]any{"from": servertest.Alice.Address, "to": servertest.Counter, "gas": hexutil.Uint64(100_000)})
					}
					_, _ = n.Timeline.Seal(1)
				}
			}()
			b.SetParallelism(clients)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					n.Server.Call(context.Background(), world.Main, body)
					turns <- struct{}{}
				}
			})
			close(turns)
			<-stopped
		})
	}
}
