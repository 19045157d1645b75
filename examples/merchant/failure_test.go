package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure a reorg that removes the capture takes it back, and that the same transaction captures again.
func TestReorgRemovesCapture(t *testing.T) {
	t.Parallel()
	none := [][]*types.Transaction{{}}
	for _, tc := range []struct {
		name  string
		reorg fakenode.ReorgOptions
		sends int  // in the end
		again bool // it is in the new chain at once
	}{
		{"and loses the transaction", fakenode.ReorgOptions{Depth: 1, Transactions: "drop"}, 2, false},
		{"and loses it, deep", fakenode.ReorgOptions{Depth: 3, Transactions: "drop"}, 2, false},
		{"and leaves the transaction waiting", fakenode.ReorgOptions{Depth: 1, Blocks: none, Length: new(1)}, 1, false},
		{"and holds it in another block", fakenode.ReorgOptions{Depth: 1}, 1, true},
		{"and holds it in a block of its own", fakenode.ReorgOptions{Depth: 1, Length: new(1), RemovedOrder: "reverse"}, 1, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, o := stored(t)
			hash := m.capture(o.ID).last().Hash
			block := m.node.Seal()
			for range tc.reorg.Depth - 1 {
				m.node.Seal()
			}
			m.await(o.ID, "it is captured", capturedIn(block))

			result, err := m.node.Reorg(tc.reorg)
			require.NoError(t, err)
			if !tc.again {
				require.Equal(t, "stored", m.await(o.ID, "the capture is taken back", func(o order) bool {
					return sent(o) && o.last().Attempts == tc.sends
				}).Stage)
				m.settled(0, 0)
				m.node.Seal()
				m.await(o.ID, "it is captured again", captured)
			} else {
				m.await(o.ID, "it is captured in the new chain", capturedIn(result.Added[0]))
			}
			o = m.show(o.ID)
			require.Equal(t, hash, o.Settlement.Transaction)
			require.Len(t, o.Transactions, 1)
			require.Equal(t, tc.sends, m.calls("eth_sendRawTransaction"))
			m.settled(dollars25, 1)
		})
	}
}

// Ensure a pre-confirmation that never becomes a block is taken back, and the capture sent again if it was lost with
// it.
func TestLostPreconfirmation(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		fault fakenode.FlashblockFault
		lost  bool
	}{
		{"flashblock dropped, transaction gone", fakenode.FlashblockFault{Kind: "drop", Gone: true}, true},
		{"flashblock dropped and told", fakenode.FlashblockFault{Kind: "drop", Gone: true, Retract: true}, true},
		{"left out at sealing, gone", fakenode.FlashblockFault{Kind: "omit", Gone: true}, true},
		{"left out at sealing", fakenode.FlashblockFault{Kind: "omit"}, false},
		{"announced twice", fakenode.FlashblockFault{Kind: "duplicate"}, false},
		{"flashblock dropped, transaction kept", fakenode.FlashblockFault{Kind: "drop"}, false},
		{"flashblocks stalled", fakenode.FlashblockFault{Kind: "stall"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, o := stored(t)
			m.capture(o.ID)
			m.node.Preconfirm()
			m.await(o.ID, "the capture is announced", announced)
			_, err := m.node.FlashblockFault(tc.fault)
			require.NoError(t, err)
			sends := 1
			switch {
			case !tc.lost, tc.fault.Kind == "omit": // which strikes at sealing
				m.node.Seal()
			case !tc.fault.Retract: // a retraction would let the shop know
				m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil)
			}
			if tc.lost {
				require.Equal(t, "stored", m.await(o.ID, "the capture is sent again", resent).Stage)
				m.settled(0, 0)
				sends = 2
			}
			m.node.Seal()
			o = m.await(o.ID, "it is captured", captured)
			require.Len(t, o.Transactions, 1)
			require.Equal(t, sends, m.calls("eth_sendRawTransaction"))
			m.settled(dollars25, 1)
		})
	}
}

// Ensure a capture whose receipt stays null is asked for again under the same hash, and captures once.
func TestReceiptStaysNull(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	hash := m.capture(o.ID).last().Hash
	require.NoError(t, m.node.Fail(fakenode.Fault{Method: "eth_getTransactionReceipt", Where: hash.Hex(), Null: true, Times: 1_000}))
	m.node.Seal()
	for range 3 {
		require.Equal(t, hash, m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil).last().Hash)
	}
	m.node.ClearFaults()
	m.node.Seal()
	o = m.await(o.ID, "it is captured", captured)
	require.Len(t, o.Transactions, 1)
	m.settled(dollars25, 1)
}

// Ensure the answer to a sent transaction may be lost in every way: it is not sent twice, and captures.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		fault fakenode.Fault
		sends int
	}{
		{"gateway timeout after accepting", fakenode.Fault{LoseAnswer: true}, 1},
		{"connection dropped after accepting", fakenode.Fault{DropConnection: true}, 1},
		{"answer cut short", fakenode.Fault{Truncate: 10}, 1},
		{"refused twice", fakenode.Fault{Error: &fakenode.Error{Code: -32000, Message: "too busy"}, Times: 2}, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, o := stored(t)
			tc.fault.Method = "eth_sendRawTransaction"
			require.NoError(t, m.node.Fail(tc.fault))
			m.capture(o.ID)
			require.Equal(t, tc.sends, m.calls("eth_sendRawTransaction"))
			m.settles(o, dollars25, 1)
		})
	}
}

// refusals is how often in a row the node rejects a transaction before another may take its account nonce. It is tried
// once more right before that.
const refusals = 10

