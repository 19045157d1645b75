package preconf

import (
	"math"
	"math/big"
	"slices"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// course is a Weather in force: complete, and from a block on. It is immutable.
type course struct {
	Weather
	first uint64 // block number
}

// weather holds the courses in force, at most one of a quantity. It is immutable.
type weather []course

// Forecast is a Weather with the blocks that it is for.
type Forecast struct {
	Weather
	First uint64  // block number
	Last  *uint64 // nil: it goes on until it is replaced
}

// Weather returns the courses that are not over at the next block, the newest last.
func (m *Moment) Weather() (list []Forecast) {
	next := m.builder().Head().Number() + 1
	for _, c := range m.weather {
		switch last, ends := c.last(); {
		case !ends:
			list = append(list, Forecast{Weather: c.Weather, First: c.first})
		case next <= last:
			list = append(list, Forecast{c.Weather, c.first, &last})
		}
	}
	return list
}

// last returns the number of the course's last block, and whether there is one.
func (c *course) last() (number uint64, ends bool) {
	if c.Times < 0 || uint64(c.Times) > math.MaxUint32 {
		return 0, false
	}
	return c.first + uint64(c.Times)*uint64(c.Blocks) - 1, true
}

// at returns the value in a block, nil before and after the course.
func (c *course) at(number uint64) *big.Int {
	if last, ends := c.last(); number < c.first || ends && number > last {
		return nil
	}
	i := int64((number - c.first) % uint64(c.Blocks))
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

// in returns the value of a quantity in a block, or nil.
func (w weather) in(number uint64, of Quantity) *big.Int {
	for i := range w {
		if w[i].Of == of {
			return w[i].at(number)
		}
	}
	return nil
}

// set sets what the courses make of the block after the head of c.
func (w weather) set(env *chain.Env, c *chain.Chain) {
	if len(w) == 0 {
		return
	}
	number := c.Head().Number() + 1
	if env.BaseFee == nil {
		env.BaseFee = w.in(number, OfBaseFee)
	}
	env.BlobBaseFee = w.in(number, OfBlobBaseFee)
	if limit := w.in(number, OfGasLimit); limit != nil {
		env.GasLimit = limit.Uint64()
	}
	w.setL1(env, c, number)
}

// setL1 makes the block refer to a later L1 block where the fees of the one that it would refer to are others.
func (w weather) setL1(env *chain.Env, c *chain.Chain, number uint64) {
	if !w.ofL1() {
		return
	}
	l1, err := c.NextL1(*env)
	if err != nil {
		return // making the block has the same error
	}
	changed := false
	for _, of := range []Quantity{OfL1BaseFee, OfL1BlobBaseFee} {
		if value := w.in(number, of); value != nil && l1Fee(&l1, of).ToBig().Cmp(value) != 0 {
			l1Fee(&l1, of).SetFromBig(value)
			changed = true
		}
	}
	if changed {
		env.L1 = new(l1.Later(1))
	}
}

// ofL1 reports whether a course is one of L1.
func (w weather) ofL1() bool {
	return slices.ContainsFunc(w, func(c course) bool { return c.Of == OfL1BaseFee || c.Of == OfL1BlobBaseFee })
}

// SavedWeather is a course in force.
type SavedWeather struct {
	Weather
	First uint64 // block number
}

func (w weather) saved() (saved []SavedWeather) {
	for _, c := range w {
		saved = append(saved, SavedWeather{c.Weather, c.first})
	}
	return saved
}

func restoredWeather(saved []SavedWeather) (w weather) {
	for _, s := range saved {
		w = append(w, course{s.Weather, s.First})
	}
	return w
}
