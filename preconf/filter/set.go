package filter

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/fakenode/fakenode/internal/persistent"
	"github.com/fakenode/fakenode/preconf/control"
)

const (
	// maxUnread is how many changes may happen before a filter is read: with more it is removed.
	maxUnread = 1 << 20
	// minTrim is the shortest list of events that is trimmed.
	minTrim = 1 << 10
)

// Set holds the filters that are installed, with what they have not read. It notes each event once, however many
// filters there are, and only while there is one; what a filter is for is looked up when it is read. It is not safe for
// concurrent use. A copy that goes on by itself is made by Copy.
type Set struct {
	limit   int              // how many may be installed
	timeout time.Duration    // by the wall clock, after which one that nobody read is removed; 0: never
	wall    func() time.Time // the wall clock

	byID   persistent.Map[uint64, *installed]
	last   uint64 // id given out; 0: none
	unread events
	noted  uint64 // id of the newest event noted; it never goes back
	whole  int    // how many filters are for whole transactions
	bytes  int    // of the addresses and topics of all filters
	trimAt int    // length of the list of events at which it is trimmed
}

// installed is a filter in a Set. It collects nothing itself. It is immutable: reading it replaces it.
type installed struct {
	Filter
	next uint64    // position of the first event that was not read
	read time.Time // by the wall clock; of a new filter its installation
}

// Limits bound a Set.
type Limits struct {
	// Count is how many filters may be installed at a time. Zero: 10,000.
	Count int
	// Timeout is how long, in wall time, a filter is kept that nobody reads. Zero: 5 minutes; negative: filters never
	// expire.
	Timeout time.Duration
}

// Check returns an error for a limit that cannot be.
func (l Limits) Check() error {
	if l.Count < 0 {
		return fmt.Errorf("limit of filters is %d, want 1 or more, or 0 for the default", l.Count)
	}
	return nil
}

// New returns a Set without filters, which expire only if expires.
func New(l Limits, expires bool) Set {
	s := Set{limit: cmp.Or(l.Count, 10_000), wall: time.Now, trimAt: minTrim}
	if expires {
		s.timeout = max(cmp.Or(l.Timeout, 5*time.Minute), 0)
	}
	return s
}

// Copy returns a Set that shares no memory that either changes.
func (s Set) Copy() Set {
	s.unread.list = slices.Clip(s.unread.list)
	return s
}

// Restore puts back a Set that was copied earlier. The time without a reader begins now.
func (s *Set) Restore(saved Set) {
	saved.noted = s.noted
	*s = saved.Copy()
	if s.timeout > 0 {
		for id, x := range s.byID.All() {
			s.renew(id, x, x.next)
		}
	}
}

// Forget takes back the events noted since the Set was copied: filters that have not read them never do. The zero Set
// was copied at the beginning.
func (s *Set) Forget(since Set) {
	s.unread.takeBack(since.noted)
	for id, x := range s.byID.All() {
		if end := s.unread.end(); x.next > end {
			s.byID = s.byID.Set(id, &installed{x.Filter, end, x.read})
		}
	}
}

// Emptied returns the Set without its filters. It gives out none of the ids that s has given out.
func (s Set) Emptied() Set {
	return Set{limit: s.limit, timeout: s.timeout, wall: s.wall, last: s.last, trimAt: minTrim}
}

// Len returns the number of filters.
func (s *Set) Len() int { return s.byID.Len() }

// Add installs a filter, which collects from now on, and returns its id. Errors: *LimitError,
// *control.BudgetError.
func (s *Set) Add(f Filter) (uint64, error) {
	bytes := s.bytes + f.size()
	if s.byID.Len() >= s.limit || bytes > control.MaxHeld {
		s.trim()
		bytes = s.bytes + f.size()
	}
	if s.byID.Len() >= s.limit {
		return 0, &LimitError{Limit: s.limit}
	}
	if err := control.CheckBudget("filters", bytes); err != nil {
		return 0, err
	}
	s.bytes = bytes
	s.last++
	s.byID = s.byID.Set(s.last, &installed{f, s.unread.end(), s.now()})
	if f.Full {
		s.whole++
	}
	return s.last, nil
}

// Remove uninstalls a filter and reports whether it was there.
func (s *Set) Remove(id uint64) bool {
	_, err := s.find(id)
	s.delete(id)
	return err == nil
}

// Get returns a filter and counts as reading it. Error: *UnknownError.
func (s *Set) Get(id uint64) (Filter, error) {
	x, err := s.find(id)
	if err != nil {
		return Filter{}, err
	}
	s.renew(id, x, x.next)
	return x.Filter, nil
}

