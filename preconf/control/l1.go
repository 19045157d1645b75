package control

import (
	"encoding/json"
	"slices"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// FromL1 holds the changes that L1 brings into a block of an OP-stack chain. It is immutable.
type FromL1 struct {
	L1       *optimism.L1 `json:",omitempty"` // nil: the parent's
	Deposits Deposits     `json:",omitempty"`
}

// With returns f followed by later.
func (f FromL1) With(later FromL1) FromL1 {
	if later.L1 != nil {
		f.L1 = later.L1
	}
	f.Deposits = append(slices.Clip(f.Deposits), later.Deposits...)
	return f
}

// IsEmpty reports whether L1 brings no change.
func (f FromL1) IsEmpty() bool { return f.L1 == nil && len(f.Deposits) == 0 }

// Deposits are deposits in their order. In JSON each has its typed encoding.
type Deposits []*optimism.Deposit

// Gas returns the gas of all deposits together.
func (d Deposits) Gas() (gas uint64) {
	for _, deposit := range d {
		gas += deposit.Gas
	}
	return gas
}

// MarshalJSON encodes the deposits.
func (d Deposits) MarshalJSON() ([]byte, error) {
	encoded := make([][]byte, len(d))
	for i, deposit := range d {
		var err error
		if encoded[i], err = deposit.MarshalBinary(); err != nil {
			return nil, err
		}
	}
	return json.Marshal(encoded)
}

// UnmarshalJSON decodes what MarshalJSON encoded.
func (d *Deposits) UnmarshalJSON(text []byte) error {
	var encoded [][]byte
	if err := json.Unmarshal(text, &encoded); err != nil {
		return err
	}
	*d = make(Deposits, len(encoded))
	for i, deposit := range encoded {
		var err error
		if (*d)[i], err = optimism.UnmarshalDeposit(deposit); err != nil {
			return err
		}
	}
	return nil
}
