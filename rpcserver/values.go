package rpcserver

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// oneOrMany is a single T or an array of them; null and [] are both empty. Addresses and topic positions
// of a filter are such (contract section 2.2).
type oneOrMany[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (m *oneOrMany[T]) UnmarshalJSON(raw []byte) error {
	*m = nil
	raw = bytes.TrimSpace(raw)
	switch {
	case isNull(raw):
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

func (oneOrMany[T]) wanted() string { return wanted[T]() + ", or an array of such" }

// Number is a whole number of a control method: a plain JSON number or a hex quantity.
type Number uint64

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return (*hexutil.Uint64)(n).UnmarshalJSON(raw)
	}
	plain, err := strconv.ParseUint(string(raw), 10, 64)
	if err != nil {
		// Of this type so that the member it is in gets named.
		return &json.UnmarshalTypeError{Value: "not a whole number from 0 to 2^64-1", Type: reflect.TypeFor[Number]()}
	}
	*n = Number(plain)
	return nil
}

func (Number) wanted() string { return "a whole number, plain or in hex" }
