package preconf_test

import (
	"slices"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

func (m *model) drop(count int, f control.FlashblockFault, told *told) {
	var taken []*modelTx
	for _, f := range m.pending[len(m.pending)-count:] {
		taken = append(taken, f.txs...)
	}
	if f.Retract {
		m.retract(taken, told)
	}
	m.pending = m.pending[:len(m.pending)-count]
	if !f.Gone {
		m.pool = append(taken, m.pool...)
	}
}

func (m *model) reorg(o preconf.ReorgOptions, told *told) {
	if m.late != nil {
		m.pool = slices.Concat(m.late.txs, m.preconfirmed(), m.pool)
		m.late, m.pending = nil, nil
	}
	length := o.Depth + 1
	if o.Length != nil {
		length = *o.Length
	}
	removed := m.blocks[len(m.blocks)-o.Depth:]
	m.final = min(m.finalized(), m.head()-uint64(o.Depth))
	m.blocks = slices.Clone(m.blocks[:len(m.blocks)-o.Depth])
	m.reorgs++
	var again []*modelTx
	for _, b := range removed {
		again = append(again, b.txs...)
	}
	again = slices.DeleteFunc(again, func(tx *modelTx) bool {
		return o.Transactions == preconf.Drop || slices.Contains(o.Drop, tx.tx.Hash())
	})
	if o.Transactions == preconf.Reverse {
		slices.Reverse(again)
	}
	var added []*modelBlock
	for i := range length {
		parent := m.blocks[len(m.blocks)-1]
		time := parent.time + m.blockTime
		if i < len(removed) {
			time = removed[i].time
		}
		var taken []*modelTx
		taken, again = m.fill(again, m.sealed(), nil)
		b := m.block(parent, time, taken)
		m.blocks = append(m.blocks, b)
		added = append(added, b)
		m.clock = max(m.clock, time)
	}
	for i, f := range m.pending {
		done := m.sealed()
		for _, before := range m.pending[:i] {
			done = append(done, before.txs...)
		}
		executed, back := replay(f.txs, done)
		m.pending[i].txs = executed
		again = append(again, back...)
	}
	m.pool = append(again, m.pool...)
	m.tellRemoved(removed, o.RemovedOrder == preconf.NewestFirst, told)
	for i, b := range added {
		m.tellHead(b, m.head()+1-uint64(len(added)-i), told)
	}
	if len(added) == 0 {
		m.tellHeadAgain(told)
	}
}

// keepFilters makes m the model to, but for the filters.
func (m *model) keepFilters(to *model) *model {
	now := to.copy()
	now.filterLogs, now.filterPending, now.filterHeads = m.filterLogs, m.filterPending, m.filterHeads
	return now
}

// revertSilently makes m the model to, but for the filters: they have only lost what is newer.
func (m *model) revertSilently(to *model) *model {
	now := m.keepFilters(to)
	for _, filter := range []*[]modelItem{&now.filterLogs, &now.filterPending, &now.filterHeads} {
		*filter = slices.DeleteFunc(slices.Clone(*filter), func(item modelItem) bool { return item.id > to.newest })
	}
	return now
}

// revertTold makes m the model to, telling of it as of a reorg.
func (m *model) revertTold(to *model, told *told) *model {
	now := m.keepFilters(to)
	same := 0
	for same < min(len(m.blocks), len(now.blocks)) && m.blocks[same].key == now.blocks[same].key {
		same++
	}
	now.tellRemoved(m.blocks[same:], false, told)
	for i, b := range now.blocks[same:] {
		now.tellHead(b, uint64(same+i), told)
	}
	if same == len(now.blocks) && same < len(m.blocks) {
		now.tellHeadAgain(told)
	}
	return now
}
