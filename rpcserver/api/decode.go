package api

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

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

// Strict implements jsonrpc.Strict.
func (ControlObject) Strict(bool) bool { return true }

// ContractObject is embedded in parameter objects of eth_ methods whose unknown members are an error, but are ignored
// under the geth profile, as by geth.
type ContractObject struct{}

// Strict implements jsonrpc.Strict.
func (ContractObject) Strict(lenient bool) bool { return !lenient }

// OneOrMany is a single T or an array of them; null and [] are both empty. Addresses and topic positions of a filter
// have this form (contract 2.2-address, 2.2-topics).
type OneOrMany[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
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
