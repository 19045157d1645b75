package paywall

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/contracts/x402"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/tokencontract"
)

// newFacilitator returns a facilitator on a node whose blocks the test makes, and a payment of a dollar with its terms.
func newFacilitator(t *testing.T, preset fakenode.Preset) (*fakenode.Node, *Facilitator, Payment, Requirements) {
	t.Helper()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	f, err := NewFacilitator(t.Context(), client, node.Account(3).Key)
	require.NoError(t, err)

	merchant, domain := node.Account(1), node.Token().Domain()
	r := Requirements{
		Scheme: Exact, Network: f.Network(), Amount: fixtures.USD("1"), Asset: domain.VerifyingContract, PayTo: merchant.Address,
		MaxTimeoutSeconds: 300, Extra: Extra{Name: domain.Name, Version: domain.Version},
	}
	return node, f, another(node, r), r
}

// Ensure a settlement is not taken for done while it is pre-confirmed, also where the block that is being built has a
// hash, and is sent again once that was lost.
func TestSettleThroughLostPreconfirmation(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Dev, fakenode.BaseFlashblocks, fakenode.Optimism} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			testLostPreconfirmation(t, preset)
		})
	}
}

func testLostPreconfirmation(t *testing.T, preset fakenode.Preset) {
	node, f, payment, r := newFacilitator(t, preset)
	merchant := node.Account(1).Address
	before := node.Token().BalanceOf(merchant)
	steps := []func(){
		func() { node.Preconfirm() },
		func() {
			_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: control.DropFlashblocks, Count: 1, Gone: true})
			require.NoError(t, err)
			node.Seal()
			require.Equal(t, before, node.Token().BalanceOf(merchant))
		},
		func() { node.Preconfirm() }, // it was sent again
		func() { node.Seal() },
	}
	payer, transaction := settles(t, node, f, payment, r, steps)
	require.Equal(t, node.Account(0).Address, payer)
	_, err := node.Receipt(t.Context(), transaction)
	require.NoError(t, err)

	_, err = f.Verify(t.Context(), payment, r)
	require.EqualError(t, err, "FiatTokenV2: authorization is used or canceled")
}

// Ensure a facilitator that ends while its transaction waits, and is started again, settles behind that one.
func TestSettleAfterRestart(t *testing.T) {
	t.Parallel()
	node, f, payment, r := newFacilitator(t, fakenode.Dev)
	merchant := node.Account(1).Address
	before := node.Token().BalanceOf(merchant)
	f.wait = func(context.Context) error { return context.Canceled }
	_, _, err := f.Settle(t.Context(), payment, r, r.Amount)
	require.ErrorIs(t, err, context.Canceled)

	again, err := NewFacilitator(t.Context(), f.client, f.key)
	require.NoError(t, err)
	waits := 0
	again.wait = func(context.Context) error {
		waits++
		node.Seal()
		return nil
	}
	_, err = again.Submit(t.Context(), merchant, nil)
	require.NoError(t, err)
	require.Equal(t, 2, waits)
	require.Equal(t, new(uint256.Int).Add(before, r.Amount), node.Token().BalanceOf(merchant))
}

// Ensure a settlement is done with its block where there are no flashblocks, and is sent again after a reorg lost it.
func TestSettleWithoutFlashblocks(t *testing.T) {
	t.Parallel()
	node, f, payment, r := newFacilitator(t, fakenode.Base)
	steps := []func(){
		func() {
			node.Seal()
			_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: control.Drop})
			require.NoError(t, err)
		},
		func() { node.Advance(200 * time.Millisecond) }, // it was sent again
	}
	settles(t, node, f, payment, r, steps)
}

// settles settles a payment, which takes as many waits as there are steps, one of which happens in each.
func settles(t *testing.T, node *fakenode.Node, f *Facilitator, payment Payment, r Requirements, steps []func()) (payer common.Address, transaction common.Hash) {
	t.Helper()
	before := node.Token().BalanceOf(r.PayTo)
	f.wait = func(context.Context) error {
		require.NotEmpty(t, steps, "it is in a block, and was not seen there")
		steps[0]()
		steps = steps[1:]
		return nil
	}
	payer, transaction, err := f.Settle(t.Context(), payment, r, r.Amount)
	require.NoError(t, err)
	require.Empty(t, steps, "it settled before its block")
	require.Equal(t, new(uint256.Int).Add(before, r.Amount), node.Token().BalanceOf(r.PayTo))
	return payer, transaction
}

