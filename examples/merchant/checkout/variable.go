package checkout

import (
	"context"
	"math/big"

	"github.com/holiman/uint256"

	checkoutcontract "github.com/fakenode/fakenode/contracts/checkout"
	"github.com/fakenode/fakenode/tokencontract"
)

// variable is a total that is not known yet: the payer signs the terms with a ceiling, and a permit with which a
// checkout contract moves the money. The contract keeps the total under the ceiling and pays nobody but the merchant.
type variable struct {
	*chain
	noRequests
}

// permitSize is the size in bytes of a permit's signature, which a Credential begins with.
const permitSize = 65

func (v variable) terms(ctx context.Context, o *Order) error {
	if err := v.deployed(ctx, o.Path, checkoutcontract.Address); err != nil {
		return err
	}
	nonce, err := v.read(ctx, pending, "nonces", o.Terms.From)
	if err != nil {
		return err
	}
	o.permitNonce = nonce.(*big.Int).Uint64()
	return nil
}

// agreed returns the terms in the contract's form. Its deadline is inclusive, an order's is not.
func (v variable) agreed(o Order) checkoutcontract.Terms {
	return checkoutcontract.Terms{
		Payer: o.Terms.From, Merchant: v.merchant, Token: v.token, Ceiling: o.Terms.Value, Order: o.Terms.Nonce,
		Deadline: o.Terms.ValidBefore - 1,
	}
}

func (v variable) permit(o Order) tokencontract.Permit {
	return v.agreed(o).Permit(checkoutcontract.Address, o.permitNonce)
}

func (v variable) toSign(o Order) ToSign {
	return ToSign{
		TypedData: v.agreed(o).TypedData(v.domain.ChainID, checkoutcontract.Address),
		Permit:    v.permit(o).Message().TypedData(v.domain),
	}
}

// join puts the permit before the signature of the terms. The contract takes the permit of a key alone.
func (v variable) join(ctx context.Context, o Order, signed Signed) (Credential, error) {
	message := v.permit(o).Message()
	if err := v.verifyKey(o.Terms.From, message.Digest(v.domain), message.PrimaryType(), signed.Permit); err != nil {
		return nil, err
	}
	id := v.agreed(o).ID(v.domain.ChainID, checkoutcontract.Address)
	if err := v.verify(ctx, o.Terms.From, id, "Terms", signed.Signature); err != nil {
		return nil, err
	}
	return append(signed.Permit[:permitSize:permitSize], signed.Signature...), nil
}

func (variable) approval(Order, Credential) target { return target{} }

func (v variable) check(ctx context.Context, o Order, amount *uint256.Int) error {
	return v.covered(ctx, o.Terms.From, amount)
}

// capture sends the permit with every part: whoever saw it may have sent it before, and then it is ignored.
func (v variable) capture(o Order, amount *uint256.Int, credential Credential) target {
	permit, err := tokencontract.ParseSignature(credential[:permitSize])
	if err != nil {
		panic("checkout: " + err.Error()) // join took it
	}
	return target{checkoutcontract.Address, v.agreed(o).PackCaptureWithPermit(amount, credential[permitSize:], v.permit(o), permit)}
}
