package checkout

import "fmt"

// Code reports why a request was rejected, for programs.
type Code string

// The codes.
const (
	Invalid     Code = "invalid"     // the request itself is wrong
	NotFound    Code = "not_found"   // no such order
	Conflict    Code = "conflict"    // the order's stage does not allow it
	Mismatch    Code = "mismatch"    // the authorization is for other terms than the order's
	Unsigned    Code = "signature"   // the signature is not the payer's, for this chain and token
	TooEarly    Code = "too_early"   // before validAfter
	Expired     Code = "expired"     // after validBefore, or too close to it
	NonceUsed   Code = "nonce_used"  // the authorization is used or canceled on-chain
	Balance     Code = "balance"     // the payer holds less than the amount
	TokenRefuse Code = "token"       // the token would revert; Message holds its reason
	Costly      Code = "gas"         // the merchant does not pay for that much gas
	Unavailable Code = "unavailable" // the chain, or the merchant's purse, fails: try again
)

// Problem is an error that the caller may see.
type Problem struct {
	Code    Code
	Message string
	Err     error // what caused it, for the log; may be nil
}

func (p *Problem) Error() string {
	if p.Err != nil {
		return p.Message + ": " + p.Err.Error()
	}
	return p.Message
}

func (p *Problem) Unwrap() error { return p.Err }

func problem(code Code, format string, arguments ...any) *Problem {
	return &Problem{Code: code, Message: fmt.Sprintf(format, arguments...)}
}

// unavailable returns a Problem of the chain's endpoint.
func unavailable(doing string, err error) error {
	return &Problem{Code: Unavailable, Message: doing + ": the chain did not answer", Err: err}
}
