package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure only an authorization for exactly the order's terms, on this chain and token and by its payer, is stored.
func TestAuthorizationRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		change func(a *tokencontract.Authorization)          // what the payer signs and sends
		domain func(d *tokencontract.Domain)                 // what it is signed for
		sign   func(s tokencontract.Signature) hexutil.Bytes // what becomes of the signature
		code   string
	}{
		{name: "another payer", change: func(a *tokencontract.Authorization) { a.From = common.Address{1} }, code: "mismatch"},
		{name: "another payee", change: func(a *tokencontract.Authorization) { a.To = common.Address{1} }, code: "mismatch"},
		{name: "less", change: func(a *tokencontract.Authorization) { a.Value = uint256.NewInt(1) }, code: "mismatch"},
		{name: "more", change: func(a *tokencontract.Authorization) { a.Value = fixtures.USD("25.000001") }, code: "mismatch"},
		{name: "other start", change: func(a *tokencontract.Authorization) { a.ValidAfter++ }, code: "mismatch"},
		{name: "other deadline", change: func(a *tokencontract.Authorization) { a.ValidBefore-- }, code: "mismatch"},
		{name: "another nonce", change: func(a *tokencontract.Authorization) { a.Nonce = tokencontract.NonceFromSeed("another") }, code: "mismatch"},
		{name: "another chain", domain: func(d *tokencontract.Domain) { d.ChainID++ }, code: "signature"},
		{name: "another token", domain: func(d *tokencontract.Domain) { d.VerifyingContract[0]++ }, code: "signature"},
		{name: "another name", domain: func(d *tokencontract.Domain) { d.Name = tokencontract.TestnetName }, code: "signature"},
		{name: "another version", domain: func(d *tokencontract.Domain) { d.Version = "1" }, code: "signature"},
		{name: "64 bytes", sign: func(s tokencontract.Signature) hexutil.Bytes { return s[:64] }, code: "signature"},
		{name: "v 0 or 1", sign: func(s tokencontract.Signature) hexutil.Bytes { s[64] -= 27; return s[:] }, code: "signature"},
		{name: "high s", sign: func(s tokencontract.Signature) hexutil.Bytes { s[32] |= 0x80; return s[:] }, code: "signature"},
		{name: "none", sign: func(tokencontract.Signature) hexutil.Bytes { return nil }, code: "invalid"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := startMerchant(t, fakenode.RunT(t))
			o := m.draft("25.00")
			a, domain := o.terms(), m.node.Token().Domain()
			if tc.change != nil {
				tc.change(&a)
			}
			if tc.domain != nil {
				tc.domain(&domain)
			}
			signed := m.payer.Sign(domain, a.ReceiveMessage())
			m.signatures = append(m.signatures, signed[:])
			signature := hexutil.Bytes(signed[:])
			if tc.sign != nil {
				signature = tc.sign(signed)
			}
			for field, value := range map[string]any{
				"from": a.From, "to": a.To, "value": a.Value.Dec(), "nonce": a.Nonce,
				"validAfter":  uint256.NewInt(a.ValidAfter).Dec(),
				"validBefore": uint256.NewInt(a.ValidBefore).Dec(),
			} {
				o.Authorization[field] = value
			}
			_, code, message := m.refused(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, signature))
			require.Equal(t, tc.code, code, message)
			require.Equal(t, "drafted", m.show(o.ID).Stage)
		})
	}
}

// Ensure no authorization is stored, and none captured, whose nonce the payer canceled already, pre-confirmed is enough
// (contract 4.2-check).
func TestCanceledNonceRefused(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	stored, drafted := m.store("25.00"), m.draft("25.00")
	for _, o := range []order{stored, drafted} {
		cancellation := tokencontract.Cancellation{Authorizer: m.payer.Address, Nonce: o.terms().Nonce}
		m.submit(m.payer, cancellation.Pack(m.payer.Sign(m.node.Token().Domain(), cancellation.Message())))
	}
	m.node.Preconfirm()
	m.refuses("/orders/"+stored.ID+"/capture", nil, "nonce_used")
	m.refuses("/orders/"+drafted.ID+"/authorization", authorize(drafted, m.sign(drafted.TypedData)), "nonce_used")
	require.Zero(t, m.calls("eth_sendRawTransaction"))
	m.node.Seal()
	m.await(stored.ID, "it is canceled", canceled)
	m.await(drafted.ID, "it is canceled", canceled)
}

