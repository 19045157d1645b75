package channel_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/examples/facilitator/channel"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
	"github.com/fakenode/fakenode/tokencontract"
)

const price = 100 // token units

func units(n uint64) *uint256.Int { return uint256.NewInt(n) }

// shop sells by the request, on a node that seals each transaction at once.
type shop struct {
	t      *testing.T
	node   *fakenode.Node
	f      *paywall.Facilitator
	ledger *channel.Ledger
	till   *channel.Till
	keeper channel.Keeper
	price  paywall.Requirements
	path   string // of the database
	url    string
}

func newShop(t *testing.T, config fakenode.Config) *shop {
	t.Helper()
	config.Mode = fakenode.Instant
	s := &shop{t: t, node: fakenode.RunConfigT(t, config), path: filepath.Join(t.TempDir(), "ledger.db")}
	var err error
	s.f, err = paywall.NewFacilitator(t.Context(), s.node.Client(), s.node.Account(3).Key)
	require.NoError(t, err)
	s.price = terms(s.f, s.node.Account(1).Address)
	s.open()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route(s.till, s.price).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// terms are the price of a request.
func terms(f *paywall.Facilitator, payTo common.Address) paywall.Requirements {
	authorizer := f.Address()
	return paywall.Requirements{
		Scheme: channel.Name, Network: f.Network(), Amount: units(price), Asset: tokencontract.MainnetAddress, PayTo: payTo, MaxTimeoutSeconds: 300,
		Extra: paywall.Extra{
			Name: tokencontract.MainnetName, Version: tokencontract.Version, ReceiverAuthorizer: &authorizer, WithdrawDelay: channels.MinWithdrawDelay,
		},
	}
}

// route sells goods at a price.
func route(till *channel.Till, price paywall.Requirements) paywall.Route {
	return paywall.Route{Scheme: till, Price: price, Serve: func(w http.ResponseWriter, _ *http.Request) *uint256.Int {
		fmt.Fprint(w, "goods")
		return price.Amount
	}}
}

// open opens the ledger, as a program that was started does.
func (s *shop) open() {
	s.t.Helper()
	var err error
	s.ledger, err = channel.OpenLedger(s.t.Context(), s.path, s.node.ChainID(), common.Hash{1})
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = s.ledger.Close() })
	s.till = channel.NewTill(channel.NewScheme(s.f, s.node.Account(3).Key), s.ledger)
	s.keeper = channel.Keeper{Till: s.till, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

// wallet is a payer's, with a channel.
type wallet struct {
	*shop
	payer   fakenode.Account
	channel channels.Channel
	salt    uint64

	extensions object // that payments carry
}

func (s *shop) wallet(account int) *wallet {
	payer := s.node.Account(account)
	return &wallet{shop: s, payer: payer, channel: channels.Channel{
		Payer: payer.Address, PayerAuthorizer: payer.Address, Receiver: s.price.PayTo, ReceiverAuthorizer: s.f.Address(),
		Token: s.price.Asset, WithdrawDelay: channels.MinWithdrawDelay,
	}}
}

func (w *wallet) id() common.Hash { return w.channel.ID(w.node.ChainID()) }

type object = map[string]any

// payload returns a payload of a kind, with a voucher.
func (w *wallet) payload(kind string, ceiling uint64) object {
	digest := contracts.Digest(channels.VoucherData(w.node.ChainID(), w.id(), units(ceiling)))
	c := w.channel
	return object{
		"type": kind,
		"channelConfig": object{
			"payer": c.Payer, "payerAuthorizer": c.PayerAuthorizer, "receiver": c.Receiver, "receiverAuthorizer": c.ReceiverAuthorizer,
			"token": c.Token, "withdrawDelay": c.WithdrawDelay, "salt": c.Salt,
		},
		"voucher": object{"channelId": w.id(), "maxClaimableAmount": units(ceiling), "signature": hexutil.Bytes(w.payer.SignDigest(digest).Bytes())},
	}
}

// deposit returns a payload that brings an amount.
func (w *wallet) deposit(amount, ceiling uint64) object {
	w.salt++
	salt := units(w.salt)
	a := w.channel.Authorization(w.node.ChainID(), units(amount), 0, uint64(w.node.Now().Unix())+600, salt)
	p := w.payload("deposit", ceiling)
	p["deposit"] = object{"amount": units(amount), "authorization": object{"erc3009Authorization": object{
		"validAfter": "0", "validBefore": units(a.ValidBefore), "salt": common.Hash(salt.Bytes32()),
		"signature": hexutil.Bytes(w.payer.Sign(w.node.Token().Domain(), a.ReceiveMessage()).Bytes()),
	}}}
	return p
}

// answer is an answer to a client: goods, or the payment required for them.
type answer struct {
	status   int
	goods    string
	settled  paywall.Settled
	required struct {
		Error   string
		Accepts []struct{ Extra object }
	}
}

// try sends a request with a payload. The error is that of a seller who does not answer.
func (w *wallet) try(payload object) (a answer, err error) {
	w.t.Helper()
	header, err := json.Marshal(object{"x402Version": 2, "accepted": w.price, "payload": payload, "extensions": w.extensions})
	require.NoError(w.t, err)
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.url, nil)
	require.NoError(w.t, err)
	request.Header.Set("PAYMENT-SIGNATURE", base64.StdEncoding.EncodeToString(header))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return a, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return a, err
	}
	a.status, a.goods = response.StatusCode, string(body)
	for name, into := range map[string]any{"PAYMENT-RESPONSE": &a.settled, "PAYMENT-REQUIRED": &a.required} {
		if raw, err := base64.StdEncoding.DecodeString(response.Header.Get(name)); err == nil && len(raw) > 0 {
			require.NoError(w.t, json.Unmarshal(raw, into))
		}
	}
	return a, nil
}

