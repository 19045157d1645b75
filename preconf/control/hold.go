package control

import (
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Hold keeps transactions in the pool: no flashblock and no block takes them. With neither Hashes nor Senders it keeps
// all of them. Later transactions of a sender wait behind one that is held.
type Hold struct {
	// Hashes of transactions, which need not have been sent yet.
	Hashes []common.Hash
	// Senders whose transactions are held.
	Senders []common.Address
	// For is how long on the clock, at most 100 years. Zero: until Release. In Instant mode the transactions are sealed at
	// its end, when Advance or a real clock passes it, and else with the next transaction or block.
	For time.Duration
	// Blocks is for how many blocks, the one being built included, at most 1,000,000; not together with For. In Instant
	// mode the transactions are sealed with the first one sent after these blocks. Zero: until Release.
	Blocks uint64
}

// Held is a Hold in force, and the error of a pooled transaction that it keeps there. It is immutable.
type Held struct {
	Hashes  []common.Hash
	Senders []common.Address
	Until   int64  // on the clock, in nanoseconds since the Unix epoch; 0: until Release
	Free    uint64 `json:",omitempty"` // number of the first block that may hold the transactions; 0: none before Release
}

func (h *Held) Error() string {
	switch {
	case h.Free != 0:
		return fmt.Sprintf("it is held on command, until block %d", h.Free)
	case h.Until == 0:
		return "it is held on command, until released"
	}
	return "it is held on command, until " + time.Unix(0, h.Until).UTC().Format("2006-01-02T15:04:05.999Z07:00")
}

// Begin returns h in force from the clock and the number of the next block on. The error names what is wrong with h.
func (h Hold) Begin(c Clock, next uint64) (held Held, err error) {
	switch {
	case h.For < 0 || h.For > LongestTime:
		return held, fmt.Errorf("hold for %s is not between 0 and %s", h.For, LongestTime)
	case h.Blocks > maxFaultCount:
		return held, fmt.Errorf("hold for %d blocks is over the limit of %d", h.Blocks, maxFaultCount)
	case h.For > 0 && h.Blocks > 0:
		return held, fmt.Errorf("hold for %s and for %d blocks: want one of them", h.For, h.Blocks)
	}
	held.Hashes, held.Senders = slices.Clone(h.Hashes), slices.Clone(h.Senders)
	if h.Blocks > 0 {
		held.Free = next + h.Blocks
	}
	if h.For > 0 {
		held.Until, err = c.After(h.For)
	}
	return held, err
}

func (h *Held) over(now int64, next uint64) bool {
	return h.Until != 0 && h.Until <= now || h.Free != 0 && h.Free <= next
}

// Holds are the holds in force, oldest first. They are immutable.
type Holds []Held

// Left returns the holds that are not over, with the time or the blocks that are left.
func (h Holds) Left(now int64, next uint64) (holds []Hold) {
	for _, held := range h {
		if held.over(now, next) {
			continue
		}
		left := Hold{Hashes: held.Hashes, Senders: held.Senders}
		if held.Until != 0 {
			left.For = time.Duration(held.Until - now)
		}
		if held.Free != 0 {
			left.Blocks = held.Free - next
		}
		holds = append(holds, left)
	}
	return holds
}

// Keeping returns the hold that keeps a transaction in the pool, or nil.
func (h Holds) Keeping(hash common.Hash, sender common.Address, now int64, next uint64) *Held {
	for i := range h {
		held := &h[i]
		everything := len(held.Hashes) == 0 && len(held.Senders) == 0
		if !held.over(now, next) && (everything || slices.Contains(held.Hashes, hash) || slices.Contains(held.Senders, sender)) {
			return held
		}
	}
	return nil
}

// Ending returns the holds without the first of those that end by a time, and when it ends; ok is false where none
// does.
func (h Holds) Ending(by int64) (left Holds, end int64, ok bool) {
	first := -1
	for i, held := range h {
		if held.Until != 0 && held.Until <= by && (first < 0 || held.Until < h[first].Until) {
			first = i
		}
	}
	if first < 0 {
		return h, 0, false
	}
	return slices.Delete(slices.Clone(h), first, first+1), h[first].Until, true
}

// Moved returns the holds with those of one transaction as those of another.
func (h Holds) Moved(from, to common.Hash) Holds {
	moved := slices.Clone(h)
	for i, held := range moved {
		if at := slices.Index(held.Hashes, from); at >= 0 {
			moved[i].Hashes = slices.Clone(held.Hashes)
			moved[i].Hashes[at] = to
		}
	}
	return moved
}
