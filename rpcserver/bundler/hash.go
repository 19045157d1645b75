package bundler

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

// hashOf returns the hash that the sender of an operation signs, that of the EntryPoint's getUserOpHash. The error says
// that the sender runs no code.
func hashOf(m *preconf.Moment, v version, o *Operation) (common.Hash, error) {
	chainID := m.Chain().Config().ChainID.Uint64()
	switch {
	case v.legacy:
		return o.legacy().Hash(chainID), nil
	case v.name < "0.8":
		return o.packed().Hash(chainID), nil
	}
	var delegate common.Address
	if o.delegates() {
		var err error
		if delegate, err = o.delegate(m); err != nil {
			return common.Hash{}, err
		}
	}
	packed := o.packed()
	if n := len(o.PaymasterSignature); n > 0 { // is not signed, and neither is its length
		data := packed.PaymasterAndData
		end := len(data) - len(paymasterMagic)
		packed.PaymasterAndData = append(data[:end-2-n:end-2-n], data[end:]...)
	}
	return packed.TypedHash(chainID, v.address, delegate), nil
}
