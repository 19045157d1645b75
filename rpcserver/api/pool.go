package api

import (
	"cmp"
	"slices"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
)

// PoolHalves returns the executable transactions, and the transactions that wait for an earlier nonce, both by sender
// and nonce.
func PoolHalves(m *preconf.Moment) (pending, queued []pool.Listed) {
	all := m.Pool()
	slices.SortFunc(all, func(a, b pool.Listed) int {
		return cmp.Or(a.From.Cmp(b.From), cmp.Compare(a.Tx.Nonce(), b.Tx.Nonce()))
	})
	for _, tx := range all {
		if tx.Queued {
			queued = append(queued, tx)
		} else {
			pending = append(pending, tx)
		}
	}
	return pending, queued
}
