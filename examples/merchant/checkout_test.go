package main

import (
	"io"
	"math/big"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/examples/internal/readme"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/tokencontract"
)

const dollars25 = 25_000_000 // token units

// Ensure an order goes from draft to capture as a customer and a merchant see it: announced early where there are
// flashblocks, whatever hash their block has; captured when sealed, taken back by a reorg, final when finalized.
func TestCheckout(t *testing.T) {
	t.Parallel()
	presets := []fakenode.Preset{fakenode.Dev, fakenode.Base, fakenode.BaseFlashblocks, fakenode.Optimism}
	for _, preset := range presets[:laboratory.Budget(t, 2, len(presets))] {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			testCheckout(t, fakenode.RunConfigT(t, fakenode.Config{Preset: preset}), preset != fakenode.Base)
		})
	}
}

// Ensure the same under the hard fork to come, which has gas of two kinds.
func TestCheckoutUnderAmsterdam(t *testing.T) {
	t.Parallel()
	testCheckout(t, fakenode.RunConfigT(t, fakenode.Config{Hardfork: "amsterdam"}), true)
}

func testCheckout(t *testing.T, node *fakenode.Node, flashblocks bool) {
	m := startMerchant(t, node)

	o := m.draft("25.00")
	require.Equal(t, "drafted", o.Stage)
	terms := o.terms()
	require.Equal(t, m.payer.Address, terms.From)
	require.Equal(t, m.account.Address, terms.To)
	require.Equal(t, fixtures.USD("25.00"), terms.Value)
	require.Equal(t, uint64(node.Now().Add(-time.Minute).Unix()), terms.ValidAfter)
	require.Equal(t, uint64(node.Now().Add(15*time.Minute).Unix()), terms.ValidBefore)
	require.NotEqual(t, terms.Nonce, m.draft("25.00").terms().Nonce)

	signature := m.sign(o.TypedData)
	o = m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, signature))
	require.Equal(t, "stored", o.Stage)
	m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, signature)) // sent twice, stored once
	m.settled(0, 0)

	hash := m.capture(o.ID).last().Hash
	if flashblocks {
		node.Preconfirm()
		o = m.await(o.ID, "the capture is announced", announced)
		require.Equal(t, "stored", o.Stage, "a pre-confirmation is not a payment yet")
		require.Equal(t, settlement{"captured", hash, node.BlockNumber() + 1, nil}, *o.Settlement)
	}

	block := node.Seal()
	o = m.await(o.ID, "it is captured", func(o order) bool { return captured(o) && o.last().State == "included" })
	require.Equal(t, settlement{"captured", hash, node.BlockNumber(), &block}, *o.Settlement)
	require.False(t, o.Final)
	m.settled(dollars25, 1)

	result, err := node.Reorg(fakenode.ReorgOptions{Depth: 1}) // the capture is mined again
	require.NoError(t, err)
	m.await(o.ID, "it is captured in the other block", capturedIn(result.Added[0]))

	m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil) // asked twice, captured once
	node.Advance(64 * 2 * time.Second)
	m.await(o.ID, "it is final", func(o order) bool { return o.Final && o.last().Final })
	require.Equal(t, 1, m.calls("eth_sendRawTransaction"))
	m.settled(dollars25, 1)
}

// Ensure captures asked for at the same time settle once for each order, in the order of their account nonces.
func TestCapturesAtOnce(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m := startMerchant(t, node)
	orders := []order{m.store("1"), m.store("2"), m.store("3")}
	var clients sync.WaitGroup
	for range 4 {
		for _, o := range orders {
			clients.Go(func() { _, _, _ = m.attempt(t.Context(), http.MethodPost, "/orders/"+o.ID+"/capture", nil) })
		}
	}
	clients.Wait()
	nonces := map[uint64]bool{}
	for _, o := range orders {
		o = m.await(o.ID, "the capture is sent", sent)
		require.Len(t, o.Transactions, 1)
		nonces[o.last().Nonce] = true
	}
	require.Equal(t, map[uint64]bool{0: true, 1: true, 2: true}, nonces)
	node.Seal()
	for _, o := range orders {
		m.await(o.ID, "it is captured", captured)
	}
	m.settled(6_000_000, 3)
}

