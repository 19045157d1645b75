package door_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
)

// pair is an L2 and the L1 below it.
type pair struct {
	*testing.T
	l2, l1 *preconf.Timeline
}

// newPair returns an L2 with blocks of 2 s and flashblocks of 250 ms on an L1 with blocks of 12 s.
func newPair(t *testing.T, config fakenode.Config) pair {
	t.Helper()
	config.Preset, config.L1, config.StartTime = fakenode.Optimism, new(fakenode.L1Config), time.Unix(1_800_000_000, 0)
	l2 := fakenode.RunConfigT(t, config).Timeline()
	return pair{t, l2, l2.Below()}
}

// heads returns the numbers of the newest blocks.
func (p pair) heads() []uint64 {
	return []uint64{p.l2.Moment().Latest().Number(), p.l1.Moment().Latest().Number()}
}

// origins returns the number of the L1 block that each block of the L2 refers to, and requires that the L1 has it.
func (p pair) origins() (numbers []uint64) {
	p.Helper()
	above, below := p.l2.Moment().Chain(), p.l1.Moment().Chain()
	for n := range above.Head().Number() + 1 {
		origin := above.L1(above.BlockByNumber(n))
		require.Equal(p, below.BlockByNumber(origin.Number).Hash(), origin.Hash, n)
		numbers = append(numbers, origin.Number)
	}
	return numbers
}

// advance lets time pass on the clock of both, asked of one.
func (p pair) advance(of *preconf.Timeline, d time.Duration) preconf.Progress {
	p.Helper()
	progress, err := of.Advance(d)
	require.NoError(p, err)
	return progress
}

// seal makes so many blocks of one.
func (p pair) seal(of *preconf.Timeline, blocks int) []common.Hash {
	p.Helper()
	hashes, err := of.Seal(blocks)
	require.NoError(p, err)
	return hashes
}

// reorgL1 makes a reorg of the L1.
func (p pair) reorgL1(o control.ReorgOptions) {
	p.Helper()
	_, err := p.l1.Reorg(o)
	require.NoError(p, err)
}

// find finds a transaction of the L2.
func (p pair) find(hash common.Hash) preconf.Found {
	p.Helper()
	found, err := p.l2.Moment().Find(hash)
	require.NoError(p, err)
	return found
}

// now requires that both clocks are so long after the beginning.
func (p pair) now(since time.Duration) {
	p.Helper()
	for _, timeline := range []*preconf.Timeline{p.l2, p.l1} {
		require.Equal(p, since, timeline.Moment().Now().Sub(time.Unix(1_800_000_000, 0)))
	}
}

// Ensure both chains of a pair have one clock, and what is due is made in order: the L1's block before the L2's of the
// same time, and the block after that refers to it. Sealing makes as many blocks as it says.
func TestPairClock(t *testing.T) {
	t.Parallel()
	p := newPair(t, fakenode.Config{})
	p.advance(p.l2, 12*time.Second-1)
	require.Equal(t, []uint64{5, 0}, p.heads())
	p.now(12*time.Second - 1)
	p.advance(p.l2, 1)
	require.Equal(t, []uint64{6, 1}, p.heads())
	require.Equal(t, []uint64{0, 0, 0, 0, 0, 0, 0}, p.origins(), "the sixth had begun before")
	progress := p.advance(p.l1, 13*time.Second)
	require.EqualValues(t, 2, progress.BlockNumber)
	require.Equal(t, time.Unix(1_800_000_025, 0), progress.Time.Local())
	require.Equal(t, []uint64{12, 2}, p.heads())
	p.now(25 * time.Second)

	p.seal(p.l1, 1) // closes the slot of the L1: all of the L2 comes first
	require.Equal(t, []uint64{18, 3}, p.heads())
	p.now(36 * time.Second)
	hashes := p.seal(p.l2, 6) // the sixth is as late as the L1's next
	require.Equal(t, []uint64{24, 4}, p.heads())
	for i, hash := range hashes {
		require.Equal(t, p.l2.Moment().Chain().BlockByNumber(uint64(19+i)).Hash(), hash)
	}
	p.now(48 * time.Second)
	require.Equal(t, []uint64{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4}, p.origins())
	_, err := p.l1.Advance(-1)
	require.ErrorContains(t, err, "cannot advance by -1ns")
}

// Ensure the events of both chains reach the feeds of both, each block once and in order.
func TestPairEvents(t *testing.T) {
	t.Parallel()
	p := newPair(t, fakenode.Config{})
	above, _ := p.l2.SubscribeAs(preconf.Reader{Idle: true, Sparse: true})
	below, _ := p.l1.SubscribeAs(preconf.Reader{Idle: true, Sparse: true})
	p.advance(p.l2, 25*time.Second)
	heads := func(feed *preconf.Feed) (numbers []uint64) {
		for event, _ := feed.Poll(); event != nil; event, _ = feed.Poll() {
			if event.Kind == preconf.HeadAdded {
				numbers = append(numbers, event.View.Number())
			}
		}
		return numbers
	}
	require.Equal(t, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, heads(above))
	require.Equal(t, []uint64{1, 2}, heads(below))
	p.reorgL1(control.ReorgOptions{Depth: 2})
	require.Equal(t, []uint64{1, 2, 3}, heads(below))
	again := heads(above)
	require.Equal(t, uint64(7), again[0], "the first that referred to an L1 block that is gone")
	require.Equal(t, uint64(18), again[len(again)-1])
	require.Len(t, again, 12)
}

