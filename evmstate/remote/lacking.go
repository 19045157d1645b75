package remote

import (
	"errors"
	"maps"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// Lacking are the transactions, by hash, for which something could not be had of the remote chain. What they need is
// fetched again in the background, so that a node that does not answer holds up nobody else. The zero value is ready
// for use. It is safe for concurrent use.
type Lacking struct {
	mutex sync.Mutex
	of    map[common.Hash]bool // reports whether a fetch is under way; false: the last one failed
}

// Add adds a transaction, and forgets those that are not wanted any more.
func (l *Lacking) Add(transaction common.Hash, wanted func(common.Hash) bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	maps.DeleteFunc(l.of, func(hash common.Hash, underWay bool) bool { return !underWay && !wanted(hash) })
	if l.of == nil {
		l.of = make(map[common.Hash]bool)
	}
	l.of[transaction] = false
}

// Has reports whether something that a transaction needs is lacking. Then fetch tries once to get it.
func (l *Lacking) Has(transaction common.Hash, fetch func() error) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	underWay, lacks := l.of[transaction]
	if lacks && !underWay {
		l.of[transaction] = true
		go l.end(transaction, fetch)
	}
	return lacks
}

// end notes how a fetch has ended.
func (l *Lacking) end(transaction common.Hash, fetch func() error) {
	err := fetch()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if errors.As(err, new(*Error)) {
		l.of[transaction] = false
	} else {
		delete(l.of, transaction)
	}
}
