package preconf

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Setting sets one value by which a node works, see Timeline.Set.
type Setting func(*change) error

// Set applies settings in one turn, in order. If one of them returns an error, or a *control.BudgetError is returned
// for values that are too large together, nothing changes.
func (t *Timeline) Set(settings ...Setting) error {
	return t.change(func(c *change) error {
		for _, set := range settings {
			if err := set(c); err != nil {
				return err
			}
		}
		return c.control.CheckBudget()
	})
}

// ofBlocks returns a Setting by f of a value that goes into blocks: the pending block is made again with it.
func ofBlocks(f func(*change) error) Setting {
	return func(c *change) error {
		if err := f(c); err != nil {
			return err
		}
		return c.remake()
	}
}

// remake makes the pending block again, with the same transactions and unannounced.
func (c *change) remake() error {
	if c.tip == nil {
		if _, err := c.builder().NewDraft(c.env()); err != nil {
			return err
		}
	}
	back, err := c.rebuild()
	if err != nil {
		return err
	}
	c.pool = c.pool.Requeued(back)
	c.pool = c.pool.Pruned(c.newest())
	return nil
}

// Mode sets what makes flashblocks and blocks. Into Instant mode, all that waits is sealed at once, unless
// Config.KeepPoolOnInstant. Out of it, the clock is set forward to the head's timestamp if a burst of blocks went
// beyond it.
func Mode(mode control.Mode) Setting {
	return func(c *change) error {
		if err := mode.Check(); err != nil {
			return err
		}
		if mode != c.control.Settings.Mode && c.tip.isEmpty() {
			c.tip = nil // it begins again, with a slot of the new mode
		}
		if c.control.Settings.Mode == control.Instant && mode != control.Instant {
			c.forward(c.head().Time)
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
	}
}

// BlockTime sets the distance of two block slots, from the next block on. Rules that fix it allow no other.
func BlockTime(d time.Duration) Setting {
	return ofBlocks(func(c *change) error {
		c.control.Settings.BlockTime = d
		return cmp.Or(control.CheckDistance("block", d), checkLattice(c.builder(), d))
	})
}

// TimestampInterval makes each block's timestamp that of its parent plus so many seconds. Nil: by slots again. Rules
// that fix the block time allow no other.
func TimestampInterval(seconds *uint64) Setting {
	return ofBlocks(func(c *change) error {
		c.control.Settings.Interval = seconds
		switch most := uint64(control.LongestTime / time.Second); {
		case seconds == nil:
			return nil
		case *seconds == 0 || *seconds > most:
			return fmt.Errorf("interval of %d seconds is not between 1 and %d", *seconds, most)
		}
		return checkLattice(c.builder(), time.Duration(*seconds)*time.Second)
	})
}

// Coinbase sets who receives the tips, from the next block on.
func Coinbase(a common.Address) Setting {
	return ofBlocks(func(c *change) error { c.control.Settings.Coinbase = a; return nil })
}

// GasLimit sets the gas limit of blocks from the next on. Zero: the parent's.
func GasLimit(gas uint64) Setting {
	return ofBlocks(func(c *change) error {
		if gas > params.MaxGasLimit {
			return fmt.Errorf("gas limit %d is above %d", gas, uint64(params.MaxGasLimit))
		}
		c.control.Settings.GasLimit = gas
		return nil
	})
}

// NextBlockTime sets the next block's timestamp, in Unix seconds; when the block is sealed the clock is set forward to
// it, in Instant mode also back, as anvil and Hardhat do. It is above the head's; where blocks may have equal
// timestamps (see Config.EqualTimestamps), not below. Error: *control.TimeError.
func NextBlockTime(timestamp uint64) Setting {
	return ofBlocks(func(c *change) error {
		if earliest := uint64(c.control.Earliest(c.head()) / int64(time.Second)); timestamp < earliest {
			return &control.TimeError{Given: timestamp, Earliest: earliest}
		}
		c.control.Next.Time = &timestamp
		return control.CheckTime(timestamp)
	})
}

// NextBaseFee sets the next block's base fee, in wei. Before London (EIP-1559) there is none.
func NextBaseFee(fee *big.Int) Setting {
	return ofBlocks(func(c *change) error {
		if fee.Sign() < 0 || fee.BitLen() > 256 {
			return fmt.Errorf("base fee %v is not between 0 and 2^256-1", fee)
		}
		if c.NextHeader().BaseFee == nil {
			return errors.New("a base fee is not supported before EIP-1559 is active")
		}
		c.control.Next.BaseFee = new(big.Int).Set(fee)
		return nil
	})
}

// NextPrevRandao sets the next block's PREVRANDAO.
func NextPrevRandao(value common.Hash) Setting {
	return ofBlocks(func(c *change) error { c.control.Next.PrevRandao = &value; return nil })
}

// Safe makes "safe" this block. Error: *UnknownBlockError.
func Safe(number uint64) Setting {
	return func(c *change) error {
		c.control.SafeAt = &number
		return c.checkKnown(number)
	}
}

// Finalized makes "finalized" this block. Error: *UnknownBlockError.
func Finalized(number uint64) Setting {
	return func(c *change) error {
		c.control.FinalizedAt = &number
		return c.checkKnown(number)
	}
}

// Impersonate lets clients send from an account without its key, or ends that: see Moment.Impersonated.
func Impersonate(a common.Address, on bool) Setting {
	return func(c *change) error { c.control.Impersonated = c.control.Impersonated.With(a, on); return nil }
}

// ImpersonateAll lets clients send from every account without its key, or ends that.
func ImpersonateAll(on bool) Setting {
	return func(c *change) error { c.control.ImpersonateAll = on; return nil }
}

// Note keeps a value of a package above with the node's settings: it is in snapshots, worlds and files, and reorgs
// leave it alone. Nil removes it.
func Note(name string, note []byte) Setting {
	return func(c *change) error { c.control.Notes = c.control.Notes.With(name, note); return nil }
}

// Replica lets a replica be so far behind from now on. Without a Seed it keeps its own. The error reports that there is
// no such replica, or names what is wrong with r.
func Replica(number uint64, r control.Replica) Setting {
	return func(c *change) (err error) {
		c.control.Replicas, err = c.control.Replicas.With(number, r)
		return err
	}
}
