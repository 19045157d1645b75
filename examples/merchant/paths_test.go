package main

import (
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/contracts/spendpermission"
	"github.com/fakenode/fakenode/fixtures"
)

// sell drafts an order of any path, lets the payer sign it and stores what was signed.
func (m *merchant) sell(request map[string]any) order {
	m.t.Helper()
	request["payer"] = m.payer.Address
	return m.signs(m.do(http.MethodPost, "/orders", request))
}

// signs lets the payer sign a drafted order and stores what was signed.
func (m *merchant) signs(o order) order {
	m.t.Helper()
	signed := authorize(o, m.sign(o.TypedData))
	if o.Permit != nil {
		signed["permit"] = hexutil.Bytes(m.sign(o.Permit))
	}
	return m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", signed)
}

func (m *merchant) variable(ceiling string) order {
	m.t.Helper()
	return m.sell(map[string]any{"path": "variable", "amount": ceiling})
}

func part(number int, amount string) map[string]any {
	return map[string]any{"part": number, "amount": amount}
}

// capturePart asks for a part and waits until the node has the transaction.
func (m *merchant) capturePart(o order, number int, amount string) order {
	m.t.Helper()
	m.do(http.MethodPost, "/orders/"+o.ID+"/capture", part(number, amount))
	return m.await(o.ID, "the part is sent", func(o order) bool { return o.last().Part == number && o.last().State == "sent" })
}

func received(amount string) func(order) bool {
	return func(o order) bool { return o.Received == amount }
}

// Ensure an order is captured in parts, each once however often it is asked for, and never above what the payer agreed
// to.
func TestPartsUpToTheCeiling(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.variable("25.00")
	require.Equal(t, "stored", o.Stage)
	m.capturePart(o, 1, "10.00")
	m.capturePart(o, 1, "10.00")
	m.refuses("/orders/"+o.ID+"/capture", part(1, "11.00"), "conflict: part 1 is of 10.000000")
	m.refuses("/orders/"+o.ID+"/capture", part(2, "15.01"), "conflict: it would be 25.010000 in all, the payer agreed to 25.000000")
	m.node.Seal()
	require.Equal(t, "captured", m.await(o.ID, "the first part is paid", received("10.000000")).Stage)

	m.capturePart(o, 2, "15.00")
	m.node.Seal()
	m.await(o.ID, "all is paid", received("25.000000"))
	m.settled(dollars25, 2)
}

// Ensure a part that failed is not captured by a second transaction while a reorg may let the first succeed: nothing on
// the chain would keep both from paying.
func TestFailedPartWaitsUntilFinal(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.variable("25.00")
	m.submit(fakenode.TokenOwner, pack(m, "pause"))
	m.capturePart(o, 1, "10.00")
	m.node.Seal()
	o = m.await(o.ID, "the part failed", reverted)
	require.Equal(t, "Pausable: paused", o.last().Reason)
	m.node.Token().Unpause()
	m.refuses("/orders/"+o.ID+"/capture", part(1, "10.00"), "part 1 failed, and a reorg may let it succeed: its end is not final")
	m.capturePart(o, 2, "5.00")
	m.node.Seal()
	m.node.Advance(finality)
	m.await(o.ID, "all is final", func(o order) bool { return o.Transactions[0].Final && o.Transactions[1].Final })
	m.capturePart(o, 1, "10.00")
	m.node.Seal()
	m.await(o.ID, "both parts are paid", received("15.000000"))
}

const (
	finality = 64 * 2 * time.Second
	period   = 10 * time.Minute // of a subscription
)

// subscribe sells a subscription of so much a period to the payer's smart account, which holds 100 dollars. The account
// gets them before the approval is sent: the block that brings them would take the approval as well.
func (m *merchant) subscribe(amount string) order {
	m.t.Helper()
	o := m.do(http.MethodPost, "/orders", map[string]any{
		"payer": m.payer.Address, "path": "subscription", "amount": amount, "periodSeconds": int(period.Seconds()),
	})
	m.node.Token().Mint(o.terms().From, fixtures.USD("100"))
	return m.signs(o)
}

// Ensure one signature deploys the customer's account and lets the shop charge in every period, and no more than was
// agreed.
func TestChargesOfEveryPeriod(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.subscribe("10.00")
	require.Equal(t, "stored", o.Stage)
	m.refuses("/orders/"+o.ID+"/capture", part(1, "10.00"), "conflict: the permission is not approved on-chain yet, or was revoked")
	m.await(o.ID, "the approval is sent", sent)
	m.node.Seal()
	o = m.await(o.ID, "the permission is approved", func(o order) bool { return o.last().State == "included" })
	require.Equal(t, "stored approve", o.Stage+" "+o.last().Kind)

	m.capturePart(o, 1, "10.00")
	m.node.Seal()
	require.Equal(t, "captured", m.await(o.ID, "the first period is paid", received("10.000000")).Stage)
	m.refuses("/orders/"+o.ID+"/capture", part(2, "0.01"), "token: the contract refuses: ExceededSpendPermission[10010000 10000000]")
	m.node.Advance(period)
	m.capturePart(o, 2, "10.00")
	m.node.Seal()
	m.await(o.ID, "the second period is paid", received("20.000000"))
	m.settled(20_000_000, 3)

	terms := o.terms()
	permission := spendpermission.Permission{
		Account: terms.From, Spender: m.account.Address, Token: m.node.Token().Address(), Allowance: terms.Value,
		Period: uint64(period.Seconds()), Start: terms.ValidAfter, End: terms.ValidBefore, Salt: new(uint256.Int).SetBytes(terms.Nonce[:]),
	}
	m.send(m.payer, &terms.From, smartwallet.NewSmartWallet().PackExecute(spendpermission.Address, new(big.Int), permission.PackRevoke()))
	m.node.Seal()
	m.refuses("/orders/"+o.ID+"/capture", part(3, "10.00"), "the permission is not approved on-chain yet, or was revoked")
}

