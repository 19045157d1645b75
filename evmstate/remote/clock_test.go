package remote_test

import (
	"context"
	"math/big"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure a node that dies while the clock runs holds up only the transactions that need it: blocks go on with all
// others, sealing on command names the missing item, nothing is lost, and the transaction is in a block once the node
// is back.
func TestForkOfNodeThatDiesUnderTheClock(t *testing.T) {
	laboratory.Needs(t, laboratory.Long) // it follows the wall clock for seconds
	t.Parallel()
	for name, spoil := range map[string]func(int, http.ResponseWriter, *http.Request) bool{
		"fails": func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusInternalServerError)
			return true
		},
		"hangs": func(_ int, _ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := startUpstream(t, "fakenode")
			// Each block reads another slot: that of its timestamp.
			contract := common.Address{0xc0, 0xde}
			upstreamClient, err := ethclient.Dial(u.url)
			require.NoError(t, err)
			defer upstreamClient.Close()
			require.NoError(t, upstreamClient.Client().Call(nil, "anvil_setCode", contract, hexutil.Bytes{0x42, 0x54, 0x5f, 0x55, 0x00}))
			g := newGateway(t, u.url)
			node := fakenode.RunConfigT(t, fakenode.Config{
				Mode: fakenode.Interval, RealClock: true, BlockTime: time.Second,
				Fork: &fakenode.Fork{URL: g.URL, Timeout: 2 * time.Second, Retries: -1},
			})
			s := &session{t: t, node: node, client: dial(t, node)}
			client, err := ethclient.Dial(node.WebSocketURL())
			require.NoError(t, err)
			defer client.Close()
			heads := make(chan *types.Header, 100)
			subscription, err := client.SubscribeNewHead(t.Context(), heads)
			require.NoError(t, err)
			defer subscription.Unsubscribe()

			from, to := node.Account(0).Address, node.Account(1).Address
			send := func(nonce hexutil.Uint64, to common.Address) (hash common.Hash) {
				s.ask(&hash, "eth_sendTransaction", map[string]any{"from": from, "to": to, "nonce": nonce, "gas": "0x186a0"})
				return hash
			}
			nonce, err := client.PendingNonceAt(t.Context(), from)
			require.NoError(t, err)
			s.ask(nil, "eth_getCode", contract, "latest")
			s.ask(nil, "eth_getBalance", to, "latest")
			waiting := send(hexutil.Uint64(nonce+1), contract) // it is not executed before the one it waits for
			g.spoiled(spoil)
			first := send(hexutil.Uint64(nonce), to)

			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			ran := make(chan error, 1)
			go func() { ran <- node.Run(ctx) }()
			for range 3 {
				<-heads
			}
			receipt, err := client.TransactionReceipt(t.Context(), first)
			require.NoError(t, err)
			require.Equal(t, types.ReceiptStatusSuccessful, receipt.Status)
			place := node.Place(waiting)
			require.Equal(t, fakenode.Pooled, place.Where)
			require.ErrorContains(t, s.client.Call(nil, "fakenode_seal"), "fork: storage 0x")

			g.spoiled(nil)
			for {
				<-heads
				if receipt, err = client.TransactionReceipt(t.Context(), waiting); err == nil {
					break
				}
			}
			require.Equal(t, types.ReceiptStatusSuccessful, receipt.Status)
			stop()
			require.NoError(t, <-ran)
		})
	}
}

// Ensure what transactions lack since the node failed once is fetched while the clock runs: however long that takes, it
// holds up nobody else, and then the transactions are in a block.
func TestForkOfNodeThatFailsOnce(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	g := newGateway(t, u.url)
	node := fakenode.RunConfigT(t, fakenode.Config{
		Mode: fakenode.Interval, RealClock: true, BlockTime: 100 * time.Millisecond, FlashblockTime: 100 * time.Millisecond,
		Fork: &fakenode.Fork{URL: g.URL, Timeout: time.Hour, Retries: -1},
	})
	s := &session{t: t, node: node, client: dial(t, node)}
	client, err := ethclient.Dial(node.WebSocketURL())
	require.NoError(t, err)
	defer client.Close()
	heads := make(chan *types.Header, 100)
	subscription, err := client.SubscribeNewHead(t.Context(), heads)
	require.NoError(t, err)
	defer subscription.Unsubscribe()

	to := node.Account(1).Address
	s.ask(nil, "eth_getBalance", to, "latest")
	var waiting [2]common.Hash // not executed before those they wait for, which are sent when the node fails
	nonces := make(map[common.Address]uint64)
	for i, from := range []common.Address{node.Account(0).Address, node.Account(2).Address} {
		nonces[from], err = client.PendingNonceAt(t.Context(), from)
		require.NoError(t, err)
		s.ask(&waiting[i], "eth_sendTransaction", map[string]any{
			"from": from, "to": u.token, "nonce": hexutil.Uint64(nonces[from] + 1), "gas": "0x186a0",
			"data": pack(t, "approve", to, big.NewInt(1)),
		})
	}
	asked, answer := make(chan struct{}, 100), make(chan struct{})
	release := sync.OnceFunc(func() { close(answer) })
	defer release()
	g.spoiled(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n <= len(waiting) {
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}
		asked <- struct{}{}
		<-answer
		return false
	})
	for from, nonce := range nonces {
		s.ask(nil, "eth_sendTransaction", map[string]any{"from": from, "to": to, "nonce": hexutil.Uint64(nonce)})
	}

	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- node.Run(ctx) }()
	<-asked
	late := time.After(time.Minute)
	for last := node.BlockNumber() + 3; ; {
		select {
		case head := <-heads:
			if head.Number.Uint64() < last {
				continue
			}
		case <-late:
			require.Fail(t, "no blocks while something is fetched")
		}
		break
	}
	release()
	for _, hash := range waiting {
		for err = ethereum.NotFound; err != nil; _, err = client.TransactionReceipt(t.Context(), hash) {
			<-heads
		}
	}
	stop()
	require.NoError(t, <-ran)
}
