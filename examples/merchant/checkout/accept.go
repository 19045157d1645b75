package checkout

import (
	"context"
	"crypto/subtle"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/tokencontract"
)

// Accept stores the payer's signature with its order, after checking that it authorizes exactly the order's terms on
// this chain and token. Accepting the same signature again changes nothing, but for an approval that failed: it is sent
// anew. Problems: NotFound, Mismatch, Unsigned,
// Expired, NonceUsed, Conflict.
func (s *Shop) Accept(ctx context.Context, id string, given tokencontract.Authorization, signed Signed) (Order, error) {
	o, err := s.store.order(ctx, id)
	if err != nil {
		return Order{}, err
	}
	if err := o.match(given); err != nil {
		return Order{}, err
	}
	signature, err := s.payment(o).join(ctx, o, signed)
	if err != nil {
		return Order{}, err
	}
	if o.signed {
		return s.acceptedBefore(ctx, o, signature)
	}
	if err := s.inTime(ctx, o.Terms, 0); err != nil {
		return Order{}, err
	}
	if o.Path == Fixed {
		if err := s.chain.unused(ctx, o.Terms); err != nil {
			return Order{}, err
		}
	}
	approval, err := s.prepareApproval(ctx, o, signature)
	if err != nil {
		return Order{}, err
	}
	o, err = s.store.setSignature(ctx, id, signature, func(o Order) error {
		if stage := o.Stage(); stage != Drafted {
			return problem(Conflict, "order is %s", stage)
		}
		return o.consumed()
	})
	if err != nil {
		return o, err
	}
	s.tell(ctx, id)
	return s.approve(ctx, o, approval)
}

// prepareApproval tries out the call that must come before the first capture, and returns nil if there is none. In it
// the contract itself checks the signature.
func (s *Shop) prepareApproval(ctx context.Context, o Order, signature Credential) (*call, error) {
	to := s.payment(o).approval(o, signature)
	if to.contract == (common.Address{}) {
		return nil, nil
	}
	prepared, err := s.chain.prepare(ctx, to)
	return &prepared, err
}

// approve records an approval, for Run to send.
func (s *Shop) approve(ctx context.Context, o Order, prepared *call) (Order, error) {
	if prepared == nil {
		return o, nil
	}
	approved, err := s.store.record(ctx, o.ID, entry{kind: KindApprove}, Order.approvable, s.sign(*prepared))
	if err == nil {
		s.tell(ctx, o.ID)
		s.wake()
	}
	return approved, err
}

// approvable returns the reason why the approval of an order need not, or may not, be sent.
func (o Order) approvable() error {
	switch {
	case o.voided:
		return problem(Conflict, "order is %s", Voided)
	case o.underWay(KindApprove):
		return errUnchanged
	}
	return nil
}

// acceptedBefore answers a signature for an order that has one.
func (s *Shop) acceptedBefore(ctx context.Context, o Order, signature Credential) (Order, error) {
	stored, err := s.store.signature(ctx, o.ID)
	if err != nil {
		return Order{}, err
	}
	stored = stored[:min(len(stored), len(signature))] // the vouchers of Requests come behind
	if subtle.ConstantTimeCompare(stored, signature) == 0 {
		return Order{}, problem(Conflict, "order is %s", o.Stage())
	}
	if o.approvable() != nil {
		return o, nil
	}
	approval, err := s.prepareApproval(ctx, o, signature)
	if err != nil {
		return Order{}, err
	}
	return s.approve(ctx, o, approval)
}

// match compares an authorization with the terms, field by field.
func (o Order) match(given tokencontract.Authorization) error {
	want := o.Terms
	switch {
	case given.From != want.From:
		return problem(Mismatch, "authorization is from %s, the order's payer is %s", given.From, want.From)
	case given.To != want.To:
		return problem(Mismatch, "authorization is to %s, the payee is %s", given.To, want.To)
	case given.Value == nil || !given.Value.Eq(want.Value):
		return problem(Mismatch, "authorization is not for the order's amount of %s", formatAmount(want.Value))
	case given.ValidAfter != want.ValidAfter:
		return problem(Mismatch, "authorization has validAfter %d, the order %d", given.ValidAfter, want.ValidAfter)
	case given.ValidBefore != want.ValidBefore:
		return problem(Mismatch, "authorization has validBefore %d, the order %d", given.ValidBefore, want.ValidBefore)
	case given.Nonce != want.Nonce:
		return problem(Mismatch, "authorization has another nonce than the order")
	}
	return nil
}
