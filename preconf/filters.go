package preconf

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/benbjohnson/immutable"
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

// FilterChanges returns the changes that a filter collected since it was last read, oldest first. It does not wait for
// writers. Error: *UnknownFilterError.
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

// filters is where all filters live. A writer notes each event once, however many filters there are, and only while
// there is one; what a filter is for is looked up when it is read. Going back to an earlier Moment does not touch them:
// Revert alone puts them back, as a whole.
type filters struct {
	limit   int              // how many may be installed
	timeout time.Duration    // by the wall clock, after which one that nobody read is removed; 0: never
	wall    func() time.Time // the wall clock
	mutex   sync.Mutex       // held while the present Moment is replaced, so that a filter misses nothing
	set     filterSet        // as it is now
	trimAt  int              // length of the list of changes at which it is trimmed
}

// filterSet is the installed filters with what they have not read, as one value: keeping a copy is a snapshot.
type filterSet struct {
	byID    *immutable.SortedMap[uint64, *filter]
	last    uint64 // id given out; 0: none
	changes changeList
	noted   uint64 // id of the newest event noted; it never goes back
	whole   int    // how many filters are for whole transactions
}

const (
	// maxUnread is how many changes may happen before a filter is read: with more it is removed.
	maxUnread = 1 << 20
	// minTrim is the shortest list of changes that is trimmed.
	minTrim = 1 << 10
)

func newFilters(cfg *Config, set filterSet) *filters {
	f := &filters{limit: cfg.MaxFilters, wall: time.Now, set: set, trimAt: minTrim}
	if cfg.Real {
		f.timeout = max(cfg.FilterTimeout, 0)
	}
	return f
}

var noFilters = filterSet{byID: immutable.NewSortedMap[uint64, *filter](idOrder{})}

// add installs f, which collects from now on. Error: *FilterLimitError.
func (f *filters) add(added filter) (uint64, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.set.byID.Len() >= f.limit {
		f.trim()
	}
	if f.set.byID.Len() >= f.limit {
		return 0, &FilterLimitError{Limit: f.limit}
	}
	added.next, added.read = f.set.changes.end(), f.now()
	f.set.last++
	f.set.byID = f.set.byID.Set(f.set.last, &added)
	if added.full {
		f.set.whole++
	}
	return f.set.last, nil
}

// remove uninstalls a filter and reports whether it was there.
func (f *filters) remove(id uint64) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	_, err := f.find(id)
	f.delete(id)
	return err == nil
}

// get returns the filter and counts as reading it. Error: *UnknownFilterError.
func (f *filters) get(id uint64) (*filter, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	got, err := f.find(id)
	if err == nil {
		f.renew(id, got, got.next)
	}
	return got, err
}

// take returns the filter with the changes it has not read, and moves it behind them. Error: *UnknownFilterError.
func (f *filters) take(id uint64) (*filter, []filterEvent, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	got, err := f.find(id)
	if err != nil {
		return nil, nil, err
	}
	unread := f.set.changes.from(got.next)
	f.renew(id, got, f.set.changes.end())
	return got, unread, nil
}

// find returns the filter, unless nobody read it for too long: then it is removed. Error: *UnknownFilterError.
func (f *filters) find(id uint64) (*filter, error) {
	found, ok := f.set.byID.Get(id)
	if ok && f.forgotten(found) {
		f.delete(id)
		ok = false
	}
	if !ok {
		return nil, &UnknownFilterError{ID: id}
	}
	return found, nil
}

// renew puts the filter at a position, read just now.
func (f *filters) renew(id uint64, old *filter, next uint64) {
	renewed := *old
	renewed.next, renewed.read = next, f.now()
	f.set.byID = f.set.byID.Set(id, &renewed)
}

func (f *filters) delete(id uint64) {
	if gone, ok := f.set.byID.Get(id); ok && gone.full {
		f.set.whole--
	}
	f.set.byID = f.set.byID.Delete(id)
	if f.set.byID.Len() == 0 {
		f.set.changes = changeList{first: f.set.changes.end()}
	}
}

// now returns the time by the wall clock, where filters expire by it.
func (f *filters) now() time.Time {
	if f.timeout == 0 {
		return time.Time{}
	}
	return f.wall()
}

// forgotten reports whether nobody read the filter for too long, in time or in changes.
func (f *filters) forgotten(x *filter) bool {
	return f.timeout > 0 && f.wall().Sub(x.read) > f.timeout || f.set.changes.since(x.next) > maxUnread
}

