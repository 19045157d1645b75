package preconf

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// FilterKind describes what a filter collects.
type FilterKind int

const (
	// FilterOfLogs collects logs, and removed logs of a reorg.
	FilterOfLogs FilterKind = iota
	// FilterOfBlocks collects the hashes of new heads.
	FilterOfBlocks
	// FilterOfTransactions collects the transactions that enter the pool.
	FilterOfTransactions
)

// UnknownFilterError is returned when no filter has this id, and when it is not a filter of logs where one is needed. A
// filter that was removed because nobody read it is unknown, too.
type UnknownFilterError struct{ ID uint64 }

func (e *UnknownFilterError) Error() string { return fmt.Sprintf("filter not found: %#x", e.ID) }

// FilterLimitError is returned when as many filters are installed as Config.MaxFilters allows.
type FilterLimitError struct{ Limit int }

func (e *FilterLimitError) Error() string {
	return fmt.Sprintf("cannot install another filter: the limit is %d filters, uninstall those that are not needed", e.Limit)
}

// FilterChanges holds the items that a filter collected since it was last read.
type FilterChanges struct {
	Kind         FilterKind
	Logs         []*types.Log  // FilterOfLogs
	Hashes       []common.Hash // FilterOfBlocks, and FilterOfTransactions unless Full: in the order they entered the pool
	Transactions []Found       // FilterOfTransactions that is Full, in the same order
	// Full reports that the FilterOfTransactions was installed for whole transactions.
	Full bool
}

// filter is an installed filter. It collects nothing itself: next is its position in the list of changes. It is
// immutable: reading it replaces it.
type filter struct {
	kind     FilterKind
	logs     chain.LogFilter
	from, to Bound
	full     bool // a FilterOfTransactions is for whole ones

	next uint64    // position of the first change that was not read
	read time.Time // by the wall clock; of a new filter its installation
}

// NewLogFilter installs a filter of logs between two bounds, as they appear from now on, and returns its id. Sealed
// logs are collected unless from is pending, where their block is not outside the bounds' numbers; pre-confirmed ones
// where either bound is pending, not below a from given by number. A range that now ends before it begins is rejected
// with a *RangeError; a range of blocks to come is not. Errors: *RangeError, *FilterLimitError.
func (t *Timeline) NewLogFilter(f chain.LogFilter, from, to Bound) (uint64, error) {
	var span *RangeError
	if _, err := t.Moment().LogRange(from, to); errors.As(err, &span) && span.From > span.To {
		return 0, err
	}
	if t.Moment().NoFlashblocks() != nil {
		from, to = from.sealed(), to.sealed()
	}
	return t.filters.add(filter{kind: FilterOfLogs, logs: f, from: from, to: to})
}

// NewBlockFilter installs a filter of new heads and returns its id. Error: *FilterLimitError.
func (t *Timeline) NewBlockFilter() (uint64, error) {
	return t.filters.add(filter{kind: FilterOfBlocks})
}

// NewPendingTransactionFilter installs a filter of transactions entering the pool and returns its id. full asks for
// whole transactions rather than their hashes. Error: *FilterLimitError.
func (t *Timeline) NewPendingTransactionFilter(full bool) (uint64, error) {
	return t.filters.add(filter{kind: FilterOfTransactions, full: full})
}

// UninstallFilter removes a filter and reports whether it was there.
func (t *Timeline) UninstallFilter(id uint64) bool { return t.filters.remove(id) }

// FilterChanges returns what a filter collected since it was last read, oldest first. It does not wait for writers.
// Error: *UnknownFilterError.
func (t *Timeline) FilterChanges(id uint64) (FilterChanges, error) {
	f, unread, err := t.filters.take(id)
	if err != nil {
		return FilterChanges{}, err
	}
	changes := FilterChanges{Kind: f.kind, Full: f.full}
	for i := range unread {
		f.collect(&unread[i], &changes)
	}
	return changes, nil
}

// FilterRange returns which logs of which blocks a filter of logs is for; the range is one of the present Moment.
// Errors: *UnknownFilterError, *RangeError.
func (t *Timeline) FilterRange(id uint64) (chain.LogFilter, LogRange, error) {
	f, err := t.filters.get(id)
	if err != nil {
		return chain.LogFilter{}, LogRange{}, err
	}
	if f.kind != FilterOfLogs {
		return chain.LogFilter{}, LogRange{}, &UnknownFilterError{ID: id}
	}
	span, err := t.Moment().LogRange(f.from, f.to)
	return f.logs, span, err
}

// collect adds to changes what f collects from e.
func (f *filter) collect(e *filterEvent, changes *FilterChanges) {
	switch {
	case f.kind == FilterOfBlocks && e.kind == HeadAdded:
		changes.Hashes = append(changes.Hashes, e.hash)
	case f.kind == FilterOfTransactions && e.kind == TransactionPooled && !f.full:
		changes.Hashes = append(changes.Hashes, e.hash)
	case f.kind == FilterOfTransactions && e.kind == TransactionPooled:
		changes.Transactions = append(changes.Transactions, Found{Where: Pooled, Transaction: e.transaction, Sender: e.sender})
	case f.kind == FilterOfLogs:
		covers := f.coversSealed
		if e.kind == FlashblockAdded || e.kind == LogsRetracted {
			covers = f.coversPending
		}
		for _, l := range e.logs {
			if covers(l.BlockNumber) && f.logs.Matches(l) {
				changes.Logs = append(changes.Logs, l)
			}
		}
	}
}

// coversSealed reports whether f is for the logs of sealed block n.
func (f *filter) coversSealed(n uint64) bool {
	return f.from.Tag != Pending && !f.from.after(n) && !(f.to.Tag == Number && f.to.Number < n)
}

// coversPending reports whether f is for the logs of pre-confirmed block n.
func (f *filter) coversPending(n uint64) bool {
	return (f.from.Tag == Pending || f.to.Tag == Pending) && !f.from.after(n)
}
