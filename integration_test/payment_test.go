package integration_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// pending is the block tag as ethclient spells it.
var pending = big.NewInt(int64(rpc.PendingBlockNumber))

// shop is a merchant's view of the node: a URL, a key, and nothing else.
type shop struct {
	t        *testing.T
	client   *ethclient.Client
	ws       *rpc.Client
	token    common.Address
	merchant fakenode.Account
}

func openShop(t *testing.T, node *fakenode.Node, merchant fakenode.Account) *shop {
	t.Helper()
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	ws, err := rpc.Dial(node.WebSocketURL())
	require.NoError(t, err)
	t.Cleanup(ws.Close)
	return &shop{t: t, client: client, ws: ws, token: node.Token().Address(), merchant: merchant}
}

// read calls a token function at a block: nil for latest, or pending.
func (s *shop) read(block *big.Int, function string, arguments ...any) any {
	s.t.Helper()
	data, err := tokencontract.ABI().Pack(function, arguments...)
	require.NoError(s.t, err)
	answer, err := s.client.CallContract(s.t.Context(), ethereum.CallMsg{To: &s.token, Data: data}, block)
	require.NoError(s.t, err)
	values, err := tokencontract.ABI().Unpack(function, answer)
	require.NoError(s.t, err)
	return values[0]
}

// domain is step 1 of the procedure (contract 4.2-read): name and version come from the token.
func (s *shop) domain() tokencontract.Domain {
	s.t.Helper()
	id, err := s.client.ChainID(s.t.Context())
	require.NoError(s.t, err)
	return tokencontract.Domain{
		Name: s.read(nil, "name").(string), Version: s.read(nil, "version").(string),
		ChainID: id.Uint64(), VerifyingContract: s.token,
	}
}

// submit sends a transaction to the token.
func (s *shop) submit(from fakenode.Account, data []byte) *types.Transaction {
	s.t.Helper()
	ctx := s.t.Context()
	id, err := s.client.ChainID(ctx)
	require.NoError(s.t, err)
	nonce, err := s.client.PendingNonceAt(ctx, from.Address)
	require.NoError(s.t, err)
	tip, err := s.client.SuggestGasTipCap(ctx)
	require.NoError(s.t, err)
	head, err := s.client.HeaderByNumber(ctx, nil)
	require.NoError(s.t, err)
	feeCap := new(big.Int).Add(tip, new(big.Int).Mul(head.BaseFee, big.NewInt(2)))
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID: id, Nonce: nonce, GasTipCap: tip, GasFeeCap: feeCap, Gas: 200_000, To: &s.token, Data: data,
	})
	require.NoError(s.t, err)
	require.NoError(s.t, s.client.SendTransaction(ctx, tx))
	return tx
}

// logs are eth_getLogs of the token between two tags.
func (s *shop) logs(from, to string) []types.Log {
	s.t.Helper()
	var logs []types.Log
	require.NoError(s.t, s.ws.CallContext(s.t.Context(), &logs, "eth_getLogs",
		map[string]any{"fromBlock": from, "toBlock": to, "address": s.token}))
	return logs
}

// next receives from a subscription, or fails the test after a minute.
func next[T any](t *testing.T, items <-chan T) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case item := <-items:
		return item
	case <-ctx.Done():
		t.Fatal("nothing was received")
		panic("unreachable")
	}
}

// Ensure the documented flow works from signing to capture, with nothing but RPC, and that pre-confirmed and sealed
// state are distinct at every step.
func TestPayment(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Dev, fakenode.BaseFlashblocks} { // rules of Ethereum, of the OP stack
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			testPayment(t, fakenode.RunConfigT(t, fakenode.Config{Preset: preset}))
		})
	}
}

func testPayment(t *testing.T, node *fakenode.Node) {
	payer, merchant := node.Account(0), node.Account(1)
	s := openShop(t, node, merchant)
	amount := fixtures.USD("25.00")

	pendingLogs, sealedLogs, heads := make(chan types.Log, 16), make(chan types.Log, 16), make(chan *types.Header, 16)
	for kind, channel := range map[string]any{"pendingLogs": pendingLogs, "logs": sealedLogs} {
		_, err := s.ws.EthSubscribe(t.Context(), channel, kind, map[string]any{"address": s.token})
		require.NoError(t, err)
	}
	_, err := s.ws.EthSubscribe(t.Context(), heads, "newHeads")
	require.NoError(t, err)

	domain := s.domain()
	require.Equal(t, "USD Coin", domain.Name)
	require.Equal(t, "2", domain.Version)
	auth := fixtures.Authorization(payer, merchant, amount, node.Now())
	signature := payer.Sign(domain, auth.ReceiveMessage())
	require.False(t, s.read(nil, "authorizationState", payer.Address, auth.Nonce).(bool))
	before := s.read(nil, "balanceOf", merchant.Address).(*big.Int)
	require.True(t, s.read(nil, "balanceOf", payer.Address).(*big.Int).Cmp(amount.ToBig()) >= 0)

	code, err := s.client.PendingCodeAt(t.Context(), s.token)
	require.NoError(t, err)
	require.NotEmpty(t, code)

	tx := s.submit(merchant, auth.PackReceive(signature))
	require.Empty(t, s.logs("pending", "pending"), "visible only in the next flashblock")
	node.Preconfirm()

	announced := s.logs("pending", "pending")
	require.Len(t, announced, 2)
	head, err := s.client.BlockNumber(t.Context())
	require.NoError(t, err)
	for i, log := range announced {
		require.Equal(t, common.Hash{}, log.BlockHash)
		require.Equal(t, head+1, log.BlockNumber)
		require.NotZero(t, log.BlockTimestamp)
		require.Equal(t, uint(i), log.Index)
		require.Equal(t, tx.Hash(), log.TxHash)
		require.Equal(t, log, next(t, pendingLogs))
	}
	used, err := tokencontract.DecodeAuthorizationUsed(announced[0])
	require.NoError(t, err)
	require.Equal(t, tokencontract.AuthorizationUsed{Authorizer: payer.Address, Nonce: auth.Nonce}, used)
	transfer, err := tokencontract.DecodeTransfer(announced[1])
	require.NoError(t, err)
	require.Equal(t, tokencontract.Transfer{From: payer.Address, To: merchant.Address, Value: amount}, transfer)
	require.True(t, s.read(pending, "authorizationState", payer.Address, auth.Nonce).(bool))
	require.False(t, s.read(nil, "authorizationState", payer.Address, auth.Nonce).(bool))
	require.Empty(t, s.logs("latest", "latest"))

	hash := node.Seal()
	require.Equal(t, hash, next(t, heads).Hash())
	sealed := s.logs("latest", "latest")
	require.Len(t, sealed, 2)
	for i, log := range sealed {
		require.Equal(t, hash, log.BlockHash)
		require.Equal(t, log, next(t, sealedLogs))
		log.BlockHash = common.Hash{}
		require.Equal(t, announced[i], log, "sealing changes the block hash alone")
	}
	require.True(t, s.read(nil, "authorizationState", payer.Address, auth.Nonce).(bool))
	require.Equal(t, new(big.Int).Add(before, amount.ToBig()), s.read(nil, "balanceOf", merchant.Address))
}

