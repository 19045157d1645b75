package main

import (
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/tokencontract"
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

// Ensure that a capture which a reorg turns into a failure is taken back, reports why, and can be repeated.
func TestReorgTurnsCaptureIntoFailure(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	token := m.node.Token().Address()
	drain := m.transaction(m.payer, &token, tokencontract.PackTransfer(m.node.Account(3).Address, m.node.Token().BalanceOf(m.payer.Address)))
	m.capture(o.ID)
	m.node.Seal()
	hash := m.await(o.ID, "it is captured", captured).Settlement.Transaction

	// On the new branch the payer's money is gone before the capture comes.
	capture := m.node.Moment().Latest().Transactions().Signed()[0]
	require.Equal(t, hash, capture.Hash())
	_, err := m.node.Reorg(fakenode.ReorgOptions{Depth: 1, Length: new(1), Blocks: [][]*types.Transaction{{drain, capture}}})
	require.NoError(t, err)
	o = m.await(o.ID, "the capture reverted", func(o order) bool { return reverted(o) && o.Settlement == nil })
	require.Equal(t, "stored", o.Stage)
	require.Equal(t, "ERC20: transfer amount exceeds balance", o.last().Reason)

	// And on a third, it settles after all.
	_, err = m.node.Reorg(fakenode.ReorgOptions{Depth: 1, Blocks: [][]*types.Transaction{{capture}}})
	require.NoError(t, err)
	m.await(o.ID, "it is captured", captured)
	m.settled(dollars25, 1)
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

// Ensure a pre-confirmed capture whose logs are announced wrongly is judged by what its block holds.
func TestAlteredPreconfirmation(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	m.capture(o.ID)
	_, err := m.node.FlashblockFault(fakenode.FlashblockFault{Kind: "alterLogs"})
	require.NoError(t, err)
	m.node.Preconfirm()
	m.node.Seal()
	require.Equal(t, "captured", m.await(o.ID, "it is captured", captured).Settlement.Outcome)
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

// Ensure a request is given up and repeated if the endpoint accepts a transaction but does not answer.
func TestTimeoutAfterAccepting(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Long) // three seconds go by, and a busy machine takes as long for other calls
	node := fakenode.RunT(t)
	g := newGate(t, node)
	m := startMerchant(t, node, "-rpc", g.url, "-timeout", "3s")
	o := m.store("25.00")
	stopped := g.arm("eth_sendRawTransaction", 1, afterNode)
	o = m.capture(o.ID)
	<-stopped
	require.Equal(t, 1, m.calls("eth_sendRawTransaction"))
	m.settles(o, dollars25, 1)
}

// Ensure a reverted capture is reported and can be repeated, though the node no longer knows the reason.
func TestRevertReasonPruned(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	m.submit(fakenode.TokenOwner, pack(m, "pause"))
	m.capture(o.ID)
	require.NoError(t, m.node.Fail(fakenode.Fault{
		Method: "eth_call", Times: fakenode.Forever, Error: &fakenode.Error{Code: -32000, Message: "state of block 1 is pruned"},
	}))
	m.node.Seal()
	require.Empty(t, m.await(o.ID, "the capture reverted", reverted).last().Reason)
	m.node.ClearFaults()
	m.node.Token().Unpause()
	m.capture(o.ID)
	m.settles(o, dollars25, 2)
}

// Ensure a chain from before London is rejected, and does not end the program.
func TestWithoutBaseFee(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunConfigT(t, fakenode.Config{Hardfork: "berlin"}))
	o := m.store("25.00")
	m.refuses("/orders/"+o.ID+"/capture", nil, "unavailable: the chain has no base fee: it is older than London")
	require.Equal(t, "stored", m.show(o.ID).Stage)
}
