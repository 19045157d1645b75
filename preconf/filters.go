package preconf

import (
	"errors"
	"sync"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Filters are the filters of clients that poll a timeline. They wait for no writer. Going back to an earlier Moment
// does not touch them: Revert alone puts them back, as a whole.
type Filters struct {
	timeline *Timeline
	mu       sync.Mutex // held while the present Moment is replaced, so that a filter misses nothing
	set      filter.Set
}

// Filters returns the timeline's filters.
func (t *Timeline) Filters() *Filters { return &t.filters }

// saved returns the filters as they are now.
func (f *Filters) saved() filter.Set {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.set.Copy()
}

// forget takes back the events noted since the set was saved.
func (f *Filters) forget(since filter.Set) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set.Forget(since)
}

// note gives events to the filters. The caller holds the lock.
func (f *Filters) note(events []*Event) {
	if f.set.Len() == 0 {
		return
	}
	for _, e := range events {
		switch e.Kind {
		case HeadAdded:
			f.set.Note(filter.Event{Kind: filter.Blocks, Hash: e.View.Hash()})
		case TransactionPooled:
			f.set.Note(filter.Event{Kind: filter.Transactions, Hash: e.Transaction.Hash(), Pooled: &pool.Entry{Tx: e.Transaction, From: e.Sender}})
		case FlashblockAdded:
			if len(e.Flashblock.Logs) > 0 {
				f.set.Note(filter.Event{Logs: e.Flashblock.Logs, Preconfirmed: true})
			}
		default:
			f.set.Note(filter.Event{Logs: e.Logs, Preconfirmed: e.Kind == LogsRetracted})
		}
	}
}

// Add installs a filter, which collects from now on, and returns its id. A range of blocks that now ends before
// it begins is rejected with a *filter.RangeError; a range of blocks to come is not. Errors: *filter.RangeError,
// *filter.LimitError.
func (f *Filters) Add(added filter.Filter) (uint64, error) {
	m := f.timeline.Moment()
	added.From, added.To = m.shown(added.From), m.shown(added.To)
	var span *filter.RangeError
	if _, err := m.LogRange(added.From, added.To); errors.As(err, &span) && span.From > span.To {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.set.Add(added)
}

// Remove removes a filter and reports whether it was there.
func (f *Filters) Remove(id uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.set.Remove(id)
}

// Changes returns the changes that a filter collected since it was last read, oldest first; a reader with a lag
// leaves those that are newer than what it sees. Error: *filter.UnknownError.
func (f *Filters) Changes(id uint64, lag Lag) (filter.Changes, error) {
	last := f.timeline.present.Load().behind(lag).noted
	f.mu.Lock()
	collect, err := f.set.Take(id, last)
	f.mu.Unlock()
	if err != nil {
		return filter.Changes{}, err
	}
	return collect(), nil
}

// Range returns which logs of which blocks a filter of logs is for; the range is one of the Moment that a reader
// with the lag sees. Errors: *filter.UnknownError, *filter.RangeError.
func (f *Filters) Range(id uint64, lag Lag) (chain.LogFilter, LogRange, error) {
	f.mu.Lock()
	wanted, err := f.set.Get(id)
	f.mu.Unlock()
	if err == nil && wanted.Kind != filter.Logs {
		err = &filter.UnknownError{ID: id}
	}
	if err != nil {
		return chain.LogFilter{}, LogRange{}, err
	}
	span, err := f.timeline.Behind(lag).LogRange(wanted.From, wanted.To)
	return wanted.Logs, span, err
}
