package rpcserver

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strings"
	"time"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// oneOrMany is a single T or an array of them; null and [] are both empty. Addresses and topic positions
// of a filter are such (contract 2.2-address, 2.2-topics).
type oneOrMany[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (m *oneOrMany[T]) UnmarshalJSON(raw []byte) error {
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

func (oneOrMany[T]) Wanted() string { return wanted[T]() + ", or an array of such" }

// Numbers of control methods: helpers of different libraries write them in all these ways. Those of eth_ methods
// are hex quantities only.

// wholeNumber reads a plain number, a string of decimal digits, or hex with or without leading zeros.
func wholeNumber(raw []byte) (*big.Int, error) {
	if raw[0] == '"' {
		raw = jsonrpc.Unquote(raw)
	}
	number, ok := integer(string(raw))
	if !ok {
		return nil, badNumber("not a whole number")
	}
	return number, nil
}

// integer reads digits, decimal or behind 0x hex, with a minus or no sign before them.
func integer(text string) (*big.Int, bool) {
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

// badNumber is an error of the type that gets the member named which the number is in.
func badNumber(problem string) error {
	return &json.UnmarshalTypeError{Value: problem, Type: reflect.TypeFor[Number]()}
}

// Number is a whole number up to 2^64-1 of a control method.
type Number uint64

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(raw []byte) error {
	number, err := wholeNumber(raw)
	if err != nil {
		return err
	}
	if !number.IsUint64() {
		return badNumber("not a whole number from 0 to 2^64-1")
	}
	*n = Number(number.Uint64())
	return nil
}

func (Number) Wanted() string { return "a whole number, plain or in hex" }

// amount is a whole number up to 2^256-1 of a control method.
type amount struct{ uint256.Int }

// UnmarshalJSON implements json.Unmarshaler.
func (a *amount) UnmarshalJSON(raw []byte) error {
	number, err := wholeNumber(raw)
	if err != nil {
		return err
	}
	if number.Sign() < 0 || a.SetFromBig(number) {
		return badNumber("not between 0 and 2^256-1")
	}
	return nil
}

func (amount) Wanted() string { return "a whole number, plain or in hex" }

// seconds is a span of time of a control method: a Number, or a plain number with a fraction.
type seconds float64

// maxSeconds is the longest span of time a request may name: 100 years.
const maxSeconds = uint64(preconf.LongestTime / time.Second)

// UnmarshalJSON implements json.Unmarshaler.
func (s *seconds) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		var whole Number
		if err := whole.UnmarshalJSON(raw); err != nil {
			return err
		}
		*s = seconds(whole)
	} else if err := json.Unmarshal(raw, (*float64)(s)); err != nil {
		return badNumber("not a number")
	}
	if *s < 0 || *s > seconds(maxSeconds) {
		return badNumber("not between 0 and 3,155,760,000 (100 years)")
	}
	return nil
}

func (seconds) Wanted() string { return "a number of seconds, plain or in hex" }

func (s seconds) duration() time.Duration {
	return time.Duration(math.Round(float64(s) * float64(time.Second)))
}
