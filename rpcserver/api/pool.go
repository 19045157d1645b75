package api

import (
	"cmp"
	"slices"

	"github.com/fakenode/fakenode/preconf"
)

// PoolHalves returns the executable transactions, and the transactions that wait for an earlier nonce, both by sender
// and nonce.
func PoolHalves(m *preconf.Moment) (pending, queued []preconf.PoolTransaction) {
	all := m.Pool()
	slices.SortFunc(all, func(a, b preconf.PoolTransaction) int {
		return cmp.Or(a.Sender.Cmp(b.Sender), cmp.Compare(a.Transaction.Nonce(), b.Transaction.Nonce()))
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
