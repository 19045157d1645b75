package fakenode

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// Transact signs a transaction of an account whose key is known, puts it into the pool (in Instant mode: into a block)
// and returns its hash. The nonce follows those in the pool, the gas price is twice the base fee. If Gas is estimated,
// a call that would revert is an error with its reason, and nothing is sent. Send takes a transaction that is signed.
func (n *Network) Transact(from Account, tx Tx) (common.Hash, error) {
	sent, err := tx.Send(n.Timeline(), from)
	if err != nil {
		return common.Hash{}, fmt.Errorf("transaction of %s: %w", from.Address, err)
	}
	return sent.Hash(), nil
}

// Deploy creates a contract in one transaction of an account, sealed when it returns, and returns its address. code is
// the init code; the arguments of the constructor are encoded by their Go types: common.Address as address, common.Hash
// as bytes32, bool, string, []byte as bytes, and *big.Int, *uint256.Int, int and uint64 as an integer of any width. On
// an error, which holds the revert reason, nothing changed.
func (n *Network) Deploy(from Account, code []byte, arguments ...any) (common.Address, error) {
	encoded, err := encodeArguments(arguments)
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy: %w", err)
	}
	receipt, err := Tx{Data: append(append([]byte(nil), code...), encoded...)}.Seal(n.Timeline(), from)
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy: %w", err)
	}
	return receipt.ContractAddress, nil
}

// Send puts a signed transaction into the pool (in Instant mode: into a block), as eth_sendRawTransaction
// does. The errors are those of package preconf.
func (n *Network) Send(tx *types.Transaction) error { return n.Timeline().Send(tx) }

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
