package preconf

import (
	"errors"
	"fmt"
	"slices"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// FilterKind says what a filter collects.
type FilterKind int

const (
	// LogFilter collects logs, and removed logs of a reorg.
	LogFilter FilterKind = iota
	// BlockFilter collects the hashes of new heads.
	BlockFilter
	// TransactionFilter collects the transactions that enter the pool.
	TransactionFilter
)

// maxUnread is how many changes a filter collects for nobody: past it the
// filter is uninstalled.
const maxUnread = 1 << 20

// UnknownFilterError: no filter has this id, or it is not a log filter where
// one is needed.
type UnknownFilterError struct{ ID uint64 }

func (e *UnknownFilterError) Error() string { return fmt.Sprintf("filter not found: %#x", e.ID) }

// FilterChanges is what a filter collected since it was last asked.
type FilterChanges struct {
	Kind         FilterKind
	Logs         []*types.Log  // LogFilter
	Hashes       []common.Hash // BlockFilter
	Transactions []TxLookup    // TransactionFilter: as they entered the pool
	// Full: the TransactionFilter was installed for whole transactions.
	Full bool
}

// filter is an installed filter. Immutable.
type filter struct {
	kind     FilterKind
	logs     chain.LogFilter
	from, to Bound
	full     bool    // of a TransactionFilter
	unread   *unread // newest first
	count    int
}

// unread is a list of what was not fetched yet.
type unread struct {
	logs   []*types.Log
	hash   common.Hash
	pooled TxLookup
	older  *unread
}

// NewLogFilter installs a filter of logs between two bounds, as they appear
// from now on, and returns its id. Sealed logs are collected unless from is
// pending, where their block is not outside the bounds' numbers; pre-confirmed
// ones where either bound is pending, not below a from given by number. A range
// that ends now before it begins is refused, with a *RangeError; one of blocks
// to come is not.
func (t *Timeline) NewLogFilter(f chain.LogFilter, from, to Bound) (uint64, error) {
	var span *RangeError
	if _, err := t.Moment().LogRange(from, to); errors.As(err, &span) && span.From > span.To {
		return 0, err
	}
	if t.cfg.NoPreconf {
		from, to = from.sealed(), to.sealed()
	}
	return t.install(&filter{kind: LogFilter, logs: f, from: from, to: to}), nil
}

// NewBlockFilter installs a filter of new heads and returns its id.
func (t *Timeline) NewBlockFilter() uint64 { return t.install(&filter{kind: BlockFilter}) }

// NewPendingTransactionFilter installs a filter of transactions entering the
// pool and returns its id. full is kept for whoever shows the changes: whole
// transactions rather than their hashes.
func (t *Timeline) NewPendingTransactionFilter(full bool) uint64 {
	return t.install(&filter{kind: TransactionFilter, full: full})
}

func (t *Timeline) install(f *filter) (id uint64) {
	t.set(func(c *change) {
		c.lastFilter++
		id = c.lastFilter
		c.filters = c.filters.Set(id, f)
	})
	return id
}

// UninstallFilter removes a filter and says whether it was there.
func (t *Timeline) UninstallFilter(id uint64) (found bool) {
	t.set(func(c *change) {
		_, found = c.filters.Get(id)
		c.filters = c.filters.Delete(id)
	})
	return found
}

// FilterChanges returns what a filter collected since it was last asked, oldest
// first. Error: *UnknownFilterError.
func (t *Timeline) FilterChanges(id uint64) (FilterChanges, error) {
	var changes FilterChanges
	err := t.change(func(c *change) error {
		f, ok := c.filters.Get(id)
		if !ok {
			return &UnknownFilterError{ID: id}
		}
		changes = f.changes()
		read := *f
		read.unread, read.count = nil, 0
		c.filters = c.filters.Set(id, &read)
		return nil
	})
	return changes, err
}

// FilterRange returns what a log filter is for: which logs of which blocks.
// Errors: *UnknownFilterError, *RangeError.
func (m *Moment) FilterRange(id uint64) (chain.LogFilter, LogRange, error) {
	f, ok := m.filters.Get(id)
	if !ok || f.kind != LogFilter {
		return chain.LogFilter{}, LogRange{}, &UnknownFilterError{ID: id}
	}
	span, err := m.LogRange(f.from, f.to)
	return f.logs, span, err
}

func (f *filter) changes() FilterChanges {
	changes := FilterChanges{Kind: f.kind, Full: f.full}
	var parts []*unread
	for u := f.unread; u != nil; u = u.older {
		parts = append(parts, u)
	}
	slices.Reverse(parts)
	for _, u := range parts {
		switch f.kind {
		case LogFilter:
			changes.Logs = append(changes.Logs, u.logs...)
		case BlockFilter:
			changes.Hashes = append(changes.Hashes, u.hash)
		case TransactionFilter:
			changes.Transactions = append(changes.Transactions, u.pooled)
		}
	}
	return changes
}

// noteAll lets every filter take what it collects from e.
func noteAll(filters *immutable.SortedMap[uint64, *filter], e *Event) *immutable.SortedMap[uint64, *filter] {
	if filters.Len() == 0 {
		return filters
	}
	for it := filters.Iterator(); !it.Done(); {
		id, f, _ := it.Next()
		u := f.note(e)
		if u == nil {
			continue
		}
		u.older = f.unread
		noted := *f
		noted.unread = u
		noted.count += max(len(u.logs), 1)
		if noted.count > maxUnread {
			filters = filters.Delete(id)
		} else {
			filters = filters.Set(id, &noted)
		}
	}
	return filters
}

// note is what f collects from e, nil for nothing.
func (f *filter) note(e *Event) *unread {
	switch {
	case f.kind == BlockFilter && e.Kind == HeadAdded:
		return &unread{hash: e.View.Hash()}
	case f.kind == TransactionFilter && e.Kind == TransactionPooled:
		return &unread{pooled: TxLookup{Transaction: e.Transaction, Sender: e.Sender}}
	case f.kind == LogFilter:
		if logs := f.match(e); len(logs) > 0 {
			return &unread{logs: logs}
		}
	}
	return nil
}

// match are the logs of e that f is for.
func (f *filter) match(e *Event) []*types.Log {
	logs, covers := e.Logs, f.coversSealed
	switch e.Kind {
	case FlashblockAdded:
		logs, covers = e.Flashblock.Logs, f.coversPending
	case LogsRetracted:
		covers = f.coversPending
	}
	var matching []*types.Log
	for _, l := range logs {
		if covers(l.BlockNumber) && f.logs.Matches(l) {
			matching = append(matching, l)
		}
	}
	return matching
}

// coversSealed: f is for the logs of sealed block n.
func (f *filter) coversSealed(n uint64) bool {
	return f.from.Tag != Pending && !f.from.after(n) && !(f.to.Tag == Number && f.to.Number < n)
}

// coversPending: f is for the logs of pre-confirmed block n.
func (f *filter) coversPending(n uint64) bool {
	return (f.from.Tag == Pending || f.to.Tag == Pending) && !f.from.after(n)
}
