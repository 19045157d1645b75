package preconf_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
)

// chooser picks a number under n: at random, or from a fuzzer's bytes.
type chooser func(n int) int

// modelRun does the same to a timeline and to its model.
type modelRun struct {
	*testing.T
	choose   chooser
	timeline *preconf.Timeline
	model    *model
	emitUsed uint64

	all       []*modelTx
	snapshots map[uint64]*model

	feed        *preconf.Feed
	want, got   told
	logFilter   uint64
	pendFilter  uint64
	blockFilter uint64
}

func newModelRun(t *testing.T, choose chooser) *modelRun {
	r := startModelRun(t, choose, ethereumModel, newTimeline(t, preconf.Config{Behaviour: preconf.Behaviour{Lags: preconf.Lags{FinalizedLag: new(uint64(modelFinalizedLag))}}}))
	require.NoError(t, r.timeline.Set(preconf.GasLimit(modelGasLimit)))
	return r
}

func startModelRun(t *testing.T, choose chooser, of modelChain, timeline *preconf.Timeline) *modelRun {
	r := &modelRun{T: t, choose: choose, snapshots: map[uint64]*model{}, timeline: timeline}
	began := time.Duration(start.UnixNano())
	r.model = &model{modelChain: of, blocks: []*modelBlock{{time: began}}, clock: began, noted: new(int)}

	probe := r.timeline.Clone()
	send(t, probe, accounts[0].emit(0, 1, 1))
	seal(t, probe, 1)
	r.emitUsed = probe.Moment().Latest().Receipts()[of.deposits].GasUsed

	r.feed = r.timeline.Subscribe()
	t.Cleanup(r.feed.Close)
	var err error
	r.logFilter, err = r.timeline.Filters().Add(filter.Filter{})
	require.NoError(t, err)
	r.pendFilter, err = r.timeline.Filters().Add(filter.Filter{From: pending})
	require.NoError(t, err)
	r.blockFilter = newBlockFilter(r, r.timeline)
	return r
}

// step does one thing and compares.
func (r *modelRun) step() {
	switch n := r.choose(100); {
	case n < 42:
		r.send()
	case n < 62:
		f, err := r.timeline.Preconfirm()
		if !r.model.flashblocks {
			require.ErrorIs(r, err, preconf.ErrFlashblocksEnded)
			break
		}
		require.NoError(r, err)
		require.Equal(r, r.model.stalled > 0, f.Stalled)
		r.model.preconfirm(&r.want)
	case n < 74:
		seal(r, r.timeline, 1)
		r.model.seal(&r.want)
	case n < 80:
		r.reorg()
	case n < 90:
		r.fault()
	case n < 93:
		r.snapshots[r.timeline.Snapshot()] = r.model.copy()
	case n < 96:
		r.revert()
	case n < 99:
		r.readFilters()
	default:
		r.dropPooled()
	}
	r.compare()
}

func (r *modelRun) send() {
	sender := r.choose(3)
	m := modelTx{sender: sender, wei: int64(1 + r.choose(9))}
	if r.choose(2) == 0 {
		m = modelTx{sender: sender, topic: byte(1 + r.choose(3)), data: byte(2 + r.choose(100))}
	}
	nonce := r.timeline.Moment().PoolNonce(accounts[sender].address)
	switch kind := r.choose(20); {
	case kind == 0: // a gap
		nonce++
	case kind == 1: // replaces one that waits, or comes too late
		r.sendOver(m, nonce)
		return
	}
	for _, old := range r.model.pool {
		if old.sender == sender && old.nonce() == nonce {
			return
		}
	}
	r.sendNew(newModelTx(m, nonce, 1000, r.emitUsed))
}

func (r *modelRun) sendNew(tx *modelTx) {
	require.NoError(r, r.timeline.Send(tx.tx))
	r.model.send(tx)
	r.all = append(r.all, tx)
}

// sendOver sends a transaction with a nonce in use.
func (r *modelRun) sendOver(m modelTx, nonce uint64) {
	if nonce == 0 {
		return
	}
	nonce--
	for _, old := range r.model.pool {
		if old.sender != m.sender || old.nonce() != nonce {
			continue
		}
		cheap := newModelTx(m, nonce, 1000, r.emitUsed)
		if cheap.tx.Hash() != old.tx.Hash() {
			require.ErrorIs(r, r.timeline.Send(cheap.tx), txpool.ErrReplaceUnderpriced)
		}
		require.ErrorIs(r, r.timeline.Send(old.tx), txpool.ErrAlreadyKnown)
		if old.tx.GasFeeCap().Cmp(ether) < 0 && old.tx.GasTipCap().Int64() == 1000 {
			r.sendNew(newModelTx(m, nonce, 1200, r.emitUsed))
		}
		return
	}
	tx := newModelTx(m, nonce, 1300, r.emitUsed)
	require.ErrorIs(r, r.timeline.Send(tx.tx), core.ErrNonceTooLow)
}