// Ensure a contract wallet can pay: it is asked whether the signature is good (ERC-1271).
func TestContractWalletPays(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m := startMerchant(t, node)
	wallet := crypto.CreateAddress(m.payer.Address, 0)
	m.send(m.payer, nil, contracts.DeployCode(contracts.WalletMetaData.Bin, contracts.NewWallet().PackConstructor(m.payer.Address)...))
	node.Token().Mint(wallet, fixtures.USD("25.00"))

	o := m.do(http.MethodPost, "/orders", map[string]any{"payer": wallet, "amount": "25.00"})
	stranger := node.Account(5).Sign(node.Token().Domain(), o.terms().ReceiveMessage())
	m.refuses("/orders/"+o.ID+"/authorization", authorize(o, stranger[:]), "signature")
	m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, m.sign(o.TypedData)))
	m.capture(o.ID)
	m.settles(o, dollars25, 1)
}

// Ensure a voided order is never submitted, and that its payer can still cancel the nonce on-chain.
func TestVoid(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	for range 2 {
		require.Equal(t, "voided", m.do(http.MethodPost, "/orders/"+o.ID+"/void", nil).Stage)
	}
	status, code, _ := m.refused(http.MethodPost, "/orders/"+o.ID+"/capture", nil)
	require.Equal(t, http.StatusConflict, status)
	require.Equal(t, "conflict", code)
	require.False(t, m.node.Token().AuthorizationState(m.payer.Address, o.terms().Nonce))
	require.Zero(t, m.calls("eth_sendRawTransaction"))

	m.end()
	file, err := os.ReadFile(m.database())
	require.NoError(t, err)
	require.NotContains(t, string(file), string(m.signatures[0]), "the signature is wiped")

	m.start()
	m.cancel(o.ID)
	m.node.Seal()
	m.await(o.ID, "it is canceled", canceled)
	m.settled(0, 1)
}

// Ensure a relayed cancellation ends an order for good, that only the payer's is relayed, and that a reorg can take it
// back.
func TestCancel(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	cancellation := tokencontract.Cancellation{Authorizer: m.payer.Address, Nonce: o.terms().Nonce}
	stranger := m.node.Account(5).Sign(m.node.Token().Domain(), cancellation.Message())
	status, code, _ := m.refused(http.MethodPost, "/orders/"+o.ID+"/cancellation", map[string]any{"signature": hexutil.Bytes(stranger[:])})
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Equal(t, "signature", code)

	hash := m.cancel(o.ID).last().Hash
	m.refuses("/orders/"+o.ID+"/capture", nil, "conflict: order is being canceled")
	block := m.node.Seal()
	o = m.await(o.ID, "it is canceled", canceled)
	require.Equal(t, settlement{"canceled", hash, m.node.BlockNumber(), &block}, *o.Settlement)
	m.refuses("/orders/"+o.ID+"/capture", nil, "conflict")

	_, err := m.node.Reorg(fakenode.ReorgOptions{Depth: 1, Blocks: [][]*types.Transaction{{}}, Transactions: "drop"})
	require.NoError(t, err)
	require.Equal(t, "stored", m.await(o.ID, "the cancellation is sent again", resent).Stage)
	m.node.Seal()
	m.await(o.ID, "it is canceled again", canceled)
	m.settled(0, 1)
}

// Ensure a used nonce alone is no payment: a payer can sign the same nonce away to somebody else.
func TestDivertedNonce(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	elsewhere := o.terms()
	elsewhere.To = m.node.Account(3).Address
	m.submit(m.payer, elsewhere.PackTransfer(m.payer.Sign(m.node.Token().Domain(), elsewhere.TransferMessage())))
	m.node.Seal()
	require.True(t, m.node.Token().AuthorizationState(m.payer.Address, o.terms().Nonce))
	require.Equal(t, "diverted", m.await(o.ID, "the nonce is gone", canceled).Settlement.Outcome)

	tooLittle := m.store("25.00")
	less := tooLittle.terms()
	less.Value = uint256.NewInt(1)
	m.submit(m.payer, less.PackTransfer(m.payer.Sign(m.node.Token().Domain(), less.TransferMessage())))
	m.node.Seal()
	require.Equal(t, "diverted", m.await(tooLittle.ID, "the nonce is gone", canceled).Settlement.Outcome)
	m.settled(1, 0)
}

