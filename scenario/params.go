package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	gethmath "github.com/ethereum/go-ethereum/common/math"
)

// MaxDepth, MaxTimes and MaxStep are the upper limits of Params.Depth, Params.Times and Params.Step.
const (
	MaxDepth = 1_000
	MaxTimes = 100
	MaxStep  = time.Hour
)

// Params vary a scenario. The zero value works. As JSON it is an object of the same members in lower case, whose
// numbers are plain or in hex; unknown members are rejected.
type Params struct {
	// Payer and Merchant are indexes of development accounts. If both are zero, they are 0 and 1.
	Payer    int `json:"payer"`
	Merchant int `json:"merchant"`
	// Amount is the payment in dollars. Empty: "25.00".
	Amount string `json:"amount"`
	// Depth is the depth of the reorgs, in blocks, up to MaxDepth. Zero: the scenario's own.
	Depth int `json:"depth"`
	// Times is the number of flaps of the head, or of flashblocks that stall, up to MaxTimes. Zero: the scenario's own.
	Times int `json:"times"`
	// Step is the wall time after each move, up to MaxStep, so that clients that poll see it; no other writer changes the
	// timeline meanwhile. As JSON it is stepMs, in milliseconds. Zero: the moves follow at once.
	Step time.Duration `json:"-"`
}

func (p *Params) UnmarshalJSON(raw []byte) error {
	var wire struct {
		Payer, Merchant, Depth, Times, StepMs count
		Amount                                string
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&wire); err != nil {
		return err
	}
	*p = Params{int(wire.Payer), int(wire.Merchant), wire.Amount, int(wire.Depth), int(wire.Times), time.Duration(wire.StepMs) * time.Millisecond}
	return nil
}

// count is a whole number, plain or in hex. A number above math.MaxInt32 counts as that, which is above every limit.
type count int

func (c *count) UnmarshalJSON(raw []byte) error {
	var n gethmath.HexOrDecimal64
	if err := n.UnmarshalJSON(raw); err != nil {
		return fmt.Errorf("%.80s is not a whole number from 0 to 2^64-1", raw)
	}
	*c = count(min(n, math.MaxInt32))
	return nil
}

// complete fills in the defaults, or returns an error that names the wrong member.
func (p Params) complete() (Params, error) {
	if p.Payer == 0 && p.Merchant == 0 {
		p.Merchant = 1
	}
	if p.Amount == "" {
		p.Amount = "25.00"
	}
	switch {
	case p.Depth < 0 || p.Depth > MaxDepth:
		return p, fmt.Errorf("depth %d is outside 1 to %d", p.Depth, MaxDepth)
	case p.Times < 0 || p.Times > MaxTimes:
		return p, fmt.Errorf("times %d is outside 1 to %d", p.Times, MaxTimes)
	case p.Step < 0 || p.Step > MaxStep:
		return p, fmt.Errorf("step %s is outside 0 to %s", p.Step, MaxStep)
	case p.Payer == p.Merchant:
		return p, errors.New("payer and merchant are the same account")
	}
	return p, nil
}
