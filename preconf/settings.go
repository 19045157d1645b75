package preconf

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// SetMode changes what makes flashblocks and blocks. Into Instant mode, all that waits is sealed at once, unless
// Config.KeepPoolOnInstant. Out of it, the clock is set forward to the head's timestamp if a burst of blocks went
// beyond it.
func (t *Timeline) SetMode(mode control.Mode) error {
	if err := mode.Check(); err != nil {
		return err
	}
	return t.change(func(c *change) error {
		if mode != c.control.Settings.Mode && c.tip.isEmpty() {
			c.tip = nil // it is begun anew, with a slot of the new mode
		}
		if c.control.Settings.Mode == control.Instant && mode != control.Instant {
			c.catchUp(c.head().Time, true)
		}
		c.control.Settings.Mode = mode
		if mode != control.Instant {
			if c.tip == nil { // the slot begins now
				c.control.Clock = control.StartClock(c.control.Clock.Now, c.head().Time, c.control.Settings.BlockTime)
				if mode == control.Interval {
					c.control.Clock.Floor = c.control.Clock.Now + int64(c.control.Settings.BlockTime)
				}
			}
			return nil
		}
		if c.tip != nil && !c.tip.isEmpty() {
			if _, err := c.close(c.tip, pool.Batch{Draft: c.tip.draft}); err != nil {
				return err
			}
		}
		if c.cfg.KeepPoolOnInstant {
			return nil
		}
		return c.sealReady()
	})
}

// SetBlockTime changes the distance of two block slots, from the next block on. Rules that fix it allow no other.
func (t *Timeline) SetBlockTime(d time.Duration) error {
	if err := checkBlockTime(d); err != nil {
		return err
	}
	return t.remake(func(c *change) error {
		c.control.Settings.BlockTime = d
		return checkLattice(c.builder(), d)
	})
}

// SetTimestampInterval makes each block's timestamp that of its parent plus so many seconds. Nil: by slots again. Rules
// that fix the block time allow no other.
func (t *Timeline) SetTimestampInterval(seconds *uint64) error {
	if most := uint64(control.LongestTime / time.Second); seconds != nil && (*seconds == 0 || *seconds > most) {
		return fmt.Errorf("interval of %d seconds is not between 1 and %d", *seconds, most)
	}
	return t.remake(func(c *change) error {
		c.control.Settings.Interval = seconds
		if seconds == nil {
			return nil
		}
		return checkLattice(c.builder(), time.Duration(*seconds)*time.Second)
	})
}

// SetCoinbase sets who receives the tips, from the next block on.
func (t *Timeline) SetCoinbase(a common.Address) error {
	return t.remake(func(c *change) error { c.control.Settings.Coinbase = a; return nil })
}

// SetGasLimit sets the gas limit of blocks from the next on. Zero: the parent's.
func (t *Timeline) SetGasLimit(gas uint64) error {
	if gas != 0 && gas < params.MinGasLimit || gas > params.MaxGasLimit {
		return fmt.Errorf("gas limit %d is not between %d and %d", gas, params.MinGasLimit, uint64(params.MaxGasLimit))
	}
	return t.remake(func(c *change) error { c.control.Settings.GasLimit = gas; return nil })
}

// SetNextBlockTime sets the next block's timestamp, in Unix seconds; when the block is sealed the clock is set forward
// to it, in Instant mode also back, as anvil and Hardhat do. It is above the head's; where blocks may have equal
// timestamps (see Config.EqualTimestamps), not below. Error: *TimeError.
func (t *Timeline) SetNextBlockTime(timestamp uint64) error {
	return t.remake(func(c *change) error {
		if earliest := uint64(c.control.Earliest(c.head()) / int64(time.Second)); timestamp < earliest {
			return &control.TimeError{Given: timestamp, Earliest: earliest}
		}
		if err := control.CheckTime(timestamp); err != nil {
			return err
		}
		c.control.Next.Time = &timestamp
		return nil
	})
}

// SetNextBaseFee sets the next block's base fee, in wei. Before London (EIP-1559) there is none.
func (t *Timeline) SetNextBaseFee(fee *big.Int) error {
	if fee.Sign() < 0 || fee.BitLen() > 256 {
		return fmt.Errorf("base fee %v is not between 0 and 2^256-1", fee)
	}
	return t.remake(func(c *change) error {
		if c.nextHeader().BaseFee == nil {
			return errors.New("a base fee is not supported before EIP-1559 is active")
		}
		c.control.Next.BaseFee = new(big.Int).Set(fee)
		return nil
	})
}

