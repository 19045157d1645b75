package main

import (
	"net"
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
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

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
	m.settles(honest, dollars25, 1)
	require.Equal(t, "voided", m.do(http.MethodPost, "/orders/"+o.ID+"/void", nil).Stage)
}

// Ensure a capture has gas to spare for what others change before it: here the merchant's balance becomes zero, and
// storage that was zero costs more to write.
func TestGasToSpare(t *testing.T) {
	t.Parallel()
	underEachHardfork(t, testGasToSpare)
}

func testGasToSpare(t *testing.T, node *fakenode.Node) {
	m := startMerchant(t, node)
	o := m.store("25.00")
	m.capture(o.ID)
	m.control("anvil_setStorageAt", m.node.Token().Address(), tokencontract.MappingSlot(tokencontract.SlotBalances, m.account.Address), common.Hash{})
	m.node.Seal()
	m.await(o.ID, "it is captured", captured)
	m.node.CheckBalance(t, m.account.Address, fixtures.USD("25.00"))
}

// Ensure the merchant pays for no cancellation of an order that nobody signed.
func TestCancelUnsigned(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.draft("25.00")
	signature := m.sign(m.do(http.MethodGet, "/orders/"+o.ID+"/cancellation", nil).TypedData)
	m.refuses("/orders/"+o.ID+"/cancellation", map[string]any{"signature": hexutil.Bytes(signature)}, "conflict: order was never signed: there is nothing to cancel")
	require.Zero(t, m.calls("eth_sendRawTransaction"))
}

// Ensure a transfer to the merchant of the order's amount, in the transaction that signs the order's nonce away, pays
// the order it was signed for and not the other.
func TestDivertedBesidePayment(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	unpaid, paid := m.store("25.00"), m.store("25.00")
	elsewhere := unpaid.terms()
	elsewhere.To = m.node.Account(3).Address
	calls := make([]contracts.Multicall3Call, 2)
	for i, terms := range []tokencontract.Authorization{elsewhere, paid.terms()} {
		signature := m.payer.Sign(m.node.Token().Domain(), terms.TransferMessage())
		calls[i] = contracts.Multicall3Call{Target: m.node.Token().Address(), CallData: terms.PackTransfer(signature)}
	}
	m.send(m.payer, &fixtures.Multicall3Address, contracts.NewMulticall3().PackAggregate(calls))
	m.node.Seal()
	require.Equal(t, "diverted", m.await(unpaid.ID, "the nonce is gone", canceled).Settlement.Outcome)
	m.await(paid.ID, "it is captured", captured)
	m.settled(dollars25, 0)
}

// Ensure a request that arrives by the byte neither stays for ever nor spoils the end of the program.
func TestSlowRequest(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	conn, err := net.Dial("tcp", m.url[len("http://"):])
	require.NoError(t, err)
	defer conn.Close()
	_, err = conn.Write([]byte("POST /orders HTTP/1.1\r\nHost: shop\r\nContent-Length: 60000\r\n\r\n{"))
	require.NoError(t, err)
	m.draft("1") // by now the slow one is being read
	m.end()      // with exit code 0
}

// Ensure a signature that is missing is one that is not the payer's, even where the payer takes any.
func TestMissingSignature(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	wallet := common.Address{19: 0xbb}
	m.control("anvil_setCode", wallet, accepting(1))
	o := m.do(http.MethodPost, "/orders", map[string]any{"payer": wallet, "amount": "0.01"})
	for _, body := range []map[string]any{{"authorization": o.Authorization}, {"authorization": o.Authorization, "signature": nil}} {
		status, code, message := m.refused(http.MethodPost, "/orders/"+o.ID+"/authorization", body)
		require.Equal(t, http.StatusUnprocessableEntity, status)
		require.Equal(t, "signature", code)
		require.Equal(t, "signature is missing", message)
	}
	require.Equal(t, uint256.NewInt(10_000), m.show(o.ID).terms().Value)
}
