package control

import (
	"cmp"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Settings are the values by which the producer makes every block.
type Settings struct {
	Mode      Mode
	BlockTime time.Duration
	Interval  *uint64 // seconds between timestamps; nil: by slots
	Coinbase  common.Address
	GasLimit  uint64 // 0: the parent's
}

// Next holds the settings of the next block only.
type Next struct {
	Time       *uint64 // Unix seconds
	BaseFee    *big.Int
	PrevRandao *common.Hash
	FromL1     FromL1
}

// Mode describes what makes flashblocks and blocks.
type Mode int

// The modes. Zero is none of them, so that a Config that asks for Manual differs from one that leaves the mode open.
const (
	// Interval makes a flashblock every FlashblockTime and a block every BlockTime of the clock, empty or not.
	Interval Mode = iota + 1
	// Instant seals one block per transaction before Send returns.
	Instant
	// Manual makes them on command: Preconfirm, Seal and Advance.
	Manual
)

// OrManual returns the mode, or Manual for zero.
func (m Mode) OrManual() Mode { return cmp.Or(m, Manual) }

// Check returns an error unless m is one of the modes.
func (m Mode) Check() error {
	if m < Interval || m > Manual {
		return fmt.Errorf("unknown seal mode %d", int(m))
	}
	return nil
}

// String returns the mode's name on the command line.
func (m Mode) String() string {
	switch m {
	case Manual:
		return "manual"
	case Interval:
		return "interval"
	case Instant:
		return "instant"
	}
	return fmt.Sprintf("Mode(%d)", int(m))
}