// Ensure every way a capture can fail leaves the nonce unused and moves nothing.
func TestCaptureFails(t *testing.T) {
	t.Parallel()
	hour := uint64(time.Hour / time.Second)
	for _, tc := range []struct {
		name    string
		change  func(a *tokencontract.Authorization) // before signing
		tamper  func(a *tokencontract.Authorization) // after signing
		prepare func(s *shop, node *fakenode.Node, payer fakenode.Account)
		caller  int // account that captures
		reason  string
	}{
		{name: "too early", change: func(a *tokencontract.Authorization) { a.ValidAfter += hour }, caller: 1, reason: "FiatTokenV2: authorization is not yet valid"},
		{name: "too late", prepare: func(_ *shop, node *fakenode.Node, _ fakenode.Account) { node.Advance(16 * time.Minute) }, caller: 1, reason: "FiatTokenV2: authorization is expired"},
		{name: "wrong caller", caller: 2, reason: "FiatTokenV2: caller must be the payee"},
		{name: "spent balance", prepare: func(s *shop, node *fakenode.Node, payer fakenode.Account) {
			s.submit(payer, tokencontract.PackTransfer(node.Account(3).Address, node.Token().BalanceOf(payer.Address)))
		}, caller: 1, reason: "ERC20: transfer amount exceeds balance"},
		{name: "paused", prepare: func(_ *shop, node *fakenode.Node, _ fakenode.Account) { node.Token().Pause() }, caller: 1, reason: "Pausable: paused"},
		{name: "blacklisted", prepare: func(_ *shop, node *fakenode.Node, payer fakenode.Account) {
			node.Token().Blacklist(payer.Address)
		}, caller: 1, reason: "Blacklistable: account is blacklisted"},
		{name: "tampered value", tamper: func(a *tokencontract.Authorization) { a.Value = new(uint256.Int).AddUint64(a.Value, 1) }, caller: 1, reason: "FiatTokenV2: invalid signature"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			payer, merchant := node.Account(0), node.Account(1)
			s := openShop(t, node, merchant)
			auth := fixtures.Authorization(payer, merchant, fixtures.USD("25.00"), node.Now())
			if tc.change != nil {
				tc.change(&auth)
			}
			signature := payer.Sign(s.domain(), auth.ReceiveMessage())
			if tc.tamper != nil {
				tc.tamper(&auth)
			}
			if tc.prepare != nil {
				tc.prepare(s, node, payer)
			}
			before := node.Token().BalanceOf(merchant.Address)

			tx := s.submit(node.Account(tc.caller), auth.PackReceive(signature))
			node.Seal()

			receipt, err := s.client.TransactionReceipt(t.Context(), tx.Hash())
			require.NoError(t, err)
			require.Equal(t, types.ReceiptStatusFailed, receipt.Status)
			require.Empty(t, receipt.Logs)
			require.False(t, s.read(nil, "authorizationState", payer.Address, auth.Nonce).(bool))
			node.CheckBalance(t, merchant.Address, before)
			require.Equal(t, tc.reason, s.revertReason(node.Account(tc.caller), auth.PackReceive(signature)))
		})
	}
}

// revertReason asks by eth_call why a transaction to the token fails, and checks the error's shape (contract 7-revert).
func (s *shop) revertReason(from fakenode.Account, data []byte) string {
	s.t.Helper()
	var answer hexutil.Bytes
	err := s.ws.CallContext(s.t.Context(), &answer, "eth_call",
		map[string]any{"from": from.Address, "to": s.token, "data": hexutil.Bytes(data)}, "latest")
	var failure rpc.DataError
	require.ErrorAs(s.t, err, &failure)
	require.Equal(s.t, "execution reverted", failure.Error())
	require.Equal(s.t, -32000, failure.(rpc.Error).ErrorCode())
	reason, err := abi.UnpackRevert(hexutil.MustDecode(failure.ErrorData().(string)))
	require.NoError(s.t, err)
	return reason
}
