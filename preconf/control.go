package preconf

import (
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
)

// SetMode changes what makes flashblocks and blocks. In Instant mode all that
// waits is sealed at once.
func (t *Timeline) SetMode(mode Mode) error {
	if mode < Manual || mode > Instant {
		return fmt.Errorf("unknown seal mode %d", int(mode))
	}
	return t.change(func(c *change) error {
		c.settings.mode = mode
		if mode != Instant {
			if c.tip == nil { // the slot begins now
				c.clock = startClock(c.clock.now, c.builder().Head().Time(), c.settings.blockTime)
			}
			return nil
		}
		if c.tip != nil && len(c.tip.receipts) > 0 {
			if _, err := c.close(c.tip, batch{draft: c.tip.draft}); err != nil {
				return err
			}
		}
		return c.sealReady()
	})
}

// SetBlockTime changes the distance of two block slots, from the next block on.
func (t *Timeline) SetBlockTime(d time.Duration) error {
	if err := checkBlockTime(d); err != nil {
		return err
	}
	return t.reset(func(c *change) error { c.settings.blockTime = d; return nil })
}

// SetTimestampInterval makes each block's timestamp that of its parent plus so
// many seconds. Nil: by slots again.
func (t *Timeline) SetTimestampInterval(seconds *uint64) error {
	if most := uint64(LongestTime / time.Second); seconds != nil && (*seconds == 0 || *seconds > most) {
		return fmt.Errorf("interval of %d seconds is not between 1 and %d", *seconds, most)
	}
	return t.reset(func(c *change) error { c.settings.interval = seconds; return nil })
}

// IncreaseTime sets the clock forward by d; nothing becomes due on the way.
// Error: *TimeError.
func (t *Timeline) IncreaseTime(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("cannot increase time by %s: the clock only moves forward", d)
	}
	return t.reset(func(c *change) error {
		to, err := c.after(d)
		if err != nil {
			return err
		}
		c.jump(to)
		return nil
	})
}

// SetTime sets the clock forward to the time given; nothing becomes due on the
// way. Error: *TimeError.
func (t *Timeline) SetTime(to time.Time) error {
	return t.reset(func(c *change) error {
		// A whole second the clock is already in counts as now.
		if second := c.clock.now / int64(time.Second); to.Unix() < second {
			return &TimeError{Given: uint64(max(to.Unix(), 0)), Earliest: uint64(second)}
		}
		if err := checkTime(uint64(max(to.Unix(), 0))); err != nil {
			return err
		}
		c.jump(max(c.clock.now, to.UnixNano()))
		return nil
	})
}

// SetNextBlockTime sets the next block's timestamp, in Unix seconds; when the
// block is sealed the clock is set forward to it. Error: *TimeError.
func (t *Timeline) SetNextBlockTime(timestamp uint64) error {
	return t.reset(func(c *change) error {
		earliest := c.builder().Head().Time()
		if c.slotted() {
			earliest++
		}
		if timestamp < earliest {
			return &TimeError{Given: timestamp, Earliest: earliest}
		}
		if err := checkTime(timestamp); err != nil {
			return err
		}
		c.next.time = &timestamp
		return nil
	})
}

// SetNextBaseFee sets the next block's base fee, in wei.
func (t *Timeline) SetNextBaseFee(fee *big.Int) error {
	if fee.Sign() < 0 || fee.BitLen() > 256 {
		return fmt.Errorf("base fee %v is not between 0 and 2^256-1", fee)
	}
	return t.reset(func(c *change) error { c.next.baseFee = new(big.Int).Set(fee); return nil })
}

// SetNextPrevRandao sets the next block's PREVRANDAO.
func (t *Timeline) SetNextPrevRandao(value common.Hash) error {
	return t.reset(func(c *change) error { c.next.prevRandao = &value; return nil })
}

// SetCoinbase sets who receives the tips, from the next block on.
func (t *Timeline) SetCoinbase(a common.Address) error {
	return t.reset(func(c *change) error { c.settings.coinbase = a; return nil })
}