// Ensure a reorg of the L1 takes the L2's blocks along that refer to what goes, and no other, and transactions of
// theirs have the fate that was asked for.
func TestPairReorg(t *testing.T) {
	t.Parallel()
	for fate, sealed := range map[control.Fate]bool{control.Requeue: true, control.Drop: false} {
		p := newPair(t, fakenode.Config{})
		p.advance(p.l2, 24*time.Second)
		from := fixtures.Dev(0)
		tx := types.MustSignNewTx(from.Key, p.l2.Moment().Signer(), &types.LegacyTx{
			To: &common.Address{0xaa}, Gas: 21_000, GasPrice: big.NewInt(1e10),
		})
		require.NoError(t, p.l2.Send(tx))
		p.advance(p.l2, 4*time.Second)
		require.Equal(t, []uint64{14, 2}, p.heads())
		before := p.l2.Moment().Chain()
		require.EqualValues(t, 13, p.find(tx.Hash()).View.Number())
		p.reorgL1(control.ReorgOptions{Depth: 1, Above: fate})
		after := p.l2.Moment().Chain()
		require.Equal(t, before.BlockByNumber(12).Hash(), after.BlockByNumber(12).Hash())
		require.NotEqual(t, before.BlockByNumber(13).Hash(), after.BlockByNumber(13).Hash())
		p.origins()
		require.Equal(t, sealed, p.find(tx.Hash()).Where == preconf.Sealed, fate)
		p.now(36 * time.Second)
	}
}

// Ensure nobody tells an L2 with an L1 what comes from L1.
func TestPairDecides(t *testing.T) {
	t.Parallel()
	p := newPair(t, fakenode.Config{})
	before := p.l2.Moment()
	_, err := p.l2.SetL1(func(*optimism.L1) error { return nil })
	require.ErrorIs(t, err, preconf.ErrDerived)
	_, err = p.l2.Deposit(optimism.Deposit{From: fixtures.Dev(0).Address, Value: new(big.Int), Gas: 100_000})
	require.ErrorIs(t, err, preconf.ErrDerived)
	require.EqualError(t, err, "the L1 beside this chain (--l1) decides: send a transaction there")
	for _, of := range []control.Quantity{control.OfL1BaseFee, control.OfL1BlobBaseFee} {
		err = p.l2.Set(preconf.Weather(control.Weather{Of: of, Shape: control.Spike, To: big.NewInt(1e10), Blocks: 3}))
		require.ErrorIs(t, err, preconf.ErrDerived)
	}
	require.Same(t, before, p.l2.Moment())
}

// Ensure a snapshot of either chain of a pair is one of both, with the filters of both, in whichever way it is gone
// back to.
func TestPairSnapshots(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]func(*preconf.Timeline, uint64) error{
		"revert": (*preconf.Timeline).Revert, "once": (*preconf.Timeline).RevertOnce, "announced": (*preconf.Timeline).RevertAnnounced,
	} {
		for _, of := range []func(pair) *preconf.Timeline{
			func(p pair) *preconf.Timeline { return p.l2 }, func(p pair) *preconf.Timeline { return p.l1 },
		} {
			p := newPair(t, fakenode.Config{})
			p.advance(p.l2, 14*time.Second)
			var filters []uint64
			for _, timeline := range []*preconf.Timeline{p.l2, p.l1} {
				id, err := timeline.Filters().Add(filter.Filter{Kind: filter.Blocks})
				require.NoError(t, err)
				filters = append(filters, id)
			}
			id := of(p).Snapshot()
			require.EqualValues(t, 1, id)
			heads := []common.Hash{p.l2.Moment().Latest().Hash(), p.l1.Moment().Latest().Hash()}
			p.advance(p.l2, 24*time.Second)
			require.Equal(t, []uint64{19, 3}, p.heads())
			require.NoError(t, back(of(p), id), name)
			require.Equal(t, heads, []common.Hash{p.l2.Moment().Latest().Hash(), p.l1.Moment().Latest().Hash()}, name)
			p.now(14 * time.Second)
			for i, timeline := range []*preconf.Timeline{p.l2, p.l1} {
				changes, err := timeline.Filters().Changes(filters[i], preconf.Lag{})
				require.NoError(t, err)
				require.Equal(t, name == "announced", len(changes.Hashes) > 0, "%s %d", name, i)
			}
			err := back(of(p), id)
			if name == "once" {
				require.EqualError(t, err, "unknown snapshot 0x1")
			} else {
				require.NoError(t, err)
			}
			p.advance(p.l1, 10*time.Second)
			require.Equal(t, []uint64{12, 2}, p.heads())
			p.origins()

			clone := p.l2.Clone()
			copied := pair{t, clone, clone.Below()}
			p.advance(clone, 12*time.Second)
			require.Equal(t, []uint64{18, 3}, copied.heads())
			copied.origins()
			require.Equal(t, []uint64{12, 2}, p.heads(), "which goes on by itself")
			of(p).Reset()
			require.Equal(t, []uint64{0, 0}, p.heads())
			p.advance(p.l2, 13*time.Second)
			require.Equal(t, []uint64{6, 1}, p.heads())
			file := p.l2.Moment()
			p.advance(p.l2, 12*time.Second)
			require.NoError(t, p.l2.Restart(file))
			require.Equal(t, []uint64{6, 1}, p.heads())
			p.now(25 * time.Second)
		}
	}
}
