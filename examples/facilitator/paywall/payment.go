package paywall

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/x402"
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
	// TransferMethod is Permit2, or empty for the scheme's own.
	TransferMethod string `json:"assetTransferMethod,omitempty"`

	// Of payment channels: who signs for the receiver, the delay of withdrawals in seconds, the least deposit in token
	// units that is worth its gas, and in an answer that corrects the client, what the seller knows.
	ReceiverAuthorizer *common.Address `json:"receiverAuthorizer,omitempty"`
	WithdrawDelay      uint64          `json:"withdrawDelay,omitempty"`
	MinDeposit         *uint256.Int    `json:"minDeposit,omitempty"`
	ChannelState       any             `json:"channelState,omitempty"`
	VoucherState       any             `json:"voucherState,omitempty"`
}

// Permit2 is the transfer method of a payment by a Permit2 signature.
const Permit2 = "permit2"

// Payment holds the payment that a client sends with a request.
type Payment struct {
	Version  int             `json:"x402Version"`
	Accepted Requirements    `json:"accepted"`
	Payload  json.RawMessage `json:"payload"` // by the scheme

	Extensions map[string]struct {
		Info json.RawMessage `json:"info"`
	} `json:"extensions,omitempty"`
}

type exactPayload struct {
	Authorization struct {
		From, To                       common.Address
		Value, ValidAfter, ValidBefore *uint256.Int
		Nonce                          common.Hash
	}
	Signature hexutil.Bytes
}

// permit2Payload is by a signed Permit2 transfer, of either scheme.
type permit2Payload struct {
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
	payer    common.Address
	to       common.Address
	data     []byte
	approval *types.Transaction // the payer's, to be sent before; nil: none
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
		if r.Extra.TransferMethod == Permit2 {
			return p.exactPermit2(r)
		}
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
	return settlement{payer: a.From, to: r.Asset, data: authorization.PackTransferBytes(signed.Signature)}, nil
}

func (p Payment) exactPermit2(r Requirements) (settlement, error) {
	signed, payment, err := p.permit2(r, x402.ExactAddress)
	if err != nil {
		return settlement{}, err
	}
	return p.sponsored(r, settlement{payer: payment.Payer, to: x402.ExactAddress, data: payment.PackSettle(signed.Signature)}, func(a Allowance) []byte {
		return payment.PackSettleWithPermit(*a.Permit, a.Signature, signed.Signature)
	})
}

func (p Payment) upto(r Requirements, total *uint256.Int) (settlement, error) {
	signed, exact, err := p.permit2(r, x402.UptoAddress)
	if err != nil {
		return settlement{}, err
	}
	payment := x402.UptoPayment{ExactPayment: exact, Facilitator: signed.Permit2Authorization.Witness.Facilitator}
	return p.sponsored(r, settlement{payer: payment.Payer, to: x402.UptoAddress, data: payment.PackSettle(total, signed.Signature)}, func(a Allowance) []byte {
		return payment.PackSettleWithPermit(*a.Permit, a.Signature, total, signed.Signature)
	})
}

// permit2 reads a payment by Permit2 through a proxy.
func (p Payment) permit2(r Requirements, proxy common.Address) (signed permit2Payload, payment x402.ExactPayment, err error) {
	if err := json.Unmarshal(p.Payload, &signed); err != nil {
		return signed, payment, fmt.Errorf("payload: %w", err)
	}
	a := signed.Permit2Authorization
	if a.Witness.To != r.PayTo || a.Permitted.Token != r.Asset || a.Permitted.Amount == nil || !a.Permitted.Amount.Eq(r.Amount) ||
		a.Spender != proxy || a.Nonce == nil || !seconds(a.Deadline) || !seconds(a.Witness.ValidAfter) {
		return signed, payment, errMismatch
	}
	return signed, x402.ExactPayment{
		Payer: a.From, To: a.Witness.To, Token: a.Permitted.Token, Amount: a.Permitted.Amount, Nonce: a.Nonce,
		ValidAfter: a.Witness.ValidAfter.Uint64(), Deadline: a.Deadline.Uint64(),
	}, nil
}

// sponsored adds what the payment brings for Permit2's allowance, if anything.
func (p Payment) sponsored(r Requirements, s settlement, withPermit func(Allowance) []byte) (settlement, error) {
	allowance, err := p.Allowance(s.payer, r.Asset)
	if err == nil && allowance.Permit != nil {
		s.data = withPermit(allowance)
	}
	s.approval = allowance.Approval
	return s, err
}

// seconds reports whether n is set and fits a time in Unix seconds.
func seconds(n *uint256.Int) bool { return n != nil && n.IsUint64() }