// Ensure what is not as required is refused before anything is sent.
func TestRefusals(t *testing.T) {
	t.Parallel()
	node, f, payment, r := newFacilitator(t, fakenode.Dev)
	for want, change := range map[string]func(p *Payment, r *Requirements){
		`network "eip155:1" is not`: func(_ *Payment, r *Requirements) { r.Network = "eip155:1" },
		errMismatch.Error():         func(_ *Payment, r *Requirements) { r.PayTo = node.Account(2).Address },
		`scheme "free" is neither`:  func(p *Payment, r *Requirements) { r.Scheme, p.Accepted.Scheme = "free", "free" },
		"payload: ":                 func(p *Payment, _ *Requirements) { p.Payload = json.RawMessage(`{"authorization":7}`) },
		"FiatTokenV2: invalid signature": func(p *Payment, _ *Requirements) {
			p.Payload = bytes.Replace(p.Payload, []byte(node.Account(0).Address.Hex()), []byte(node.Account(2).Address.Hex()), 1)
		},
	} {
		p, terms := payment, r
		change(&p, &terms)
		_, err := f.Verify(t.Context(), p, terms)
		require.ErrorContains(t, err, want)
	}
	require.Zero(t, node.Moment().PoolSize())
}

// another returns a payment of its own for the terms.
func another(node *fakenode.Node, r Requirements) Payment {
	payer := node.Account(0)
	a := fixtures.Authorization(payer, node.Account(1), r.Amount, node.Now())
	payload := fmt.Sprintf(`{"authorization":{"from":%q,"to":%q,"value":%q,"validAfter":"%d","validBefore":"%d","nonce":%q},"signature":"0x%x"}`,
		a.From, a.To, a.Value.Dec(), a.ValidAfter, a.ValidBefore, a.Nonce, payer.Sign(node.Token().Domain(), a.TransferMessage()).Bytes())
	return Payment{Version: 2, Accepted: r, Payload: json.RawMessage(payload)}
}

// poor is a payer with tokens, without ether, who has allowed Permit2 nothing.
type poor struct {
	t       *testing.T
	node    *fakenode.Node
	f       *Facilitator
	account fakenode.Account
}

func newPoor(t *testing.T) poor {
	t.Helper()
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	f, err := NewFacilitator(t.Context(), client, node.Account(3).Key)
	require.NoError(t, err)
	f.wait = func(context.Context) error { return nil }
	key, err := crypto.ToECDSA(crypto.Keccak256([]byte("a payer without ether")))
	require.NoError(t, err)
	account := fakenode.Account{Address: crypto.PubkeyToAddress(key.PublicKey), Key: key}
	node.Token().Mint(account.Address, fixtures.USD("5"))
	return poor{t, node, f, account}
}

// payment returns a payment of a dollar by Permit2, by either scheme, with an extension.
func (p poor) payment(scheme, extension string, info any) (Payment, Requirements) {
	p.t.Helper()
	r := Requirements{
		Scheme: scheme, Network: p.f.Network(), Amount: fixtures.USD("1"), Asset: tokencontract.MainnetAddress, PayTo: p.node.Account(1).Address,
		Extra: Extra{TransferMethod: Permit2},
	}
	exact := x402.ExactPayment{
		Payer: p.account.Address, To: r.PayTo, Token: r.Asset, Amount: r.Amount, Nonce: uint256.NewInt(7), Deadline: uint64(p.node.Now().Unix()) + 600,
	}
	terms, facilitator := exact.Permit(), r.PayTo
	if scheme == Upto {
		facilitator = p.f.Address()
		terms = x402.UptoPayment{ExactPayment: exact, Facilitator: facilitator}.Permit()
	}
	signature := p.account.SignDigest(contracts.Digest(terms.TypedData(p.node.ChainID())))
	payload := fmt.Sprintf(`{"permit2Authorization":{"from":%q,"permitted":{"token":%q,"amount":"1000000"},"spender":%q,"nonce":"7","deadline":"%d",
		"witness":{"to":%q,"facilitator":%q,"validAfter":"0"}},"signature":%q}`, exact.Payer, r.Asset, terms.Spender, exact.Deadline, r.PayTo, facilitator, hexutil.Encode(signature.Bytes()))
	payment := Payment{Version: 2, Accepted: r, Payload: json.RawMessage(payload)}
	raw, err := json.Marshal(map[string]any{extension: map[string]any{"info": info}})
	require.NoError(p.t, err)
	require.NoError(p.t, json.Unmarshal(raw, &payment.Extensions))
	return payment, r
}

