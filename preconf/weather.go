package preconf

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Weather is the course of a price or limit over the next blocks, in place of what the rules make of each block's
// parent. There is one course for each of them. It belongs to the numbers of blocks, so that those of a reorg have what
// they replace had, and it is in snapshots and worlds.
type Weather struct {
	// Of names what takes the course.
	Of Quantity
	// Shape is that of the course.
	Shape Shape
	// From and To are the ends of the course, in wei, or in gas for the gas limit. Nil From: the present value. A List has
	// neither.
	From, To *big.Int
	// Blocks is how many blocks the course takes from one end to the other, at least 2. A List has as many as Values.
	Blocks int
	// Values are those of a List, one a block.
	Values []*big.Int
	// Times is how often the course is taken, one after the other. Zero: once, a Sawtooth until it is replaced; negative:
	// until it is replaced.
	Times int
}

// Quantity names a price or limit of blocks.
type Quantity string

// The quantities.
const (
	OfBaseFee       Quantity = "baseFee"       // wei per gas, from London on
	OfBlobBaseFee   Quantity = "blobBaseFee"   // wei per blob gas, from Cancun on: the next higher that headers can express
	OfGasLimit      Quantity = "gasLimit"      // gas
	OfL1BaseFee     Quantity = "l1BaseFee"     // wei per gas of the L1 block that an OP-stack chain refers to
	OfL1BlobBaseFee Quantity = "l1BlobBaseFee" // wei per blob gas there
)

// Quantities lists the quantities.
func Quantities() []Quantity {
	return []Quantity{OfBaseFee, OfBlobBaseFee, OfGasLimit, OfL1BaseFee, OfL1BlobBaseFee}
}

// Shape names the form of a Weather.
type Shape string

// The shapes.
const (
	Spike    Shape = "spike"    // at once To, then down to From
	Ramp     Shape = "ramp"     // From up to To, or down
	Sawtooth Shape = "sawtooth" // a Ramp again and again
	List     Shape = "list"     // Values
	Calm     Shape = "calm"     // none: the rules' own values again, from the next block on
)

// Shapes lists the shapes.
func Shapes() []Shape { return []Shape{Spike, Ramp, Sawtooth, List, Calm} }

// maxWeather is how many blocks one course may take.
const maxWeather = 1_000_000

// SetWeather lets a price or limit take a course, from the next block on that has not begun. The error names what is
// wrong with w, or is ErrNoRollup.
func (t *Timeline) SetWeather(w Weather) error {
	return t.change(func(c *change) error {
		if !slices.Contains(Quantities(), w.Of) {
			return fmt.Errorf("weather of %.40q: want one of %v", w.Of, Quantities())
		}
		kept := slices.DeleteFunc(slices.Clone(c.weather), func(other course) bool { return other.Of == w.Of })
		if w.Shape == Calm {
			c.weather = kept
			return c.remake(func(*change) error { return nil })
		}
		if err := c.complete(&w); err != nil {
			return fmt.Errorf("weather of %s: %w", w.Of, err)
		}
		first := c.builder().Head().Number() + 1
		if c.begun() {
			first++
		}
		c.weather = append(kept, course{w, first})
		return c.remake(func(*change) error { return nil })
	})
}

// complete checks w and fills in what it leaves out.
func (w *world) complete(given *Weather) error {
	present, err := w.present(given.Of)
	if err != nil {
		return err
	}
	if given.Shape == List {
		if len(given.Values) == 0 || len(given.Values) > maxWeather {
			return fmt.Errorf("%d values are not between 1 and %d", len(given.Values), maxWeather)
		}
		if given.From != nil || given.To != nil || given.Blocks != 0 {
			return errors.New("a list has values, and neither from, to nor blocks")
		}
		given.Values, given.Blocks = slices.Clone(given.Values), len(given.Values)
	} else {
		switch {
		case !slices.Contains(Shapes(), given.Shape):
			return fmt.Errorf("shape %.40q is unknown: want one of %v", given.Shape, Shapes())
		case len(given.Values) > 0:
			return fmt.Errorf("a %s has from, to and blocks, and no values", given.Shape)
		case given.To == nil:
			return fmt.Errorf("a %s needs a value to go to", given.Shape)
		case given.Blocks < 2 || given.Blocks > maxWeather:
			return fmt.Errorf("%d blocks are not between 2 and %d", given.Blocks, maxWeather)
		}
		if given.From == nil {
			given.From = present
		}
	}
	switch {
	case given.Times == 0 && given.Shape != Sawtooth:
		given.Times = 1
	case given.Times == 0:
		given.Times = -1
	}
	for _, value := range append([]*big.Int{given.From, given.To}, given.Values...) {
		if err := checkWeather(given.Of, value); err != nil {
			return err
		}
	}
	return nil
}

// checkWeather rejects a value that no block has; nil is none.
func checkWeather(of Quantity, value *big.Int) error {
	least, most := new(big.Int), new(big.Int).Lsh(big.NewInt(1), 128)
	switch of {
	case OfGasLimit:
		least, most = big.NewInt(int64(params.MinGasLimit)), new(big.Int).SetUint64(params.MaxGasLimit)
	case OfBlobBaseFee:
		least = big.NewInt(params.BlobTxMinBlobGasprice)
	}
	if value != nil && (value.Cmp(least) < 0 || value.Cmp(most) > 0) {
		return fmt.Errorf("%v is not between %v and %v", value, least, most)
	}
	return nil
}

// present returns the value of a quantity in the block being built.
func (w *world) present(of Quantity) (*big.Int, error) {
	header := w.nextHeader()
	value := new(big.Int).SetUint64(header.GasLimit)
	switch of {
	case OfBaseFee:
		if value = header.BaseFee; value == nil {
			return nil, errors.New("blocks have no base fee before london")
		}
	case OfBlobBaseFee:
		if value = w.builder().BlobBaseFee(header); value == nil || w.chain.Optimism() != nil {
			return nil, errors.New("blocks have no blobs: want ethereum's rules from cancun on")
		}
	case OfL1BaseFee, OfL1BlobBaseFee:
		if err := w.mayTell(); err != nil {
			return nil, err
		}
		l1 := w.newestL1()
		value = l1Fee(&l1, of).ToBig()
	}
	return value, nil
}

// l1Fee returns the fee of an L1 block that a quantity names.
func l1Fee(l1 *optimism.L1, of Quantity) *uint256.Int {
	if of == OfL1BaseFee {
		return &l1.L1BaseFee
	}
	return &l1.BlobBaseFee
}