// note adds events to what filters may collect. The caller holds the mutex.
func (f *filters) note(events []*Event) {
	if f.set.byID.Len() == 0 {
		return
	}
	for _, e := range events {
		if e.Kind != FlashblockDisturbed { // filters do not report it
			f.set.noted++
			f.set.changes.add(e, f.set.noted, f.set.whole > 0)
		}
	}
	if len(f.set.changes.events) >= f.trimAt {
		f.trim()
	}
}

// trim removes the filters that nobody reads and forgets the changes that all others have read. It is called when the
// list of changes has doubled, so its cost for each change is constant.
func (f *filters) trim() {
	oldest := f.set.changes.end()
	for it := f.set.byID.Iterator(); !it.Done(); {
		id, x, _ := it.Next()
		if f.forgotten(x) {
			f.delete(id)
			continue
		}
		oldest = min(oldest, x.next)
	}
	f.set.changes.forget(oldest)
	f.trimAt = max(minTrim, 2*len(f.set.changes.events), f.set.byID.Len())
}

// saved returns the filters as they are now.
func (f *filters) saved() filterSet {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.set.clipped()
}

// restore puts back what saved returned; the time without a reader begins anew. The caller holds the mutex.
func (f *filters) restore(set filterSet) {
	noted := f.set.noted
	f.set = set.clipped()
	f.set.noted = noted
	if f.timeout == 0 {
		return
	}
	for it := set.byID.Iterator(); !it.Done(); {
		id, x, _ := it.Next()
		f.renew(id, x, x.next)
	}
}

// forget takes back the events noted since the set was saved: filters that have not read them never do. The zero set
// was saved at the beginning.
func (f *filters) forget(since filterSet) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.set.changes.takeBack(since.noted)
	for it := f.set.byID.Iterator(); !it.Done(); {
		if id, x, _ := it.Next(); x.next > f.set.changes.end() {
			moved := *x
			moved.next = f.set.changes.end()
			f.set.byID = f.set.byID.Set(id, &moved)
		}
	}
}

// clipped returns a copy of the set that shares no memory that either changes.
func (s filterSet) clipped() filterSet {
	s.changes.events = slices.Clip(s.changes.events)
	return s
}

// changeList holds the changes that filters may collect, oldest first. Positions in it count from the first change ever
// noted.
type changeList struct {
	first  uint64 // position of events[0]
	events []filterEvent
	count  uint64 // changes noted so far: a log, a head or a transaction each
}

// filterEvent holds the parts of an Event that filters need. It leaves out the View, which would keep old States in
// memory.
type filterEvent struct {
	kind        EventKind
	logs        []*types.Log
	hash        common.Hash        // of a new head, or of a transaction
	transaction *types.Transaction // nil if no filter asked for whole ones when it was noted
	sender      common.Address
	id          uint64 // ascending in the list
	before      uint64 // changes noted before it
}

// add notes the changes in e that filters may collect; whole reports whether one of them is for whole transactions.
func (l *changeList) add(e *Event, id uint64, whole bool) {
	noted := filterEvent{kind: e.Kind, id: id, before: l.count}
	switch e.Kind {
	case HeadAdded:
		noted.hash = e.View.Hash()
	case TransactionPooled:
		noted.hash = e.Transaction.Hash()
		if whole {
			noted.transaction, noted.sender = e.Transaction, e.Sender
		}
	case FlashblockAdded:
		noted.logs = e.Flashblock.Logs
	default:
		noted.logs = e.Logs
	}
	if e.Kind == FlashblockAdded && len(noted.logs) == 0 {
		return
	}
	l.count += uint64(max(len(noted.logs), 1))
	l.events = append(l.events, noted)
}

// end returns the position of the next change.
func (l *changeList) end() uint64 { return l.first + uint64(len(l.events)) }

// from returns the events from a position on; they are not changed any more.
func (l *changeList) from(position uint64) []filterEvent { return l.events[position-l.first:] }

// since returns how many changes were noted from a position on.
func (l *changeList) since(position uint64) uint64 {
	if position == l.end() {
		return 0
	}
	return l.count - l.events[position-l.first].before
}

// takeBack drops the events whose ids are above last. Those who read the list keep what they have.
func (l *changeList) takeBack(last uint64) {
	for n := len(l.events); n > 0 && l.events[n-1].id > last; n-- {
		l.count = l.events[n-1].before
		l.events = l.events[: n-1 : n-1]
	}
}

// forget drops the events before a position. Those who read the list keep what they have.
func (l *changeList) forget(position uint64) {
	l.events = append([]filterEvent(nil), l.from(position)...)
	l.first = position
}
