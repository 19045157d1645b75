package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

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

// forget makes the node forget its transactions, and the shop look.
func (m *merchant) forget(id string) {
	m.t.Helper()
	m.node.Timeline().ClearPool()
	m.do(http.MethodPost, "/orders/"+id+"/capture", nil)
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

// Ensure a capture keeps its account nonce, and settles with it, while the node has trouble but does not reject it for
// good.
func TestRefusedForNow(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		trouble func(m *merchant, id string)
	}{
		{"forgotten often, and refused once each time", func(m *merchant, id string) {
			m.capture(id)
			once := refusal
			once.Times = 1
			for n := range refusals {
				require.NoError(m.t, m.node.Fail(once))
				m.forget(id)
				m.await(id, "it is sent again", func(o order) bool { return sent(o) && o.last().Attempts == 2*n+3 })
			}
		}},
		{"refused but for the last time", func(m *merchant, id string) {
			almost := refusal
			almost.Times = refusals
			require.NoError(m.t, m.node.Fail(almost))
			m.attempts(id, refusals+1)
		}},
		{"the endpoint fails for long", func(m *merchant, id string) {
			down := refusal
			down.HTTPStatus, down.Times = http.StatusServiceUnavailable, fakenode.Forever
			require.NoError(m.t, m.node.Fail(down))
			m.attempts(id, 2*refusals)
			require.Zero(m.t, m.show(id).last().Refusals)
			m.node.ClearFaults()
			m.do(http.MethodPost, "/orders/"+id+"/capture", nil)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, o := stored(t)
			tc.trouble(m, o.ID)
			require.Zero(t, m.await(o.ID, "it is sent", sent).last().Refusals)
			m.settles(o, dollars25, 1)
		})
	}
}

// Ensure a capture whose nonce was given up settles once, and nothing else with that nonce, when a reorg gives the
// nonce back.
func TestReorgGivesNonceBack(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	inPlace := m.joined()
	m.refuse(o.ID)
	inPlace()
	m.node.Seal()
	m.await(o.ID, "its nonce is gone", lost)
	_, err := m.node.Reorg(fakenode.ReorgOptions{Depth: int(m.node.BlockNumber()), Transactions: "drop", Force: true})
	require.NoError(t, err)
	m.await(o.ID, "it is sent again", sent)
	m.settles(o, dollars25, 1)
}

// Ensure kill -9 around the transaction that takes a rejected capture's nonce ends with one of the two in the chain.
func TestKilledWhileGivingUpNonce(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		when moment
		then func(order) bool // after the restart
		end  func(order) bool
		paid uint64
	}{
		{"before it is sent", beforeNode, sent, captured, dollars25}, // the node takes the capture by then
		{"after it is sent", afterNode, func(o order) bool { return o.last().Attempts > refusals+1 && o.last().State == "refused" }, lost, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			g := newGate(t, node)
			m := newMerchant(t, node, "-rpc", g.url)
			process := m.spawn()
			o := m.store("25.00")
			stopped := g.arm("eth_sendRawTransaction", refusals+2, tc.when)
			m.refuse(o.ID)
			<-stopped
			m.kill(process)

			process = m.spawn()
			m.await(o.ID, "it is tried once more", tc.then)
			node.Seal()
			m.await(o.ID, "one of the two is in a block", tc.end)
			m.settled(tc.paid, 1)
			other := m.store("1")
			m.capture(other.ID)
			node.Seal()
			m.await(other.ID, "the next is captured", captured)
			m.settled(tc.paid+1_000_000, 2)
			m.kill(process)
		})
	}
}

// Ensure a transaction of the merchant's account that the program did not make does not stop its captures: neither when
// it takes a capture's nonce by paying more, nor when it is lost and leaves a gap.
func TestForeignTransaction(t *testing.T) {
	t.Parallel()
	foreign := func(m *merchant) *types.Transaction {
		to := m.node.Account(4).Address
		tx, err := types.SignNewTx(m.account.Key, types.LatestSigner(m.node.Moment().Chain().Config()), &types.LegacyTx{
			Nonce: 0, GasPrice: fixtures.Ether("0.0000001").ToBig(), Gas: 21_000, To: &to,
		})
		require.NoError(m.t, err)
		return tx
	}
	t.Run("in place of a capture", func(t *testing.T) {
		t.Parallel()
		m, o := stored(t)
		m.capture(o.ID)
		require.NoError(t, m.node.Send(foreign(m)))
		m.node.Seal()
		m.await(o.ID, "the capture is lost", lost)
		m.node.Advance(65 * 2 * time.Second)
		o = m.await(o.ID, "the capture is given up", func(o order) bool { return o.last().State == "replaced" })
		require.Equal(t, "stored", o.Stage)
		require.Equal(t, uint64(1), m.capture(o.ID).last().Nonce)
		m.settles(o, dollars25, 2)
	})
	t.Run("lost before a capture", func(t *testing.T) {
		t.Parallel()
		m, o := stored(t)
		require.NoError(t, m.node.Send(foreign(m)))
		require.Equal(t, uint64(1), m.capture(o.ID).last().Nonce)
		joined := m.joined()
		m.node.Timeline().ClearPool()
		m.node.Seal() // a block wakes the shop
		joined()      // the capture, again, and
		joined()      // what fills the gap, which may come first
		m.settles(o, dollars25, 2)
	})
}
