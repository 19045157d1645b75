package integration_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// BenchmarkBesideSealing calls over HTTP from 1, 2 and 4 clients, each on a connection of its own, while every 200 ms a
// block with a transaction is sealed. ns/call is what a client waits for one answer, ns/op the time over all answers:
// with as many cores as clients it falls as clients are added, if none waits for another.
func BenchmarkBesideSealing(b *testing.B) {
	token := tokencontract.MainnetAddress
	transfer := object{"from": fixtures.Dev(0).Address, "to": token, "data": hexutil.Bytes(tokencontract.PackTransfer(fixtures.Dev(1).Address, fixtures.USD("1")))}
	for _, call := range []struct {
		method   string
		argument any
	}{
		{"eth_simulateV1", payload(object{"calls": []object{transfer, transfer}}, object{"calls": []object{transfer}})},
		{"eth_call", transfer},
	} {
		for _, clients := range []int{1, 2, 4} {
			b.Run(fmt.Sprintf("%s/clients=%d", call.method, clients), func(b *testing.B) {
				node := fakenode.RunT(b)
				stop := sealEvery(b, node, 200*time.Millisecond, token, transfer["data"].(hexutil.Bytes))
				defer stop()
				var remaining, waited atomic.Int64
				remaining.Store(int64(b.N))
				var running sync.WaitGroup
				b.ReportAllocs()
				b.ResetTimer()
				for range clients {
					client, err := rpc.Dial(node.URL())
					require.NoError(b, err)
					running.Go(func() {
						defer client.Close()
						for remaining.Add(-1) >= 0 {
							begin := time.Now()
							if err := client.Call(nil, call.method, call.argument, "pending"); err != nil {
								b.Error(err)
								return
							}
							waited.Add(int64(time.Since(begin)))
						}
					})
				}
				running.Wait()
				b.StopTimer()
				b.ReportMetric(float64(waited.Load())/float64(b.N), "ns/call")
			})
		}
	}
}

// sealEvery sends a transaction and seals a block at every tick of the wall clock, until stop is called.
func sealEvery(b *testing.B, node *fakenode.Node, tick time.Duration, to common.Address, data hexutil.Bytes) (stop func()) {
	b.Helper()
	lab := visit(b, node)
	done := make(chan bool)
	var running sync.WaitGroup
	running.Go(func() {
		ticks := time.NewTicker(tick)
		defer ticks.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticks.C:
				if err := lab.client.Call(nil, "eth_sendTransaction", object{"from": node.Account(2).Address, "to": to, "data": data}); err != nil {
					b.Error(err)
					return
				}
				node.Seal()
			}
		}
	})
	return func() { close(done); running.Wait() }
}
