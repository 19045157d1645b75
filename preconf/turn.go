package preconf

import (
	"sync"
	"time"
)

// turn is the right to write: of all writers, or of those inside one Atomically.
type turn struct {
	sync.Mutex
	over bool // Atomically has ended
}

// Lock waits for the turn.
func (t *turn) Lock() {
	t.Mutex.Lock()
	if t.over {
		t.Unlock()
		panic("preconf: the Timeline of an Atomically was used after its end")
	}
}

// isFree reports whether no writer is at work.
func (t *turn) isFree() bool {
	free := t.TryLock()
	if free {
		t.Unlock()
	}
	return free
}

// end waits for the writer whose turn it is and lets no other follow.
func (t *turn) end() {
	t.Mutex.Lock()
	t.over = true
	t.Unlock()
}

const (
	// turnTime is how long a writer that makes many blocks keeps its turn, in wall time.
	turnTime = 5 * time.Millisecond
	// turnSteps is how many blocks or flashblocks it makes in a turn at least: so many are never interrupted.
	turnSteps = 16
)

// stepwise calls f in one turn after the other, with other writers in between, while it reports that there is more. f
// asks over after so many further steps whether its turn is over. The error is that of f.
func (t *Timeline) stepwise(f func(c *change, over func(steps int) bool) (more bool, err error)) error {
	for more := true; more; {
		err := t.change(func(c *change) (err error) {
			more, err = f(c, beginTurn())
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// beginTurn returns a function that reports after so many further steps whether the turn that begins now is over.
func beginTurn() (over func(steps int) bool) {
	began, taken := time.Now(), 0
	return func(steps int) bool {
		taken += steps
		return taken > turnSteps && time.Since(began) >= turnTime
	}
}
