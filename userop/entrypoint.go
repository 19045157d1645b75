package userop

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/preconf"
)

// EntryPoint is a version of the contract that operations are sent to.
type EntryPoint struct {
	Name           string // such as "0.8"
	Address        common.Address
	creator        common.Address // calls the factories of accounts
	legacy         bool           // takes operations in the form of v0.6
	handleOpsCalls func(beneficiary common.Address, ops ...*Operation) []byte
	operations     func(data []byte) []*Operation // in call data of handleOps
}

// entryPoints are all versions, the newest first.
var entryPoints = []EntryPoint{
	packedEntryPoint("0.9", entrypoint.V09Address, entrypoint.V09SenderCreatorAddress),
	packedEntryPoint("0.8", entrypoint.V08Address, entrypoint.V08SenderCreatorAddress),
	packedEntryPoint("0.7", entrypoint.V07Address, entrypoint.V07SenderCreatorAddress),
	{
		Name: "0.6", Address: entrypoint.V06Address, creator: entrypoint.V06SenderCreatorAddress, legacy: true,
		handleOpsCalls: func(beneficiary common.Address, ops ...*Operation) []byte {
			legacy := make([]entrypoint.UserOperation, len(ops))
			for i, o := range ops {
				legacy[i] = o.legacy()
			}
			return entrypoint.PackHandleOps(beneficiary, legacy...)
		},
		operations: func(data []byte) (operations []*Operation) {
			ops, _ := entrypoint.UnpackHandleOps(data)
			for _, op := range ops {
				operations = append(operations, unpackedLegacy(op))
			}
			return operations
		},
	},
}

func packedEntryPoint(name string, address, creator common.Address) EntryPoint {
	v := EntryPoint{
		Name: name, Address: address, creator: creator,
		handleOpsCalls: func(beneficiary common.Address, ops ...*Operation) []byte {
			packed := make([]entrypoint.PackedUserOperation, len(ops))
			for i, o := range ops {
				packed[i] = o.packed()
			}
			return entrypoint.PackHandlePackedOps(beneficiary, packed...)
		},
	}
	v.operations = func(data []byte) (operations []*Operation) {
		ops, _ := entrypoint.UnpackHandlePackedOps(data)
		for _, op := range ops {
			operations = append(operations, v.unpacked(op))
		}
		return operations
	}
	return v
}

// addresses returns the addresses of all versions.
func addresses() (all []common.Address) {
	for _, v := range entryPoints {
		all = append(all, v.Address)
	}
	return all
}

// at returns the EntryPoint with an address, and reports whether there is one.
func at(address common.Address) (v EntryPoint, ok bool) {
	for _, v := range entryPoints {
		if v.Address == address {
			return v, true
		}
	}
	return EntryPoint{}, false
}

// Supported returns the addresses of the EntryPoints that the chain has, the newest first.
func Supported(m *preconf.Moment) ([]common.Address, error) {
	present := []common.Address{}
	for _, address := range addresses() {
		state, err := stateOf(m.Latest(), address)
		if err != nil {
			return nil, err
		}
		if len(state.Code(address)) > 0 {
			present = append(present, address)
		}
	}
	return present, nil
}

// EntryPointAt returns the EntryPoint at an address. The error names the EntryPoints that the chain has.
func EntryPointAt(m *preconf.Moment, address common.Address) (EntryPoint, error) {
	present, err := Supported(m)
	if err != nil {
		return EntryPoint{}, err
	}
	if v, ok := at(address); ok && slices.Contains(present, address) {
		return v, nil
	}
	return EntryPoint{}, invalid("EntryPoint %s is not supported, want one of %s", address, present)
}

// stateOf returns the state of a View, with the given accounts loaded.
func stateOf(v *preconf.View, accounts ...common.Address) (*evmstate.State, error) {
	state, err := v.State()
	for _, account := range accounts {
		if err == nil {
			err = state.Load(account)
		}
	}
	return state, err
}
