package door_test

import (
	"context"
	"math/big"
	"runtime"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/gethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure the client in the process answers as one over WebSocket does, faults and cuts included, opens no port, and
// ends with the node.
func TestClientInProcess(t *testing.T) {
	t.Parallel()
	node, err := fakenode.New(fakenode.Config{})
	require.NoError(t, err)
	client := node.Client()
	id, err := client.ChainID(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 31337, id.Uint64())
	id, err = node.Testnet().Client().ChainID(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 31338, id.Uint64())

	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_blockNumber", DropConnection: true}))
	_, err = client.BlockNumber(t.Context())
	require.ErrorContains(t, err, "unexpected EOF")
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_blockNumber", HTTPStatus: 503}))
	_, err = client.BlockNumber(t.Context())
	require.ErrorContains(t, err, "503")
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_blockNumber", Error: &fakenode.Error{Code: -32005, Message: "limit exceeded"}, Times: fakenode.Forever}))
	_, err = client.BlockNumber(t.Context())
	require.EqualError(t, err, "limit exceeded")
	node.ClearFaults()
	_, err = client.BlockNumber(t.Context())
	require.NoError(t, err)
	require.Len(t, node.Calls("eth_blockNumber"), 4)

	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_blockNumber", Latency: time.Hour}))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = client.BlockNumber(ctx)
	require.Error(t, err)
	require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded, "the call ends with its context")
	var world struct{ HTTP string }
	require.NoError(t, client.Client().Call(&world, "fakenode_newWorld", map[string]string{"name": "one"}))
	require.Empty(t, world.HTTP, "there is no port")

	heads := make(chan *types.Header, 1)
	sub, err := client.SubscribeNewHead(t.Context(), heads)
	require.NoError(t, err)
	require.NoError(t, node.Close())
	require.ErrorContains(t, <-sub.Err(), "the node is closing")
	for _, late := range []*ethclient.Client{client, node.Client(), node.Testnet().Client()} {
		_, err = late.BlockNumber(t.Context())
		require.ErrorIs(t, err, rpc.ErrClientQuit)
	}
}

// Ensure a call that loses its connection ends, however quickly the node cuts it, with a farewell or without.
func TestClientInProcessIsCut(t *testing.T) {
	t.Parallel()
	cuts := laboratory.Budget(t, 5, 50)
	node := fakenode.RunT(t)
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_blockNumber", DropConnection: true, Times: cuts}))
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_chainId", HTTPStatus: 503, Times: cuts}))
	client := node.Client()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range cuts {
		_, err := client.BlockNumber(ctx)
		require.ErrorContains(t, err, "unexpected EOF")
		_, err = client.ChainID(ctx)
		require.ErrorContains(t, err, "503")
	}
	_, err := client.BlockNumber(ctx)
	require.NoError(t, err)
}

// Ensure clients in the process leave no goroutine behind when their node is closed, cut off or not.
func TestClientsInProcessLeaveNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	node, err := fakenode.New(fakenode.Config{})
	require.NoError(t, err)
	for range 10 {
		_, err := node.Client().SubscribeNewHead(t.Context(), make(chan *types.Header, 10))
		require.NoError(t, err)
	}
	cut, err := node.Disconnect(fakenode.Disconnection{})
	require.NoError(t, err)
	require.Equal(t, 10, cut)
	for range 10 {
		_, err := node.Client().SubscribeNewHead(t.Context(), make(chan *types.Header, 10))
		require.NoError(t, err)
	}
	require.NoError(t, node.Close())
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+1 }, 5*time.Second, time.Millisecond) // one is Eventually's
}

// Ensure the client in the process has every subscription of go-ethereum's clients and of the node, watchers of
// bindings included, and gets removed logs.
func TestClientInProcessSubscribes(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client := node.Client()
	token := tokencontract.NewToken()
	transfers, watcher, err := token.Instance(client, node.Token().Address()).WatchLogs(&bind.WatchOpts{Context: t.Context()}, tokencontract.TokenTransferEventName)
	require.NoError(t, err)
	defer watcher.Unsubscribe()
	transfer := func() *tokencontract.TokenTransfer {
		log := <-transfers
		event, err := token.UnpackTransferEvent(&log)
		require.NoError(t, err)
		return event
	}
	heads := make(chan *types.Header, 10)
	_, err = client.SubscribeNewHead(t.Context(), heads)
	require.NoError(t, err)
	receipts := make(chan []*types.Receipt, 10)
	_, err = client.SubscribeTransactionReceipts(t.Context(), nil, receipts)
	require.NoError(t, err)
	pending := make(chan common.Hash, 10)
	_, err = gethclient.New(client.Client()).SubscribePendingTransactions(t.Context(), pending)
	require.NoError(t, err)
	early := make(chan types.Log, 10)
	_, err = client.Client().EthSubscribe(t.Context(), early, "pendingLogs", map[string]any{})
	require.NoError(t, err)

	to := node.Account(1).Address
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Token().Address()), Data: token.PackTransfer(to, big.NewInt(1))})
	require.NoError(t, err)
	require.Equal(t, hash, <-pending)
	node.Preconfirm()
	require.Equal(t, hash, (<-early).TxHash)
	sealed := node.Seal()
	require.Equal(t, sealed, (<-heads).Hash())
	require.Equal(t, hash, (<-receipts)[0].TxHash)
	seen := transfer()
	require.Equal(t, to, seen.To)
	require.Equal(t, sealed, seen.Raw.BlockHash)

	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	removed := transfer()
	require.True(t, removed.Raw.Removed)
	require.Equal(t, sealed, removed.Raw.BlockHash)
}
