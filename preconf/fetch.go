package preconf

import (
	"maps"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf/pool"
)

// fetches are the transactions that wait for a fork's remote chain while the clock follows the wall clock. What they
// need is fetched outside of any turn, so that a node that does not answer holds up nobody else.
type fetches struct {
	mutex sync.Mutex
	of    map[common.Hash]bool // reports whether a fetch is under way; false: the last one failed
}

// lack notes that e could not execute, and forgets transactions that are not in the pool any more.
func (f *fetches) lack(e *pool.Entry, p pool.Pool) {
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

// ready reports whether e may be executed: nothing that it needs is known to be lacking. Otherwise it is being fetched.
func (t *Timeline) ready(e *pool.Entry) bool {
	f, hash := &t.fetches, e.Tx.Hash()
	f.mutex.Lock()
	defer f.mutex.Unlock()
	underWay, lacks := f.of[hash]
	if !lacks {
		return true
	}
	if !underWay {
		f.of[hash] = true
		go t.fetch(e)
	}
	return false
}

// fetch tries once to get what e needs.
func (t *Timeline) fetch(e *pool.Entry) {
	err := t.Moment().fetchFor(e.Tx, e.From)
	f := &t.fetches
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if pool.Unavailable(err) {
		f.of[e.Tx.Hash()] = false
	} else {
		delete(f.of, e.Tx.Hash())
	}
}
