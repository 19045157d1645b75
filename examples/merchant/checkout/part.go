package checkout

import "github.com/holiman/uint256"

// Part is one capture of an order. A Fixed order has one, of the whole amount.
type Part struct {
	Number int          // the merchant's own, from 1: asked for twice, it is captured once; zero is 1
	Amount *uint256.Int // token units; nil is the amount of the order
}

// capturable returns a part of the order with its defaults filled in, or the reason why it may not be captured:
// errUnchanged if that is done or under way.
func (o Order) capturable(p Part) (Part, error) {
	p.Number = max(p.Number, 1)
	if p.Amount == nil {
		p.Amount = o.rest()
	}
	if o.Path == Fixed {
		if p.Number > 1 || !p.Amount.Eq(o.Terms.Value) {
			return p, problem(Conflict, "order is for %s, at once", formatAmount(o.Terms.Value))
		}
		return p, o.capturableOnce()
	}
	switch {
	case !o.signed:
		return p, problem(Conflict, "order has no signature yet")
	case o.voided:
		return p, problem(Conflict, "order is %s", Voided)
	}
	total := new(uint256.Int).Set(p.Amount)
	for _, t := range o.Transactions {
		switch {
		case t.Kind != KindCapture || t.Final && !t.State.alive():
			continue
		case t.Part == p.Number && !t.Amount.Eq(p.Amount):
			return p, problem(Conflict, "part %d is of %s", t.Part, formatAmount(t.Amount))
		case t.Part == p.Number && t.State.alive():
			return p, errUnchanged
		case t.Part == p.Number: // nothing but its account nonce keeps it from paying twice
			return p, problem(Conflict, "part %d failed, and a reorg may let it succeed: its end is not final", t.Part)
		}
		if o.Path == Requests && t.State != Included {
			return p, problem(Conflict, "part %d is not in a block yet", t.Part)
		}
		total.Add(total, t.Amount)
	}
	if o.Path == Subscription {
		total = p.Amount // of each period; the contract counts
	}
	if most := o.agreed(); total.Gt(most) {
		return p, problem(Conflict, "it would be %s in all, the payer agreed to %s", formatAmount(total), formatAmount(most))
	}
	if p.Amount.IsZero() {
		return p, problem(Conflict, "nothing is vouched for that is not captured")
	}
	return p, nil
}

// agreed returns the amount that the payer signed for so far, in token units.
func (o Order) agreed() *uint256.Int {
	if o.Path == Requests {
		return o.Vouched
	}
	return o.Terms.Value
}

// rest returns the amount of a capture that names none: the order's value, or for Requests the part not yet received.
func (o Order) rest() *uint256.Int {
	if o.Path == Requests {
		return new(uint256.Int).Sub(o.Vouched, o.Received())
	}
	return o.Terms.Value
}

// Received returns the amount that the merchant received for the order in sealed blocks, in token units.
func (o Order) Received() *uint256.Int {
	sum := new(uint256.Int)
	if o.Path.once() {
		if o.Stage() == Captured {
			sum.Set(o.Terms.Value)
		}
		return sum
	}
	for _, t := range o.Transactions {
		if t.Kind == KindCapture && t.State == Included {
			sum.Add(sum, t.Amount)
		}
	}
	return sum
}
