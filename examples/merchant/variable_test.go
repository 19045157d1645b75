package main

import (
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/checkout"
	"github.com/fakenode/fakenode/tokencontract"
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
	underEachHardfork(t, testPartsUpToTheCeiling)
}

func testPartsUpToTheCeiling(t *testing.T, node *fakenode.Node) {
	m := startMerchant(t, node)
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

// Ensure a permit that somebody else submitted first does no harm.
func TestPermitSubmittedFirst(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.variable("25.00")
	permit := tokencontract.Permit{Owner: m.payer.Address, Spender: checkout.Address, Value: fixtures.USD("25.00")}
	permit.Deadline = o.deadline()
	signature, err := permit.Message().Sign(m.node.Token().Domain(), m.payer.Key)
	require.NoError(t, err)
	m.submit(m.node.Account(3), permit.Pack(signature))
	m.node.Seal()
	m.capturePart(o, 1, "25.00")
	m.node.Seal()
	m.await(o.ID, "it is paid", received("25.000000"))
	m.settled(dollars25, 1)
}

// Ensure a reorg takes back the part it removes and no other, and that the same transaction brings it again.
func TestReorgRemovesPart(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.variable("25.00")
	m.capturePart(o, 1, "10.00")
	m.node.Seal()
	m.capturePart(o, 2, "15.00")
	m.node.Seal()
	hash := m.await(o.ID, "all is paid", received("25.000000")).last().Hash

	_, err := m.node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: "drop"})
	require.NoError(t, err)
	m.await(o.ID, "the second part is taken back and sent again", func(o order) bool {
		return o.Received == "10.000000" && o.last().State == "sent" && o.last().Attempts == 2
	})
	m.node.Seal()
	require.Equal(t, hash, m.await(o.ID, "all is paid", received("25.000000")).last().Hash)
	m.settled(dollars25, 2)
}

// Ensure a part that failed is not captured by a second transaction while a reorg may let the first succeed: nothing on
// the chain would keep both from paying.
func TestFailedPartWaitsUntilFinal(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.variable("25.00")
	terms := checkout.Terms{
		Payer: m.payer.Address, Merchant: m.account.Address, Token: m.node.Token().Address(), Ceiling: fixtures.USD("25.00"),
		Order: o.terms().Nonce, Deadline: o.deadline().Uint64(),
	}
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

	m.send(m.payer, &checkout.Address, terms.PackRevoke())
	m.node.Seal()
	m.refuses("/orders/"+o.ID+"/capture", part(3, "1.00"), "token: the contract refuses: Checkout: order is revoked")
}

// Ensure a voided order keeps what it brought, takes nothing more, and leaves no trace of what was signed.
func TestVoidKeepsParts(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.variable("25.00")
	m.capturePart(o, 1, "10.00")
	m.node.Seal()
	m.await(o.ID, "the part is paid", received("10.000000"))
	m.refuses("/orders/"+o.ID+"/void", nil, "order has a transaction, and its end is not final")
	m.node.Advance(finality)
	m.await(o.ID, "that is final", func(o order) bool { return o.last().Final })
	o = m.do(http.MethodPost, "/orders/"+o.ID+"/void", nil)
	require.Equal(t, "voided 10.000000", o.Stage+" "+o.Received)
	require.Empty(t, m.traces())
	m.refuses("/orders/"+o.ID+"/capture", part(2, "1.00"), "order is voided")
}

// Ensure what does not fit the path is refused with its reason.
func TestRefusalsOfPaths(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.do(http.MethodPost, "/orders", map[string]any{"path": "variable", "payer": m.payer.Address, "amount": "25.00"})
	good, other := m.sign(o.TypedData), m.sign(m.draft("1.00").TypedData)
	for _, tc := range []struct {
		path    string
		body    any
		refusal string
	}{
		{"/orders", map[string]any{"path": "barter", "payer": m.payer.Address, "amount": "1"}, `invalid: path "barter" is neither fixed, variable, subscription, requests nor memo`},
		{"/orders", map[string]any{"payer": m.payer.Address, "amount": "1", "periodSeconds": 60}, "invalid: a period is for a subscription, and it needs one"},
		{"/orders", map[string]any{"path": "subscription", "payer": m.payer.Address, "amount": "1"}, "invalid: a period is for a subscription, and it needs one"},
		{"/orders/" + o.ID + "/authorization", authorize(o, good), "signature: signature is not 65 bytes but 0"},
		{"/orders/" + o.ID + "/capture", part(1, "1"), "conflict: order has no signature yet"},
		{"/orders/" + o.ID + "/capture", part(-1, "1"), "invalid: part -1 is negative"},
		{"/orders/" + o.ID + "/capture", part(1, "0"), `invalid: amount "0" is zero`},
		{"/orders/" + m.store("1.00").ID + "/capture", part(2, "1"), "conflict: order is for 1.000000, at once"},
		{"/orders/" + m.store("1.00").ID + "/capture", part(1, "0.5"), "conflict: order is for 1.000000, at once"},
		{"/orders/" + o.ID + "/cancellation", map[string]any{"signature": hexutil.Bytes(good)}, "conflict: order has no nonce to cancel: its payer revokes it on-chain"},
	} {
		_, code, message := m.refused(http.MethodPost, tc.path, tc.body)
		require.Equal(t, tc.refusal, code+": "+message)
	}
	_, code, _ := m.refused(http.MethodGet, "/orders/"+o.ID+"/cancellation", nil)
	require.Equal(t, "conflict", code)
	swapped := authorize(o, other)
	swapped["permit"] = hexutil.Bytes(m.sign(o.Permit))
	m.refuses("/orders/"+o.ID+"/authorization", swapped, "signature")
}

// Ensure the shop reports it when the chain has no contract for a path.
func TestPathsWithoutTheirContracts(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunConfigT(t, fakenode.Config{Contracts: fakenode.StandardContracts}))
	for _, request := range []map[string]any{
		{"path": "variable", "payer": m.payer.Address, "amount": "1"},
		{"path": "subscription", "payer": m.payer.Address, "amount": "1", "periodSeconds": 60},
	} {
		_, code, message := m.refused(http.MethodPost, "/orders", request)
		require.Equal(t, "invalid", code)
		require.Contains(t, message, "this chain has no contract for a "+request["path"].(string)+" payment at 0x")
	}
}
