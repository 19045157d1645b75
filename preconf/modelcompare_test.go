package preconf_test

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
)

func hashesOf(txs []*modelTx) []common.Hash {
	hashes := []common.Hash{}
	for _, tx := range txs {
		hashes = append(hashes, tx.tx.Hash())
	}
	return hashes
}

func viewHashes(v *preconf.View) []common.Hash {
	hashes := []common.Hash{}
	for _, tx := range v.Transactions() {
		hashes = append(hashes, tx.Hash())
	}
	return hashes
}

// compare asks the timeline all that the model knows.
func (r *modelRun) compare() {
	m, now := r.model, r.timeline.Moment()
	require.Equal(r, m.head(), now.Latest().Number())
	require.EqualValues(r, m.clock, now.Now().UnixNano())
	for n := m.head(); n+4 > m.head() && n > 0; n-- {
		v, err := now.ByNumber(n)
		require.NoError(r, err)
		require.Equal(r, hashesOf(m.blocks[n].txs), viewHashes(v)[m.deposits:])
		require.EqualValues(r, m.blocks[n].time, now.Chain().Time(v.Block()).UnixNano())
	}
	r.comparePending(now)
	r.compareAccounts(now)
	r.compareLogs(now)
	r.compareTransactions(now)
	r.compareFeed()
}

// shown are the blocks that pending shows: the late one, and the one being built.
func (m *model) shown() (blocks [][]modelFlashblock) {
	if m.late != nil {
		blocks = append(blocks, m.lateShown)
	}
	if len(m.pending) > 0 {
		blocks = append(blocks, m.pending)
	}
	return blocks
}

func (r *modelRun) comparePending(now *preconf.Moment) {
	m := r.model
	views, shown := now.PendingBlocks(), m.shown()
	require.Len(r, views, len(shown))
	for i, flashblocks := range shown {
		var txs []*modelTx
		logs := []string(nil)
		for _, f := range flashblocks {
			txs, logs = append(txs, f.txs...), append(logs, f.logs()...)
		}
		require.Equal(r, hashesOf(txs), viewHashes(views[i]))
		require.Equal(r, logs, names(views[i].Logs()))
		require.Equal(r, len(flashblocks)-1, views[i].FlashblockIndex())
		require.Equal(r, gasOf(txs), views[i].GasUsed())
		require.Zero(r, views[i].Hash())
	}
	if m.flashblocks {
		require.True(r, now.Pending().Pending())
		require.Equal(r, m.head()+uint64(max(len(shown), 1)), now.Pending().Number())
		if len(shown) < 2 {
			require.Equal(r, now.Latest().Hash(), now.Pending().Header().ParentHash)
		}
	} else {
		require.Equal(r, now.Latest().Hash(), now.Pending().Hash())
	}
	var pooled []common.Hash
	for _, p := range now.Pool() {
		pooled = append(pooled, p.Tx.Hash())
	}
	require.ElementsMatch(r, hashesOf(m.pool), pooled)
}

func (r *modelRun) compareAccounts(now *preconf.Moment) {
	m := r.model
	var canonical []*modelTx
	for _, b := range m.blocks {
		canonical = append(canonical, b.txs...)
	}
	newest := append(m.sealed(), m.preconfirmed()...)
	require.Equal(r, paid(canonical), balance(r, now.Latest(), sink))
	require.Equal(r, paid(newest), balance(r, now.Pending(), sink))
	for i := range 3 {
		state, err := now.Latest().State()
		require.NoError(r, err)
		require.Equal(r, nonceOf(i, canonical), state.Nonce(accounts[i].address))
		require.Equal(r, nonceOf(i, newest), nonce(r, now.Pending(), accounts[i].address))
		next := nonceOf(i, newest)
		for slices.ContainsFunc(m.pool, func(tx *modelTx) bool { return tx.sender == i && tx.nonce() == next }) {
			next++
		}
		require.Equal(r, next, now.PoolNonce(accounts[i].address))
	}
}