// Ensure a signature is not taken twice: neither for another order, nor by another signer, nor a
// TransferWithAuthorization, which anybody could settle.
func TestSignatureRefused(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	first, second := m.store("25.00"), m.draft("25.00")
	path := "/orders/" + second.ID + "/authorization"

	m.refuses(path, authorize(first, m.signatures[0]), "mismatch")   // the first order's authorization
	m.refuses(path, authorize(second, m.signatures[0]), "signature") // the first order's signature
	stranger := m.node.Account(5).Sign(m.node.Token().Domain(), second.terms().ReceiveMessage())
	m.refuses(path, authorize(second, stranger[:]), "signature") // a stranger's signature
	open := m.payer.Sign(m.node.Token().Domain(), second.terms().TransferMessage())
	m.refuses(path, authorize(second, open[:]), "signature") // a signature that anybody can settle
	m.do(http.MethodPost, path, authorize(second, m.sign(second.TypedData)))
}

// Ensure requests that make no sense are rejected with a code and a sentence.
func TestRequestRefused(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	draft := func(amount string) map[string]any { return map[string]any{"payer": m.payer.Address, "amount": amount} }
	for _, tc := range []struct {
		name, method, path string
		body               any
		status             int
		code, message      string
	}{
		{"no payer", http.MethodPost, "/orders", map[string]any{"amount": "1"}, 400, "invalid", "payer is missing"},
		{"no amount", http.MethodPost, "/orders", draft(""), 400, "invalid", `amount "" is not a decimal number`},
		{"zero", http.MethodPost, "/orders", draft("0.00"), 400, "invalid", `amount "0.00" is zero`},
		{"barter", http.MethodPost, "/orders", map[string]any{"path": "barter", "payer": m.payer.Address, "amount": "1"}, 400, "invalid", `path "barter" is neither fixed, variable, subscription, requests nor memo`},
		{"seven decimals", http.MethodPost, "/orders", draft("1.0000000"), 400, "invalid", `amount "1.0000000" has more than 6 decimals`},
		{"two days", http.MethodPost, "/orders", map[string]any{"payer": m.payer.Address, "amount": "1", "validSeconds": 172_800}, 400, "invalid", "validity of 48h0m0s is outside 0 to 24h0m0s"},
		{"unknown field", http.MethodPost, "/orders", map[string]any{"total": "1"}, 400, "invalid", `request: json: unknown field "total"`},
		{"two objects", http.MethodPost, "/orders", plain(`{"amount": "1"} {"amount": "2"}`), 400, "invalid", "request: something follows the JSON object"},
		{"unknown order", http.MethodGet, "/orders/x", nil, 404, "not_found", `no order "x"`},
		{"capture of unknown order", http.MethodPost, "/orders/x/capture", nil, 404, "not_found", `no order "x"`},
		{"no version", http.MethodGet, "/orders/x?after=now", nil, 400, "invalid", `after="now" is not a version`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, code, message := m.refused(tc.method, tc.path, tc.body)
			require.Equal(t, tc.status, status)
			require.Equal(t, tc.code, code)
			require.Equal(t, tc.message, message)
		})
	}
}

// Ensure a capture that would fail is rejected before anything is sent (contract 4.2-check), and works once the cause
// is gone.
func TestCaptureRefused(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		prepare func(m *merchant)
		code    string
		message string
		repair  func(m *merchant)
	}{
		{
			name: "balance spent, pre-confirmed",
			prepare: func(m *merchant) {
				m.submit(m.payer, tokencontract.PackTransfer(m.node.Account(3).Address, m.node.Token().BalanceOf(m.payer.Address)))
				m.node.Preconfirm()
			},
			code: "balance", message: "payer holds less than 25.000000",
			repair: func(m *merchant) { m.node.Token().Mint(m.payer.Address, fixtures.USD("25.00")) },
		},
		{
			name: "paused", prepare: func(m *merchant) { m.node.Token().Pause() },
			code: "token", message: "the token refuses: Pausable: paused",
			repair: func(m *merchant) { m.node.Token().Unpause() },
		},
		{
			name: "the node fails",
			prepare: func(m *merchant) {
				require.NoError(m.t, m.node.Fail(fakenode.Fault{Method: "eth_estimateGas", HTTPStatus: http.StatusBadGateway}))
			},
			code: "unavailable", message: "estimate gas: the chain did not answer",
			repair: func(*merchant) {},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m, o := stored(t)
			tc.prepare(m)
			_, code, message := m.refused(http.MethodPost, "/orders/"+o.ID+"/capture", nil)
			require.Equal(t, tc.code, code)
			require.Equal(t, tc.message, message)
			require.Zero(t, m.calls("eth_sendRawTransaction"))
			require.Equal(t, "stored", m.show(o.ID).Stage)

			tc.repair(m)
			m.capture(o.ID)
			m.settles(o, dollars25, 1)
		})
	}
}