// metered sells requests of a cent each, out of a deposit of a dollar that is not in a block yet.
func (m *merchant) metered() order {
	m.t.Helper()
	o := m.sell(map[string]any{"path": "requests", "amount": "1.00", "price": "0.01"})
	return m.await(o.ID, "the deposit is sent", sent)
}

// deposited sells requests, and waits until the deposit is in a block.
func (m *merchant) deposited() order {
	m.t.Helper()
	o := m.metered()
	m.node.Seal()
	return m.await(o.ID, "the deposit is in a block", func(o order) bool { return o.last().State == "included" })
}

// voucher returns the payer's members of a request: the total, in dollars, and the voucher for the next request.
func (m *merchant) voucher(o order, total string) map[string]any {
	m.t.Helper()
	next := m.do(http.MethodGet, "/orders/"+o.ID+"/requests", nil)
	return map[string]any{"total": total, "voucher": hexutil.Bytes(m.sign(next.Voucher))}
}

// request makes one request, after which so much is vouched for.
func (m *merchant) request(o order, total string) {
	m.t.Helper()
	require.Equal(m.t, total+"0000", m.do(http.MethodPost, "/orders/"+o.ID+"/requests", m.voucher(o, total)).Vouched)
}

// unserved makes a request that the shop refuses.
func (m *merchant) unserved(o order, voucher map[string]any) string {
	m.t.Helper()
	_, code, message := m.refused(http.MethodPost, "/orders/"+o.ID+"/requests", voucher)
	return code + ": " + message
}

func (m *merchant) channel(o order) channels.Channel {
	shop := m.account.Address
	return channels.Channel{
		Payer: m.payer.Address, Receiver: shop, ReceiverAuthorizer: shop, Token: m.node.Token().Address(), WithdrawDelay: 86_400, Salt: o.terms().Nonce,
	}
}

// Ensure requests are paid out of one deposit, each once, for the agreed price, and taken by as many captures as the
// merchant likes.
func TestRequestsOutOfOneDeposit(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.metered()
	first := m.voucher(o, "0.01")
	require.Equal(t, "conflict: the deposit is not in a block yet", m.unserved(o, first))
	m.node.Seal()
	m.await(o.ID, "the deposit is in a block", func(o order) bool { return o.last().State == "included" })
	for range 2 { // the client heard no answer, and asks again
		require.Equal(t, "0.010000", m.do(http.MethodPost, "/orders/"+o.ID+"/requests", first).Vouched)
	}
	m.request(o, "0.02")
	m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, m.signatures[0])) // again, vouchers or not
	require.Equal(t, "conflict: the voucher is for 0.010000 in all: 0.020000 are vouched for, and a request is 0.010000", m.unserved(o, first))
	bad := m.voucher(o, "0.03")
	bad["voucher"] = first["voucher"]
	require.Contains(t, m.unserved(o, bad), "signature: signature is not "+m.payer.Address.Hex()+"'s over this Voucher")

	m.capturePart(o, 1, "0.02")
	m.refuses("/orders/"+o.ID+"/capture", part(2, "0.01"), "part 1 is not in a block yet")
	m.node.Seal()
	m.await(o.ID, "two requests are paid", received("0.020000"))
	for _, total := range []string{"0.03", "0.04", "0.05"} {
		m.request(o, total)
	}
	m.refuses("/orders/"+o.ID+"/capture", part(2, "0.04"), "it would be 0.060000 in all, the payer agreed to 0.050000")
	m.do(http.MethodPost, "/orders/"+o.ID+"/capture", map[string]any{"part": 2}) // what there is
	m.await(o.ID, "the rest is sent", sent)
	m.node.Seal()
	m.await(o.ID, "all is paid", received("0.050000"))
	m.settled(50_000, 3)

	other := m.store("1.00")
	require.Equal(t, "conflict: a fixed order has no requests", m.unserved(other, first))
}

// Ensure a payer who withdraws is served no more than what is left, and that vouchers outlive a kill and are taken
// before the withdrawal is due.
func TestWithdrawalBesideRequests(t *testing.T) {
	t.Parallel()
	m := newMerchant(t, fakenode.RunT(t))
	process := m.spawn()
	o := m.deposited()
	m.request(o, "0.01")
	m.request(o, "0.02")
	m.kill(process)
	m.start()
	require.Equal(t, "0.020000", m.show(o.ID).Vouched)
	channel := m.channel(o)
	m.send(m.payer, new(channels.Address), channel.PackInitiateWithdraw(o.terms().Value))
	m.node.Seal()
	m.capturePart(o, 1, "0.02")
	m.node.Seal()
	m.await(o.ID, "it is paid in time", received("0.020000"))
	require.NoError(t, m.node.Timeline().IncreaseTime(25*time.Hour))
	m.send(m.payer, new(channels.Address), channel.PackFinalizeWithdraw())
	m.node.Seal()
	m.settled(20_000, 2)
	require.Contains(t, m.unserved(o, m.voucher(o, "0.03")), "expired: ")
}

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

// Ensure a payment with a memo is taken back with its block, and counts where it is paid again.
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
}
