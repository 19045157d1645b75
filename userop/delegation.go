package userop

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/preconf"
)

// factory is an account that deploys senders, or delegated.
type factory common.Address

// delegated stands for the factory of a sender that runs the code of another account (EIP-7702).
var delegated = factory{0x77, 0x02}

// UnmarshalJSON reads an address, or 0x7702 for delegated.
func (f *factory) UnmarshalJSON(data []byte) error {
	if string(data) == `"0x7702"` {
		*f = delegated
		return nil
	}
	return json.Unmarshal(data, (*common.Address)(f))
}

// MarshalJSON writes what UnmarshalJSON reads.
func (f factory) MarshalJSON() ([]byte, error) {
	if f == delegated {
		return []byte(`"0x7702"`), nil
	}
	return json.Marshal(common.Address(f))
}

// delegates reports whether the sender is to run the code of another account instead of being deployed.
func (o *Operation) delegates() bool { return o.Factory != nil && *o.Factory == delegated }

// delegate returns the account whose code a delegating sender runs. It is an error if the sender runs none.
func (o *Operation) delegate(m *preconf.Moment) (common.Address, error) {
	if o.Authorization != nil {
		return o.Authorization.Address, nil
	}
	state, err := stateOf(m.Pending(), *o.Sender)
	if err != nil {
		return common.Address{}, err
	}
	delegate, ok := types.ParseDelegation(state.Code(*o.Sender))
	if !ok {
		return delegate, refusalOf("AA20 account not deployed", o)
	}
	return delegate, nil
}

// factory returns the contract that deploys the sender and the data to call it with, or nil for a sender that is
// deployed or delegates.
func (o *Operation) factory() (address *common.Address, data []byte) {
	switch {
	case len(o.InitCode) >= common.AddressLength:
		return new(common.BytesToAddress(o.InitCode[:20])), o.InitCode[20:]
	case o.delegates():
		return nil, nil
	}
	return (*common.Address)(o.Factory), o.FactoryData
}

// authorization lets the sender of an operation run the code of another account (EIP-7702).
type authorization struct {
	ChainID paddedNumber   `json:"chainId"`
	Address common.Address `json:"address"`
	Nonce   paddedNumber   `json:"nonce"`
	YParity paddedNumber   `json:"yParity"`
	R       paddedNumber   `json:"r"`
	S       paddedNumber   `json:"s"`
}

// paddedNumber is a number of at most 32 bytes that may have leading zeros, as clients send them in authorizations.
type paddedNumber struct{ uint256.Int }

// UnmarshalJSON reads the number.
func (n *paddedNumber) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	digits, isHex := strings.CutPrefix(text, "0x")
	value, ok := new(big.Int).SetString(digits, 16)
	if !isHex || !ok || value.Sign() < 0 || len(digits) > 64 {
		return fmt.Errorf("%.80q is no hex number of at most 32 bytes", text)
	}
	n.SetFromBig(value)
	return nil
}

// MarshalJSON writes the number without leading zeros.
func (n paddedNumber) MarshalJSON() ([]byte, error) { return json.Marshal(n.Hex()) }

func (a *authorization) signed() types.SetCodeAuthorization {
	return types.SetCodeAuthorization{
		ChainID: a.ChainID.Int, Address: a.Address, Nonce: a.Nonce.Uint64(), V: uint8(a.YParity.Uint64()), R: a.R.Int, S: a.S.Int,
	}
}

// authorizations returns the authorizations of a bundle with the operation, or nil.
func (o *Operation) authorizations() []types.SetCodeAuthorization {
	if o.Authorization == nil {
		return nil
	}
	return []types.SetCodeAuthorization{o.Authorization.signed()}
}

// authorizationOf returns the authorization of a transaction that an account signed, or nil.
func authorizationOf(tx *types.Transaction, account common.Address) *authorization {
	for _, a := range tx.SetCodeAuthorizations() {
		if authority, err := a.Authority(); err == nil && authority == account {
			return &authorization{
				ChainID: paddedNumber{a.ChainID}, Address: a.Address, Nonce: paddedNumber{*uint256.NewInt(a.Nonce)},
				YParity: paddedNumber{*uint256.NewInt(uint64(a.V))}, R: paddedNumber{a.R}, S: paddedNumber{a.S},
			}
		}
	}
	return nil
}

// authorized returns an error if the operation's authorization would not take effect in the block being built. The
// nonce does not matter where the sender runs that code already: an operation before it had the same authorization.
func (o *Operation) authorized(m *preconf.Moment) error {
	a := o.Authorization
	if a == nil {
		return nil
	}
	state, err := stateOf(m.Pending(), *o.Sender)
	if err != nil {
		return err
	}
	signed := a.signed()
	authority, err := signed.Authority()
	delegate, _ := types.ParseDelegation(state.Code(*o.Sender))
	switch has := m.Chain().Config().ChainID.Uint64(); {
	case !a.ChainID.IsZero() && !a.ChainID.Eq(uint256.NewInt(has)):
		return unauthorized("chainId is %s, want %#x, or 0x0 for all chains", a.ChainID.Hex(), has)
	case err != nil || a.YParity.GtUint64(1):
		return unauthorized("the signature is not valid: yParity must be 0 or 1, and s in the lower half of the curve's order")
	case authority != *o.Sender:
		return unauthorized("it is signed by %s, not by the sender %s", authority, o.Sender)
	case !a.Nonce.IsUint64() || signed.Nonce != state.Nonce(*o.Sender) && delegate != a.Address:
		return unauthorized("nonce is %s, and the sender's is %#x", a.Nonce.Hex(), state.Nonce(*o.Sender))
	}
	return nil
}

func unauthorized(format string, args ...any) *Error {
	return invalid("user operation: eip7702Auth: "+format, args...)
}
