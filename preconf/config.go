package preconf

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Defaults of the zero Config.
const (
	DefaultBlockTime      = 2 * time.Second
	DefaultFlashblockTime = 200 * time.Millisecond
	DefaultSafeLag        = 32
	DefaultFinalizedLag   = 64
)

// NoFlashblocks as Config.FlashblockTime makes no flashblocks but those of Preconfirm.
const NoFlashblocks time.Duration = -1

// Config describes a Timeline. Only Chain must be given.
type Config struct {
	// Chain is the chain to continue.
	Chain *chain.Chain
	// Mode describes what makes flashblocks and blocks. Zero: Manual.
	Mode control.Mode
	// Order of execution. Zero: FIFO.
	Order pool.Order
	// BlockTime is the distance of two block slots. Zero: what the chain's rules fix, or 2 s. With whole seconds a block's
	// timestamp is its slot's time; otherwise, and in Instant mode, it is the clock in whole seconds, at least a second
	// above the parent's. Blocks less than a second apart have equal timestamps. Where the rules fix the block time
	// (optimism.Denim), any other is rejected, and the time of a block is a multiple of it.
	BlockTime time.Duration
	// FlashblockTime is the distance of two flashblocks. Zero: 200 ms; NoFlashblocks: they come on command only.
	FlashblockTime time.Duration
	// Start is the clock's first reading. Zero, or before the head's timestamp: the head's timestamp.
	Start time.Time
	// Real lets the clock follow the wall clock (Timeline.Follow). False: it moves on command only.
	Real bool
	// NoPreconf serves a chain without pre-confirmation: "pending" is "latest", and transactions go from the pool into
	// the block.
	NoPreconf bool
	// Replicas may be read in place of the present. Zero: there are none.
	Replicas control.Replicas
	// GasLimit of new blocks. Zero: that of the chain's head.
	GasLimit uint64
	// BaseFee of the first new block, in wei. Nil: what follows from the chain's head.
	BaseFee *big.Int
	// Saved is the Moment that the timeline goes on from; Chain must be its Sealed chain, and Start is ignored. Nil: the
	// timeline begins on Chain with nothing pre-confirmed.
	Saved *Saved
	// Below is the timeline of the L1 that the chain, of the OP stack, stands on: it becomes part of the new one, and
	// begins at the same time. Nil: there is none.
	Below *Timeline
	// Derivation decides what blocks take from the L1 Below.
	Derivation Derivation
	// Operator sends transactions to the L1 Below. Nil: nobody does.
	Operator Operator
	// Filters bounds the filters of clients that poll. With a manual clock filters do not expire, so that a test which
	// waits repeats.
	Filters filter.Limits
	// Behaviour and Pool say whose blocks and pool the timeline has.
	Behaviour
	Pool pool.Behaviour
}

// Behaviour holds the choices in which the blocks of nodes differ. The zero value is the contract's.
type Behaviour struct {
	// EqualTimestamps lets a block have its parent's timestamp in Instant and Manual mode, and NextBlockTime set it, so
	// that a burst of blocks does not run ahead of the clock. Other clients reject such blocks.
	EqualTimestamps bool
	Lags
	// CommitStates makes blocks proposals: Proposed as the head, Voted as the safe one, Finalized as that, and Verified 3
	// blocks later. There is no pre-confirmation layer, and reorgs are silent (ReorgOptions.Silent).
	CommitStates bool
	// PendingPool makes the pending block, while nothing is pre-confirmed, the one that would be sealed now, with what is
	// ready in the pool, as nodes without a pre-confirmation layer do. Its transactions have no receipts yet. False:
	// that block is empty.
	PendingPool bool
	// PendingHash gives the pending block, its receipts and its logs a hash.
	PendingHash PendingHash
	// BatchReady seals in Instant mode all that is ready in one block, as far as it fits. False: each transaction has its
	// own.
	BatchReady bool
	// KeepPoolOnInstant lets what is in the pool when Instant mode is set wait for the next transaction. False: it is
	// sealed at once.
	KeepPoolOnInstant bool
	// FeeRecipient receives the tips of new blocks until Coinbase is set. An OP-stack chain has its own. Nil: the zero
	// address.
	FeeRecipient *common.Address
	// FixedBaseFee of every block, in wei, where nothing else sets it. Nil: it follows from the block before.
	FixedBaseFee *big.Int
	// ExtraData of new blocks, at most 32 bytes. Nil: none.
	ExtraData []byte
	// NoBeacon makes blocks without a beacon chain: PREVRANDAO is zero, and the beacon root is the hash of the parent.
	// False: PREVRANDAO is random, and the beacon root zero.
	NoBeacon bool
	// NoReorgs rejects reorgs unless they are forced (ErrNoReorgs), as each block is final at once. False: blocks that are
	// not finalized may go.
	NoReorgs bool
	// ClipLogs ends a range of logs that begins at the head or before at the head at the latest; one that ends before it
	// begins has none. False: both are errors.
	ClipLogs bool
}

