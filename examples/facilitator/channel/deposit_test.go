package channel_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/facilitator/channel"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/fixtures/contracts/channels"
	"github.com/fakenode/fakenode/fixtures/contracts/permit2"
	"github.com/fakenode/fakenode/fixtures/contracts/smartwallet"
	"github.com/fakenode/fakenode/tokencontract"
)

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

// Ensure a deposit through Permit2 needs its allowance.
func TestPermit2Deposit(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	permit := w.channel.Permit(s.node.ChainID(), units(1_000), units(7), uint64(s.node.Now().Unix())+600)
	p := w.payload("deposit", price)
	p["deposit"] = object{"amount": units(1_000), "authorization": object{"permit2Authorization": object{
		"from": w.payer.Address, "permitted": object{"token": permit.Token, "amount": permit.Amount}, "spender": channels.Permit2CollectorAddress,
		"nonce": permit.Nonce, "deadline": units(permit.Deadline), "witness": object{"channelId": w.id()},
		"signature": hexutil.Bytes(w.payer.SignDigest(contracts.Digest(permit.TypedData(s.node.ChainID()))).Bytes()),
	}}}
	w.refused(p, "permit2_allowance_required")
	token := tokencontract.MainnetAddress
	approve := tokencontract.NewToken().PackApprove(permit2.Address, units(1_000).ToBig())
	_, err := s.node.Transact(w.payer, fakenode.Tx{To: &token, Data: approve})
	require.NoError(t, err)
	w.buys(p)
	require.EqualValues(t, 1_000, w.spent())

	// It is made again by the same signature, as one by authorization is.
	s.removes(1)
	s.keep()
	require.EqualValues(t, 1_000, w.spent())
	require.EqualValues(t, price, s.received())
}
