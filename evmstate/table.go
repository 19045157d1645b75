package evmstate

// table maps keys to entries in the order they were added. A message touches few
// accounts and slots: up to a handful of keys are searched, only more are indexed.
// Entries keep their address, and their memory is used again after a reset. The
// zero value is empty.
type table[K comparable, V any] struct {
	keys    []K
	entries []*V // at least as many as keys: the rest waits to be used again
	index   map[K]int
	last    int // of the entry found last: the next lookup is often the same
}

const (
	tableSearched = 8   // keys searched without the index
	tableKept     = 256 // entries kept over a reset
)

// find returns the entry at key, nil when there is none.
func (t *table[K, V]) find(key K) *V {
	if t.last < len(t.keys) && t.keys[t.last] == key {
		return t.entries[t.last]
	}
	if len(t.keys) > tableSearched {
		if i, ok := t.index[key]; ok {
			t.last = i
			return t.entries[i]
		}
		return nil
	}
	for i := range t.keys {
		if t.keys[i] == key {
			t.last = i
			return t.entries[i]
		}
	}
	return nil
}

// add adds an entry at a key that has none. After a reset it holds what it held
// before.
func (t *table[K, V]) add(key K) *V {
	t.last = len(t.keys)
	t.keys = append(t.keys, key)
	if t.last == len(t.entries) {
		t.entries = append(t.entries, new(V))
	}
	switch {
	case t.last > tableSearched:
		t.index[key] = t.last
	case t.last == tableSearched:
		if t.index == nil {
			t.index = make(map[K]int)
		}
		for i, key := range t.keys {
			t.index[key] = i
		}
	}
	return t.entries[t.last]
}

// used returns the entries in the order they were added.
func (t *table[K, V]) used() []*V { return t.entries[:len(t.keys)] }

// reset removes all keys.
func (t *table[K, V]) reset() {
	if len(t.keys) > tableKept {
		*t = table[K, V]{}
		return
	}
	if len(t.keys) > tableSearched {
		clear(t.index)
	}
	t.keys, t.last = t.keys[:0], 0
}
