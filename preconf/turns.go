package preconf

import (
	"errors"
	"iter"
)

// ErrAbandoned is the error of the pause of a function whose Turns were closed.
var ErrAbandoned = errors.New("it was abandoned")

// Turns runs a function bit by bit, see InTurns. One goroutine at a time may use it.
type Turns struct {
	steps  steps
	inside *Timeline
	resume func() (struct{}, bool)
	end    func()
	err    error
	over   bool
}

// InTurns calls f with a Timeline that only f may write to, from one of its pauses to the next in each call of Next.
// Other writers come in between, except for a clock that follows the wall clock: it stands still from the first Next on
// until f has ended. If f fails or panics, all it did is undone as by InSteps. Call Next until f has ended, or Close.
func (t *Timeline) InTurns(f func(own *Timeline, pause func() error) error) *Turns {
	r := &Turns{steps: steps{timeline: t}, inside: &Timeline{shared: t.shared, turn: new(turn)}}
	r.resume, r.end = iter.Pull(func(yield func(struct{}) bool) {
		r.err = f(r.inside, func() error {
			if yield(struct{}{}) {
				return nil
			}
			return ErrAbandoned
		})
	})
	return r
}

// Next lets f go on until it pauses or ends, and reports whether there is more to do. The error is that of f.
func (r *Turns) Next() (more bool, err error) { return r.turn(r.resume) }

// Close ends f at its pause, and undoes what it did. Closing again, or after f has ended, does nothing.
func (r *Turns) Close() error {
	if r.over || r.steps.before == nil {
		r.end()
		return nil
	}
	_, err := r.turn(func() (_ struct{}, more bool) {
		r.end()
		return
	})
	if errors.Is(err, ErrAbandoned) {
		return nil
	}
	return err
}

// turn calls goOn while nobody else may write.
func (r *Turns) turn(goOn func() (struct{}, bool)) (more bool, err error) {
	t := r.steps.timeline
	t.turn.Lock()
	defer t.turn.Unlock()
	lead := t.lead()
	if r.steps.before == nil {
		lead.held++
	}
	r.steps.begin()
	crashed := true
	defer func() {
		r.steps.last = lead.Moment()
		if more || r.over {
			return
		}
		r.over = true
		lead.held--
		r.inside.turn.end()
		if crashed || r.err != nil {
			err = errors.Join(r.err, r.steps.undo())
		}
	}()
	_, more = goOn()
	crashed = false
	return more, nil
}
