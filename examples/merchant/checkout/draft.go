package checkout

import (
	"cmp"
	"context"
	"crypto/rand"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/tokencontract"
)

// The validity of an authorization (contract 4.2-window).
const (
	validSince = 60 * time.Second // validAfter is this long before the draft
	validFor   = 15 * time.Minute // validBefore is by default this long after it
	maxValid   = 24 * time.Hour

	subscribedFor = 365 * 24 * time.Hour // by default
	maxSubscribed = 10 * subscribedFor
)

// Sale describes the order to draft.
type Sale struct {
	Path   Path           // empty: Fixed
	Payer  common.Address // Subscription: the owner of the smart account that pays
	Amount string         // decimal; Variable: the ceiling; Subscription: at most so much in each period; Requests: the deposit
	Within time.Duration  // until the last capture; zero: 15 minutes, of a Subscription a year
	Period time.Duration  // Subscription
	Price  string         // Requests: of each, decimal
}

// check fills in the defaults. Problems: Invalid.
func (s Sale) check() (Sale, error) {
	s.Path = cmp.Or(s.Path, Fixed)
	usual, most := validFor, maxValid
	if s.Path == Subscription {
		usual, most = subscribedFor, maxSubscribed
	}
	switch {
	case s.Path != Fixed && s.Path != Variable && s.Path != Subscription && s.Path != Requests && s.Path != Memo:
		return s, problem(Invalid, "path %q is neither %s, %s, %s, %s nor %s", s.Path, Fixed, Variable, Subscription, Requests, Memo)
	case s.Payer == (common.Address{}):
		return s, problem(Invalid, "payer is missing")
	case s.Within < 0 || s.Within > most:
		return s, problem(Invalid, "validity of %s is outside 0 to %s", s.Within, most)
	case (s.Path == Subscription) != (s.Period > 0):
		return s, problem(Invalid, "a period is for a %s, and it needs one", Subscription)
	case (s.Path == Requests) != (s.Price != ""):
		return s, problem(Invalid, "a price is for %s, and they need one", Requests)
	}
	s.Within = cmp.Or(s.Within, usual)
	return s, nil
}

// Draft makes an order with a fresh random nonce, to be signed and captured within the time given. Time is the chain's,
// the newest sealed block's. Problems: Invalid.
func (s *Shop) Draft(ctx context.Context, sale Sale) (Order, error) {
	value, err := parseAmount(sale.Amount)
	if err != nil {
		return Order{}, problem(Invalid, "%v", err)
	}
	if sale, err = sale.check(); err != nil {
		return Order{}, err
	}
	price := new(uint256.Int)
	if sale.Price != "" {
		if price, err = parseAmount(sale.Price); err != nil {
			return Order{}, problem(Invalid, "price: %v", err)
		}
	}
	final, err := s.chain.header(ctx, finalized)
	if err != nil {
		return Order{}, err
	}
	head, err := s.chain.header(ctx, latest)
	if err != nil {
		return Order{}, err
	}
	o := Order{
		ID: rand.Text(), Path: sale.Path, Period: uint64(sale.Period / time.Second), Price: price, Vouched: new(uint256.Int),
		Terms: tokencontract.Authorization{
			From: sale.Payer, To: s.chain.merchant, Value: value,
			ValidAfter:  head.Time - min(head.Time, uint64(validSince/time.Second)),
			ValidBefore: head.Time + uint64(sale.Within/time.Second),
			Nonce:       tokencontract.NewNonce(),
		},
		fromBlock: final.Number.Uint64(), // a reorg may settle it before the present head
	}
	if err := s.payment(o).terms(ctx, &o); err != nil {
		return Order{}, err
	}
	if err := s.store.insertOrder(ctx, o); err != nil {
		return Order{}, err
	}
	s.tell(ctx, o.ID)
	return s.store.order(ctx, o.ID)
}

// CancelTypedData returns the typed data that the payer of a Fixed order signs to cancel it on-chain.
func (s *Shop) CancelTypedData(o Order) tokencontract.TypedData {
	return o.cancellation().Message().TypedData(s.chain.domain)
}

func (o Order) cancellation() tokencontract.Cancellation {
	return tokencontract.Cancellation{Authorizer: o.Terms.From, Nonce: o.Terms.Nonce}
}
