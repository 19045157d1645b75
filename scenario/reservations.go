package scenario

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures/contracts/escrow"
)

func reclaimRacesCapture(s *scene) error {
	seed := s.unique()
	expiry := s.next() + 60
	payment := escrow.Payment{
		Operator: s.merchant.Address, Payer: s.payer.Address, Receiver: s.merchant.Address, Token: s.Token.VerifyingContract, MaxAmount: s.value,
		PreApprovalExpiry: expiry, AuthorizationExpiry: expiry, RefundExpiry: expiry, Salt: new(uint256.Int).SetBytes(seed[:]),
	}
	d := escrow.V1_1
	signature := s.payer.Sign(s.Token, payment.Authorization(s.Token.ChainID, d).ReceiveMessage())
	if _, err := s.act(s.merchant, d.Escrow, payment.PackAuthorize(s.value, d.ERC3009Collector, signature.Bytes())); err != nil {
		return fmt.Errorf("the capture would fail: %w", err)
	}
	s.conclusion.Contract, s.conclusion.Nonce = d.Escrow, payment.Hash(s.Token.ChainID, d.Escrow)
	if err := s.prepareCapture(d.Escrow, payment.PackCapture(s.value, nil, common.Address{})); err != nil {
		return err
	}
	if err := s.Timeline.SetNextBlockTime(expiry - 1); err != nil {
		return err
	}
	if err := s.announce(); err != nil {
		return err
	}
	if err := s.lose(); err != nil {
		return err
	}
	if _, err := s.seal(); err != nil {
		return err
	}
	if err := s.Timeline.SetNextBlockTime(max(expiry, s.next())); err != nil {
		return err
	}
	if _, err := s.act(s.payer, d.Escrow, payment.PackReclaim()); err != nil {
		return err
	}
	if _, err := s.bury(1); err != nil { // the same bytes again
		return err
	}
	return s.unsettled("The merchant got nothing and the payer has the money back: the capture was pre-confirmed in the last second it was possible, and lost. Reserved money is captured early enough for the capture to be sent again before the authorization expires.")
}