func (r *modelRun) compareLogs(now *preconf.Moment) {
	m := r.model
	logsFrom := func(first, last uint64) (logs []string) {
		for n := first; n <= last && n <= m.head(); n++ {
			logs = append(logs, m.blocks[n].logs()...)
		}
		return logs
	}
	var preconfirmed []string
	for _, flashblocks := range m.shown() {
		for _, f := range flashblocks {
			preconfirmed = append(preconfirmed, f.logs()...)
		}
	}
	head := m.head()
	first := uint64(r.choose(int(head) + 1))
	last := first + uint64(r.choose(int(head-first)+1))
	require.Equal(r, logsFrom(0, head), logsIn(r, now, earliest, latest))
	require.Equal(r, logsFrom(first, last), logsIn(r, now, filter.At(first), filter.At(last)))
	require.Equal(r, logsFrom(head, head), logsIn(r, now, unset, unset))
	require.Equal(r, append(logsFrom(first, head), preconfirmed...), logsIn(r, now, filter.At(first), pending))
	if !m.flashblocks { // pending is latest
		require.Equal(r, logsFrom(head, head), logsIn(r, now, pending, pending))
		return
	}
	require.Equal(r, preconfirmed, logsIn(r, now, pending, pending))
	require.Equal(r, preconfirmed, logsIn(r, now, pending, unset))
	require.Equal(r, append(logsFrom(head, head), preconfirmed...), logsIn(r, now, unset, pending))
	require.Equal(r, logsFrom(0, m.finalized()), logsIn(r, now, earliest, finalized))
}

// compareTransactions looks up the newest transactions and a few others.
func (r *modelRun) compareTransactions(now *preconf.Moment) {
	for i := range min(len(r.all), 8) {
		tx := r.all[len(r.all)-1-i]
		if i >= 4 {
			tx = r.all[r.choose(len(r.all))]
		}
		found, err := now.Find(tx.tx.Hash())
		require.NoError(r, err)
		where := "nowhere"
		switch {
		case found.Where == preconf.Pooled:
			where = "pool"
		case found.Executed():
			where = fmt.Sprintf("block %d, index %d, pending %t", found.View.Number(), found.Index, found.View.Pending())
			require.Equal(r, tx.tx.Hash(), found.Receipt.TxHash)
			require.Equal(r, found.View.Hash(), found.Receipt.BlockHash)
			require.EqualValues(r, 1, found.Receipt.Status)
		}
		require.Equal(r, r.model.find(tx), where)
	}
}

// indexOf finds by hash: a transaction that was lost may have been sent again.
func indexOf(txs []*modelTx, tx *modelTx) int {
	return slices.IndexFunc(txs, func(other *modelTx) bool { return other.tx.Hash() == tx.tx.Hash() })
}

func (m *model) find(tx *modelTx) string {
	for n, b := range m.blocks {
		if i := indexOf(b.txs, tx); i >= 0 {
			return fmt.Sprintf("block %d, index %d, pending false", n, m.deposits+i)
		}
	}
	number := m.head() + 1
	for k, flashblocks := range m.shown() {
		index := 0
		for _, f := range flashblocks {
			if i := indexOf(f.txs, tx); i >= 0 {
				return fmt.Sprintf("block %d, index %d, pending true", number+uint64(k), index+i)
			}
			index += len(f.txs)
		}
	}
	if indexOf(m.pool, tx) >= 0 {
		return "pool"
	}
	return "nowhere"
}

// compareFeed reads what readers were told and compares it with what they should have been.
func (r *modelRun) compareFeed() {
	for {
		e, err := r.feed.Poll()
		require.NoError(r, err)
		if e == nil {
			break
		}
		switch e.Kind {
		case preconf.FlashblockAdded:
			f := e.Flashblock
			r.got.flashblocks = append(r.got.flashblocks, fmt.Sprintf("%d.%d: %d of %d", f.Number, f.Index, len(f.Transactions), len(e.View.Transactions())))
			r.got.pendingLogs = append(r.got.pendingLogs, names(f.Logs)...)
		case preconf.LogsRetracted:
			r.got.pendingLogs = append(r.got.pendingLogs, names(e.Logs)...)
		case preconf.HeadAdded:
			r.got.heads = append(r.got.heads, e.View.Number())
		case preconf.LogsAdded, preconf.LogsRemoved:
			r.got.logs = append(r.got.logs, names(e.Logs)...)
		}
	}
	require.Equal(r, r.want, r.got)
	r.want, r.got = told{}, told{}
}