// Noted returns the newest event noted, 0 for none.
func (s *Set) Noted() uint64 { return s.noted }

// Take moves a filter behind all events up to the one that Noted returned as last, and returns a function that collects
// its changes among them. That function does not read the Set, so others may use it meanwhile. Error: *UnknownError.
func (s *Set) Take(id, last uint64) (collect func() Changes, err error) {
	x, err := s.find(id)
	if err != nil {
		return nil, err
	}
	unread := s.unread.from(x.next)
	for len(unread) > 0 && unread[len(unread)-1].id > last {
		unread = unread[:len(unread)-1]
	}
	s.renew(id, x, x.next+uint64(len(unread)))
	return func() Changes {
		changes := Changes{Kind: x.Kind, Full: x.Full}
		for i := range unread {
			x.collect(&unread[i].Event, &changes)
		}
		return changes
	}, nil
}

// find returns the filter, unless nobody read it for too long: then it is removed. Error: *UnknownError.
func (s *Set) find(id uint64) (*installed, error) {
	x, ok := s.byID.Get(id)
	if ok && s.forgotten(x) {
		s.delete(id)
		ok = false
	}
	if !ok {
		return nil, &UnknownError{ID: id}
	}
	return x, nil
}

// renew puts the filter at a position, read just now.
func (s *Set) renew(id uint64, x *installed, next uint64) {
	s.byID = s.byID.Set(id, &installed{x.Filter, next, s.now()})
}

func (s *Set) delete(id uint64) {
	if gone, ok := s.byID.Get(id); ok {
		s.bytes -= gone.size()
		if gone.Full {
			s.whole--
		}
	}
	if s.byID = s.byID.Delete(id); s.byID.Len() == 0 {
		s.unread.forget(s.unread.end())
	}
}

// now returns the time by the wall clock, where filters expire by it.
func (s *Set) now() time.Time {
	if s.timeout == 0 {
		return time.Time{}
	}
	return s.wall()
}

// forgotten reports whether nobody read the filter for too long, in time or in changes.
func (s *Set) forgotten(x *installed) bool {
	return s.timeout > 0 && s.wall().Sub(x.read) > s.timeout || s.unread.since(x.next) > maxUnread
}

// Note adds an event to what filters may collect. Logs that are none are no event.
func (s *Set) Note(e Event) {
	if s.byID.Len() == 0 || e.Kind == Logs && len(e.Logs) == 0 {
		return
	}
	if s.whole == 0 {
		e.Pooled = nil
	}
	s.noted++
	if s.unread.add(e, s.noted); len(s.unread.list) >= s.trimAt {
		s.trim()
	}
}

// trim removes the filters that nobody reads and forgets the events that all others have read. It is called when the
// list of events has doubled, so its cost for each event is constant.
func (s *Set) trim() {
	oldest := s.unread.end()
	for id, x := range s.byID.All() {
		if s.forgotten(x) {
			s.delete(id)
			continue
		}
		oldest = min(oldest, x.next)
	}
	s.unread.forget(oldest)
	s.trimAt = max(minTrim, 2*len(s.unread.list), s.byID.Len())
}

// events holds the events that filters may collect, oldest first. Positions in it count from the first ever noted.
type events struct {
	first uint64 // position of list[0]
	list  []noted
	count uint64 // changes noted so far: a log, a head or a transaction each
}

type noted struct {
	Event
	id     uint64 // ascending in the list
	before uint64 // changes noted before it
}

func (l *events) add(e Event, id uint64) {
	l.list = append(l.list, noted{e, id, l.count})
	l.count += uint64(max(len(e.Logs), 1))
}

func (l *events) end() uint64 { return l.first + uint64(len(l.list)) }

// from returns the events from a position on; they are not changed any more.
func (l *events) from(position uint64) []noted { return l.list[position-l.first:] }

// since returns how many changes were noted from a position on.
func (l *events) since(position uint64) uint64 {
	if position == l.end() {
		return 0
	}
	return l.count - l.list[position-l.first].before
}

// takeBack drops the events whose ids are above last. Those who read the list keep what they have.
func (l *events) takeBack(last uint64) {
	for n := len(l.list); n > 0 && l.list[n-1].id > last; n-- {
		l.count = l.list[n-1].before
		l.list = l.list[: n-1 : n-1]
	}
}

// forget drops the events before a position. Those who read the list keep what they have.
func (l *events) forget(position uint64) {
	l.list = append([]noted(nil), l.from(position)...)
	l.first = position
}
