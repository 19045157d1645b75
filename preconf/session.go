package preconf

import (
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
)

// Atomically calls f with a Timeline that only f may write to, and lets no other writer in between, a clock that
// follows the wall clock included. Readers and feeds see each step as it is done. If f fails or panics, everything is
// put back, snapshots and their ids included; feeds and filters stay and are notified of it as of a reorg. The error is
// that of f. f must use the Timeline that Atomically was called on for reading only. Writing to the one it was given
// after f has ended panics.
func (t *Timeline) Atomically(f func(*Timeline) error) error {
	_, err := t.session().turn(func(own *Timeline) (more bool, err error) { return false, f(own) })
	return err
}

// InSteps calls step n times, with 0, 1, 2 … and a Timeline that only step may write to. Every 16 calls or more it lets
// other writers in, so that long work does not keep them waiting. Readers and feeds see each step as it is done. If a
// step fails or panics, all steps are undone as one. Where nobody else wrote in between, everything is put back as by
// Atomically. Otherwise the blocks above the head at the beginning are removed as by a reorg, those that others sealed
// on them included: their transactions go back to the pool, and the clock, settings and whatever else others changed
// stay. That fails for more blocks than Config.History keeps the states of: then the blocks stay. The error is that of
// step, and says so.
func (t *Timeline) InSteps(n int, step func(own *Timeline, i int) error) (err error) {
	s, next := t.session(), 0
	for more := n > 0; more && err == nil; {
		more, err = s.turn(func(own *Timeline) (more bool, err error) {
			for over := beginTurn(); next < n && !over(1); next++ {
				if err := step(own, next); err != nil {
					return false, err
				}
			}
			return next < n, nil
		})
	}
	return err
}

// Turns runs a function bit by bit, see InTurns. One goroutine at a time may use it.
type Turns struct {
	session *session
	resume  func() (struct{}, bool)
	end     func()
	err     error // of the function
}

// ErrAbandoned is the error of the pause of a function whose Turns were closed.
var ErrAbandoned = errors.New("it was abandoned")

// InTurns calls f with a Timeline that only f may write to, from one of its pauses to the next in each call of Next.
// Other writers come in between, except for a clock that follows the wall clock: it stands still from the first Next on
// until f has ended. If f fails or panics, all it did is undone as by InSteps. Call Next until f has ended, or Close.
func (t *Timeline) InTurns(f func(own *Timeline, pause func() error) error) *Turns {
	r := &Turns{session: t.session()}
	r.session.stopsClock = true
	r.resume, r.end = iter.Pull(func(yield func(struct{}) bool) {
		r.err = f(r.session.own, func() error {
			if yield(struct{}{}) {
				return nil
			}
			return ErrAbandoned
		})
	})
	return r
}

// Next runs f until it pauses or ends, and reports whether there is more to do. The error is that of f.
func (r *Turns) Next() (more bool, err error) {
	return r.session.turn(func(*Timeline) (more bool, err error) {
		if _, more = r.resume(); more {
			return true, nil
		}
		return false, r.err
	})
}

// Close ends f at its pause, and undoes what it did. Closing again, or after f has ended, does nothing.
func (r *Turns) Close() error {
	if r.session.before == nil {
		r.end()
		return nil
	}
	_, err := r.session.turn(func(*Timeline) (more bool, err error) {
		r.end()
		return false, r.err
	})
	if errors.Is(err, ErrAbandoned) {
		return nil
	}
	return err
}

// session is work of one or more turns. If it fails, all of them are undone as one.
type session struct {
	timeline   *Timeline // that others may write to between two turns
	own        *Timeline // that only the work may write to, in its turns
	stopsClock bool      // the clock does not follow the wall clock until the end
	ended      bool

	before    *Moment      // of the timeline that leads, before the first turn; nil until then
	first     *chain.Block // the head then
	snapshots snapshots    // before the first turn
	last      *Moment      // after the turn before
	disturbed bool         // others wrote between two turns
}

func (t *Timeline) session() *session {
	return &session{timeline: t, own: &Timeline{shared: t.shared, turn: new(turn)}}
}

// turn calls work in a turn of the session, which ends when there is no more, or work fails or panics.
func (s *session) turn(work func(own *Timeline) (more bool, err error)) (more bool, err error) {
	s.timeline.turn.Lock()
	defer s.timeline.turn.Unlock()
	if s.ended {
		return false, nil
	}
	s.begin()
	done := false
	defer func() {
		if s.last = s.timeline.owner().Moment(); more {
			return
		}
		s.ended = true
		s.own.turn.Mutex.Lock() // of the last writer
		s.own.turn.over = true
		s.own.turn.Unlock()
		if s.stopsClock {
			s.timeline.owner().clockStops--
		}
		if done {
			return
		}
		if failed := s.undo(); failed != nil {
			err = errors.Join(err, failed)
		}
	}()
	more, err = work(s.own)
	done = err == nil
	return more, err
}

// begin notes what is there before a turn. The caller has the turn.
func (s *session) begin() {
	owner := s.timeline.owner()
	now := owner.Moment()
	if s.before != nil {
		s.disturbed = s.disturbed || now != s.last
		return
	}
	s.before, s.snapshots, s.first = now, owner.snapshots, s.timeline.Moment().chain.Head()
	if s.stopsClock {
		owner.clockStops++
	}
}

// undo makes the timeline as it was before the session, told to feeds and filters as the reorg it amounts to. Where
// others wrote in between, it only removes the blocks since. The caller has the turn.
func (s *session) undo() error {
	t := s.timeline
	if !s.disturbed {
		owner := t.owner()
		if owner.snapshots = s.snapshots; owner.Moment() != s.before {
			c := owner.newChange()
			c.goBack(s.before)
			c.publish()
		}
		return nil
	}
	c, first := t.newChange(), s.first
	depth := int(c.chain.Head().Number()) - int(first.Number())
	if b := c.chain.BlockByNumber(first.Number()); depth <= 0 || b.Hash() != first.Hash() {
		return nil // somebody has removed them
	}
	if _, err := c.reorg(control.ReorgOptions{Depth: depth, Length: new(int), Transactions: control.Requeue, Force: true}, false); err != nil {
		return fmt.Errorf("the %d blocks sealed until then stay, as others wrote in between: %w", depth, err)
	}
	return c.finish()
}

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

// lend lets other writers have the turn, and takes it back.
func (t *turn) lend() {
	t.Unlock()
	t.Lock()
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
