package remote

import (
	"encoding/json"
	"sync"
	"time"
)

// saveDelay is how long new items wait to be written, so that one write takes many.
const saveDelay = time.Second

// cache holds all known items and those being fetched. Safe for concurrent use.
type cache struct {
	head head
	file string // empty: none
	// closed caches fetch nothing, readOnly ones do not change the file.
	closed, readOnly bool

	mu     sync.Mutex
	items  map[string]*item
	misses map[string]struct{} // items that were not there, in words
	timer  *time.Timer         // to the next write; nil: nothing is new
	writes sync.Mutex          // one write at a time
}

// item holds one answer, or its place until the answer arrives.
type item struct {
	value json.RawMessage // compact, members sorted; set under cache.mu
	err   error
	done  chan struct{} // closed once value or err is set; nil: from the file
	used  bool          // asked for in this run; guarded by cache.mu
}

func newCache(c Config) *cache {
	return &cache{file: c.CacheFile, closed: c.Offline || c.URL == "", readOnly: c.Offline, items: make(map[string]*item), misses: make(map[string]struct{})}
}

// get returns an item. The first caller for a missing one fetches it; others wait for its answer. The error is an
// *Error that names the item with words.
func (c *cache) get(key string, words func() string, fetch func() (any, error)) (json.RawMessage, error) {
	c.mu.Lock()
	known := c.items[key]
	switch {
	case known != nil:
		known.used = true
		c.mu.Unlock()
		if known.done != nil {
			<-known.done
		}
		return known.value, known.err
	case c.closed:
		missing := words()
		c.misses[missing] = struct{}{}
		c.mu.Unlock()
		return nil, &Error{Item: missing, Err: ErrMiss}
	}
	own := &item{done: make(chan struct{}), used: true}
	c.items[key] = own
	c.mu.Unlock()

	var value json.RawMessage
	fetched, err := fetch()
	if err == nil {
		value, err = canonical(fetched)
	}
	c.mu.Lock()
	if err != nil {
		own.err = &Error{Item: words(), Err: err}
		delete(c.items, key)
	} else {
		own.value = value
		c.saveSoon()
	}
	c.mu.Unlock()
	close(own.done)
	return own.value, own.err
}

// known reports whether an item is there, or is being fetched.
func (c *cache) known(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.items[key] != nil
}

// canonical encodes a value so that equal answers of different nodes are equal bytes.
func canonical(value any) (json.RawMessage, error) {
	encoded, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var plain any
	if err := decodeExactly(encoded, &plain); err != nil {
		return nil, err
	}
	return json.Marshal(plain) // members of a map come sorted
}

// saveSoon writes the file a moment later. The caller holds mu.
func (c *cache) saveSoon() {
	if c.file != "" && !c.readOnly && c.timer == nil {
		c.timer = time.AfterFunc(saveDelay, func() { _ = c.save(false) }) // Save returns an error that lasts
	}
}