type object = map[string]any

func (p poor) permit(value *uint256.Int) object {
	permit := tokencontract.Permit{Owner: p.account.Address, Spender: permit2.Address, Value: value, Deadline: uint256.NewInt(uint64(p.node.Now().Unix()) + 600)}
	return object{
		"from": permit.Owner, "asset": tokencontract.MainnetAddress, "spender": permit.Spender, "amount": value, "nonce": "0", "deadline": permit.Deadline,
		"signature": hexutil.Bytes(p.account.Sign(p.node.Token().Domain(), permit.Message()).Bytes()), "version": "1",
	}
}

func (p poor) approval(key fakenode.Account) object {
	token := tokencontract.MainnetAddress
	tx, err := types.SignNewTx(key.Key, types.LatestSignerForChainID(new(big.Int).SetUint64(p.node.ChainID())), &types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(p.node.ChainID()), GasFeeCap: big.NewInt(3_000_000_000), GasTipCap: big.NewInt(1), Gas: 200_000, To: &token,
		Data: tokencontract.NewToken().PackApprove(permit2.Address, new(uint256.Int).SetAllOne().ToBig()),
	})
	require.NoError(p.t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(p.t, err)
	return object{
		"from": p.account.Address, "asset": token, "spender": permit2.Address, "amount": "1", "signedTransaction": hexutil.Bytes(raw), "version": "1",
	}
}

// Ensure a payer without ether and without an allowance pays by either scheme over Permit2: a permit goes into the
// settlement, and for a signed approval the facilitator pays the gas.
func TestSponsored(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{Exact, Upto} {
		for extension, info := range map[string]func(poor) object{
			PermitSponsoring:   func(p poor) object { return p.permit(fixtures.USD("1")) },
			ApprovalSponsoring: func(p poor) object { return p.approval(p.account) },
		} {
			t.Run(scheme+" "+extension, func(t *testing.T) {
				t.Parallel()
				p := newPoor(t)
				bare, r := p.payment(scheme, "other", nil)
				_, err := p.f.Verify(t.Context(), bare, r)
				require.EqualError(t, err, "TRANSFER_FROM_FAILED")
				payment, r := p.payment(scheme, extension, info(p))
				_, err = p.f.Verify(t.Context(), payment, r)
				require.NoError(t, err)
				_, _, err = p.f.Settle(t.Context(), payment, r, r.Amount)
				require.NoError(t, err)
				p.node.CheckBalance(t, p.account.Address, fixtures.USD("4"))
			})
		}
	}
}

// Ensure what a payment brings must be the payer's own, for this token and Permit2.
func TestSponsoredRefused(t *testing.T) {
	t.Parallel()
	p := newPoor(t)
	for reason, change := range map[string]func() (string, object){
		"eip2612_from_mismatch": func() (string, object) {
			return PermitSponsoring, with(p.permit(fixtures.USD("1")), "from", p.node.Account(0).Address)
		},
		"erc20_approval_tx_signer_mismatch": func() (string, object) { return ApprovalSponsoring, p.approval(p.node.Account(0)) },
		"erc20_approval_spender_not_permit2": func() (string, object) {
			return ApprovalSponsoring, with(p.approval(p.account), "spender", p.account.Address)
		},
	} {
		extension, info := change()
		payment, r := p.payment(Exact, extension, info)
		_, err := p.f.Verify(t.Context(), payment, r)
		require.EqualError(t, err, reason)
	}
}

func with(info object, name string, value any) object {
	info[name] = value
	return info
}
