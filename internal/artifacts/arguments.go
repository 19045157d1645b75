package artifacts

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
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
		if values[i], err = converted(arguments[i], input.Type); err == nil {
			_, err = abi.Arguments{input}.Pack(values[i])
		}
		if err != nil {
			return nil, fmt.Errorf("%s: argument %d of the constructor, %s %s: cannot take the %T %.80s: %w",
				a.Path, i, input.Type, input.Name, arguments[i], fmt.Sprint(arguments[i]), err)
		}
	}
	encoded, err := inputs.Pack(values...)
	return append(init, encoded...), err
}

// converted returns an argument with the Go type that package abi wants for a type: whole numbers of any Go type for
// integers, if they are in the type's range.
func converted(argument any, kind abi.Type) (any, error) {
	if v := reflect.ValueOf(argument); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil, errors.New("nil is no value") // package abi would panic
	}
	if kind.T != abi.IntTy && kind.T != abi.UintTy {
		return argument, nil
	}
	_, value := solidity(argument)
	n, whole := value.(*big.Int)
	if !whole {
		return argument, nil // package abi says what is wrong
	}
	least, most := new(big.Int), new(big.Int).Lsh(common.Big1, uint(kind.Size))
	if kind.T == abi.IntTy {
		most.Rsh(most, 1)
		least.Neg(most)
	}
	if n.Cmp(least) < 0 || n.Cmp(most) >= 0 {
		return nil, fmt.Errorf("want %d to %d", least, most.Sub(most, common.Big1))
	}
	switch target := kind.GetType(); {
	case target.Kind() == reflect.Pointer:
		return n, nil
	case kind.T == abi.UintTy:
		return reflect.ValueOf(n.Uint64()).Convert(target).Interface(), nil
	default:
		return reflect.ValueOf(n.Int64()).Convert(target).Interface(), nil
	}
}

// Encode encodes the arguments of a constructor by their Go types: common.Address as address, common.Hash as bytes32,
// bool, string, []byte as bytes, and *big.Int, *uint256.Int and Go's integers as an integer of any width.
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
	case *uint256.Int:
		if v != nil {
			return "uint256", v.ToBig()
		}
	case *big.Int:
		if v != nil {
			return "int256", v // two's complement: the same 32 bytes as a uint256
		}
	}
	switch v := reflect.ValueOf(argument); {
	case v.CanInt():
		return "int256", big.NewInt(v.Int())
	case v.CanUint():
		return "uint256", new(big.Int).SetUint64(v.Uint())
	}
	return "", nil
}

// maxBytes is the length in bytes up to which an argument is shown as a whole.
const maxBytes = 256

// valueText returns a value as package abi decodes it in a form for people: whole numbers in decimal, texts in quotes,
// bytes in hex, lists in brackets, structs with the names of their members.
func valueText(kind abi.Type, value any) string {
	v := reflect.ValueOf(value)
	switch kind.T {
	case abi.StringTy:
		text := v.String()
		if len(text) > maxBytes {
			return strconv.Quote(strings.ToValidUTF8(text[:maxBytes], "")) + fmt.Sprintf("… (%d bytes)", len(text))
		}
		return strconv.Quote(text)
	case abi.BytesTy:
		content := v.Bytes()
		if len(content) > maxBytes {
			return hexutil.Encode(content[:maxBytes]) + fmt.Sprintf("… (%d bytes)", len(content))
		}
		return hexutil.Encode(content)
	case abi.FixedBytesTy, abi.FunctionTy:
		content := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(content), v)
		return hexutil.Encode(content)
	case abi.SliceTy, abi.ArrayTy:
		texts := make([]string, v.Len())
		for i := range texts {
			texts[i] = valueText(*kind.Elem, v.Index(i).Interface())
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case abi.TupleTy:
		texts := make([]string, v.NumField())
		for i := range texts {
			texts[i] = named(kind.TupleRawNames[i], valueText(*kind.TupleElems[i], v.Field(i).Interface()))
		}
		return "(" + strings.Join(texts, ", ") + ")"
	}
	return fmt.Sprint(value) // addresses with their checksum, numbers, booleans
}
