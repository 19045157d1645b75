package artifacts

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"reflect"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// InitCode returns the init code of the contract with the addresses of the libraries, followed by the arguments.
func (a *Artifact) InitCode(libraries map[string]common.Address, arguments []any) ([]byte, error) {
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

// Encode encodes the arguments of a constructor by their Go types: common.Address as address, common.Hash as bytes32,
// bool, string, []byte as bytes, and *big.Int, *uint256.Int, int and uint64 as an integer of any width.
func Encode(arguments []any) ([]byte, error) {
	var types abi.Arguments
	values := make([]any, len(arguments))
	for i, argument := range arguments {
		name, value := solidity(argument)
		if name == "" {
			return nil, fmt.Errorf("argument %d: a %T has no one meaning in the ABI: encode it and append it to the code", i, argument)
		}
		kind, err := abi.NewType(name, "", nil)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		types, values[i] = append(types, abi.Argument{Type: kind}), value
	}
	return types.Pack(values...)
}

// solidity returns the Solidity type of an argument and the value as package abi takes it; "" for other types.
func solidity(argument any) (name string, value any) {
	switch v := argument.(type) {
	case common.Address:
		return "address", v
	case common.Hash:
		return "bytes32", [32]byte(v)
	case bool:
		return "bool", v
	case string:
		return "string", v
	case []byte:
		return "bytes", v
	case int:
		return "int256", big.NewInt(int64(v))
	case uint64:
		return "uint256", new(big.Int).SetUint64(v)
	case *uint256.Int:
		if v != nil {
			return "uint256", v.ToBig()
		}
	case *big.Int:
		if v != nil {
			return "int256", v // two's complement: the same 32 bytes as a uint256
		}
	}
	return "", nil
}
