package api

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Helpers of different libraries write numbers of control methods in all these ways; eth_ methods take quantities.

// WholeNumber reads a plain number, a string of decimal digits, or hex with or without leading zeros.
func WholeNumber(raw []byte) (*big.Int, error) {
	if raw[0] == '"' {
		raw = jsonrpc.Unquote(raw)
	}
	number, ok := Integer(string(raw))
	if !ok {
		return nil, BadNumber("not a whole number")
	}
	return number, nil
}

// Integer reads digits, decimal or behind 0x hex, with a minus or no sign before them.
func Integer(text string) (*big.Int, bool) {
	const longest = 1000 // digits: enough for any number there is, with zeros before it
	unsigned, _ := strings.CutPrefix(text, "-")
	digits, isHex := strings.CutPrefix(unsigned, "0x")
	base := 10
	if isHex {
		base = 16
	}
	if len(digits) > longest || strings.HasPrefix(digits, "+") || strings.HasPrefix(digits, "-") {
		return nil, false
	}
	number, ok := new(big.Int).SetString(digits, base)
	if ok && unsigned != text {
		number.Neg(number)
	}
	return number, ok
}

// BadNumber is an error of the type for which the decoder names the member that holds the number.
func BadNumber(problem string) error {
	return &json.UnmarshalTypeError{Value: problem, Type: reflect.TypeFor[Number]()}
}

// Number is a whole number up to 2^64-1 of a control method.
type Number uint64

func (n *Number) UnmarshalJSON(raw []byte) error {
	number, err := WholeNumber(raw)
	if err != nil {
		return err
	}
	if !number.IsUint64() {
		return BadNumber("not a whole number from 0 to 2^64-1")
	}
	*n = Number(number.Uint64())
	return nil
}

func (Number) Wanted() string { return "a whole number, plain or in hex" }

// TypeNames describe parameters of go-ethereum's types, for error messages.
var TypeNames = map[reflect.Type]string{
	reflect.TypeFor[common.Address](): "an address (20 bytes in hex)",
	reflect.TypeFor[common.Hash]():    "a hash (32 bytes in hex)",
	reflect.TypeFor[hexutil.Uint64](): quantityName,
	reflect.TypeFor[hexutil.Uint]():   quantityName,
	reflect.TypeFor[hexutil.Big]():    quantityName,
	reflect.TypeFor[hexutil.U256]():   quantityName,
	reflect.TypeFor[uint256.Int]():    quantityName, // in errors of hexutil.U256
	reflect.TypeFor[hexutil.Bytes]():  "bytes in hex",
}

const quantityName = "a hex quantity without leading zeros"

// Problem returns the reason why a parameter did not decode.
func Problem(err error) string { return jsonrpc.Problem(err, TypeNames) }

// Wanted describes in words a parameter of type T.
func Wanted[T any]() string { return jsonrpc.Wanted[T](TypeNames) }

// ControlObject is embedded in the parameter objects of control methods: it makes unknown members an error. Otherwise a
// misspelt member would silently change the effect of a test.
type ControlObject struct{}

func (ControlObject) Strict(bool) bool { return true }

// ContractObject is embedded in parameter objects of eth_ methods whose unknown members are an error, but are ignored
// under the geth profile, as by geth.
type ContractObject struct{}

func (ContractObject) Strict(lenient bool) bool { return !lenient }

// OneOrMany is a single T or an array of them; null and [] are both empty. Addresses and topic positions of a filter
// have this form (contract 2.2-address, 2.2-topics).
type OneOrMany[T any] []T

func (m *OneOrMany[T]) UnmarshalJSON(raw []byte) error {
	*m = nil
	raw = bytes.TrimSpace(raw)
	switch {
	case string(raw) == "null":
		return nil
	case raw[0] == '[':
		return json.Unmarshal(raw, (*[]T)(m))
	}
	one := make([]T, 1)
	if err := json.Unmarshal(raw, &one[0]); err != nil {
		return err
	}
	*m = one
	return nil
}

func (OneOrMany[T]) Wanted() string { return Wanted[T]() + ", or an array of such" }
