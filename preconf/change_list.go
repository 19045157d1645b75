package preconf

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

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
	before      uint64 // changes noted before it
}

// add notes the changes in e that filters may collect; whole reports whether one of them is for whole transactions.
func (l *changeList) add(e *Event, whole bool) {
	noted := filterEvent{kind: e.Kind, before: l.count}
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

// forget drops the events before a position. Those who read the list keep what they have.
func (l *changeList) forget(position uint64) {
	l.events = append([]filterEvent(nil), l.from(position)...)
	l.first = position
}