// Ensure an order expires with the chain's time, and that a reorg to an earlier time does not make a captured one of
// it.
func TestExpiry(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m := startMerchant(t, node)
	o, drafted := m.store("25.00"), m.draft("25.00")
	node.Advance(15*time.Minute - 2*time.Second)
	require.False(t, m.show(o.ID).Expired)
	node.Advance(2 * time.Second)
	m.await(o.ID, "it is expired", expired)
	m.await(drafted.ID, "it is expired", expired)
	m.refuses("/orders/"+o.ID+"/capture", nil, "expired")
	m.refuses("/orders/"+drafted.ID+"/authorization", authorize(drafted, m.sign(drafted.TypedData)), "expired")
	require.False(t, m.show(o.ID).Final, "a reorg may still turn the time back")
	node.Advance(64 * 2 * time.Second)
	m.await(o.ID, "it is final", func(o order) bool { return o.Final && o.Expired && o.Stage == "stored" })
	require.Zero(t, m.calls("eth_sendRawTransaction"))
}

// deployment returns the parameters of eth_sendUserOperation by which the payer's wallet has a smart account deployed,
// which costs it nothing: the node's paymaster has signed for it.
func (m *merchant) deployment(account smartwallet.Account, client *rpc.Client) []any {
	m.t.Helper()
	initCode := append(account.Factory.Bytes(), account.PackCreate()...)
	gas, fee := big.NewInt(500_000), big.NewInt(100e9)
	op := map[string]any{
		"sender": account.Address(), "nonce": "0x0", "initCode": hexutil.Bytes(initCode), "callData": "0x",
		"callGasLimit": (*hexutil.Big)(gas), "verificationGasLimit": (*hexutil.Big)(gas), "preVerificationGas": (*hexutil.Big)(gas),
		"maxFeePerGas": (*hexutil.Big)(fee), "maxPriorityFeePerGas": "0x1",
	}
	chainID := m.node.Token().Domain().ChainID
	var sponsored struct{ PaymasterAndData hexutil.Bytes }
	require.NoError(m.t, client.CallContext(m.t.Context(), &sponsored, "pm_getPaymasterData", op, entrypoint.V06Address, hexutil.Uint64(chainID), nil))
	hash := entrypoint.UserOperation{
		Sender: account.Address(), Nonce: new(big.Int), InitCode: initCode, CallGasLimit: gas, VerificationGasLimit: gas, PreVerificationGas: gas,
		MaxFeePerGas: fee, MaxPriorityFeePerGas: common.Big1, PaymasterAndData: sponsored.PaymasterAndData,
	}.Hash(chainID)
	op["paymasterAndData"] = sponsored.PaymasterAndData
	op["signature"] = hexutil.Bytes(smartwallet.WrapSignature(0, m.payer.SignDigest(hash).Bytes()))
	return []any{op, entrypoint.V06Address}
}

