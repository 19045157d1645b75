package scenario

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures/contracts/checkout"
	"github.com/fakenode/fakenode/tokencontract"
)

// order is an order of the Checkout with a variable total, as the payer signed it.
type order struct {
	terms           checkout.Terms
	signature       []byte
	permit          tokencontract.Permit
	permitSignature tokencontract.Signature
}

// newOrder signs terms with the scene's value as ceiling, and the permit for it.
func (s *scene) newOrder() order {
	moment := s.Timeline.Moment()
	state := got(moment.Latest().State())
	nonce := state.Storage(s.Token.VerifyingContract, tokencontract.MappingSlot(tokencontract.SlotPermitNonces, s.payer.Address))
	terms := checkout.Terms{
		Payer: s.payer.Address, Merchant: s.merchant.Address, Token: s.Token.VerifyingContract, Ceiling: s.value, Order: s.unique(),
		Deadline: uint64(moment.Now().AddDate(1, 0, 0).Unix()),
	}
	permit := terms.Permit(checkout.Address, new(uint256.Int).SetBytes(nonce[:]).Uint64())
	s.conclusion.Contract, s.conclusion.Nonce = checkout.Address, terms.ID(s.Token.ChainID, checkout.Address)
	return order{terms, s.payer.SignDigest(s.conclusion.Nonce).Bytes(), permit, s.payer.Sign(s.Token, permit.Message())}
}

// withPermit is the first capture of an order, which brings the allowance.
func (o order) withPermit(amount *uint256.Int) []byte {
	return o.terms.PackCaptureWithPermit(amount, o.signature, o.permit, o.permitSignature)
}

// captured makes an order, captures a part of it, and returns the block that holds the capture.
func (s *scene) captured(part *uint256.Int) (order, common.Hash) {
	o := s.newOrder()
	block := s.act(s.merchant, checkout.Address, o.withPermit(part))
	return o, block
}

// most returns three fifths of a value, so that two of them exceed it.
func most(value *uint256.Int) *uint256.Int {
	part := new(uint256.Int).Mul(value, uint256.NewInt(3))
	return part.Div(part, uint256.NewInt(5))
}

func ceilingExceeded(s *scene) {
	part := most(s.value)
	o, _ := s.captured(part)
	s.prepareCapture(checkout.Address, o.terms.PackCapture(part, o.signature))
	s.announce()
	s.seal()
	s.unsettledWith(part, "Only the first capture was paid: the second is in a block too, and it failed, because both together are above the ceiling. A transaction in a block is not a payment until its receipt says so; what is left of the order can still be captured.")
}

func partialCapturesThenReorg(s *scene) {
	part := new(uint256.Int).Rsh(s.value, 1)
	o, first := s.captured(part)
	kept := s.sent[len(s.sent)-1]
	s.prepareCapture(checkout.Address, o.terms.PackCapture(part, o.signature))
	second := s.bury(1)
	s.reorg(2, [][]*types.Transaction{nil, {kept}}, s.capture.Hash())
	if view, err := s.Timeline.Moment().ByHash(first); err != nil || !view.Orphan() {
		must(fmt.Errorf("block %s was not removed", first))
	}
	s.orphaned(second)
	s.unsettledWith(part, "The first part was paid, in another block than first seen; the second was not. What an order has taken in is what the contract says at the block one trusts, not a sum of events, and what is missing can be captured again.")
}

func permitFrontRun(s *scene) {
	o := s.newOrder()
	s.prepareCapture(checkout.Address, o.withPermit(s.value))
	s.tryCapture()
	stranger := s.stranger()
	s.act(stranger, s.Token.VerifyingContract, o.permit.Pack(o.permitSignature))
	block := s.bury(1)
	s.settled(block, "The payment happened: whoever saw the permit could submit it first, which used its nonce and set the very allowance. A capture that takes a failing permit for no harm goes through; one that insists on it fails though it could be paid.")
}
