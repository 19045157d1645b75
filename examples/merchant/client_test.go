package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// order is an order as a client reads it.
type order struct {
	ID            string          `json:"orderId"`
	Version       int64           `json:"version"`
	Stage         string          `json:"stage"`
	Amount        string          `json:"amount"`
	Received      string          `json:"received"`
	Authorization map[string]any  `json:"authorization"`
	Expired       bool            `json:"expired"`
	Final         bool            `json:"final"`
	Settlement    *settlement     `json:"settlement"`
	Transactions  []transaction   `json:"transactions"`
	TypedData     json.RawMessage `json:"typedData"`
	Permit        json.RawMessage `json:"permit"`
	Voucher       json.RawMessage `json:"voucher"`
	Vouched       string          `json:"vouched"`
	Transaction   payerCall       `json:"transaction"`
}

// payerCall is a call that the payer is to send.
type payerCall struct {
	From common.Address `json:"from"`
	To   common.Address `json:"to"`
	Data hexutil.Bytes  `json:"data"`
}

type settlement struct {
	Outcome     string       `json:"outcome"`
	Transaction common.Hash  `json:"transaction"`
	BlockNumber uint64       `json:"blockNumber"`
	BlockHash   *common.Hash `json:"blockHash"`
}

type transaction struct {
	Kind     string      `json:"kind"`
	Part     int         `json:"part"`
	Amount   string      `json:"amount"`
	Nonce    uint64      `json:"nonce"`
	Hash     common.Hash `json:"hash"`
	State    string      `json:"state"`
	Attempts int         `json:"attempts"`
	Refusals int         `json:"refusals"`
	Reason   string      `json:"reason"`
	Final    bool        `json:"final"`
}

// terms returns the authorization that the payer signs.
func (o order) terms() tokencontract.Authorization {
	number := func(name string) uint64 {
		n, err := strconv.ParseUint(o.Authorization[name].(string), 10, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	return tokencontract.Authorization{
		From:        common.HexToAddress(o.Authorization["from"].(string)),
		To:          common.HexToAddress(o.Authorization["to"].(string)),
		Value:       uint256.NewInt(number("value")),
		ValidAfter:  number("validAfter"),
		ValidBefore: number("validBefore"),
		Nonce:       common.HexToHash(o.Authorization["nonce"].(string)),
	}
}

// last is the newest transaction of an order.
func (o order) last() transaction {
	if len(o.Transactions) == 0 {
		return transaction{}
	}
	return o.Transactions[len(o.Transactions)-1]
}

// plain is a body to be sent as it is.
type plain string

// attempt sends a request and returns the status and the answer. An error means that there was no answer.
func (m *merchant) attempt(ctx context.Context, method, path string, body any) (int, []byte, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	if text, ok := body.(plain); ok {
		encoded = []byte(text)
	}
	if method == http.MethodGet {
		encoded = nil
	}
	request, err := http.NewRequestWithContext(ctx, method, m.url+path, bytes.NewReader(encoded))
	if err != nil {
		return 0, nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.TeeReader(response.Body, m.written))
	return response.StatusCode, answer, err
}

// do sends a request that succeeds.
func (m *merchant) do(method, path string, body any) order {
	m.t.Helper()
	status, answer, err := m.attempt(m.t.Context(), method, path, body)
	require.NoError(m.t, err)
	require.Equal(m.t, http.StatusOK, status, "%s %s: %s", method, path, answer)
	var o order
	require.NoError(m.t, json.Unmarshal(answer, &o))
	return o
}

// refused sends a request that is refused, and returns the problem's code and message.
func (m *merchant) refused(method, path string, body any) (status int, code, message string) {
	m.t.Helper()
	status, answer, err := m.attempt(m.t.Context(), method, path, body)
	require.NoError(m.t, err)
	require.NotEqual(m.t, http.StatusOK, status, "%s %s: %s", method, path, answer)
	var refusal struct {
		Error struct{ Code, Message string }
	}
	require.NoError(m.t, json.Unmarshal(answer, &refusal))
	return status, refusal.Error.Code, refusal.Error.Message
}

// refuses posts a request that is refused with a code and a message: both, with a colon between, the code alone, or the
// message alone.
func (m *merchant) refuses(path string, body any, want string) {
	m.t.Helper()
	_, code, message := m.refused(http.MethodPost, path, body)
	require.Contains(m.t, []string{code + ": " + message, code, message}, want)
}

func (m *merchant) draft(amount string) order {
	m.t.Helper()
	return m.do(http.MethodPost, "/orders", map[string]any{"payer": m.payer.Address, "amount": amount})
}

// sign lets the payer's wallet sign typed data: the node is the wallet.
func (m *merchant) sign(typedData json.RawMessage) []byte {
	m.t.Helper()
	client, err := rpc.Dial(m.node.URL())
	require.NoError(m.t, err)
	defer client.Close()
	var signature hexutil.Bytes
	require.NoError(m.t, client.CallContext(m.t.Context(), &signature, "eth_signTypedData_v4", m.payer.Address, typedData))
	m.signatures = append(m.signatures, signature)
	return signature
}

func authorize(o order, signature []byte) map[string]any {
	return map[string]any{"authorization": o.Authorization, "signature": hexutil.Bytes(signature)}
}

// store drafts an order, lets the payer sign it and stores the signature.
func (m *merchant) store(amount string) order {
	m.t.Helper()
	o := m.draft(amount)
	o = m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, m.sign(o.TypedData)))
	require.Equal(m.t, "stored", o.Stage)
	return o
}