// Ensure a smart account without ether pays, once a sponsored user operation has deployed it; and that a capture which
// a reorg leaves without that deployment is taken back, and repeated when the same operation has deployed it again.
func TestSmartAccountWithoutEtherPays(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m := startMerchant(t, node)
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(m.payer.Address))
	node.Token().Mint(account.Address(), fixtures.USD("25.00"))

	o := m.do(http.MethodPost, "/orders", map[string]any{"payer": account.Address(), "amount": "25.00"})
	digest := account.Digest(node.Token().Domain().ChainID, o.terms().ReceiveMessage().Digest(node.Token().Domain()))
	signature := smartwallet.WrapSignature(0, m.payer.SignDigest(digest).Bytes())
	m.signatures = append(m.signatures, signature)
	m.refuses("/orders/"+o.ID+"/authorization", authorize(o, signature), "signature") // there is no account to ask yet

	deployment := m.deployment(account, client)
	var operation common.Hash
	require.NoError(t, client.CallContext(t.Context(), &operation, "eth_sendUserOperation", deployment...))
	node.Preconfirm()
	require.Equal(t, "stored", m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, signature)).Stage)
	m.refuses("/orders/"+o.ID+"/capture", nil, "token") // the account may be lost with its flashblock
	node.Seal()
	deployed := node.Moment().Latest().Transactions().Signed()
	m.capture(o.ID)
	node.Preconfirm()
	m.await(o.ID, "the capture is announced", announced)
	m.settles(o, dollars25, 1)
	state, err := node.Moment().Latest().State()
	require.NoError(t, err)
	require.Zero(t, state.Balance(account.Address()).Sign(), "the account has paid no ether")

	// A reorg keeps the capture and loses what deployed the account that signed for it.
	capture := node.Moment().Latest().Transactions().Signed()
	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 2, Blocks: [][]*types.Transaction{capture}, Drop: []common.Hash{deployed[0].Hash()}})
	require.NoError(t, err)
	o = m.await(o.ID, "the capture reverted", func(o order) bool { return reverted(o) && o.Settlement == nil })
	require.Equal(t, "stored", o.Stage)
	m.settled(0, 1)

	require.NoError(t, client.CallContext(t.Context(), &operation, "eth_sendUserOperation", deployment...))
	node.Seal()
	m.capture(o.ID)
	m.settles(o, dollars25, 2)
}

// Ensure the sessions of the README work as they stand, but for the ports.
func TestSessionOfREADME(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "bash", "curl", "jq")
	var session strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readme.Read(t), -1) {
		session.WriteString(block[1])
	}
	m := startMerchant(t, fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant}))
	output := readme.Session(t, session.String(), "http://127.0.0.1:8080", m.url, "http://127.0.0.1:8545", m.node.URL())
	require.Regexp(t, `^"stored"\n\{\n  "stage": "captured",\n  "amount": "25.000000",\n  "settlement": \{\n    "outcome": "captured",`, output)
	require.Contains(t, output, `
"stored"
"12.500000"
{"path":"variable","stage":"captured","amount":"40.000000","received":"12.500000"}
"12.500000"
"7.250000"
{"path":"variable","stage":"captured","amount":"40.000000","received":"19.750000"}
null
"approve"
"capture"
{"path":"subscription","stage":"captured","amount":"9.990000","received":"9.990000"}
0.010000
0.020000
0.030000
"capture"
{"path":"requests","stage":"captured","amount":"1.000000","received":"0.030000"}
`)
	m.settled(dollars25+19_750_000+9_990_000+30_000, 7)
}

// Ensure the README names every file, and its commands are ones that the program takes.
func TestFilesAndCommandsOfREADME(t *testing.T) {
	t.Parallel()
	text := readme.Read(t)
	readme.NamesFiles(t, text, "*.go", "checkout/*")
	key := readme.Find(t, text, `export MERCHANT_KEY=(\S+)`)[0]
	config, listen, err := parse(strings.Fields(readme.Arguments(t, text, "merchant")), func(string) string { return key }, io.Discard)
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:8545", config.URL)
	require.Equal(t, "127.0.0.1:8080", listen)
	require.Equal(t, fixtures.Dev(1).Address, crypto.PubkeyToAddress(config.Key.PublicKey))
}

// Ensure an order is paid with the native coin of Arc, where a block is final as it is sealed.
func TestCheckoutOnArc(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Arc})
	m := startMerchant(t, node)
	o := m.draft("25.00")
	m.do(http.MethodPost, "/orders/"+o.ID+"/authorization", authorize(o, m.sign(o.TypedData)))
	before := node.Token().BalanceOf(m.account.Address)
	hash := m.capture(o.ID).last().Hash
	block := node.Seal()
	o = m.await(o.ID, "it is captured for good", func(o order) bool { return captured(o) && o.Final })
	require.Equal(t, settlement{"captured", hash, node.BlockNumber(), &block}, *o.Settlement)
	receipt, err := node.Receipt(t.Context(), hash)
	require.NoError(t, err)
	fee := new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed))
	least := new(uint256.Int).AddUint64(before, dollars25-1-new(big.Int).Div(fee, big.NewInt(1e12)).Uint64())
	require.Equal(t, least, node.Token().BalanceOf(m.account.Address), "what was paid, less the merchant's fee, rounded down")
}
