package rpcserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Readers, senders, subscribers and filters over HTTP and WebSocket, while one client seals, reorganizes and
// reverts: afterwards all fits together.
func TestStress(t *testing.T) {
	t.Parallel()
	const clients = 8
	turns := laboratory.Budget(t, 24, 120)
	c := newCaller(t, api.Behaviour{}, false, rand.NewPCG(1, 1))
	ctx, cancel := context.WithCancel(t.Context())
	var others sync.WaitGroup
	failed := make(chan error, clients)
	for i := range clients {
		others.Go(func() {
			if err := visit(ctx, c.Network, i); err != nil && ctx.Err() == nil {
				failed <- fmt.Errorf("client %d: %w", i, err)
			}
		})
	}
	for turn := range turns {
		for _, method := range []string{"fakenode_preconfirm", "fakenode_seal"} {
			c.Do(method)
		}
		switch turn % 6 {
		case 2:
			c.Do("fakenode_reorg", map[string]any{"depth": 1 + turn%3})
		case 3:
			c.Do("evm_snapshot")
		case 4:
			c.Do("fakenode_flashblockFault", map[string]any{"kind": []string{"lateBlock", "alterLogs", "stall"}[turn/6%3]})
		case 5:
			c.Do("fakenode_revert", fmt.Sprintf("%#x", turn/6+1), turn%12 == 5)
		}
	}
	cancel()
	others.Wait()
	select {
	case err := <-failed:
		require.NoError(t, err)
	default:
	}
	require.NoError(t, c.checkNode())
}

// visit acts as a client until ctx ends.
func visit(ctx context.Context, n *servertest.Network, i int) error {
	url := n.Server.URL()
	if i%2 == 0 {
		url = n.Server.WebSocketURL()
	}
	client, err := rpc.DialContext(ctx, url)
	if err != nil {
		return err
	}
	defer client.Close()
	if i%2 == 0 {
		heads := make(chan json.RawMessage, 1<<16)
		for _, kind := range []string{"newHeads", "pendingLogs", "newFlashblocks"} {
			if _, err := client.EthSubscribe(ctx, heads, kind); err != nil {
				return err
			}
		}
	}
	var filter string
	if err := client.CallContext(ctx, &filter, "eth_newFilter", map[string]any{"toBlock": "pending"}); err != nil {
		return err
	}
	for turn := 0; ; turn++ {
		calls := []rpc.BatchElem{
			{Method: "eth_sendTransaction", Args: []any{map[string]any{"from": fixtures.Dev(i).Address, "to": servertest.Logger, "gas": "0x100000", "input": fmt.Sprintf("%#x", servertest.LoggerCall("0xa", "0xb", 2))}}},
			{Method: "eth_getLogs", Args: []any{map[string]any{"fromBlock": "0x0", "toBlock": "pending"}}},
			{Method: "eth_getFilterChanges", Args: []any{filter}},
			{Method: "eth_getBlockByNumber", Args: []any{"pending", true}},
			{Method: "eth_call", Args: []any{map[string]any{"to": servertest.Token, "data": "0x06fdde03"}, "pending"}},
			{Method: "eth_feeHistory", Args: []any{"0x5", "latest", []int{50}}},
			{Method: "eth_getProof", Args: []any{servertest.Token, []string{"0x0"}, "pending"}},
			{Method: "txpool_content"},
			{Method: "eth_blockNumber"},
		}
		for j := range calls {
			calls[j].Result = new(json.RawMessage)
		}
		if err := client.BatchCallContext(ctx, calls); err != nil {
			return err
		}
		for _, call := range calls {
			switch {
			case call.Error == nil:
			case strings.Contains(call.Error.Error(), "filter not found"): // reverted to before it
				return nil
			case call.Method != "eth_sendTransaction": // a revert may have changed its nonce
				return fmt.Errorf("%s: %w", call.Method, call.Error)
			}
		}
	}
}
