package checkout

import (
	"context"
	"slices"
)

// Void makes sure that an order's signature is never submitted, and wipes it; while another process reads the file, Run
// wipes it as soon as that ends. The nonce stays unused on-chain; what was captured in parts stays with the merchant.
// Voiding again changes nothing. Problems: NotFound,
// Conflict.
func (s *Shop) Void(ctx context.Context, id string) (Order, error) {
	o, err := s.store.void(ctx, id, func(o Order) error {
		switch stage := o.Stage(); {
		case stage == Voided:
			return errUnchanged
		case !o.Path.once() && slices.ContainsFunc(o.Transactions, func(t Transaction) bool { return !t.Final }):
			return problem(Conflict, "order has a transaction, and its end is not final")
		case !o.Path.once():
			return nil
		case stage != Drafted && stage != Stored:
			return problem(Conflict, "order is %s", stage)
		case o.capturing():
			return problem(Conflict, "order has a capture, and its end is not final")
		}
		return o.consumed()
	})
	if err == nil {
		s.tell(ctx, id)
		s.wake() // to wipe again, if somebody reads the file
	}
	return o, err
}

// Cancel records the relay of a payer-signed CancelAuthorization, for Run to send: the nonce will be unusable for good.
// The merchant pays for it, so the order must have been signed before; it may be voided. Canceling again changes
// nothing. Problems: NotFound, Conflict, Expired, Unsigned, NonceUsed, TokenRefuse, Costly.
func (s *Shop) Cancel(ctx context.Context, id string, signature Credential) (Order, error) {
	o, err := s.store.order(ctx, id)
	if err != nil {
		return Order{}, err
	}
	switch err := o.cancelable(); {
	case err == errUnchanged:
		return o, nil
	case err != nil:
		return Order{}, err
	}
	message := o.cancellation().Message()
	if err := s.chain.verify(ctx, o.Terms.From, message.Digest(s.chain.domain), message.PrimaryType(), signature); err != nil {
		return Order{}, err
	}
	if err := s.inTime(ctx, o.Terms, 0); err != nil {
		return Order{}, err
	}
	if err := s.chain.unused(ctx, o.Terms); err != nil {
		return Order{}, err
	}
	prepared, err := s.chain.prepare(ctx, target{s.chain.token, o.cancellation().PackBytes(signature)})
	if err != nil {
		return Order{}, err
	}
	o, err = s.store.record(ctx, id, entry{kind: KindCancel}, Order.cancelable, s.sign(prepared))
	if err == nil {
		s.tell(ctx, id)
		s.wake()
	}
	return o, err
}

// cancelable returns the reason why an order may not be canceled: errUnchanged if that is done or under way.
func (o Order) cancelable() error {
	switch stage := o.Stage(); {
	case o.Path != Fixed:
		return problem(Conflict, "order has no nonce to cancel: its payer revokes it on-chain")
	case stage == Canceled || o.underWay(KindCancel):
		return errUnchanged
	case stage == Captured:
		return problem(Conflict, "order is %s", stage)
	case o.underWay(KindCapture):
		return problem(Conflict, "order is being captured")
	case !o.signed:
		return problem(Conflict, "order was never signed: there is nothing to cancel")
	}
	return o.consumed()
}
