package scenario

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures/contracts/escrow"
)

func reclaimRacesCapture(s *scene) {
	seed := s.unique()
	expiry := s.next() + 60
	payment := escrow.Payment{
		Operator: s.merchant.Address, Payer: s.payer.Address, Receiver: s.merchant.Address, Token: s.Token.VerifyingContract, MaxAmount: s.value,
		PreApprovalExpiry: expiry, AuthorizationExpiry: expiry, RefundExpiry: expiry, Salt: new(uint256.Int).SetBytes(seed[:]),
	}
	d := escrow.V1_1
	signature := s.payer.Sign(s.Token, payment.Authorization(s.Token.ChainID, d).ReceiveMessage())
	s.act(s.merchant, d.Escrow, payment.PackAuthorize(s.value, d.ERC3009Collector, signature.Bytes()))
	s.conclusion.Contract, s.conclusion.Nonce = d.Escrow, payment.Hash(s.Token.ChainID, d.Escrow)
	s.prepareCapture(d.Escrow, payment.PackCapture(s.value, nil, common.Address{}))
	must(s.Timeline.SetNextBlockTime(expiry - 1))
	s.announce()
	s.lose()
	s.seal()
	must(s.Timeline.SetNextBlockTime(max(expiry, s.next())))
	s.act(s.payer, d.Escrow, payment.PackReclaim())
	s.bury(1) // the same bytes again
	s.unsettled("The merchant got nothing and the payer has the money back: the capture was pre-confirmed in the last second it was possible, and lost. Reserved money is captured early enough for the capture to be sent again before the authorization expires.")
}
