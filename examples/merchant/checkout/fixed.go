package checkout

import (
	"context"

	"github.com/holiman/uint256"
)

// fixed is one exact transfer: the payer signs an authorization (EIP-3009), which settles once at most.
type fixed struct {
	*chain
	noRequests
}

func (fixed) terms(context.Context, *Order) error { return nil }

func (f fixed) toSign(o Order) ToSign {
	return ToSign{TypedData: o.Terms.ReceiveMessage().TypedData(f.domain)}
}

func (f fixed) join(ctx context.Context, o Order, signed Signed) (Credential, error) {
	message := o.Terms.ReceiveMessage()
	return signed.Signature, f.verify(ctx, o.Terms.From, message.Digest(f.domain), message.PrimaryType(), signed.Signature)
}

func (fixed) approval(Order, Credential) target { return target{} }

func (f fixed) check(ctx context.Context, o Order, amount *uint256.Int) error {
	if err := f.unused(ctx, o.Terms); err != nil {
		return err
	}
	return f.covered(ctx, o.Terms.From, amount)
}

func (f fixed) capture(o Order, _ *uint256.Int, credential Credential) target {
	return target{f.token, o.Terms.PackReceiveBytes(credential)}
}
