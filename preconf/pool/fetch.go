package pool

import (
	"maps"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// Fetches are the transactions that wait for a fork's remote chain while the clock follows the wall clock. What they
// need is fetched outside of any turn, so that a node that does not answer holds up nobody else. It is safe for
// concurrent use.
type Fetches struct {
	mutex sync.Mutex
	of    map[common.Hash]bool // reports whether a fetch is under way; false: the last one failed
}

// Lack notes that e could not execute, and forgets transactions that are not in the pool any more.
func (f *Fetches) Lack(e *Entry, p Pool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	maps.DeleteFunc(f.of, func(hash common.Hash, underWay bool) bool {
		return p.Get(hash) == nil && !underWay
	})
	if f.of == nil {
		f.of = make(map[common.Hash]bool)
	}
	f.of[e.Tx.Hash()] = false
}

// Ready reports whether e may be executed: nothing that it needs is known to be lacking. Otherwise fetch tries once to
// get it.
func (f *Fetches) Ready(e *Entry, fetch func(*Entry) error) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	underWay, lacks := f.of[e.Tx.Hash()]
	if lacks && !underWay {
		f.of[e.Tx.Hash()] = true
		go f.end(e, fetch)
	}
	return !lacks
}

// end notes how a fetch has ended.
func (f *Fetches) end(e *Entry, fetch func(*Entry) error) {
	err := fetch(e)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if Unavailable(err) {
		f.of[e.Tx.Hash()] = false
	} else {
		delete(f.of, e.Tx.Hash())
	}
}