var refusal = fakenode.Fault{
	Method: "eth_sendRawTransaction", Times: refusals + 1, Error: &fakenode.Error{Code: -32000, Message: "exceeds the cap"},
}

// refuse makes the node refuse the capture of an order so often that its account nonce may go to another transaction.
func (m *merchant) refuse(id string) {
	m.t.Helper()
	require.NoError(m.t, m.node.Fail(refusal))
	m.attempts(id, refusals)
}

// attempts asks for a capture until the shop has made so many attempts at it: who asks again lets it look at once.
func (m *merchant) attempts(id string, count int) {
	m.t.Helper()
	for n := 1; n <= count; n++ {
		m.do(http.MethodPost, "/orders/"+id+"/capture", nil)
		m.await(id, fmt.Sprintf("%d attempts are made", n), func(o order) bool { return o.last().Attempts >= n })
	}
}

// joined returns a function that waits until one more transaction is in the node's pool.
func (m *merchant) joined() (wait func()) {
	m.t.Helper()
	client, err := rpc.Dial(m.node.WebSocketURL())
	require.NoError(m.t, err)
	m.t.Cleanup(client.Close)
	hashes := make(chan common.Hash, 16)
	_, err = client.EthSubscribe(m.t.Context(), hashes, "newPendingTransactions")
	require.NoError(m.t, err)
	return func() {
		m.t.Helper()
		select {
		case <-hashes:
		case <-time.After(time.Minute):
			require.FailNow(m.t, "no transaction was sent")
		}
	}
}

func lost(o order) bool { return o.last().State == "recorded" && o.last().Reason != "" }

// Ensure a capture that the node rejects for good does not hold up those after it, and ends so that its order can be
// voided, or captured after all.
func TestRefusedForGood(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	bad, good := m.store("25.00"), m.store("25.00")
	inPlace := m.joined()
	m.refuse(bad.ID)
	inPlace()
	m.refuses("/orders/"+bad.ID+"/void", nil, "conflict: order has a capture, and its end is not final")
	require.Equal(t, uint64(1), m.capture(good.ID).last().Nonce)
	m.settles(good, dollars25, 2)

	bad = m.await(bad.ID, "its nonce is gone", lost)
	require.Equal(t, "another transaction has its account nonce", bad.last().Reason)
	m.node.Advance(65 * 2 * time.Second)
	m.await(bad.ID, "that is final", func(o order) bool { return o.last().State == "replaced" && o.last().Final })
	m.capture(bad.ID)
	m.settles(bad, 2*dollars25, 3)
}

// Ensure what happens while the WebSocket is down is seen once it is up again.
func TestWebSocketReconnects(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	m.capture(o.ID)
	cut, err := m.node.Disconnect(fakenode.Disconnection{})
	require.NoError(t, err)
	require.Positive(t, cut)
	m.settles(o, dollars25, 1)
}

// stages returns the stages that an order went through, as the shop logged them.
func (m *merchant) stages(id string) (stages []string) {
	for _, found := range regexp.MustCompile(`order=`+id+` .*?stage=(\w+)`).FindAllStringSubmatch(m.written.String(), -1) {
		stages = append(stages, found[1])
	}
	return slices.Compact(stages)
}

// Ensure a shop that is told old things by three answers in ten captures each order once, and takes none back that no
// reorg removed.
func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	behinds := []fakenode.Behind{{Orphaned: true}, {Blocks: 3}, {Time: 600 * time.Millisecond}, {Blocks: 1}}
	for _, behind := range behinds[:laboratory.Budget(t, 1, len(behinds))] {
		t.Run(fmt.Sprintf("%+v", behind), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			node.Seal()
			m := startMerchant(t, node, "-poll", "5ms")
			require.NoError(t, node.Fail(fakenode.Fault{Times: fakenode.Forever, Share: 0.3, Seed: 7, Behind: behind}))
			rng := rand.New(rand.NewPCG(7, 0))
			went := map[string][]string{}
			for n := range 8 {
				o := m.store("25.00")
				m.captures(o.ID)
				m.await(o.ID, "it is sent", func(o order) bool { return o.last().State == "sent" })
				node.Preconfirm()
				for range 1 + rng.IntN(2) {
					node.Seal()
				}
				m.await(o.ID, "it is captured", captured)
				went[o.ID] = []string{"drafted", "stored", "captured"}
				if behind.Orphaned && n%2 == 1 { // its transaction is lost with its block
					depth := int(node.BlockNumber() - m.show(o.ID).Settlement.BlockNumber + 1)
					sentAgain := m.joined()
					_, err := node.Reorg(fakenode.ReorgOptions{Depth: depth, Transactions: fakenode.Drop})
					require.NoError(t, err)
					sentAgain()
					m.await(o.ID, "it is taken back", func(o order) bool { return o.Stage == "stored" })
					node.Seal()
					m.await(o.ID, "it is captured again", func(o order) bool {
						return captured(o) && o.Settlement.BlockNumber == node.BlockNumber()
					})
					went[o.ID] = append(went[o.ID], "stored", "captured")
				}
			}
			m.settled(8*dollars25, 8)
			m.end() // all is logged
			for id, stages := range went {
				require.Equal(t, stages, m.stages(id))
			}
		})
	}
}

// captures asks for a capture until it is recorded: one that a node behind would refuse is asked for again.
func (m *merchant) captures(id string) {
	m.t.Helper()
	for range 20 {
		if status, _, err := m.attempt(m.t.Context(), http.MethodPost, "/orders/"+id+"/capture", nil); err == nil && status == http.StatusOK {
			return
		}
	}
	require.Fail(m.t, "no capture is recorded")
}
