package checkout

import (
	"context"
	"crypto/subtle"

	"github.com/holiman/uint256"
)

// Serve takes the payer's voucher for one request more of an order of Requests, which is then to be answered: the total
// in token units is what was vouched for before and the price. The same voucher again changes nothing: a client that
// heard no answer asks again. While the deposit is in no sealed block nothing is served, for it may be lost with what
// was served on it. Problems: NotFound, Conflict, which says the total to sign, Unsigned, Balance, Expired,
// Unavailable.
func (s *Shop) Serve(ctx context.Context, id string, total *uint256.Int, voucher Credential) (Order, error) {
	o, err := s.store.order(ctx, id)
	if err != nil {
		return Order{}, err
	}
	stored, err := s.store.signature(ctx, id)
	if err != nil {
		return Order{}, err
	}
	credential, err := s.payment(o).serve(o, stored, total, voucher)
	if err != nil {
		return Order{}, err
	}
	if err := o.servable(total); err != nil && err != errUnchanged {
		return Order{}, err
	}
	if total.Eq(o.Vouched) && subtle.ConstantTimeCompare(stored, credential) == 0 {
		return Order{}, problem(Conflict, "there is another voucher for a total of %s", formatAmount(total))
	}
	if err := s.inTime(ctx, o.Terms, 0); err != nil {
		return Order{}, err
	}
	if err := s.payment(o).check(ctx, o, new(uint256.Int).Sub(total, o.Received())); err != nil {
		return Order{}, err
	}
	o, err = s.store.setVoucher(ctx, id, total, credential, func(o Order) error { return o.servable(total) })
	if err == nil {
		s.tell(ctx, id)
	}
	return o, err
}

// servable returns the reason why a voucher for a total may not be taken: errUnchanged if it is the newest.
func (o Order) servable(total *uint256.Int) error {
	next := new(uint256.Int).Add(o.Vouched, o.Price)
	switch {
	case o.voided:
		return problem(Conflict, "order is %s", Voided)
	case !o.deposited():
		return problem(Conflict, "the deposit is not in a block yet")
	case total.Eq(o.Vouched) && !total.IsZero():
		return errUnchanged
	case !total.Eq(next):
		return problem(Conflict, "the voucher is for %s in all: %s are vouched for, and a request is %s",
			formatAmount(total), formatAmount(o.Vouched), formatAmount(o.Price))
	case total.Gt(o.Terms.Value):
		return problem(Conflict, "it would be %s in all, the deposit is %s", formatAmount(total), formatAmount(o.Terms.Value))
	}
	return nil
}

// deposited reports whether the call that comes before the first capture is in a sealed block.
func (o Order) deposited() bool {
	for _, t := range o.Transactions {
		if t.Kind == KindApprove && t.State == Included {
			return true
		}
	}
	return false
}
