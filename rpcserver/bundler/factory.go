package bundler

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

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

// delegate returns whose code a sender runs that delegates. The error says that it runs none.
func (o *Operation) delegate(m *preconf.Moment) (common.Address, error) {
	if o.Authorization != nil {
		return o.Authorization.Address, nil
	}
	state, err := m.Pending().State()
	if err == nil {
		err = state.Load(*o.Sender)
	}
	if err != nil {
		return common.Address{}, err
	}
	delegate, ok := types.ParseDelegation(state.Code(*o.Sender))
	if !ok {
		return delegate, refusalOf("AA20 account not deployed", o)
	}
	return delegate, nil
}

// factory returns who deploys the sender, and with which call; nil for a sender that is deployed or delegates.
func (o *Operation) factory() (address *common.Address, data []byte) {
	switch {
	case len(o.InitCode) >= common.AddressLength:
		return new(common.BytesToAddress(o.InitCode[:20])), o.InitCode[20:]
	case o.delegates():
		return nil, nil
	}
	return (*common.Address)(o.Factory), o.FactoryData
}