// Ensure a capture is not sent so late that no block may take it in time.
func TestCaptureTooLate(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	m.node.Advance(15*time.Minute - 10*time.Second)
	m.refuses("/orders/"+o.ID+"/capture", nil, "expired")
	require.False(t, m.show(o.ID).Expired)
	require.Zero(t, m.calls("eth_sendRawTransaction"))
}

// Ensure a capture that passes the checks and fails on-chain costs nothing but gas: the order reports why, the nonce
// stays unused, and the capture can be repeated.
func TestCaptureBounces(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	m.submit(m.payer, tokencontract.PackTransfer(m.node.Account(3).Address, m.node.Token().BalanceOf(m.payer.Address)))
	m.capture(o.ID)
	m.node.Seal()
	o = m.await(o.ID, "the capture reverted", reverted)
	require.Equal(t, "ERC20: transfer amount exceeds balance", o.last().Reason)
	require.Equal(t, "stored", o.Stage)
	require.False(t, m.node.Token().AuthorizationState(m.payer.Address, o.terms().Nonce))
	m.settled(0, 1)
	m.refuses("/orders/"+o.ID+"/void", nil, "conflict") // a reorg may let it succeed after all

	m.node.Token().Mint(m.payer.Address, fixtures.USD("25.00"))
	m.capture(o.ID)
	m.node.Seal()
	require.Len(t, m.await(o.ID, "it is captured", captured).Transactions, 2)
	m.settled(dollars25, 2)
}

func pack(m *merchant, function string, arguments ...any) []byte {
	m.t.Helper()
	data, err := tokencontract.ABI().Pack(function, arguments...)
	require.NoError(m.t, err)
	return data
}

// Ensure nothing is sent, and nothing recorded, that the merchant cannot pay the gas for.
func TestEmptyPurse(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	first, second := m.store("25.00"), m.store("25.00")
	m.node.SetBalance(m.account.Address, new(uint256.Int))
	status, code, message := m.refused(http.MethodPost, "/orders/"+first.ID+"/capture", nil)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "unavailable", code)
	require.Equal(t, "the merchant's account cannot pay for gas", message)
	require.Empty(t, m.show(first.ID).Transactions)
	require.Equal(t, "voided", m.do(http.MethodPost, "/orders/"+first.ID+"/void", nil).Stage)

	m.node.SetBalance(m.account.Address, fixtures.Ether("1"))
	m.capture(second.ID)
	m.settles(second, dollars25, 1)
}

// control calls a method of the node that edits its state.
func (m *merchant) control(method string, params ...any) {
	m.t.Helper()
	client, err := rpc.Dial(m.node.URL())
	require.NoError(m.t, err)
	defer client.Close()
	require.NoError(m.t, client.CallContext(m.t.Context(), nil, method, params...))
}

// accepting is a contract wallet for which every signature is good, after a loop that takes 26 gas a turn.
func accepting(turns int) hexutil.Bytes {
	code := []byte{0x62, byte(turns >> 16), byte(turns >> 8), byte(turns)} // PUSH3 turns, counted down
	code = append(code, 0x5b, 0x60, 1, 0x90, 0x03, 0x80, 0x60, 4, 0x57, 0x50)
	code = append(code, 0x7f, 0x16, 0x26, 0xba, 0x7e) // PUSH32 isValidSignature's selector
	code = append(code, make([]byte, 28)...)
	return append(code, 0x60, 0, 0x52, 0x60, 32, 0x60, 0, 0xf3) // return it
}

// Ensure a payer's wallet cannot make the merchant pay for any amount of gas, and holds up nobody else.
func TestHungryWallet(t *testing.T) {
	t.Parallel()
	patient := fakenode.Config{Limits: fakenode.Limits{CallTimeout: time.Minute}} // an estimate is slow on a busy machine
	m := startMerchant(t, fakenode.RunConfigT(t, patient), "-timeout", "1m")
	wallet := common.Address{19: 0xaa}
	m.control("anvil_setCode", wallet, accepting(100_000))
	m.node.Token().Mint(wallet, fixtures.USD("25.00"))
	o := m.do(http.MethodPost, "/orders", map[string]any{"payer": wallet, "amount": "0.01"})
	m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, []byte{1}))
	status, code, message := m.refused(http.MethodPost, "/orders/"+o.ID+"/capture", nil)
	require.Equal(t, http.StatusConflict, status)
	require.Equal(t, "gas", code)
	require.Regexp(t, `^it would take [23]\d{6} gas, the merchant pays for 2000000 at most$`, message)

	honest := m.store("25.00")
	m.capture(honest.ID)
	m.node.Seal()
	m.await(honest.ID, "it is captured", captured)
	m.settled(dollars25, 1)
	require.Equal(t, "voided", m.do(http.MethodPost, "/orders/"+o.ID+"/void", nil).Stage)
}