// stored starts the program on a node of its own, with an order of 25 dollars that the payer has signed.
func stored(t *testing.T) (*merchant, order) {
	t.Helper()
	m := startMerchant(t, fakenode.RunT(t))
	return m, m.store("25.00")
}

func (m *merchant) show(id string) order {
	m.t.Helper()
	return m.do(http.MethodGet, "/orders/"+id, nil)
}

// capture asks for a capture and waits until the node has the transaction.
func (m *merchant) capture(id string) order {
	m.t.Helper()
	m.do(http.MethodPost, "/orders/"+id+"/capture", nil)
	return m.await(id, "the capture is sent", sent)
}

// cancel lets the payer sign a cancellation, relays it and waits until the node has the transaction.
func (m *merchant) cancel(id string) order {
	m.t.Helper()
	signature := m.sign(m.do(http.MethodGet, "/orders/"+id+"/cancellation", nil).TypedData)
	m.do(http.MethodPost, "/orders/"+id+"/cancellation", map[string]any{"signature": hexutil.Bytes(signature)})
	return m.await(id, "the cancellation is sent", sent)
}

// await waits for an order to become what a test expects: each request is answered when the order changes.
func (m *merchant) await(id, what string, expected func(order) bool) order {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	o := m.show(id)
	for !expected(o) {
		status, answer, err := m.attempt(ctx, http.MethodGet, fmt.Sprintf("/orders/%s?after=%d", id, o.Version), nil)
		require.NoError(m.t, err, "waiting until %s: it is %+v", what, o)
		require.Equal(m.t, http.StatusOK, status, "%s", answer)
		o = order{}
		require.NoError(m.t, json.Unmarshal(answer, &o))
	}
	return o
}

// What an order can be awaited to be.
func sent(o order) bool     { return o.Settlement == nil && o.last().State == "sent" }
func resent(o order) bool   { return sent(o) && o.last().Attempts == 2 }
func captured(o order) bool { return o.Stage == "captured" }
func canceled(o order) bool { return o.Stage == "canceled" }
func reverted(o order) bool { return o.last().State == "reverted" }
func expired(o order) bool  { return o.Expired }
func announced(o order) bool {
	return o.Settlement != nil && o.Settlement.BlockHash == nil
}

// capturedIn is captured in one block and no other.
func capturedIn(block common.Hash) func(order) bool {
	return func(o order) bool { return captured(o) && *o.Settlement.BlockHash == block }
}

// calls counts the calls of a method that the node answered.
func (m *merchant) calls(method string) int { return len(m.node.Calls(method)) }

// settled checks on the chain that the merchant was paid exactly so many token units more than at the start, and that
// each of its transactions but the reverted ones paid.
func (m *merchant) settled(units uint64, transactions uint64) {
	m.t.Helper()
	start := uint256.NewInt(1_000_000_000_000)
	m.node.CheckBalance(m.t, m.account.Address, new(uint256.Int).AddUint64(start, units))
	state, err := m.node.Moment().Latest().State()
	require.NoError(m.t, err)
	require.Equal(m.t, transactions, state.Nonce(m.account.Address), "transactions of the merchant in blocks")
}

// settles seals a block, in which an order is captured, and checks what the merchant has been paid by then.
func (m *merchant) settles(o order, units, transactions uint64) {
	m.t.Helper()
	m.node.Seal()
	m.await(o.ID, "it is captured", captured)
	m.settled(units, transactions)
}

// submit puts a transaction of somebody else to the token into the pool.
func (m *merchant) submit(from fakenode.Account, data []byte) {
	m.t.Helper()
	token := m.node.Token().Address()
	m.send(from, &token, data)
}

func (m *merchant) send(from fakenode.Account, to *common.Address, data []byte) {
	m.t.Helper()
	require.NoError(m.t, m.node.Send(m.transaction(from, to, data)))
}

// transaction is a transaction of somebody else, not sent.
func (m *merchant) transaction(from fakenode.Account, to *common.Address, data []byte) *types.Transaction {
	m.t.Helper()
	moment := m.node.Moment()
	tx, err := types.SignNewTx(from.Key, types.LatestSigner(moment.Chain().Config()), &types.LegacyTx{
		Nonce: moment.PoolNonce(from.Address), GasPrice: big.NewInt(4e9), Gas: 5_000_000, To: to, Data: data,
	})
	require.NoError(m.t, err)
	return tx
}