// SetNextPrevRandao sets the next block's PREVRANDAO.
func (t *Timeline) SetNextPrevRandao(value common.Hash) error {
	return t.remake(func(c *change) error { c.control.Next.PrevRandao = &value; return nil })
}

// remake changes what the pending block is made of, and makes it anew: with the same transactions, unannounced. If f
// returns an error, or no such block can be made, nothing changes.
func (t *Timeline) remake(f func(*change) error) error {
	return t.change(func(c *change) error { return c.remake(f) })
}

// remake does what Timeline.remake does, within a change.
func (c *change) remake(f func(*change) error) error {
	if err := f(c); err != nil {
		return err
	}
	if c.tip == nil {
		if _, err := c.builder().NewDraft(c.env()); err != nil {
			return err
		}
	}
	back, err := c.rebuild()
	if err != nil {
		return err
	}
	c.requeue(back)
	c.pruneAll()
	return nil
}

// Note returns the note that SetNote last set under a name, or nil. Do not modify it.
func (m *Moment) Note(name string) []byte { return m.control.Notes[name] }

// SetNote keeps a value of a package above with the node's settings: it is in snapshots, worlds and files, and reorgs
// leave it alone. Nil removes it. Error: *control.BudgetError.
func (t *Timeline) SetNote(name string, note []byte) error {
	return t.change(func(c *change) error {
		c.control.Notes = c.control.Notes.With(name, note)
		return c.control.Notes.Afford()
	})
}

// ErrDelegation is returned by Delegate for an account that no authorization of EIP-7702 can change.
var ErrDelegation = errors.New("no delegation (EIP-7702)")

// EditState replaces the state of latest by what f returns for it, and executes the pre-confirmed transactions anew on
// top; a late block is announced first. The state root of the head then no longer matches its header; that of the next
// block does.
func (t *Timeline) EditState(f func(*evmstate.State) *evmstate.State) error {
	return t.edit(func(_ *change, state *evmstate.State) (*evmstate.State, error) { return f(state), nil })
}

// Delegate edits the state as an authorization does that the account signed (EIP-7702): the account runs the code of
// the implementation, or for the zero address none any more, and its nonce is one higher. ErrDelegation is returned
// where the authorization would have no effect: before prague, for an account with code of its own, and for one with
// the last nonce.
func (t *Timeline) Delegate(account, implementation common.Address) error {
	return t.edit(func(c *change, state *evmstate.State) (*evmstate.State, error) {
		next, nonce := c.nextHeader(), state.Nonce(account)
		code := state.Code(account)
		switch _, delegated := types.ParseDelegation(code); {
		case !c.chain.Config().IsPrague(next.Number, next.Time):
			return nil, fmt.Errorf("%w: the next block is not of prague yet", ErrDelegation)
		case len(code) > 0 && !delegated:
			return nil, fmt.Errorf("%w: %s has code of its own", ErrDelegation, account)
		case nonce == math.MaxUint64:
			return nil, fmt.Errorf("%w: %s has the last nonce there is", ErrDelegation, account)
		}
		designation := types.AddressToDelegation(implementation)
		if implementation == (common.Address{}) {
			designation = nil
		}
		return state.WithCode(account, designation).WithNonce(account, nonce+1), nil
	})
}

// edit is EditState with an f that may fail.
func (t *Timeline) edit(f func(*change, *evmstate.State) (*evmstate.State, error)) error {
	return t.remake(func(c *change) error {
		c.endLateness()
		state, err := c.chain.StateAt(c.chain.Head())
		if err != nil {
			return err
		}
		if state, err = f(c, state); err != nil {
			return err
		}
		c.chain = c.chain.WithState(state.Commit())
		c.control.Edited = true
		return nil
	})
}

// SetWeather lets a price or limit take a course, from the next block on that has not begun. The error names what is
// wrong with w, or is ErrNoRollup or a *control.BudgetError.
func (t *Timeline) SetWeather(w control.Weather) error {
	return t.remake(func(c *change) error {
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
		if c.begun() {
			first++
		}
		c.control.Weather = c.control.Weather.With(w, first)
		return c.control.Weather.Afford()
	})
}

// Weather returns the courses that are not over at the next block, the newest last.
func (m *Moment) Weather() []control.Forecast { return m.control.Weather.From(m.nextNumber()) }

// valueOf returns the value of a quantity in the block being built.
func (w *world) valueOf(of control.Quantity) (*big.Int, error) {
	header := w.nextHeader()
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
		value = w.suggestedTip()
	case control.OfL1BaseFee, control.OfL1BlobBaseFee:
		if err := w.mayTell(); err != nil {
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
