package main

import (
	"math/big"
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures/contracts/smartwallet"
)

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
