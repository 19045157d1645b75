package rpcserver_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// beacon is a contract that logs one topic, 0x…07, and returns 32 bytes that say 42.
var (
	beacon     = common.HexToAddress("0xbeac0")
	beaconCode = common.FromHex("600760006000a1602a60005260206000f3")
)

// serveChain serves an empty chain with the beacon, on the manual clock, and returns clients over HTTP and WebSocket.
func serveChain(t *testing.T) (timeline *preconf.Timeline, http, ws *ethclient.Client) {
	t.Helper()
	forks, err := chain.ForkConfig("", 31337)
	require.NoError(t, err)
	alloc := chain.SystemContracts(forks)
	alloc[beacon] = types.Account{Code: beaconCode, Balance: new(big.Int)}
	alloc[fixtures.Dev(0).Address] = types.Account{Balance: big.NewInt(1e18)}
	c, err := chain.New(&chain.Genesis{
		Config: forks, Timestamp: 1_700_000_000, GasLimit: 60_000_000, BaseFee: big.NewInt(1_000_000_000), Difficulty: new(big.Int), Alloc: alloc,
	}, chain.Options{})
	require.NoError(t, err)
	timeline, err = preconf.New(preconf.Config{Chain: c, Start: time.Unix(1_700_000_000, 0)})
	require.NoError(t, err)
	server := rpcserver.New(rpcserver.Config{Main: timeline, Settings: api.Settings{Accounts: []fixtures.Account{fixtures.Dev(0)}}})
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	for url, client := range map[string]**ethclient.Client{server.URL(): &http, server.WebSocketURL(): &ws} {
		*client, err = ethclient.Dial(url)
		require.NoError(t, err)
		t.Cleanup((*client).Close)
	}
	return timeline, http, ws
}

// light sends a transaction that makes the beacon log, and returns its hash.
func light(t *testing.T, client *ethclient.Client) (hash common.Hash) {
	t.Helper()
	call := map[string]any{"from": fixtures.Dev(0).Address, "to": beacon, "gas": hexutil.Uint64(100_000)}
	require.NoError(t, client.Client().Call(&hash, "eth_sendTransaction", call))
	return hash
}

// Ensure the contract's four methods answer over HTTP and WebSocket, from sealed and pre-confirmed state.
func TestContractMethods(t *testing.T) {
	t.Parallel()
	timeline, http, ws := serveChain(t)
	hash := light(t, http)
	_, err := timeline.Preconfirm()
	require.NoError(t, err)
	pending := big.NewInt(int64(rpc.PendingBlockNumber))
	for name, client := range map[string]*ethclient.Client{"http": http, "ws": ws} {
		code, err := client.PendingCodeAt(t.Context(), beacon)
		require.NoError(t, err, name)
		require.Equal(t, beaconCode, code, name)

		word, err := client.PendingCallContract(t.Context(), ethereum.CallMsg{To: &beacon})
		require.NoError(t, err, name)
		require.Equal(t, common.BigToHash(big.NewInt(42)).Bytes(), word, name)

		logs, err := client.FilterLogs(t.Context(), ethereum.FilterQuery{FromBlock: pending, ToBlock: pending, Addresses: []common.Address{beacon}})
		require.NoError(t, err, name)
		require.Len(t, logs, 1, name)
		require.Equal(t, hash, logs[0].TxHash, name)
		require.Equal(t, []common.Hash{common.BigToHash(big.NewInt(7))}, logs[0].Topics, name)
		logs, err = client.FilterLogs(t.Context(), ethereum.FilterQuery{Addresses: []common.Address{beacon}})
		require.NoError(t, err, name)
		require.Empty(t, logs, "%s: nothing is sealed", name)

		var blocks []struct {
			Number hexutil.Uint64
			Calls  []struct {
				Status     hexutil.Uint64
				ReturnData hexutil.Bytes
				Logs       []types.Log
			}
		}
		payload := map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{map[string]any{"to": beacon}}}}}
		require.NoError(t, client.Client().Call(&blocks, "eth_simulateV1", payload, "pending"), name)
		require.Len(t, blocks, 1, name)
		require.EqualValues(t, 1, blocks[0].Number, name)
		require.EqualValues(t, 1, blocks[0].Calls[0].Status, name)
		require.Equal(t, word, []byte(blocks[0].Calls[0].ReturnData), name)
		require.Len(t, blocks[0].Calls[0].Logs, 1, name)
	}
}

// Ensure a subscriber to pendingLogs and one to newHeads get the notifications of a transaction and a seal.
func TestContractSubscriptions(t *testing.T) {
	t.Parallel()
	timeline, http, ws := serveChain(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	logs, heads := make(chan types.Log, 1), make(chan *types.Header, 1)
	_, err := ws.Client().EthSubscribe(ctx, logs, "pendingLogs", map[string]any{"address": beacon})
	require.NoError(t, err)
	_, err = ws.SubscribeNewHead(ctx, heads)
	require.NoError(t, err)

	hash := light(t, http)
	_, err = timeline.Preconfirm()
	require.NoError(t, err)
	log := <-logs
	require.Equal(t, hash, log.TxHash)
	require.Zero(t, log.BlockHash, "pre-confirmed")

	sealed, err := timeline.Seal(1)
	require.NoError(t, err)
	head := <-heads
	require.Equal(t, sealed[0], head.Hash())
}
