package checkout

import (
	"context"
	"crypto/subtle"

	"github.com/fakenode/fakenode/tokencontract"
)

// Accept stores the payer's signature with its order, after checking that it authorizes exactly the order's terms on
// this chain and token. Accepting the same signature again changes nothing. Problems: NotFound, Mismatch, Unsigned,
// Expired, NonceUsed, Conflict.
func (s *Shop) Accept(ctx context.Context, id string, given tokencontract.Authorization, signature Credential) (Order, error) {
	o, err := s.store.order(ctx, id)
	if err != nil {
		return Order{}, err
	}
	if err := o.match(given); err != nil {
		return Order{}, err
	}
	if err := s.chain.verify(ctx, o.Terms.From, o.Terms.ReceiveMessage(), signature); err != nil {
		return Order{}, err
	}
	if o.signed {
		return s.acceptedBefore(ctx, o, signature)
	}
	if err := s.inTime(ctx, o.Terms, 0); err != nil {
		return Order{}, err
	}
	if err := s.chain.unused(ctx, o.Terms); err != nil {
		return Order{}, err
	}
	o, err = s.store.setSignature(ctx, id, signature, func(o Order) error {
		if stage := o.Stage(); stage != Drafted {
			return problem(Conflict, "order is %s", stage)
		}
		return o.consumed()
	})
	if err == nil {
		s.tell(ctx, id)
	}
	return o, err
}

// acceptedBefore answers a signature for an order that has one.
func (s *Shop) acceptedBefore(ctx context.Context, o Order, signature Credential) (Order, error) {
	stored, err := s.store.signature(ctx, o.ID)
	if err != nil {
		return Order{}, err
	}
	if subtle.ConstantTimeCompare(stored, signature) == 0 {
		return Order{}, problem(Conflict, "order is %s", o.Stage())
	}
	return o, nil
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
