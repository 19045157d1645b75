package bundler

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// version is an EntryPoint that operations can be sent to.
type version struct {
	name           string
	address        common.Address
	creator        common.Address // calls the factories of accounts
	legacy         bool           // takes operations in the form of v0.6
	handleOpsCalls func(beneficiary common.Address, ops ...*Operation) []byte
	operations     func(data []byte) []*Operation // in call data of handleOps
}

// versions are the EntryPoints, the newest first.
var versions = []version{
	packedVersion("0.9", entrypoint.V09Address, entrypoint.V09SenderCreatorAddress),
	packedVersion("0.8", entrypoint.V08Address, entrypoint.V08SenderCreatorAddress),
	packedVersion("0.7", entrypoint.V07Address, entrypoint.V07SenderCreatorAddress),
	{
		name: "0.6", address: entrypoint.V06Address, creator: entrypoint.V06SenderCreatorAddress, legacy: true,
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

func packedVersion(name string, address, creator common.Address) version {
	v := version{
		name: name, address: address, creator: creator,
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

// addresses returns those of all versions.
func addresses() (all []common.Address) {
	for _, v := range versions {
		all = append(all, v.address)
	}
	return all
}

// at returns the version of an address, and reports whether it is an EntryPoint's.
func at(address common.Address) (v version, ok bool) {
	for _, v := range versions {
		if v.address == address {
			return v, true
		}
	}
	return version{}, false
}

// SupportedEntryPoints serves eth_supportedEntryPoints: those that the chain has, the newest first.
func SupportedEntryPoints(r *api.Request) (any, error) {
	if err := on(r); err != nil {
		return nil, err
	}
	return supported(r)
}

func supported(r *api.Request) ([]common.Address, error) {
	present := []common.Address{}
	for _, address := range addresses() {
		state, err := r.Account(nil, address)
		if err != nil {
			return nil, err
		}
		if len(state.Code(address)) > 0 {
			present = append(present, address)
		}
	}
	return present, nil
}

// versionOf returns the EntryPoint that an operation is for. The error names those that the chain has.
func versionOf(r *api.Request, address common.Address) (version, error) {
	present, err := supported(r)
	if err != nil {
		return version{}, err
	}
	if v, ok := at(address); ok && slices.Contains(present, address) {
		return v, nil
	}
	return version{}, api.InvalidParams("EntryPoint %s is not supported, want one of %s", address, present)
}

// on returns an error if the node is no bundler.
func on(r *api.Request) error {
	switch {
	case r.Network.NoBundler:
		return api.Errorf(api.CodeMethodNotFound, "%s: the bundler is off: start the node without --no-bundler", r.Method)
	case len(r.Network.Keys) == 0:
		return api.Errorf(api.CodeMethodNotFound, "%s: the bundler has no account to send from: start the node with --accounts 1 or more", r.Method)
	}
	return nil
}
