package preconf

import (
	"slices"
	"sync"
	"time"

	"github.com/benbjohnson/immutable"
)

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
	whole   int // how many filters are for whole transactions
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
			f.set.changes.add(e, f.set.whole > 0)
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
	f.set = set.clipped()
	if f.timeout == 0 {
		return
	}
	for it := set.byID.Iterator(); !it.Done(); {
		id, x, _ := it.Next()
		f.renew(id, x, x.next)
	}
}

// clipped returns a copy of the set that shares no memory that either changes.
func (s filterSet) clipped() filterSet {
	s.changes.events = slices.Clip(s.changes.events)
	return s
}
