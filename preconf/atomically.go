package preconf

import "sync"

// Atomically calls f with a Timeline that only f may write to, and lets no other writer in between, the clock of Run
// included. Readers and feeds see each step as it is done. If f fails or panics, everything is put back, snapshots and
// their ids included; feeds and filters stay and are notified of it as of a reorg. The error is that of f. f must use
// the Timeline that Atomically was called on for reading only. Writing to the one it was given after f has ended
// panics.
func (t *Timeline) Atomically(f func(*Timeline) error) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	inside := &Timeline{shared: t.shared, turn: new(turn)}
	lead := t.lead()
	before, snapshots, done := lead.Moment(), lead.snapshots, false
	defer func() {
		inside.turn.end()
		if done {
			return
		}
		lead.putBack(before, snapshots)
	}()
	err := f(inside)
	done = err == nil
	return err
}

// putBack makes the timeline as it was, told to feeds and filters as the reorg it amounts to. The caller has the turn.
func (t *Timeline) putBack(before *Moment, snapshots snapshots) {
	t.snapshots = snapshots
	if t.Moment() != before {
		c := t.newChange()
		c.goBack(before)
		c.publish()
	}
}

// turn is the right to write: of all writers, or of those inside one Atomically.
type turn struct {
	mutex sync.Mutex
	over  bool // Atomically has ended
}

func (t *turn) Lock() {
	t.mutex.Lock()
	if t.over {
		t.mutex.Unlock()
		panic("preconf: the Timeline of an Atomically was used after its end")
	}
}

// TryLock is Lock if nobody has the turn, else it reports false at once.
func (t *turn) TryLock() bool { return t.mutex.TryLock() }

func (t *turn) Unlock() { t.mutex.Unlock() }

// end waits for the writer whose turn it is and lets no other follow.
func (t *turn) end() {
	t.mutex.Lock()
	t.over = true
	t.mutex.Unlock()
}
