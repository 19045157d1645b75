package main

import (
	"math/big"
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/b20"
)

var stablecoin = b20.NewStablecoin()

// startMemo starts a shop that is paid in the B20 stablecoin.
func startMemo(t *testing.T, node *fakenode.Node, args ...string) *merchant {
	t.Helper()
	return startMerchant(t, node, append(args, "-token", b20.Address.Hex())...)
}

// draftMemo drafts an order of 25.00 that the payer pays by a transfer with a memo.
func (m *merchant) draftMemo() order {
	m.t.Helper()
	return m.do(http.MethodPost, "/orders", map[string]any{"path": "memo", "payer": m.payer.Address, "amount": "25.00"})
}

// pay lets the payer send the transaction of an order.
func (m *merchant) pay(o order) {
	m.t.Helper()
	require.Equal(m.t, m.payer.Address, o.Transaction.From)
	m.send(m.payer, &o.Transaction.To, o.Transaction.Data)
}

// received checks that the merchant has so many units of the stablecoin more than at the start, and has sent nothing.
func (m *merchant) received(units int64) {
	m.t.Helper()
	client := m.node.Client()
	defer client.Close()
	answer, err := client.CallContract(m.t.Context(), ethereum.CallMsg{To: &b20.Address, Data: stablecoin.PackBalanceOf(m.account.Address)}, nil)
	require.NoError(m.t, err)
	require.Equal(m.t, 1_000_000_000_000+units, new(big.Int).SetBytes(answer).Int64())
	require.Zero(m.t, m.calls("eth_sendRawTransaction"))
}

func drafted(o order) bool { return o.Stage == "drafted" && o.Settlement == nil }

// Ensure an order is paid by the transfer whose memo is the order's, once, and by nothing that only looks like it.
func TestMemo(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m := startMemo(t, node)
	o := m.draftMemo()
	amount, nonce := o.terms().Value.ToBig(), o.terms().Nonce
	less := new(big.Int).Sub(amount, big.NewInt(1))
	stranger := node.Account(5)
	for _, other := range []struct {
		from fakenode.Account
		data []byte
	}{
		{m.payer, stablecoin.PackTransferWithMemo(m.account.Address, less, nonce)},                              // too little
		{m.payer, stablecoin.PackTransferWithMemo(stranger.Address, amount, nonce)},                             // to somebody else
		{m.payer, stablecoin.PackTransferWithMemo(m.account.Address, amount, common.Hash{1})},                   // of another order
		{m.payer, stablecoin.PackTransfer(m.account.Address, amount)},                                           // of none
		{stranger, stablecoin.PackTransferWithMemo(m.account.Address, amount, nonce)},                           // by somebody else
		{stranger, stablecoin.PackTransferFromWithMemo(m.payer.Address, stranger.Address, new(big.Int), nonce)}, // of nothing
	} {
		m.send(other.from, &b20.Address, other.data)
	}
	node.Seal()
	require.True(t, drafted(m.show(o.ID)))

	m.pay(o)
	node.Preconfirm()
	m.await(o.ID, "the payment is announced", announced)
	block := node.Seal()
	first := m.await(o.ID, "it is paid", capturedIn(block))
	require.Equal(t, "25.000000", first.Received)
	m.pay(o)
	node.Seal()
	node.Seal()
	require.Equal(t, first.Settlement, m.show(o.ID).Settlement, "the first payment counts")
	m.refuses("/orders/"+o.ID+"/capture", nil, "conflict")
	m.refuses("/orders/"+o.ID+"/authorization", authorize(o, make([]byte, 65)), "conflict")
	m.refuses("/orders/"+o.ID+"/void", nil, "conflict")
	m.received(6*dollars25 - 1)

	// Collected with an allowance, the memo's caller is not the payer.
	collected := m.draftMemo()
	m.send(m.payer, &b20.Address, stablecoin.PackApprove(stranger.Address, amount))
	m.send(stranger, &b20.Address, stablecoin.PackTransferFromWithMemo(m.payer.Address, m.account.Address, amount, collected.terms().Nonce))
	node.Seal()
	m.await(collected.ID, "it is paid", captured)
}

// Ensure a shop drafts no order that the token would not let be paid, and says why.
func TestMemoRefused(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	refused := func(m *merchant) string {
		_, code, message := m.refused(http.MethodPost, "/orders", map[string]any{"path": "memo", "payer": m.payer.Address, "amount": "25.00"})
		require.Equal(t, "token", code)
		return message
	}
	refused(startMerchant(t, node)) // USDC has no memos

	m := startMemo(t, node)
	issue := func(to common.Address, data []byte) {
		_, err := fakenode.Tx{To: &to, Data: data, Gas: 200_000}.Seal(node.Timeline(), fakenode.TokenOwner)
		require.NoError(t, err)
	}
	issue(b20.Address, stablecoin.PackPause([]uint8{0}))
	require.Contains(t, refused(m), "ContractPaused[0]")
	issue(b20.Address, stablecoin.PackUnpause([]uint8{0}))
	receiver := crypto.Keccak256Hash([]byte("TRANSFER_RECEIVER_POLICY"))
	issue(b20.RegistryAddress, b20.NewPolicyRegistry().PackCreatePolicyWithAccounts(fakenode.TokenOwner.Address, 0, []common.Address{m.account.Address}))
	issue(b20.Address, stablecoin.PackUpdatePolicy(receiver, 2))
	require.Contains(t, refused(m), "PolicyForbids["+receiver.Hex()+" 2]")
	issue(b20.Address, stablecoin.PackUpdatePolicy(receiver, 0))
	m.draftMemo()
}

// Ensure a payment with a memo is taken back with its block or its flashblock, and counts again where it is paid again.
func TestMemoReorg(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m := startMemo(t, node)
	o := m.draftMemo()
	m.pay(o)
	block := node.Seal()
	m.await(o.ID, "it is paid", capturedIn(block))
	moved, err := node.Reorg(fakenode.ReorgOptions{Depth: 1})
	require.NoError(t, err)
	m.await(o.ID, "it is paid in the new block", capturedIn(moved.Added[0]))
	_, err = node.Reorg(fakenode.ReorgOptions{Depth: len(moved.Added), Transactions: fakenode.Drop})
	require.NoError(t, err)
	m.await(o.ID, "it is taken back", drafted)
	m.received(0)

	// An announcement that is lost, and nobody is told.
	m.pay(o)
	node.Preconfirm()
	m.await(o.ID, "the payment is announced", announced)
	_, err = node.FlashblockFault(fakenode.FlashblockFault{Kind: "drop", Gone: true})
	require.NoError(t, err)
	node.Seal()
	m.await(o.ID, "it is taken back", drafted)
	m.pay(o)
	block = node.Seal()
	m.await(o.ID, "it is paid again", capturedIn(block))
	m.received(dollars25)
}
