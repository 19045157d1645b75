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
)

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
