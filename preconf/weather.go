package preconf

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/control"
)

// Weather lets a price or limit take a course, from the next block on that has not begun. The error names what is
// wrong with w, or is ErrNoRollup.
func Weather(w control.Weather) Setting {
	return ofBlocks(func(c *change) error {
		if err := w.Of.Known(); err != nil {
			return err
		}
		if w.Shape == control.Calm {
			c.control.Weather = c.control.Weather.Without(w.Of)
			return nil
		}
		value, err := c.valueOf(w.Of)
		if err == nil {
			w, err = w.Completed(value)
		}
		if err != nil {
			return fmt.Errorf("weather of %s: %w", w.Of, err)
		}
		first := c.nextNumber()
		if c.isFrozen() {
			first++
		}
		c.control.Weather = c.control.Weather.With(w, first)
		return nil
	})
}

// Weather returns the courses that are not over at the next block, the newest last.
func (m *Moment) Weather() []control.Forecast { return m.control.Weather.From(m.nextNumber()) }

// SuggestedTip returns the tip in wei to propose for a transaction, the caller's to change: what a course of
// control.OfTip makes of it, or what the chain suggests.
func (w *world) SuggestedTip() *big.Int {
	if value := w.control.Weather.At(w.nextNumber(), control.OfTip); value != nil {
		return new(big.Int).Set(value)
	}
	return w.chain.SuggestedTip()
}

// valueOf returns the value of a quantity in the block being built.
func (w *world) valueOf(of control.Quantity) (*big.Int, error) {
	header := w.NextHeader()
	value := new(big.Int).SetUint64(header.GasLimit)
	switch of {
	case control.OfBaseFee:
		if value = header.BaseFee; value == nil {
			return nil, errors.New("blocks have no base fee before london")
		}
	case control.OfBlobBaseFee:
		if !w.chain.HasBlobs(header) {
			return nil, errors.New("blocks have no blobs: want ethereum's rules from cancun on")
		}
		value = w.builder().BlobBaseFee(header)
	case control.OfTip:
		value = w.SuggestedTip()
	case control.OfL1BaseFee, control.OfL1BlobBaseFee:
		if err := w.checkL1Settable(); err != nil {
			return nil, err
		}
		l1 := w.newestL1()
		value = l1Fee(&l1, of).ToBig()
	}
	return value, nil
}

// l1Fee returns the fee of an L1 block that a quantity names.
func l1Fee(l1 *optimism.L1, of control.Quantity) *uint256.Int {
	if of == control.OfL1BaseFee {
		return &l1.L1BaseFee
	}
	return &l1.BlobBaseFee
}

// applyWeather sets what the courses make of the next block.
func (w *world) applyWeather(env *chain.Env) {
	courses := w.control.Weather
	if len(courses) == 0 {
		return
	}
	number := w.nextNumber()
	if env.BaseFee == nil {
		env.BaseFee = courses.At(number, control.OfBaseFee)
	}
	env.BlobBaseFee = courses.At(number, control.OfBlobBaseFee)
	if limit := courses.At(number, control.OfGasLimit); limit != nil {
		env.GasLimit = limit.Uint64()
	}
	if courses.OfL1() {
		w.applyL1Weather(env, number)
	}
}

// applyL1Weather makes the block refer to a later L1 block where the fees of the one that it would refer to are others.
func (w *world) applyL1Weather(env *chain.Env, number uint64) {
	l1, err := w.builder().NextL1(*env)
	if err != nil {
		return // making the block has the same error
	}
	changed := false
	for _, of := range []control.Quantity{control.OfL1BaseFee, control.OfL1BlobBaseFee} {
		if value := w.control.Weather.At(number, of); value != nil && l1Fee(&l1, of).ToBig().Cmp(value) != 0 {
			l1Fee(&l1, of).SetFromBig(value)
			changed = true
		}
	}
	if changed {
		env.L1 = new(l1.Later(1))
	}
}
