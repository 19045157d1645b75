package control

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/params"
)

// Weather is the course of a price or limit over the next blocks, in place of the value that the rules derive from each
// block's parent. There is one course for each of them. It depends on block numbers, so that the blocks of a reorg have
// the same values as the blocks that they replace, and it is in snapshots and worlds.
type Weather struct {
	// Of names the price or limit.
	Of Quantity
	// Shape is the shape of the course.
	Shape Shape
	// From and To are the ends of the course, in wei, or in gas for the gas limit. Nil From: the present value. A List has
	// neither.
	From, To *big.Int
	// Blocks is the number of blocks from one end of the course to the other, at least 2. A List has as many as Values.
	Blocks int
	// Values are the values of a List, one a block.
	Values []*big.Int
	// Times is the number of runs of the course, one after another. Zero: once, a Sawtooth until it is replaced; negative:
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
	OfTip           Quantity = "tip"           // wei per gas that the node proposes; no block has it
)

// Quantities lists the quantities.
func Quantities() []Quantity {
	return []Quantity{OfBaseFee, OfBlobBaseFee, OfGasLimit, OfL1BaseFee, OfL1BlobBaseFee, OfTip}
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

// Known rejects a quantity that is none.
func (q Quantity) Known() error {
	if !slices.Contains(Quantities(), q) {
		return fmt.Errorf("weather of %.40q: want one of %v", q, Quantities())
	}
	return nil
}

// Completed returns w with what it leaves out, where its quantity has the present value. The error names what is wrong
// with w.
func (w Weather) Completed(present *big.Int) (Weather, error) {
	if w.Shape == List {
		if len(w.Values) == 0 || len(w.Values) > maxWeather {
			return w, fmt.Errorf("%d values are not between 1 and %d", len(w.Values), maxWeather)
		}
		if w.From != nil || w.To != nil || w.Blocks != 0 {
			return w, errors.New("a list has values, and neither from, to nor blocks")
		}
		w.Values, w.Blocks = slices.Clone(w.Values), len(w.Values)
	} else {
		switch {
		case !slices.Contains(Shapes(), w.Shape):
			return w, fmt.Errorf("shape %.40q is unknown: want one of %v", w.Shape, Shapes())
		case len(w.Values) > 0:
			return w, fmt.Errorf("a %s has from, to and blocks, and no values", w.Shape)
		case w.To == nil:
			return w, fmt.Errorf("a %s needs a value to go to", w.Shape)
		case w.Blocks < 2 || w.Blocks > maxWeather:
			return w, fmt.Errorf("%d blocks are not between 2 and %d", w.Blocks, maxWeather)
		}
		if w.From == nil {
			w.From = present
		}
	}
	switch {
	case w.Times == 0 && w.Shape != Sawtooth:
		w.Times = 1
	case w.Times == 0:
		w.Times = -1
	}
	for _, value := range append([]*big.Int{w.From, w.To}, w.Values...) {
		if err := checkWeather(w.Of, value); err != nil {
			return w, err
		}
	}
	return w, nil
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

// Course is a Weather in force: complete, and from a block on. It is immutable.
type Course struct {
	Weather
	First uint64 // block number
}

// Forecast is a Weather with the blocks that it is for.
type Forecast struct {
	Weather
	First uint64  // block number
	Last  *uint64 // nil: it goes on until it is replaced
}

// last returns the number of the course's last block, and whether there is one.
func (c *Course) last() (number uint64, ends bool) {
	if c.Times < 0 || uint64(c.Times) > math.MaxUint32 {
		return 0, false
	}
	return c.First + uint64(c.Times)*uint64(c.Blocks) - 1, true
}

// at returns the value in a block, nil before and after the course.
func (c *Course) at(number uint64) *big.Int {
	if last, ends := c.last(); number < c.First || ends && number > last {
		return nil
	}
	i := int64((number - c.First) % uint64(c.Blocks))
	if c.Shape == List {
		return c.Values[i]
	}
	from, to := c.From, c.To
	if c.Shape == Spike {
		from, to = to, from
	}
	way := new(big.Int).Sub(to, from)
	way.Mul(way, big.NewInt(i)).Quo(way, big.NewInt(int64(c.Blocks-1)))
	return way.Add(way, from)
}

// Courses are the courses in force, at most one of a quantity, the newest last. They are immutable.
type Courses []Course

// With returns the courses with w, which is complete, from a block on.
func (c Courses) With(w Weather, first uint64) Courses {
	return append(c.Without(w.Of), Course{w, first})
}

// Without returns the courses without that of a quantity.
func (c Courses) Without(of Quantity) Courses {
	return slices.DeleteFunc(slices.Clone(c), func(course Course) bool { return course.Of == of })
}

// At returns the value of a quantity in a block, or nil.
func (c Courses) At(number uint64, of Quantity) *big.Int {
	for i := range c {
		if c[i].Of == of {
			return c[i].at(number)
		}
	}
	return nil
}

// OfL1 reports whether a course is one of L1.
func (c Courses) OfL1() bool {
	return slices.ContainsFunc(c, func(course Course) bool { return course.Of == OfL1BaseFee || course.Of == OfL1BlobBaseFee })
}

// From returns the courses that are not over at a block.
func (c Courses) From(number uint64) (list []Forecast) {
	for _, course := range c {
		switch last, ends := course.last(); {
		case !ends:
			list = append(list, Forecast{Weather: course.Weather, First: course.First})
		case number <= last:
			list = append(list, Forecast{course.Weather, course.First, &last})
		}
	}
	return list
}
