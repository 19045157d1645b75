package command

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// amount is a whole number up to 2^256-1 of a control method; 0x is 0, as to other nodes.
type amount struct{ uint256.Int }

func (a *amount) UnmarshalJSON(raw []byte) error {
	if string(raw) == `"0x"` {
		raw = []byte("0")
	}
	number, err := api.WholeNumber(raw)
	if err != nil {
		return err
	}
	if number.Sign() < 0 || a.SetFromBig(number) {
		return api.BadNumber("not between 0 and 2^256-1")
	}
	return nil
}

// word returns the number, nil where none was given.
func (a *amount) word() *uint256.Int {
	if a == nil {
		return nil
	}
	return &a.Int
}

func (amount) Wanted() string { return "a whole number, plain or in hex" }

// bareBytes are bytes in hex, with 0x or without.
type bareBytes hexutil.Bytes

func (b *bareBytes) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' && !bytes.HasPrefix(raw, []byte(`"0x`)) {
		raw = slices.Concat([]byte(`"0x`), raw[1:])
	}
	return (*hexutil.Bytes)(b).UnmarshalJSON(raw)
}

func (bareBytes) Wanted() string { return "bytes in hex" }

// count is a whole number of a control method that is below some limit, such as a number of blocks.
type count int

func (c *count) UnmarshalJSON(raw []byte) error {
	var number api.Number
	if err := number.UnmarshalJSON(raw); err != nil || number > math.MaxInt32 {
		return api.BadNumber("not a whole number from 0 to 2^31-1")
	}
	*c = count(number)
	return nil
}

func (c count) milliseconds() time.Duration { return time.Duration(c) * time.Millisecond }

func (count) Wanted() string { return api.Number(0).Wanted() }

// seconds is a span of time of a control method: a Number, or a plain number with a fraction.
type seconds float64

// maxSeconds is the longest span of time a request may name: 100 years.
const maxSeconds = uint64(control.LongestTime / time.Second)

func (s *seconds) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		var whole api.Number
		if err := whole.UnmarshalJSON(raw); err != nil {
			return err
		}
		*s = seconds(whole)
	} else if err := json.Unmarshal(raw, (*float64)(s)); err != nil {
		return api.BadNumber("not a number")
	}
	if *s < 0 || *s > seconds(maxSeconds) {
		return api.BadNumber("not between 0 and 3,155,760,000 (100 years)")
	}
	return nil
}

func (seconds) Wanted() string { return "a number of seconds, plain or in hex" }

func (s seconds) duration() time.Duration {
	return time.Duration(math.Round(float64(s) * float64(time.Second)))
}