// pay sends a request with a payload to a seller who answers.
func (w *wallet) pay(payload object) answer {
	w.t.Helper()
	a, err := w.try(payload)
	require.NoError(w.t, err)
	return a
}

// buys pays and gets the goods.
func (w *wallet) buys(payload object) answer {
	w.t.Helper()
	a := w.pay(payload)
	require.Equal(w.t, http.StatusOK, a.status, "%s %s", a.goods, a.settled.Message)
	return a
}

// refused pays and gets nothing but a reason.
func (w *wallet) refused(payload object, reason string) answer {
	w.t.Helper()
	a := w.pay(payload)
	require.Equal(w.t, http.StatusPaymentRequired, a.status)
	require.Equal(w.t, "invalid_batch_settlement_evm_"+reason, a.required.Error)
	return a
}

// received returns the token units that the seller has gained since the start.
func (s *shop) received() uint64 {
	return s.node.Token().BalanceOf(s.price.PayTo).Uint64() - 1_000_000_000_000
}

// spent returns the token units that the payer has lost since the start.
func (w *wallet) spent() uint64 {
	return 1_000_000_000_000 - w.node.Token().BalanceOf(w.payer.Address).Uint64()
}

func (s *shop) keep() {
	s.t.Helper()
	require.NoError(s.t, s.keeper.Keep(s.t.Context()))
}

// removes takes the newest blocks back, with their transactions.
func (s *shop) removes(blocks int) {
	s.t.Helper()
	_, err := s.node.Reorg(fakenode.ReorgOptions{Depth: blocks, Transactions: "drop", Force: true})
	require.NoError(s.t, err)
}

// sends is a transaction of the payer's to the contract.
func (w *wallet) sends(data []byte) {
	w.t.Helper()
	hash, err := w.node.Transact(w.payer, fakenode.Tx{To: &channels.Address, Data: data, Gas: 300_000})
	require.NoError(w.t, err)
	receipt, err := w.node.Receipt(w.t.Context(), hash)
	require.NoError(w.t, err)
	require.EqualValues(w.t, 1, receipt.Status)
}
