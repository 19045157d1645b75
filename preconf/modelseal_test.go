package preconf_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/fakenode/fakenode/preconf/control"
)

func (m *model) seal(told *told) {
	parent := m.blocks[len(m.blocks)-1]
	if m.late != nil {
		parent = m.late
	}
	slot := max(parent.time+m.blockTime, m.clock)
	taken, left := m.fill(m.pool, m.sealed(), m.preconfirmed())
	m.pool = left
	shown := m.pending
	if len(taken) > 0 && m.stalled > 0 {
		m.stalled--
		shown = append(slices.Clone(shown), modelFlashblock{txs: taken})
	} else if len(taken) > 0 {
		m.announce(taken, told)
		shown = m.pending
	}
	shown = m.omit(shown, told)
	b := m.block(parent, slot, transactionsOf(shown))
	m.clock = max(m.clock, slot)
	m.pending = nil
	if m.late != nil {
		late := m.late
		m.late = nil
		m.addHead(late, told)
	}
	if m.lateBlocks > 0 {
		m.lateBlocks--
		m.late, m.lateShown = b, shown
		return
	}
	m.addHead(b, told)
}

// omit is a block of these flashblocks without what armed omissions leave out.
func (m *model) omit(flashblocks []modelFlashblock, told *told) []modelFlashblock {
	all := transactionsOf(flashblocks)
	kept := all
	var back []*modelTx
	var armed []control.FlashblockFault
	for _, f := range m.omissions {
		left, rest := omitted(f, kept)
		if rest != nil {
			armed = append(armed, *rest)
		}
		remain := slices.DeleteFunc(slices.Clone(kept), func(tx *modelTx) bool { return slices.Contains(left, tx) })
		executed, dependent := replay(remain, m.sealed())
		if !f.Gone {
			back = append(back, left...)
		}
		back = append(back, dependent...)
		if f.Retract {
			m.retract(append(left, dependent...), told)
		}
		kept = executed
	}
	m.omissions = armed
	var requeued []*modelTx
	for _, tx := range all {
		if slices.Contains(back, tx) {
			requeued = append(requeued, tx)
		}
	}
	m.pool = append(requeued, m.pool...)
	flashblocks = slices.Clone(flashblocks)
	for i, f := range flashblocks {
		flashblocks[i].txs = slices.DeleteFunc(slices.Clone(f.txs), func(tx *modelTx) bool { return !slices.Contains(kept, tx) })
	}
	return flashblocks
}

// omitted returns the transactions that f leaves out of txs, and the part of f that stays armed.
func omitted(f control.FlashblockFault, txs []*modelTx) (left []*modelTx, rest *control.FlashblockFault) {
	if f.Hashes == nil {
		if len(txs) == 0 {
			return nil, &f
		}
		return slices.Clone(txs[max(0, len(txs)-f.Count):]), nil
	}
	hashes := f.Hashes
	f.Hashes = nil
	for _, h := range hashes {
		if i := slices.IndexFunc(txs, func(tx *modelTx) bool { return tx.tx.Hash() == h }); i >= 0 {
			left = append(left, txs[i])
		} else {
			f.Hashes = append(f.Hashes, h)
		}
	}
	if f.Hashes != nil {
		rest = &f
	}
	return left, rest
}

func (m *model) block(parent *modelBlock, time time.Duration, txs []*modelTx) *modelBlock {
	key := sha256.New()
	fmt.Fprint(key, parent.key, time, m.reorgs)
	for _, tx := range txs {
		key.Write(tx.tx.Hash().Bytes())
	}
	return &modelBlock{key: string(key.Sum(nil)), time: time, txs: slices.Clone(txs)}
}
