package integration_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

func usd(amount string) *uint256.Int { return fixtures.USD(amount) }

// submit sends a transaction with gas to spare: the node does not try it out first, so it may fail.
func (l *lab) submit(from int, to common.Address, data []byte) {
	l.t.Helper()
	l.do(new(common.Hash), "eth_sendTransaction", object{"from": l.Account(from).Address, "to": to, "input": hexutil.Bytes(data), "gas": "0x493e0"})
}

// Ensure signing with eth_signTypedData_v4 sends nothing, moves nothing and consumes nothing, and what it gives is the
// signature that the token takes (contract 1-signing, 3.1-sign, 4.2-sign).
func TestContractSigningMovesNothing(t *testing.T) {
	t.Parallel()
	node := visit(t, fakenode.RunT(t))
	payer, merchant := node.Account(0), node.Account(1)
	auth := fixtures.Authorization(payer, merchant, usd("25.00"), node.Now())
	look := func() []string {
		return []string{
			node.ask("eth_getTransactionCount", payer.Address, "pending"), node.ask("eth_getBalance", payer.Address, "pending"),
			node.ask("eth_call", object{"to": node.Token().Address(), "data": hexutil.Bytes(tokencontract.PackBalanceOf(payer.Address))}, "pending"),
			node.ask("eth_call", object{"to": node.Token().Address(), "data": hexutil.Bytes(tokencontract.NewToken().PackAuthorizationState(payer.Address, auth.Nonce))}, "pending"),
			node.ask("eth_getLogs", object{"fromBlock": "earliest", "toBlock": "pending"}), node.ask("txpool_status"),
		}
	}
	before := look()
	var signature tokencontract.Signature
	node.do(&signature, "eth_signTypedData_v4", payer.Address, auth.ReceiveMessage().TypedData(node.Token().Domain()))
	node.Preconfirm()
	require.Equal(t, before, look())

	node.submit(1, node.Token().Address(), auth.PackReceive(signature))
	node.Seal()
	require.True(t, node.Token().AuthorizationState(payer.Address, auth.Nonce))
}

// Ensure what the chain reports of a nonce at each stage of an order, and which stages can still be captured (contract
// 3.1-state, 3.2-signed, 3.2-voided).
func TestContractOrderStages(t *testing.T) {
	t.Parallel()
	captured := func(l *lab, auth tokencontract.Authorization, s tokencontract.Signature) {
		l.submit(1, l.Token().Address(), auth.PackReceive(s))
		l.Seal()
	}
	cancel := func(l *lab, auth tokencontract.Authorization) {
		cancellation := tokencontract.Cancellation{Authorizer: auth.From, Nonce: auth.Nonce}
		l.submit(1, l.Token().Address(), cancellation.Pack(l.Account(0).Sign(l.Token().Domain(), cancellation.Message())))
		l.Seal()
	}
	for _, tc := range []struct {
		stage      string
		reach      func(l *lab, auth tokencontract.Authorization, s tokencontract.Signature) // from signed
		consumed   bool
		capturable bool
	}{
		{stage: "signed, unused", capturable: true},
		{stage: "used, captured", reach: captured, consumed: true},
		{stage: "voided off-chain", reach: func(l *lab, _ tokencontract.Authorization, _ tokencontract.Signature) {
			l.Advance(time.Minute) // the merchant forgets it: the chain never hears of that
		}, capturable: true},
		{stage: "cancelled", reach: func(l *lab, auth tokencontract.Authorization, _ tokencontract.Signature) {
			cancel(l, auth)
		}, consumed: true},
		{stage: "past validBefore", reach: func(l *lab, _ tokencontract.Authorization, _ tokencontract.Signature) {
			l.Advance(fixtures.ValidFor + time.Second)
		}},
		{stage: "cancelled past validBefore", reach: func(l *lab, auth tokencontract.Authorization, _ tokencontract.Signature) {
			l.Advance(fixtures.ValidFor + time.Second)
			cancel(l, auth)
		}, consumed: true},
	} {
		t.Run(tc.stage, func(t *testing.T) {
			t.Parallel()
			node := visit(t, fakenode.RunT(t))
			payer, merchant := node.Account(0), node.Account(1)
			auth := fixtures.Authorization(payer, merchant, usd("25.00"), node.Now())
			signature := payer.Sign(node.Token().Domain(), auth.ReceiveMessage())
			if tc.reach != nil {
				tc.reach(node, auth, signature)
			}
			require.Equal(t, tc.consumed, node.Token().AuthorizationState(payer.Address, auth.Nonce))
			before := node.Token().BalanceOf(merchant.Address)
			captured(node, auth, signature)
			if tc.capturable {
				node.CheckBalance(t, merchant.Address, before.AddUint64(before, usd("25.00").Uint64()))
			} else {
				node.CheckBalance(t, merchant.Address, before)
			}
		})
	}
}

