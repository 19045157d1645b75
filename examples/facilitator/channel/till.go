package channel

import (
	"context"
	"errors"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/examples/facilitator/paywall"
)

// Till is the seller's side: it charges requests to channels, and has its Scheme check and submit. Only a deposit that
// is in a sealed block counts, and it is looked at for every request: vouchers on a deposit that a reorg removed buy
// nothing until it is there again. Safe for concurrent use.
type Till struct {
	scheme *Scheme
	ledger *Ledger
}

var _ paywall.Scheme = (*Till)(nil)

// NewTill returns a till that charges to the ledger.
func NewTill(scheme *Scheme, ledger *Ledger) *Till { return &Till{scheme, ledger} }

// Extra implements paywall.Scheme.
func (t *Till) Extra() *paywall.Extra { return t.scheme.Extra() }

// voucherState is the newest voucher as the seller shows it, so that a client can check that it is its own.
type voucherState struct {
	Ceiling   *uint256.Int `json:"signedMaxClaimable"`
	Signature any          `json:"signature"`
}

// Verify implements paywall.Scheme: a voucher must be for exactly what was charged and this request. If it is not, the
// answer corrects the client.
func (t *Till) Verify(ctx context.Context, p paywall.Payment, r paywall.Requirements) paywall.Verification {
	v := t.scheme.Verify(ctx, p, r)
	signed, err := parse(p.Payload)
	if err != nil || !v.Valid && v.Reason != errBelowClaimed.Error() && v.Reason != errExceedsBalance.Error() {
		return v
	}
	known, before, err := t.before(ctx, signed)
	if err != nil {
		return paywall.Verification{Reason: errVerificationUnavailable.Error(), Message: err.Error(), Payer: v.Payer}
	}
	want := new(uint256.Int).Set(before)
	if signed.Kind != kindRefund {
		want.Add(want, r.Amount)
	}
	switch {
	case signed.Voucher.Ceiling.Eq(want):
		v.NoGoods = signed.Kind == kindRefund
		return v
	case known == nil && !v.Valid:
		return v // the chain's reason is the better one
	}
	corrected := r
	read, err := t.scheme.state(ctx, signed.Voucher.ChannelID)
	if err != nil {
		return paywall.Verification{Reason: errVerificationUnavailable.Error(), Message: err.Error(), Payer: v.Payer}
	}
	shown := wire(signed.Voucher.ChannelID, read)
	shown.Charged = before
	corrected.Extra.ChannelState = shown
	if known != nil {
		corrected.Extra.VoucherState = voucherState{known.newest.Voucher.Ceiling, known.newest.Voucher.Signature}
	}
	return paywall.Verification{Reason: errCumulativeMismatch.Error(), Payer: v.Payer, Corrected: &corrected}
}

// before returns the amount charged so far: for a channel that is not in the ledger, the amount claimed on the chain.
func (t *Till) before(ctx context.Context, signed payload) (*account, *uint256.Int, error) {
	a, err := t.ledger.account(ctx, signed.Voucher.ChannelID)
	if err == nil {
		return &a, a.charged, nil
	}
	if !errors.Is(err, errMissingChannel) {
		return nil, nil, err
	}
	read, err := t.scheme.state(ctx, signed.Voucher.ChannelID)
	if err != nil {
		return nil, nil, err
	}
	return nil, read.TotalClaimed, nil
}

// Settle implements paywall.Scheme. A voucher costs no transaction. Two requests with one voucher are charged once, and
// the second is refused.
func (t *Till) Settle(ctx context.Context, p paywall.Payment, r paywall.Requirements, total *uint256.Int) paywall.Settled {
	answer, err := t.settle(ctx, p, r, total)
	answer.Network = r.Network
	if err != nil {
		answer.Success, answer.Reason = false, errVerificationUnavailable.Error()
		if known, ok := errors.AsType[reason](err); ok {
			answer.Reason = string(known)
		}
		answer.Message = err.Error()
	}
	return answer
}

func (t *Till) settle(ctx context.Context, p paywall.Payment, r paywall.Requirements, total *uint256.Int) (paywall.Settled, error) {
	signed, err := parse(p.Payload)
	if err != nil {
		return paywall.Settled{}, err
	}
	_, before, err := t.before(ctx, signed)
	if err != nil {
		return paywall.Settled{}, err
	}
	if signed.Kind == kindRefund {
		return t.refund(ctx, p, r, signed)
	}
	answer := paywall.Settled{Success: true, Payer: signed.Config.Payer}
	var brought *owed
	if signed.Kind == kindDeposit {
		if answer = t.scheme.Settle(ctx, p, r, total); !answer.Success {
			return answer, nil
		}
		brought = &owed{p, r}
	}
	after, err := t.ledger.charge(ctx, signed, before, total, brought)
	if err != nil {
		return answer, err
	}
	return answer, t.show(ctx, &answer, signed, after, total)
}

// show adds the channel's state after a charge to an answer.
func (t *Till) show(ctx context.Context, answer *paywall.Settled, signed payload, after, cost *uint256.Int) error {
	read, err := t.scheme.state(ctx, signed.Voucher.ChannelID)
	if err != nil {
		return err
	}
	shown := wire(signed.Voucher.ChannelID, read)
	shown.Charged = after
	answer.Extra = settledExtra{State: shown, Charged: cost}
	return nil
}

// refund gives back what the client asks for of what was not charged, and claims what was.
func (t *Till) refund(ctx context.Context, p paywall.Payment, r paywall.Requirements, signed payload) (paywall.Settled, error) {
	a, err := t.ledger.account(ctx, signed.Voucher.ChannelID)
	if err != nil {
		return paywall.Settled{}, err
	}
	read, err := t.scheme.state(ctx, a.id)
	if err != nil {
		return paywall.Settled{}, err
	}
	if !read.Balance.Gt(a.charged) {
		return paywall.Settled{}, errRefundNoBalance
	}
	if signed.Amount == nil {
		signed.Amount = new(uint256.Int).Sub(read.Balance, a.charged)
	}
	if signed.Amount.IsZero() {
		return paywall.Settled{}, errRefundAmount
	}
	signed.RefundNonce = read.RefundNonce
	if a.charged.Gt(read.TotalClaimed) {
		signed.Claims = []claim{a.newest.claim(a.charged)}
	}
	if p.Payload, err = signed.encode(); err != nil {
		return paywall.Settled{}, err
	}
	answer := t.scheme.Settle(ctx, p, r, signed.Amount)
	if !answer.Success {
		return answer, nil
	}
	return answer, t.show(ctx, &answer, signed, a.charged, new(uint256.Int))
}
