package checkout

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Path names a way of being paid.
type Path string

// The paths.
const (
	Fixed        Path = "fixed"        // one exact transfer, once (EIP-3009)
	Variable     Path = "variable"     // any total up to a ceiling, in parts (EIP-2612 permit and a checkout contract)
	Subscription Path = "subscription" // up to an amount in every period (spend permission of a smart account)
	Requests     Path = "requests"     // a price for each request, out of a deposit (payment channel, x402's batch-settlement)
	Memo         Path = "memo"         // one exact transfer, which the payer sends with the order's memo (B20)
)

// once reports whether the path has one payment, which a log of the token shows; of the others the merchant's own
// transactions show each.
func (p Path) once() bool { return p == Fixed || p == Memo }

// payment is the part of a path that differs between paths: the data that the payer signs, and the calls that take the
// money. Orders, the outbox, and following the chain are the same for each.
type payment interface {
	// terms completes the terms of a new order. Problems: Invalid if the chain lacks a contract that the path needs.
	terms(ctx context.Context, o *Order) error
	// toSign returns the data for the payer of an order to sign.
	toSign(o Order) ToSign
	// join checks the payer's signatures and returns them as one Credential, for the database. Problems: Unsigned.
	join(ctx context.Context, o Order, signed Signed) (Credential, error)
	// serve checks the payer's voucher for a total of requests, in token units, and returns the Credential with it and the
	// previous one. Problems: Unsigned, and Conflict if the path has no requests.
	serve(o Order, credential Credential, total *uint256.Int, voucher Credential) (Credential, error)
	// approval returns the merchant's call that must be in a block before the first capture. One without a contract
	// means that there is none.
	approval(o Order, credential Credential) target
	// check reports why an amount, in token units, cannot be captured now. Problems: NonceUsed, Balance, Conflict.
	check(ctx context.Context, o Order, amount *uint256.Int) error
	// capture returns the merchant's call that takes an amount, in token units.
	capture(o Order, amount *uint256.Int, credential Credential) target
}

// target is a call before it is priced.
type target struct {
	contract common.Address
	data     []byte
}

// ToSign is the typed data of an order, each the second parameter of eth_signTypedData_v4.
type ToSign struct {
	TypedData any `json:"typedData,omitempty"`
	Permit    any `json:"permit,omitempty"`  // Variable: the allowance of the checkout contract
	Voucher   any `json:"voucher,omitempty"` // Requests: that of the next request

	Transaction any `json:"transaction,omitempty"` // Memo: to send, not to sign alone
}

// Signed holds the payer's signatures of ToSign.
type Signed struct {
	Signature Credential `json:"signature"`
	Permit    Credential `json:"permit"`
}

func (s *Shop) payment(o Order) payment { return s.payments[o.Path] }

func payments(c *chain) map[Path]payment {
	return map[Path]payment{
		Fixed: fixed{chain: c}, Variable: variable{chain: c}, Subscription: subscription{chain: c}, Requests: requests{c},
		Memo: memo{chain: c},
	}
}

// noRequests is of the paths where the payer signs nothing after the order.
type noRequests struct{}

func (noRequests) serve(o Order, _ Credential, _ *uint256.Int, _ Credential) (Credential, error) {
	return nil, hasNoRequests(o)
}

func hasNoRequests(o Order) *Problem { return problem(Conflict, "a %s order has no requests", o.Path) }

// deployed checks that the chain has the contract of a path. Problems: Invalid.
func (c *chain) deployed(ctx context.Context, path Path, contract common.Address) error {
	code, err := c.client.CodeAt(ctx, contract, latest)
	if err != nil {
		return unavailable("read code", err)
	}
	if len(code) == 0 {
		return problem(Invalid, "this chain has no contract for a %s payment at %s", path, contract)
	}
	return nil
}
