package paywall

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures/contracts/x402"
	"github.com/fakenode/fakenode/tokencontract"
)

// The schemes.
const (
	Exact = "exact" // the whole amount, by an EIP-3009 authorization
	Upto  = "upto"  // any total up to the amount, by a Permit2 signature
)

// Requirements describe the payment that is asked for.
type Requirements struct {
	Scheme            string         `json:"scheme"`
	Network           string         `json:"network"` // "eip155:" and the chain id
	Amount            *uint256.Int   `json:"amount"`  // token units; of Upto the ceiling
	Asset             common.Address `json:"asset"`
	PayTo             common.Address `json:"payTo"`
	MaxTimeoutSeconds int            `json:"maxTimeoutSeconds"`
	Extra             Extra          `json:"extra"`
}

// Extra holds the values that a client needs for its signature: the token's EIP-712 domain, and for Upto the
// facilitator that will settle.
type Extra struct {
	Name               string          `json:"name"`
	Version            string          `json:"version"`
	FacilitatorAddress *common.Address `json:"facilitatorAddress,omitempty"`
}

// Payment holds the payment that a client sends with a request.
type Payment struct {
	Version  int             `json:"x402Version"`
	Accepted Requirements    `json:"accepted"`
	Payload  json.RawMessage `json:"payload"` // by the scheme
}

type exactPayload struct {
	Authorization struct {
		From, To                       common.Address
		Value, ValidAfter, ValidBefore *uint256.Int
		Nonce                          common.Hash
	}
	Signature hexutil.Bytes
}

type uptoPayload struct {
	Permit2Authorization struct {
		From      common.Address
		Permitted struct {
			Token  common.Address
			Amount *uint256.Int
		}
		Spender         common.Address
		Nonce, Deadline *uint256.Int
		Witness         struct {
			To, Facilitator common.Address
			ValidAfter      *uint256.Int
		}
	}
	Signature hexutil.Bytes
}

// settlement is the transaction that settles a payment.
type settlement struct {
	payer common.Address
	to    common.Address
	data  []byte
}

// errMismatch is returned for a payment that does not meet the requirements.
var errMismatch = errors.New("the payment is not what the requirements say")

// settlement builds the transaction that moves a total, in token units. It compares everything that a contract cannot
// know with the requirements; the contract checks times, nonces, balances and the signature.
func (p Payment) settlement(r Requirements, total *uint256.Int) (settlement, error) {
	if p.Version != 2 || r.Amount == nil || p.Accepted.Scheme != r.Scheme || p.Accepted.Network != r.Network {
		return settlement{}, errMismatch
	}
	switch r.Scheme {
	case Exact:
		return p.exact(r)
	case Upto:
		return p.upto(r, total)
	}
	return settlement{}, fmt.Errorf("scheme %.20q is neither %q nor %q", r.Scheme, Exact, Upto)
}

func (p Payment) exact(r Requirements) (settlement, error) {
	var signed exactPayload
	if err := json.Unmarshal(p.Payload, &signed); err != nil {
		return settlement{}, fmt.Errorf("payload: %w", err)
	}
	a := signed.Authorization
	if a.To != r.PayTo || a.Value == nil || !a.Value.Eq(r.Amount) || !seconds(a.ValidAfter) || !seconds(a.ValidBefore) {
		return settlement{}, errMismatch
	}
	authorization := tokencontract.Authorization{
		From: a.From, To: a.To, Value: a.Value, ValidAfter: a.ValidAfter.Uint64(), ValidBefore: a.ValidBefore.Uint64(), Nonce: a.Nonce,
	}
	return settlement{a.From, r.Asset, authorization.PackTransferBytes(signed.Signature)}, nil
}

func (p Payment) upto(r Requirements, total *uint256.Int) (settlement, error) {
	var signed uptoPayload
	if err := json.Unmarshal(p.Payload, &signed); err != nil {
		return settlement{}, fmt.Errorf("payload: %w", err)
	}
	a := signed.Permit2Authorization
	if a.Witness.To != r.PayTo || a.Permitted.Token != r.Asset || a.Permitted.Amount == nil || !a.Permitted.Amount.Eq(r.Amount) ||
		a.Spender != x402.UptoAddress || a.Nonce == nil || !seconds(a.Deadline) || !seconds(a.Witness.ValidAfter) {
		return settlement{}, errMismatch
	}
	payment := x402.UptoPayment{
		ExactPayment: x402.ExactPayment{
			Payer: a.From, To: a.Witness.To, Token: a.Permitted.Token, Amount: a.Permitted.Amount, Nonce: a.Nonce,
			ValidAfter: a.Witness.ValidAfter.Uint64(), Deadline: a.Deadline.Uint64(),
		},
		Facilitator: a.Witness.Facilitator,
	}
	return settlement{a.From, x402.UptoAddress, payment.PackSettle(total, signed.Signature)}, nil
}

// seconds reports whether n is set and fits a time in Unix seconds.
func seconds(n *uint256.Int) bool { return n != nil && n.IsUint64() }
