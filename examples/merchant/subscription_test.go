package main

import (
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures/contracts/spendpermission"
)

// deadline is the last second, in Unix seconds, in which an order may be captured.
func (o order) deadline() *uint256.Int { return uint256.NewInt(o.terms().ValidBefore - 1) }

const (
	finality = 64 * 2 * time.Second
	period   = 10 * time.Minute // of a subscription
)

// subscribe sells a subscription of so much a period to the payer's smart account, which holds 100 dollars. The account
// gets them before the approval is sent: the block that brings them would take the approval as well.
func (m *merchant) subscribe(amount string) order {
	m.t.Helper()
	o := m.do(http.MethodPost, "/orders", map[string]any{
		"payer": m.payer.Address, "path": "subscription", "amount": amount, "periodSeconds": int(period.Seconds()),
	})
	m.node.Token().Mint(o.terms().From, fixtures.USD("100"))
	return m.signs(o)
}

// permission returns the permission that the order's payer signed.
func (m *merchant) permission(o order) spendpermission.Permission {
	terms := o.terms()
	return spendpermission.Permission{
		Account: terms.From, Spender: m.account.Address, Token: m.node.Token().Address(), Allowance: terms.Value,
		Period: uint64(period.Seconds()), Start: terms.ValidAfter, End: terms.ValidBefore, Salt: new(uint256.Int).SetBytes(terms.Nonce[:]),
	}
}

// approved subscribes, and waits until the permission is in a block.
func (m *merchant) approved(amount string) order {
	m.t.Helper()
	o := m.subscribe(amount)
	m.await(o.ID, "the approval is sent", sent)
	m.node.Seal()
	return m.await(o.ID, "the permission is approved", func(o order) bool { return o.last().State == "included" })
}

// Ensure one signature deploys the customer's account and lets the shop charge in every period, and no more than was
// agreed.
func TestChargesOfEveryPeriod(t *testing.T) {
	t.Parallel()
	underEachHardfork(t, testChargesOfEveryPeriod)
}

func testChargesOfEveryPeriod(t *testing.T, node *fakenode.Node) {
	m := startMerchant(t, node)
	o := m.subscribe("10.00")
	require.Equal(t, "stored", o.Stage)
	m.refuses("/orders/"+o.ID+"/capture", part(1, "10.00"), "conflict: the permission is not approved on-chain yet, or was revoked")
	m.await(o.ID, "the approval is sent", sent)
	m.node.Seal()
	o = m.await(o.ID, "the permission is approved", func(o order) bool { return o.last().State == "included" })
	require.Equal(t, "stored approve", o.Stage+" "+o.last().Kind)

	m.capturePart(o, 1, "10.00")
	m.node.Seal()
	require.Equal(t, "captured", m.await(o.ID, "the first period is paid", received("10.000000")).Stage)
	m.refuses("/orders/"+o.ID+"/capture", part(2, "0.01"), "token: the contract refuses: ExceededSpendPermission[10010000 10000000]")
	m.node.Advance(period)
	m.capturePart(o, 2, "10.00")
	m.node.Seal()
	m.await(o.ID, "the second period is paid", received("20.000000"))
	m.settled(20_000_000, 3)
}

// Ensure a reorg that loses approval and charge brings both again, in their order.
func TestReorgRemovesApprovalAndCharge(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.approved("10.00")
	m.capturePart(o, 1, "10.00")
	m.node.Seal()
	m.await(o.ID, "it is paid", received("10.000000"))
	_, err := m.node.Reorg(fakenode.ReorgOptions{Depth: 2, Transactions: "drop"})
	require.NoError(t, err)
	m.await(o.ID, "both are sent again", func(o order) bool {
		return o.Stage == "stored" && o.Transactions[0].State == "sent" && o.Transactions[1].State == "sent"
	})
	m.node.Token().Mint(o.terms().From, fixtures.USD("100")) // the reorg may have lost that, too
	m.node.Seal()
	m.await(o.ID, "it is paid again", received("10.000000"))
	m.settled(10_000_000, 2)
}

// Ensure a charge that was pre-confirmed when the customer revoked is taken back, with the reason it failed for.
func TestRevokedWhileCharged(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	o := m.approved("10.00")
	charge := m.capturePart(o, 1, "10.00").last().Hash
	m.node.Preconfirm()
	account := o.terms().From
	m.send(m.payer, &account, smartwallet.NewSmartWallet().PackExecute(spendpermission.Address, new(big.Int), m.permission(o).PackRevoke()))
	m.node.Preconfirm()
	_, err := m.node.FlashblockFault(fakenode.FlashblockFault{Kind: "omit", Hashes: []common.Hash{charge}})
	require.NoError(t, err)
	m.node.Seal() // with the revocation, and without the charge
	m.node.Seal() // where the charge comes again
	o = m.await(o.ID, "the charge failed", reverted)
	require.Equal(t, "stored 0.000000", o.Stage+" "+o.Received)
	require.Equal(t, "UnauthorizedSpendPermission[]", o.last().Reason)
	m.settled(0, 2)
	m.refuses("/orders/"+o.ID+"/capture", part(2, "10.00"), "the permission is not approved on-chain yet, or was revoked")
}
