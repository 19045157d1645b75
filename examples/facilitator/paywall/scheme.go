package paywall

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Scheme checks and settles payments by one scheme. Safe for concurrent use.
type Scheme interface {
	// Extra returns the values that GET /supported has for shops; nil is none.
	Extra() *Extra
	// Verify reports whether a payment could be settled now.
	Verify(ctx context.Context, p Payment, r Requirements) Verification
	// Settle moves a total of token units, at most what the requirements ask for.
	Settle(ctx context.Context, p Payment, r Requirements, total *uint256.Int) Settled
}

// Verification is the answer of /verify.
type Verification struct {
	Valid   bool           `json:"isValid"`
	Reason  string         `json:"invalidReason,omitempty"`
	Message string         `json:"invalidMessage,omitempty"`
	Payer   common.Address `json:"payer,omitzero"`
	Extra   any            `json:"extra,omitempty"` // by the scheme

	// Corrected is the price that a Route asks for next, with what the client must know to pay it; nil: the same again.
	Corrected *Requirements `json:"-"`
	// NoGoods has a Route settle and serve nothing: the client asked for its money back.
	NoGoods bool `json:"-"`
}

// Settled is the answer of /settle, and of a paid route in the header PAYMENT-RESPONSE.
type Settled struct {
	Success     bool           `json:"success"`
	Reason      string         `json:"errorReason,omitempty"`
	Message     string         `json:"errorMessage,omitempty"`
	Transaction string         `json:"transaction"` // empty: none was needed
	Network     string         `json:"network"`
	Payer       common.Address `json:"payer,omitzero"`
	Amount      *uint256.Int   `json:"amount,omitempty"`
	Extra       any            `json:"extra,omitempty"` // by the scheme
}

// Offer adds a scheme besides Exact and Upto. Call it before the facilitator serves.
func (f *Facilitator) Offer(name string, s Scheme) { f.schemes[name] = s }

// Scheme returns a scheme; of one that is not offered, the Scheme refuses every payment.
func (f *Facilitator) Scheme(name string) Scheme {
	if s, ok := f.schemes[name]; ok {
		return s
	}
	return direct{f}
}

// direct is Exact and Upto: every payment is a transaction of its own.
type direct struct{ f *Facilitator }

func (direct) Extra() *Extra { return nil }

func (d direct) Verify(ctx context.Context, p Payment, r Requirements) Verification {
	payer, err := d.f.Verify(ctx, p, r)
	if err != nil {
		return Verification{Reason: "payment_refused", Message: err.Error(), Payer: payer}
	}
	return Verification{Valid: true, Payer: payer}
}

func (d direct) Settle(ctx context.Context, p Payment, r Requirements, total *uint256.Int) Settled {
	payer, transaction, err := d.f.Settle(ctx, p, r, total)
	s := Settled{Success: err == nil, Network: d.f.Network(), Payer: payer, Amount: total}
	if transaction != (common.Hash{}) {
		s.Transaction = transaction.Hex()
	}
	if err != nil {
		s.Reason, s.Message = "settlement_failed", err.Error()
	}
	if errors.Is(err, ErrPending) && s.Transaction != "" {
		s.Reason = SettlementPending
	}
	return s
}

// upto is direct, settled by one account.
type upto struct{ direct }

func (u upto) Extra() *Extra {
	settles := u.f.Address()
	return &Extra{FacilitatorAddress: &settles}
}

// Settle takes the ceiling from the payment: over /settle the requirements hold the total.
func (u upto) Settle(ctx context.Context, p Payment, r Requirements, total *uint256.Int) Settled {
	if p.Accepted.Amount == nil {
		return Settled{Reason: "settlement_failed", Message: fmt.Sprint(errMismatch), Network: u.f.Network()}
	}
	r.Amount = p.Accepted.Amount
	return u.direct.Settle(ctx, p, r, total)
}
