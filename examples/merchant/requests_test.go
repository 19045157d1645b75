package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/channels"
)

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

// Ensure a reorg that takes the deposit ends the serving, that the deposit comes again, and that nothing that was
// vouched for is lost.
func TestReorgRemovesDeposit(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.deposited()
	m.request(o, "0.01")
	second := m.voucher(o, "0.02")
	_, err := m.node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: "drop"})
	require.NoError(t, err)
	m.await(o.ID, "the deposit is sent again", func(o order) bool { return o.last().State == "sent" })
	require.Equal(t, "conflict: the deposit is not in a block yet", m.unserved(o, second))
	m.node.Seal()
	m.await(o.ID, "the deposit is in a block again", func(o order) bool { return o.last().State == "included" })
	require.Equal(t, "0.020000", m.do(http.MethodPost, "/orders/"+o.ID+"/requests", second).Vouched)
	m.capturePart(o, 1, "0.02")
	m.node.Seal()
	m.await(o.ID, "both requests are paid", received("0.020000"))
	m.settled(20_000, 2)
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

// Ensure a voucher for an order that was voided, whose credential is wiped, is refused.
func TestVoucherForVoidedOrder(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.deposited()
	first := m.voucher(o, "0.01")
	m.node.Advance(finality)
	m.await(o.ID, "the deposit is final", func(o order) bool { return o.last().Final })
	m.do(http.MethodPost, "/orders/"+o.ID+"/void", nil)
	require.Equal(t, "conflict: order is voided", m.unserved(o, first))
}