func (r *modelRun) reorg() {
	o := control.ReorgOptions{
		Depth:        1 + r.choose(4),
		Transactions: []control.Fate{"", control.Requeue, control.Drop, control.Reverse}[r.choose(4)],
		RemovedOrder: []control.RemovedOrder{"", control.NewestFirst}[r.choose(2)],
		Force:        r.choose(4) == 0,
	}
	if r.choose(2) == 0 {
		o.Length = new(r.choose(o.Depth + 3))
	}
	head := r.timeline.Moment().Latest()
	if o.Depth > int(head.Number()) || uint64(o.Depth) > head.Number()-r.model.finalized() && !o.Force {
		_, err := r.timeline.Reorg(o)
		var deep *control.DepthError
		require.ErrorAs(r, err, &deep)
		return
	}
	if txs := head.Transactions()[min(r.model.deposits, head.Count()):]; len(txs) > 0 && r.choose(2) == 0 {
		o.Drop = []common.Hash{txs[r.choose(len(txs))].Hash()}
	}
	result := reorg(r, r.timeline, o)
	r.model.reorg(o, &r.want)
	for _, h := range result.Removed {
		v, err := r.timeline.Moment().ByHash(h)
		require.NoError(r, err)
		require.True(r, v.Orphan())
		for _, l := range v.Logs() {
			require.True(r, l.Removed)
		}
	}
}

func (r *modelRun) fault() {
	if !r.model.flashblocks {
		_, err := r.timeline.FlashblockFault(control.FlashblockFault{Kind: control.LateBlock})
		require.ErrorIs(r, err, preconf.ErrFlashblocksEnded)
		return
	}
	f := control.FlashblockFault{Count: 1 + r.choose(2)}
	gone, retract := r.choose(2) == 0, r.choose(2) == 0
	m := r.model
	impossible := false
	switch r.choose(6) {
	case 0:
		f.Kind, f.Gone, f.Retract = control.DropFlashblocks, gone, retract
		if impossible = len(m.pending) < f.Count; !impossible {
			m.drop(f.Count, f, &r.want)
		}
	case 1:
		f.Kind, f.Gone, f.Retract = control.OmitTransactions, gone, retract
		if txs := append(m.preconfirmed(), m.pool...); len(txs) > 0 && r.choose(2) == 0 {
			f.Count = 0
			for range 1 + r.choose(2) {
				f.Hashes = append(f.Hashes, txs[r.choose(len(txs))].tx.Hash())
			}
		}
		m.omissions = append(m.omissions, f)
	case 2:
		f.Kind = control.AlterLogs
		m.alterations += f.Count
	case 3:
		f.Kind = control.DuplicateFlashblock
		if impossible = len(m.pending) == 0; !impossible {
			for range f.Count {
				m.tellFlashblock(&r.want)
			}
		}
	case 4:
		f.Kind, f.Retract = control.StallFlashblocks, retract
		m.drop(len(m.pending), f, &r.want)
		m.stalled += f.Count
	case 5:
		f.Kind = control.LateBlock
		m.lateBlocks += f.Count
	}
	_, err := r.timeline.FlashblockFault(f)
	if impossible {
		require.ErrorIs(r, err, preconf.ErrNoFlashblock)
		return
	}
	require.NoError(r, err)
}

func (r *modelRun) revert() {
	if len(r.snapshots) == 0 {
		return
	}
	id := slices.Sorted(maps.Keys(r.snapshots))[r.choose(len(r.snapshots))]
	switch r.choose(3) {
	case 0:
		require.NoError(r, r.timeline.Revert(id))
		r.model = r.snapshots[id].copy()
	case 1:
		require.NoError(r, r.timeline.RevertAnnounced(id))
		r.model = r.model.revertTold(r.snapshots[id], &r.want)
	case 2:
		require.NoError(r, r.timeline.RevertOnce(id))
		r.model = r.model.revertSilently(r.snapshots[id])
		maps.DeleteFunc(r.snapshots, func(other uint64, _ *model) bool { return other >= id })
	}
}

func (r *modelRun) readFilters() {
	changes, err := r.timeline.Filters().Changes(r.logFilter, preconf.Lag{})
	require.NoError(r, err)
	require.Equal(r, textsOf(r.model.filterLogs), names(changes.Logs))
	changes, err = r.timeline.Filters().Changes(r.pendFilter, preconf.Lag{})
	require.NoError(r, err)
	if r.model.flashblocks {
		require.Equal(r, textsOf(r.model.filterPending), names(changes.Logs))
	} else { // pending is latest
		require.Equal(r, textsOf(r.model.filterLogs), names(changes.Logs))
	}
	changes, err = r.timeline.Filters().Changes(r.blockFilter, preconf.Lag{})
	require.NoError(r, err)
	require.Len(r, changes.Hashes, len(r.model.filterHeads))
	r.model.filterLogs, r.model.filterPending, r.model.filterHeads = nil, nil, nil
}

func (r *modelRun) dropPooled() {
	if len(r.model.pool) == 0 {
		require.False(r, r.timeline.DropTransaction(common.Hash{1}))
		return
	}
	i := r.choose(len(r.model.pool))
	hash := r.model.pool[i].tx.Hash()
	require.True(r, r.timeline.DropTransaction(hash))
	require.ErrorIs(r, find(r, r.timeline.Moment(), hash).Reason, pool.ErrCleared)
	r.model.pool = slices.Delete(r.model.pool, i, i+1)
}

// TestModel does random things and compares with the model after each.
func TestModel(t *testing.T) {
	t.Parallel()
	const steps = 1000
	for seed := range laboratory.Budget(t, uint64(2), 10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 0))
			r := newModelRun(t, random.IntN)
			for range steps {
				r.step()
			}
		})
	}
}

// FuzzModel is TestModel with choices from the fuzzer. Run it with -fuzzminimizetime 1x: almost every input is new to
// it.
func FuzzModel(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 4 {
		seed := make([]byte, 120)
		for i := range seed {
			seed[i] = byte(random.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		r := newModelRun(t, func(n int) int {
			if len(choices) == 0 || n <= 1 {
				return 0
			}
			c := int(choices[0]) % n
			choices = choices[1:]
			return c
		})
		for len(choices) > 0 {
			r.step()
		}
	})
}
