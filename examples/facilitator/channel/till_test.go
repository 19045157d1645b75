package channel_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/examples/facilitator/channel"
)

// Ensure a deposit and vouchers buy, what was charged is claimed and paid out, and the client gets the rest back.
func TestCourse(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	first := w.buys(w.deposit(1_000, price))
	require.Equal(t, "goods", first.goods)
	require.Equal(t, units(1_000), first.settled.Amount)
	require.NotEmpty(t, first.settled.Transaction)
	for i := range uint64(4) {
		a := w.buys(w.payload("voucher", (i+2)*price))
		require.Empty(t, a.settled.Transaction, "a voucher costs no transaction")
		shown, err := json.Marshal(a.settled.Extra)
		require.NoError(t, err)
		require.JSONEq(t, string(mustJSON(t, object{"chargedAmount": "100", "channelState": object{
			"channelId": w.id(), "balance": "1000", "totalClaimed": "0", "withdrawRequestedAt": 0, "refundNonce": "0", "chargedCumulativeAmount": units((i + 2) * price),
		}})), string(shown))
	}
	require.Zero(t, s.received())
	s.keep()
	require.EqualValues(t, 500, s.received())
	s.keep() // nothing to do
	require.EqualValues(t, 500, s.received())

	w.buys(w.payload("voucher", 600))
	back := w.payload("refund", 600)
	a := w.pay(back)
	require.Empty(t, a.goods, "nothing is sold for money that goes back")
	require.Equal(t, units(400), a.settled.Amount)
	require.EqualValues(t, 600, w.spent())
	w.refused(back, "refund_no_balance")
	s.keep()
	require.EqualValues(t, 600, s.received())
}

func mustJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return text
}

// Ensure a client that is behind or ahead is told what was charged, with its own newest signature.
func TestCorrective(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	w.buys(w.deposit(1_000, price))
	last := w.payload("voucher", 200)
	w.buys(last)
	for _, ceiling := range []uint64{200, 250, 400, 1_100} {
		a := w.refused(w.payload("voucher", ceiling), "cumulative_amount_mismatch")
		extra := a.required.Accepts[0].Extra
		require.Equal(t, "200", extra["channelState"].(object)["chargedCumulativeAmount"])
		require.Equal(t, "1000", extra["channelState"].(object)["balance"])
		require.Equal(t, object{"signedMaxClaimable": "200", "signature": last["voucher"].(object)["signature"].(interface{ String() string }).String()}, extra["voucherState"])
	}
	w.buys(w.payload("voucher", 300))
}

// Ensure requests at once with one voucher are charged once, and only one of them gets the goods.
func TestOneVoucherOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	w.buys(w.deposit(10_000, price))
	voucher := w.payload("voucher", 200)
	var wait sync.WaitGroup
	answers := make([]answer, 8)
	for i := range answers {
		wait.Go(func() { answers[i] = w.pay(voucher) })
	}
	wait.Wait()
	sold := 0
	for _, a := range answers {
		if a.status == 200 {
			sold++
		}
	}
	require.Equal(t, 1, sold)
	w.buys(w.payload("voucher", 300))
}

// Ensure vouchers buy nothing while a reorg has taken their deposit away, and that the deposit is made again by the
// same signature, so that everything sold before is paid.
func TestDepositReorgedOut(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	w.buys(w.deposit(1_000, price))
	w.buys(w.payload("voucher", 200))
	s.removes(1)
	require.Zero(t, w.spent())
	w.refused(w.payload("voucher", 300), "channel_not_found")
	s.keep()
	require.EqualValues(t, 1_000, w.spent(), "it is there again, once")
	require.EqualValues(t, 200, s.received(), "and what was out is claimed")
	w.buys(w.payload("voucher", 300))
	s.removes(3) // the deposit, the claim and the settlement
	require.Zero(t, w.spent())
	s.keep()
	s.keep()
	require.EqualValues(t, 1_000, w.spent())
	require.EqualValues(t, 300, s.received())
}

