package evmstate

// table maps keys to entries and keeps the order in which they were added. A message touches few accounts and slots, so
// up to tableSearched keys are searched one by one and only more are indexed by a map. Entries never move in memory,
// and reset keeps that memory for reuse. The zero value is an empty table.
type table[K comparable, V any] struct {
	keys    []K
	entries []*V      // at least as many as keys; the rest is kept for reuse
	index   map[K]int // position by key; filled only beyond tableSearched keys
	last    int       // position of the last lookup, because the next one is often the same
}

const (
	tableSearched = 8   // up to so many keys are searched without the index
	tableKept     = 256 // a table with more keys gives its memory back at reset
)

// find returns the entry at key, or nil if there is none.
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

// add adds an entry at a key that must have none and returns it. An entry that is reused after a reset holds its old
// value.
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