// SetGasLimit sets the gas limit of blocks from the next on. Zero: the
// parent's.
func (t *Timeline) SetGasLimit(gas uint64) error {
	if gas != 0 && gas < minGasLimit || gas > maxGasLimit {
		return fmt.Errorf("gas limit %d is not between %d and %d", gas, uint64(minGasLimit), uint64(maxGasLimit))
	}
	return t.reset(func(c *change) error { c.settings.gasLimit = gas; return nil })
}

// The limits of a block's gas limit, from the consensus rules.
const (
	minGasLimit = 5000
	maxGasLimit = 1<<63 - 1
)

// EditState replaces the state of latest by what f makes of it, and executes
// the pre-confirmed transactions anew on top; a late block is announced first.
// The state root of the head then no longer matches its header; that of the
// next block does.
func (t *Timeline) EditState(f func(*evmstate.State) *evmstate.State) error {
	return t.reset(func(c *change) error {
		if c.late != nil {
			c.addHead(c.late.chain, c.late.block)
			c.late = nil
		}
		state, err := c.chain.StateAt(c.chain.Head())
		if err != nil {
			return err
		}
		c.chain = c.chain.WithState(f(state).Commit())
		c.edited = true
		return nil
	})
}

// reset changes what the pending block is made of, and makes it anew: with the
// same transactions, unannounced. f fails, or no block can be made so: nothing
// changed.
func (t *Timeline) reset(f func(*change) error) error {
	return t.change(func(c *change) error {
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
	})
}

// pruneAll drops what the newest state made impossible.
func (w *world) pruneAll() {
	state := w.newest()
	for it := w.pool.bySender.Iterator(); !it.Done(); {
		from, _, _ := it.Next()
		w.prune(from, state.Nonce(from))
	}
}

// SetSafe makes "safe" this block. Error: *UnknownBlockError.
func (t *Timeline) SetSafe(number uint64) error {
	return t.change(func(c *change) error {
		c.safe = &number
		return c.known(number)
	})
}

// SetFinalized makes "finalized" this block. Error: *UnknownBlockError.
func (t *Timeline) SetFinalized(number uint64) error {
	return t.change(func(c *change) error {
		c.finalized = &number
		return c.known(number)
	})
}

func (w *world) known(number uint64) error {
	if head := w.chain.Head().Number(); number > head {
		return &UnknownBlockError{Number: &number, Head: head}
	}
	return nil
}

// Impersonate lets SendFrom take transactions from a.
func (t *Timeline) Impersonate(a common.Address) {
	t.set(func(c *change) { c.impersonated = c.impersonated.Set(a, struct{}{}) })
}

// StopImpersonating ends Impersonate.
func (t *Timeline) StopImpersonating(a common.Address) {
	t.set(func(c *change) { c.impersonated = c.impersonated.Delete(a) })
}

// ImpersonateAll lets SendFrom take transactions from every address, or ends
// it.
func (t *Timeline) ImpersonateAll(on bool) {
	t.set(func(c *change) { c.impersonateAll = on })
}

// DropTransaction removes a transaction from the pool and says whether it was
// there.
func (t *Timeline) DropTransaction(hash common.Hash) bool {
	var found bool
	t.set(func(c *change) {
		var e *entry
		if e, found = c.pool.byHash.Get(hash); found {
			c.drop(e, ErrPoolCleared)
		}
	})
	return found
}

// DropTransactionsOf removes a sender's transactions from the pool.
func (t *Timeline) DropTransactionsOf(from common.Address) {
	t.set(func(c *change) {
		for e := range c.pool.entriesOf(from) {
			c.drop(e, ErrPoolCleared)
		}
	})
}

// ClearPool removes all transactions from the pool.
func (t *Timeline) ClearPool() {
	t.set(func(c *change) {
		for e := range c.pool.all {
			c.dropped = c.dropped.with(e.tx.Hash(), ErrPoolCleared)
		}
		c.pool = emptyPool
	})
}

// Reset puts the timeline back to its beginning and forgets all snapshots.
// Feeds are not told.
func (t *Timeline) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.moment.Store(t.begin)
	clear(t.snapshots)
	t.lastSnapshot = 0
}
