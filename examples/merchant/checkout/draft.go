package checkout

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/tokencontract"
)

// The validity of an authorization (contract 4.2-window).
const (
	validSince = 60 * time.Second // validAfter is this long before the draft
	validFor   = 15 * time.Minute // validBefore is by default this long after it
	maxValid   = 24 * time.Hour
)

// Draft makes an order with a fresh random nonce: a decimal amount of the token from a payer, to be signed and captured
// within the time given; zero is 15 minutes. Time is the chain's, the newest sealed block's. Problems: Invalid.
func (s *Shop) Draft(ctx context.Context, payer common.Address, amount string, within time.Duration) (Order, error) {
	value, err := parseAmount(amount)
	switch {
	case err != nil:
		return Order{}, problem(Invalid, "%v", err)
	case payer == (common.Address{}):
		return Order{}, problem(Invalid, "payer is missing")
	case within < 0 || within > maxValid:
		return Order{}, problem(Invalid, "validity of %s is outside 0 to %s", within, maxValid)
	case within == 0:
		within = validFor
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
		ID: rand.Text(),
		Terms: tokencontract.Authorization{
			From: payer, To: s.chain.merchant, Value: value,
			ValidAfter:  head.Time - min(head.Time, uint64(validSince/time.Second)),
			ValidBefore: head.Time + uint64(within/time.Second),
			Nonce:       tokencontract.NewNonce(),
		},
		fromBlock: final.Number.Uint64(), // a reorg may settle it before the present head
	}
	if err := s.store.insertOrder(ctx, o); err != nil {
		return Order{}, err
	}
	s.tell(ctx, o.ID)
	return s.store.order(ctx, o.ID)
}

// TypedData is what the payer of an order signs to authorize it, the second parameter of eth_signTypedData_v4.
func (s *Shop) TypedData(o Order) tokencontract.TypedData {
	return o.Terms.ReceiveMessage().TypedData(s.chain.domain)
}

// CancelTypedData is what the payer of an order signs to cancel it on-chain.
func (s *Shop) CancelTypedData(o Order) tokencontract.TypedData {
	return o.cancellation().Message().TypedData(s.chain.domain)
}

func (o Order) cancellation() tokencontract.Cancellation {
	return tokencontract.Cancellation{Authorizer: o.Terms.From, Nonce: o.Terms.Nonce}
}
