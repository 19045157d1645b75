package paywall

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
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
			_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: preconf.Drop})
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