// Ensure a withdrawal that the payer starts is outrun: everything charged is claimed before it is due, however little.
func TestWithdrawalOutrun(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	s.keeper.ClaimAt = units(10_000)
	w := s.wallet(0)
	w.buys(w.deposit(1_000, price))
	w.buys(w.payload("voucher", 200))
	s.keep()
	require.Zero(t, s.received(), "not worth its gas yet")
	w.sends(w.channel.PackInitiateWithdraw(units(1_000)))
	s.keep()
	require.EqualValues(t, 200, s.received())
	s.node.Advance((channels.MinWithdrawDelay + 60) * time.Second) // blocks of one second run ahead of the clock
	w.sends(w.channel.PackFinalizeWithdraw())
	require.EqualValues(t, 200, w.spent())
	w.refused(w.payload("voucher", 300), "cumulative_exceeds_balance")
}

// Ensure a ledger that is opened again, after the program ended at any point, owes what it owed.
func TestOpenedAgain(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	w.buys(w.deposit(1_000, price))
	for i := range uint64(5) {
		require.NoError(t, s.ledger.Close())
		s.open()
		w.buys(w.payload("voucher", (i+2)*price))
	}
	s.keep()
	require.EqualValues(t, 600, s.received())
}

// Ensure a seller who lost the ledger goes by what the chain has claimed, and sells on.
func TestLedgerLost(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	w.buys(w.deposit(1_000, price))
	w.buys(w.payload("voucher", 200))
	s.keep()
	s.path += ".new"
	s.open()
	w.buys(w.payload("voucher", 300))
	s.keep()
	require.EqualValues(t, 300, s.received())
}

// Ensure a payer whose account is not deployed yet opens a channel (ERC-6492), by a factory that the facilitator allows
// and no other.
func TestUndeployedPayer(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(w.payer.Address))
	s.node.Token().Mint(account.Address(), units(1_000))
	w.channel.Payer = account.Address()

	p := w.deposit(1_000, price)
	a := w.channel.Authorization(s.node.ChainID(), units(1_000), 0, uint64(s.node.Now().Unix())+600, units(w.salt))
	digest := account.Digest(s.node.ChainID(), a.ReceiveMessage().Digest(s.node.Token().Domain()))
	p["deposit"].(object)["authorization"].(object)["erc3009Authorization"].(object)["signature"] = hexutil.Bytes(
		account.WrapUndeployed(smartwallet.WrapSignature(0, w.payer.SignDigest(digest).Bytes())))
	w.refused(p, "eip6492_factory_not_allowed")

	s.till = channel.NewTill(channel.NewScheme(s.f, s.node.Account(3).Key, smartwallet.FactoryAddress), s.ledger)
	w.buys(p)
	require.True(t, s.node.Token().BalanceOf(account.Address()).IsZero())
	w.buys(w.payload("voucher", 200))
}

// Ensure a channel's deposit, claims and settlements are made once each where three answers in ten are of a node that
// is behind or on a removed branch, and that a deposit which a reorg removed is made again, once.
func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	for _, behind := range []fakenode.Behind{{Blocks: 3}, {Orphaned: true}} {
		t.Run(fmt.Sprintf("%+v", behind), func(t *testing.T) {
			t.Parallel()
			s := newShop(t, fakenode.Config{})
			w := s.wallet(0)
			s.node.Seal()
			require.NoError(t, s.node.Fail(fakenode.Fault{Times: fakenode.Forever, Share: 0.3, Seed: 7, Behind: behind}))
			w.buys(w.deposit(10_000, price))
			for n := uint64(2); n <= 20; n++ {
				w.buys(w.payload("voucher", n*price))
				if n%5 == 0 {
					s.keep()
				}
			}
			require.EqualValues(t, 20*price, s.received())
			require.EqualValues(t, 10_000, w.spent())
			require.EqualValues(t, 1+4*2, s.sent(), "the deposit, and four claims and settlements")

			for range 3 {
				s.keep()
			}
			require.EqualValues(t, 1+4*2, s.sent(), "nothing is left to do")

			s.removes(9)
			s.keep()
			require.EqualValues(t, 20*price, s.received())
			require.EqualValues(t, 10_000, w.spent())
			require.EqualValues(t, 3, s.sent(), "on the new branch: the deposit, one claim, one settlement")
			w.buys(w.payload("voucher", 21*price))
		})
	}
}

// sent returns how many transactions of the facilitator are in blocks.
func (s *shop) sent() uint64 {
	s.t.Helper()
	state, err := s.node.Moment().Latest().State()
	require.NoError(s.t, err)
	return state.Nonce(s.f.Address())
}
