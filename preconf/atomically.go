package preconf

// Atomically runs f, which does what it does with the Timeline it is given, and
// lets no other writer in between, the clock of Run included. Readers and feeds
// see each step as it is done. If f fails or panics all is as before, which
// feeds and filters are told of as of a reorg; if it does not, the error is nil.
// f must not use the Timeline that Atomically was called on.
func (t *Timeline) Atomically(f func(*Timeline) error) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	inside := &Timeline{shared: t.shared, turn: taken{}}
	before, done := t.Moment(), false
	defer func() {
		if !done && t.Moment() != before {
			inside.set(func(c *change) { c.goBack(before) })
		}
	}()
	err := f(inside)
	done = err == nil
	return err
}

// taken is the turn of a writer that has it.
type taken struct{}

func (taken) Lock()   {}
func (taken) Unlock() {}
