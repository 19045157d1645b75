package scenario

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures/contracts/spendpermission"
	"github.com/fakenode/fakenode/tokencontract"
)

// period of the scenes' subscriptions, in seconds.
const period = 10

// subscribe gives a new smart account of the payer twice the scene's value, and has it permit the merchant one value in
// every period from start on. The approval deploys the account.
func (s *scene) subscribe(start uint64) spendpermission.Permission {
	account := s.newAccount(s.payer.Address, spendpermission.Address)
	p := spendpermission.Permission{
		Account: account.Address(), Spender: s.merchant.Address, Token: s.Token.VerifyingContract, Allowance: s.value,
		Period: period, Start: start, End: start + 100*period,
	}
	s.fund(p.Account, new(uint256.Int).Lsh(s.value, 1))
	bound := account.Digest(s.Token.ChainID, p.Hash(s.Token.ChainID))
	signature := account.WrapUndeployed(smartwallet.WrapSignature(0, s.payer.SignDigest(bound).Bytes()))
	s.act(s.merchant, spendpermission.Address, p.PackApproveWithSignature(signature))
	s.conclusion.Contract, s.conclusion.Payer, s.conclusion.Nonce = spendpermission.Address, p.Account, p.Hash(s.Token.ChainID)
	return p
}

// newAccount returns a smart account that no other run has.
func (s *scene) newAccount(owners ...common.Address) smartwallet.Account {
	account, seed := smartwallet.Account{Factory: smartwallet.FactoryAddress}, s.unique()
	for _, owner := range owners {
		account.Owners = append(account.Owners, smartwallet.AccountOwner(owner))
	}
	account.Nonce = new(uint256.Int).SetBytes(seed[:8]).Uint64()
	return account
}

// fund gives an account token units of the payer's, in a block.
func (s *scene) fund(account common.Address, value *uint256.Int) {
	s.act(s.payer, s.Token.VerifyingContract, tokencontract.PackTransfer(account, value))
}

func periodRollover(s *scene) {
	p := s.subscribe(s.next())
	periods := (s.next() - p.Start + period - 1) / period
	first := p.Start + periods*period // the first second of a period that is to come
	for _, at := range []uint64{first, first + period - 1, first + period} {
		s.prepareCapture(spendpermission.Address, p.PackSpend(s.value))
		s.send()
		s.sealAt(at)
	}
	found := got(s.Timeline.Moment().Find(s.capture.Hash()))
	if !found.Executed() {
		must(errors.New("the charge is in no block"))
	}
	both := new(uint256.Int).Lsh(s.value, 1)
	s.settledWith(found.View.Hash(), both, "Two charges were paid, one in each period: the second failed in the last second of the first period and went through in the first second of the next. What counts is the timestamp of the block that a charge gets into, not when it was sent.")
}

func permissionRevoked(s *scene) {
	p := s.subscribe(s.next())
	s.prepareCapture(spendpermission.Address, p.PackSpend(s.value))
	s.announce()
	s.lose()
	revoke := smartwallet.NewSmartWallet().PackExecute(spendpermission.Address, common.Big0, p.PackRevoke())
	s.act(s.payer, p.Account, revoke)
	s.bury(1) // the same bytes again
	s.unsettled("The charge was not paid: its pre-confirmation was lost while the payer revoked the permission, and so it failed when it came again. It will never succeed; the service ends with the period that was paid last.")
}
