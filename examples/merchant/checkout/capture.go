package checkout

import (
	"context"
	"time"

	"github.com/fakenode/fakenode/tokencontract"
)

// captureMargin is how long before validBefore a transaction must be sent, so that a block takes it in time.
const captureMargin = 10 * time.Second

// Capture records the capture of a stored order, or of a part of it, for Run to send. Whether it settles, the order
// tells later. An order that is captured, or being captured, is returned as it is, and Run looks at once whether to
// send it again: asking twice captures once. Problems: NotFound, Conflict, TooEarly, Expired, NonceUsed, Balance,
// TokenRefuse, Costly, Unavailable; then nothing was recorded and the order may be captured later.
func (s *Shop) Capture(ctx context.Context, id string, part Part) (Order, error) {
	o, err := s.store.order(ctx, id)
	if err != nil {
		return Order{}, err
	}
	part, err = o.capturable(part)
	switch {
	case err == errUnchanged:
		s.wake()
		return o, nil
	case err != nil:
		return Order{}, err
	}
	signature, err := s.store.signature(ctx, id)
	if err != nil {
		return Order{}, err
	}
	// Contract 4.2-check.
	if err := s.inTime(ctx, o.Terms, captureMargin); err != nil {
		return Order{}, err
	}
	if err := s.payment(o).check(ctx, o, part.Amount); err != nil {
		return Order{}, err
	}
	prepared, err := s.chain.prepare(ctx, s.payment(o).capture(o, part.Amount, signature))
	if err != nil {
		return Order{}, err
	}
	o, err = s.store.record(ctx, id, entry{KindCapture, part}, func(o Order) error {
		_, err := o.capturable(part)
		return err
	}, s.sign(prepared))
	if err == nil {
		s.tell(ctx, id)
		s.wake()
	}
	return o, err
}

// capturableOnce is why a Fixed order may not be captured: errUnchanged if that is done or under way.
func (o Order) capturableOnce() error {
	switch stage := o.Stage(); {
	case stage == Captured || o.underWay(KindCapture):
		return errUnchanged
	case stage == Drafted:
		return problem(Conflict, "order has no signature yet")
	case stage != Stored:
		return problem(Conflict, "order is %s", stage)
	case o.underWay(KindCancel):
		return problem(Conflict, "order is being canceled")
	}
	return o.consumed()
}

// inTime checks the strict bounds of an authorization for the next block. Problems: TooEarly, Expired.
func (s *Shop) inTime(ctx context.Context, terms tokencontract.Authorization, margin time.Duration) error {
	head, err := s.chain.header(ctx, latest)
	switch {
	case err != nil:
		return err
	case head.Time < terms.ValidAfter:
		return problem(TooEarly, "authorization is valid after %d, the chain is at %d", terms.ValidAfter, head.Time)
	case head.Time+uint64(margin/time.Second) >= terms.ValidBefore:
		return problem(Expired, "authorization is valid before %d, the chain is at %d", terms.ValidBefore, head.Time)
	}
	return nil
}
