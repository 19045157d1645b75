package fakenode

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// encodeArguments encodes the arguments of a constructor by their Go types, as Deploy documents.
func encodeArguments(arguments []any) ([]byte, error) {
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
