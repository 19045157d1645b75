package channel_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/facilitator/channel"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
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

// permit2Deposit returns a payload that brings 1,000 units through Permit2.
func (w *wallet) permit2Deposit() object {
	w.t.Helper()
	s := w.shop
	permit := w.channel.Permit(s.node.ChainID(), units(1_000), units(7), uint64(s.node.Now().Unix())+600)
	p := w.payload("deposit", price)
	p["deposit"] = object{"amount": units(1_000), "authorization": object{"permit2Authorization": object{
		"from": w.payer.Address, "permitted": object{"token": permit.Token, "amount": permit.Amount}, "spender": channels.Permit2CollectorAddress,
		"nonce": permit.Nonce, "deadline": units(permit.Deadline), "witness": object{"channelId": w.id()},
		"signature": hexutil.Bytes(w.payer.SignDigest(contracts.Digest(permit.TypedData(s.node.ChainID()))).Bytes()),
	}}}
	return p
}

// Ensure a deposit through Permit2 needs its allowance.
func TestPermit2Deposit(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	p := w.permit2Deposit()
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

// Ensure the allowance may come with the deposit, as a signed approval that the facilitator sends before, for which the
// payer needs no ether.
func TestDepositByApproval(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	w := s.wallet(0)
	s.node.SetBalance(w.payer.Address, new(uint256.Int))
	chain, token := new(big.Int).SetUint64(s.node.ChainID()), tokencontract.MainnetAddress
	approval, err := types.SignNewTx(w.payer.Key, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
		ChainID: chain, GasFeeCap: big.NewInt(3_000_000_000), GasTipCap: big.NewInt(1), Gas: 200_000, To: &token,
		Data: tokencontract.NewToken().PackApprove(permit2.Address, units(1_000).ToBig()),
	})
	require.NoError(t, err)
	raw, err := approval.MarshalBinary()
	require.NoError(t, err)
	w.extensions = object{paywall.ApprovalSponsoring: object{"info": object{
		"from": w.payer.Address, "asset": token, "spender": permit2.Address, "amount": "1", "signedTransaction": hexutil.Bytes(raw), "version": "1",
	}}}
	w.buys(w.permit2Deposit())
	require.EqualValues(t, 1_000, w.spent())
	w.extensions = nil
	w.buys(w.payload("voucher", 2*price))
}
