package preconf

import (
	"bytes"
	"maps"
)

// notes are values of packages above, by name. The map is immutable.
type notes map[string][]byte

// Note returns what SetNote has last kept under a name, or nil. Do not modify it.
func (m *Moment) Note(name string) []byte { return m.notes[name] }

// SetNote keeps a value of a package above with the node's settings: it is in snapshots, worlds and files, and reorgs
// leave it alone. Nil removes it.
func (t *Timeline) SetNote(name string, note []byte) {
	t.set(func(c *change) {
		kept := maps.Clone(c.notes)
		switch {
		case note == nil:
			delete(kept, name)
		case kept == nil:
			kept = notes{name: bytes.Clone(note)}
		default:
			kept[name] = bytes.Clone(note)
		}
		c.notes = kept
	})
}
