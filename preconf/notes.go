package preconf

// Note returns the note that SetNote last set under a name, or nil. Do not modify it.
func (m *Moment) Note(name string) []byte { return m.control.Notes[name] }

// SetNote keeps a value of a package above with the node's settings: it is in snapshots, worlds and files, and reorgs
// leave it alone. Nil removes it.
func (t *Timeline) SetNote(name string, note []byte) {
	t.set(func(c *change) { c.control.Notes = c.control.Notes.With(name, note) })
}