// Lags are the distances of block tags from the head.
type Lags struct {
	// SafeLag and FinalizedLag are how many blocks "safe" and "finalized" are behind the head. Nil: 32 and 64, or as many
	// as rules that fix the block time make in the time of 32 and 64 blocks of 2 s.
	SafeLag, FinalizedLag *uint64
	// PendingLag is how many blocks before the pending one the block context of a call at "pending" is taken from
	// (contract 4-rule3). Zero: the pending block's own.
	PendingLag uint64
}

// PendingHash selects the hash of the pending block. Zero: ZeroHash.
type PendingHash int

const (
	// ZeroHash is the zero hash.
	ZeroHash PendingHash = iota
	// HashSoFar is the hash of HeaderSoFar, which changes as the block grows: what nodes of OP Mainnet answer.
	HashSoFar
	// NoHash is the hash of ones: the block has none yet, and clients are told null, as by MegaETH.
	NoHash
)

// of returns the hash of a pending block.
func (h PendingHash) of(v *View) common.Hash {
	switch h {
	case HashSoFar:
		return v.HeaderSoFar().Hash()
	case NoHash:
		return common.MaxHash
	}
	return common.Hash{}
}

// ErrManualClock is returned by Follow for a timeline whose clock is not Real.
var ErrManualClock = errors.New("the clock is manual: it moves on command only")

// complete fills in the defaults, or names the field that is wrong.
func (c Config) complete() (Config, error) {
	if c.Chain == nil {
		return c, errors.New("config has no chain")
	}
	c.Mode = c.Mode.OrManual()
	if err := c.Mode.Check(); err != nil {
		return c, err
	}
	c.Order = cmp.Or(c.Order, pool.FIFO)
	if c.Order < pool.FIFO || c.Order > pool.FeeCap {
		return c, fmt.Errorf("unknown order %d", int(c.Order))
	}
	if len(c.ExtraData) > 32 {
		return c, fmt.Errorf("extra data of %d bytes is above 32", len(c.ExtraData))
	}
	if _, err := c.Chain.StateAt(c.Chain.Head()); err != nil {
		return c, err
	}
	fixed := c.Chain.BlockTime()
	c.BlockTime = cmp.Or(c.BlockTime, fixed, DefaultBlockTime)
	c.FlashblockTime = cmp.Or(c.FlashblockTime, DefaultFlashblockTime)
	if err := cmp.Or(c.Filters.Check(), control.CheckDistance("block", c.BlockTime), c.checkRules()); err != nil {
		return c, err
	}
	if err := control.CheckDistance("flashblock", c.FlashblockTime); err != nil && c.FlashblockTime != NoFlashblocks {
		return c, err
	}
	for _, at := range []uint64{c.Chain.Head().Time(), uint64(max(c.Start.Unix(), 0))} {
		if err := control.CheckTime(at); err != nil {
			return c, err
		}
	}
	perBlock := uint64(DefaultBlockTime / cmp.Or(fixed, DefaultBlockTime))
	if c.SafeLag == nil {
		c.SafeLag = new(DefaultSafeLag * perBlock)
	}
	if c.FinalizedLag == nil {
		c.FinalizedLag = new(DefaultFinalizedLag * perBlock)
	}
	return c, nil
}

// checkRules rejects what the chain's rules do not allow.
func (c *Config) checkRules() error {
	rules := c.Chain.Optimism
	switch {
	case c.Chain.BlockTime() == 0:
		return nil
	case c.EqualTimestamps:
		return fmt.Errorf("equal timestamps do not go together with rules %q, whose blocks are %s apart", rules.Upgrade.Name, rules.BlockTime())
	case c.PendingLag != 0:
		return fmt.Errorf("a pending lag of %d blocks does not go together with rules %q: %w", c.PendingLag, rules.Upgrade.Name, ErrFlashblocksEnded)
	}
	return checkLattice(c.Chain, c.BlockTime)
}

// checkLattice rejects a block time other than what the rules of on fix.
func checkLattice(on *chain.Chain, d time.Duration) error {
	if fixed := on.BlockTime(); fixed != 0 && d != fixed {
		return fmt.Errorf("block time %s does not go together with rules %q, which make a block every %s", d, on.Optimism.Upgrade.Name, fixed)
	}
	return nil
}
