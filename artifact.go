package fakenode

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"reflect"
	"slices"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/artifacts"
)

// linked returns the init code of an artifact with the addresses of the libraries, followed by the arguments.
func linked(a *artifacts.Artifact, libraries map[string]common.Address, arguments []any) ([]byte, error) {
	if a.Code == "" {
		return nil, fmt.Errorf("%s: the bytecode is empty: an interface or abstract contract cannot be deployed", a.Path)
	}
	code := a.Code
	for _, link := range a.Links {
		at := 2 * link.Start
		code = code[:at] + hex.EncodeToString(libraries[a.Library(link)].Bytes()) + code[at+2*common.AddressLength:]
	}
	init, err := hex.DecodeString(code)
	if err != nil {
		return nil, fmt.Errorf("%s: bytecode: %w", a.Path, err)
	}
	inputs := a.Constructor
	if len(inputs) != len(arguments) {
		return nil, fmt.Errorf("%s: the constructor takes %d arguments, not %d", a.Path, len(inputs), len(arguments))
	}
	values := make([]any, len(arguments))
	for i, input := range inputs {
		values[i] = converted(arguments[i], input.Type)
	}
	encoded, err := inputs.Pack(values...)
	if err != nil {
		return nil, fmt.Errorf("%s: arguments of the constructor: %w", a.Path, err)
	}
	return append(init, encoded...), nil
}

// converted returns an argument with the Go type that package abi wants for a type, where its value allows: whole
// numbers of any Go type for integers, texts for nothing but texts.
func converted(argument any, kind abi.Type) any {
	if kind.T != abi.IntTy && kind.T != abi.UintTy {
		return argument
	}
	_, value := solidity(argument)
	n, whole := value.(*big.Int)
	target := kind.GetType()
	switch {
	case !whole:
		return argument
	case target.Kind() == reflect.Pointer:
		return n
	case kind.T == abi.UintTy && n.Sign() >= 0 && n.BitLen() <= kind.Size:
		return reflect.ValueOf(n.Uint64()).Convert(target).Interface()
	case kind.T == abi.IntTy && n.IsInt64() && n.BitLen() < kind.Size:
		return reflect.ValueOf(n.Int64()).Convert(target).Interface()
	}
	return argument
}

// DeployArtifact creates the contract of an artifact, a JSON file in Foundry's out/ or Hardhat's artifacts/, as Deploy
// does, and returns its address. Libraries that it is to be linked with are deployed first, once each, from the
// artifacts beside it. The arguments of the constructor are encoded by the ABI: *big.Int, *uint256.Int, int and uint64
// for integers, common.Address, common.Hash or [32]byte for bytes32, and else the Go types of package abi. Errors name
// the file; libraries that were deployed before one stay.
func (n *Network) DeployArtifact(from Account, path string, arguments ...any) (common.Address, error) {
	return n.deployArtifact(from, path, arguments, map[string]common.Address{}, nil)
}

// deployArtifact deploys what libraries does not have yet; above are the artifacts that need this one.
func (n *Network) deployArtifact(from Account, path string, arguments []any, libraries map[string]common.Address, above []string) (common.Address, error) {
	if slices.Contains(above, path) {
		return common.Address{}, fmt.Errorf("%s: the library is to be linked with itself", path)
	}
	a, err := artifacts.Read(path)
	if err != nil {
		return common.Address{}, err
	}
	for _, link := range a.Links {
		library := a.Library(link)
		if _, deployed := libraries[library]; deployed {
			continue
		}
		if libraries[library], err = n.deployArtifact(from, library, nil, libraries, append(above, path)); err != nil {
			return common.Address{}, fmt.Errorf("library %s of %s: %w", link.Library, path, err)
		}
	}
	code, err := linked(a, libraries, arguments)
	if err != nil {
		return common.Address{}, err
	}
	address, err := n.Deploy(from, code)
	if err != nil {
		return common.Address{}, fmt.Errorf("%s: %w", path, err)
	}
	return address, nil
}