// Ensure anyone can settle a TransferWithAuthorization signature, always to its payee, while a ReceiveWithAuthorization
// signature is good for the payee alone (contract D-thirdParty).
func TestContractThirdPartySettles(t *testing.T) {
	t.Parallel()
	for _, variant := range []tokencontract.Variant{tokencontract.Strict, tokencontract.DocumentedFlow} {
		t.Run(variant.String(), func(t *testing.T) {
			t.Parallel()
			node := visit(t, fakenode.RunConfigT(t, fakenode.Config{Token: variant}))
			payer, merchant, token := node.Account(0), node.Account(1), node.Token().Address()
			start := node.Token().BalanceOf(merchant.Address)
			const thirdParty = 2

			auth := fixtures.Authorization(payer, merchant, usd("25.00"), node.Now())
			received := payer.Sign(node.Token().Domain(), auth.ReceiveMessage())
			node.submit(thirdParty, token, auth.PackReceive(received))
			node.submit(thirdParty, token, auth.PackTransfer(received))
			node.Seal()
			require.False(t, node.Token().AuthorizationState(payer.Address, auth.Nonce))
			node.CheckBalance(t, merchant.Address, start)

			node.submit(thirdParty, token, auth.PackTransfer(payer.Sign(node.Token().Domain(), auth.TransferMessage())))
			node.Seal()
			require.True(t, node.Token().AuthorizationState(payer.Address, auth.Nonce))
			node.CheckBalance(t, merchant.Address, start.AddUint64(start, usd("25.00").Uint64()))
		})
	}
}

// Ensure a merchant can simulate a capture before it submits it: a second simulated block sees the first, time and
// balance can be set, transfers and validation are off unless asked for, and nothing of it happens (contract
// 2.5-blockOverrides, 2.5-traceTransfers, 4-rule5).
func TestContractSimulatedCapture(t *testing.T) {
	t.Parallel()
	node := visit(t, fakenode.RunT(t))
	payer, merchant, token := node.Account(0), node.Account(1), node.Token().Address()
	auth := fixtures.Authorization(payer, merchant, usd("25.00"), node.Now())
	capture := object{"from": merchant.Address, "to": token, "data": hexutil.Bytes(fixtures.Sign(payer, node.Token().Domain(), auth).Capture())}
	slot := common.Hash(tokencontract.MappingSlot(tokencontract.SlotBalances, payer.Address))
	used := crypto.Keccak256Hash([]byte("AuthorizationUsed(address,bytes32)"))

	for _, tc := range []struct {
		name   string
		blocks []object
		errors []any // of each block's last call; nil: it works
	}{
		{"works", []object{{"calls": []object{capture}}}, []any{nil}},
		{"twice", []object{{"calls": []object{capture}}, {"calls": []object{capture}}}, []any{nil, "execution reverted: FiatTokenV2: authorization is used or canceled"}},
		{"too late", []object{{"blockOverrides": object{"timestamp": hexutil.Uint64(auth.ValidBefore)}, "calls": []object{capture}}}, []any{"execution reverted: FiatTokenV2: authorization is expired"}},
		{"payer is poor", []object{{"stateOverrides": object{token.Hex(): object{"stateDiff": object{slot.Hex(): common.Hash{}}}}, "calls": []object{capture}}}, []any{"execution reverted: ERC20: transfer amount exceeds balance"}},
		{"numbered", []object{{"blockOverrides": object{"number": "0x2"}, "calls": []object{capture}}}, []any{nil}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			blocks := node.simulate(payload(tc.blocks...), "pending")
			require.Len(t, blocks, len(tc.errors))
			for i, want := range tc.errors {
				require.Zero(t, blocks[i].StateRoot)
				call := blocks[i].Calls[len(blocks[i].Calls)-1]
				require.Equal(t, want, call.Error)
				require.Equal(t, want == nil, call.Status == 1)
				if want != nil {
					require.Empty(t, call.Logs)
					continue
				}
				require.Len(t, call.Logs, 2)
				require.Equal(t, used, call.Logs[0].Topics[0])
			}
		})
	}
	require.False(t, node.Token().Pending().AuthorizationState(payer.Address, auth.Nonce), "nothing of it happened")

	gift := object{"from": payer.Address, "to": merchant.Address, "value": "0x1", "nonce": "0x9"}
	require.Empty(t, node.simulate(payload(object{"calls": []object{gift}}), "pending")[0].Calls[0].Logs)
	traced := node.simulate(object{"traceTransfers": true, "blockStateCalls": []object{{"calls": []object{gift}}}}, "pending")
	require.Len(t, traced[0].Calls[0].Logs, 1)
	node.fails(-38011, "eth_simulateV1", object{"validation": true, "blockStateCalls": []object{{"calls": []object{gift}}}}, "pending")
}
