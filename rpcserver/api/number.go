package api

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Numbers of control methods: helpers of different libraries write them in all these ways. Numbers of eth_ methods are
// hex quantities only.

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

// UnmarshalJSON implements json.Unmarshaler.
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
