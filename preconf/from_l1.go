package preconf

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/control"
)

// ErrNoRollup is returned by what only an OP-stack chain has.
var ErrNoRollup = errors.New("the chain does not follow the rules of optimism (--rules op)")

const (
	// maxDepositsGas bounds the gas of all deposits of one block together, so that transactions find room.
	maxDepositsGas = 30_000_000
	// highestL1 is the highest number of an L1 block: the next one still fits into a signed number.
	highestL1 = 1<<63 - 2
)

// l1Input returns the changes that L1 brought into a block, unless they are derived from an L1 below.
func (w *world) l1Input(b *chain.Block) (f control.FromL1) {
	if w.hasL1() {
		return f
	}
	deposits := optimism.DepositsIn(b.Transactions())
	if len(deposits) == 0 {
		return f
	}
	if l1, _, err := optimism.ReadAttributes(deposits[0]); err == nil {
		f.L1 = &l1
	}
	f.Deposits = optimism.UserDeposits(deposits)
	return f
}

// newestL1 returns the L1 block that the next block to begin refers to.
func (w *world) newestL1() optimism.L1 {
	for _, f := range []control.FromL1{w.control.Coming, w.control.Next.FromL1} {
		if f.L1 != nil {
			return *f.L1
		}
	}
	c := w.builder()
	return c.L1(c.Head())
}

// SetL1 changes the L1 block that L2 blocks refer to, from the next on that has not begun, by calling edit on a copy of
// the present one with the next number, the hash of that number, and a timestamp 12 s later. It returns the new one.
// Error: ErrNoRollup, that of edit, or one that names a number or timestamp that no L1 block has.
func (t *Timeline) SetL1(edit func(*optimism.L1) error) (optimism.L1, error) {
	return changed(t, func(c *change) (l1 optimism.L1, err error) {
		if err := c.checkL1Settable(); err != nil {
			return l1, err
		}
		newest := c.newestL1()
		l1 = newest.Later(1)
		if err := edit(&l1); err != nil {
			return l1, err
		}
		switch {
		case l1.Number > highestL1:
			return l1, fmt.Errorf("number %d of L1 is above %d", l1.Number, uint64(highestL1))
		case l1.Time > control.LatestTime:
			return l1, fmt.Errorf("timestamp %d of L1 is after %d, the latest allowed", l1.Time, control.LatestTime)
		}
		l1.Hash = optimism.L1Hash(l1.Number)
		return l1, c.applyAtNextBlock(control.FromL1{L1: &l1})
	})
}

// Deposit makes a deposit of L1: it executes at the beginning of the next block that has not begun, in Instant mode in
// a block that is sealed when Deposit returns. Its SourceHash is set here. It returns the hash of the transaction.
// Error: ErrNoRollup, or what is wrong with d.
func (t *Timeline) Deposit(d optimism.Deposit) (common.Hash, error) {
	err := t.change(func(c *change) error {
		if err := c.checkL1Settable(); err != nil {
			return err
		}
		if err := d.Check(); err != nil {
			return err
		}
		d.SourceHash = optimism.UserSource(c.newestL1().Hash, c.control.Deposited)
		c.control.Deposited++
		if err := c.applyAtNextBlock(control.FromL1{Deposits: control.Deposits{&d}}); err != nil {
			return err
		}
		if c.control.Settings.Mode != control.Instant {
			return nil
		}
		_, err := c.seal(true)
		return err
	})
	if err != nil {
		return common.Hash{}, err
	}
	return d.Hash(), nil
}

// checkL1Settable returns an error if values of L1 cannot be set by hand.
func (w *world) checkL1Settable() error {
	switch {
	case w.chain.Optimism == nil:
		return ErrNoRollup
	case w.hasL1():
		return ErrDerived
	}
	return nil
}

// applyAtNextBlock lets f come with the next block that has not begun.
func (c *change) applyAtNextBlock(f control.FromL1) error {
	into := &c.control.Next.FromL1
	if c.isFrozen() {
		into = &c.control.Coming
	}
	*into = into.With(f)
	if gas := into.Deposits.Gas(); gas > maxDepositsGas {
		return fmt.Errorf("deposits of %d gas wait for the next block, above the limit of %d", gas, maxDepositsGas)
	}
	if into == &c.control.Coming {
		return nil
	}
	return c.remake()
}
