package scenario

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

// Move is one move of a Story.
type Move struct {
	// Step counts the moves from 1.
	Step int `json:"step"`
	// Did says what the move did to the payment; at the end, what a correct client must conclude.
	Did string `json:"did"`
	// Done reports whether the story is over. Then there is a Conclusion.
	Done       bool        `json:"done"`
	Conclusion *Conclusion `json:"conclusion,omitempty"`
}

// ErrOver is returned by Next once a story is over.
var ErrOver = errors.New("the story is over")

// Story is a scenario that is told move by move: clients see each, and other writers come in between. The clock does
// not follow the wall clock meanwhile. What others have armed waits until the end. Safe for concurrent use.
type Story struct {
	mu         sync.Mutex
	turns      *preconf.Turns
	scene      *scene
	move       Move
	conclusion Conclusion
}

// Tell begins a Story. Nothing happens before the first Next.
func (s Scenario) Tell(stage Stage, p Params) *Story {
	story := &Story{scene: &scene{Stage: stage}}
	story.turns = stage.Timeline.InTurns(func(own *preconf.Timeline, pause func() error) (err error) {
		story.scene.pause = func(did string) {
			story.move.Did = did
			must(pause())
		}
		story.conclusion, err = s.play(own, story.scene, p)
		return err
	})
	return story
}

// Next makes the next move. An error ends the story and undoes it, as far as nobody else has built on it: ctx.Err(),
// ErrOver, or why it cannot go on.
func (s *Story) Next(ctx context.Context) (Move, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.move.Done {
		return Move{}, ErrOver
	}
	s.scene.ctx = ctx
	s.move.Step++
	more, err := s.turns.Next()
	if err != nil {
		s.move.Done = true
		return Move{}, err
	}
	if !more {
		s.move.Did, s.move.Done, s.move.Conclusion = s.conclusion.Statement, true, &s.conclusion
	}
	return s.move, nil
}

// Close undoes a story that is not over, as an error does.
func (s *Story) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.move.Done = true
	return s.turns.Close()
}

// Play plays the scenario and returns once it is over. Waiting transactions are sealed first, and armed faults wait
// until the end. No other writer changes the timeline meanwhile, except between the moves of one with Params.Step. On
// an error, ctx.Err() included, the timeline is as it was before, but for what others did.
func (s Scenario) Play(ctx context.Context, stage Stage, p Params) (conclusion Conclusion, err error) {
	if p.Step == 0 {
		err = stage.Timeline.Atomically(func(own *preconf.Timeline) error {
			conclusion, err = s.play(own, &scene{Stage: stage, ctx: ctx}, p)
			return err
		})
		return conclusion, err
	}
	story := s.Tell(stage, p)
	defer story.Close()
	for {
		move, err := story.Next(ctx)
		if err != nil || move.Done {
			return story.conclusion, err
		}
		if err := sleep(ctx, p.Step); err != nil {
			return Conclusion{}, err
		}
	}
}

// sleep waits for a wall time, or until ctx ends, which is its error.
func sleep(ctx context.Context, wall time.Duration) error {
	select {
	case <-time.After(wall):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// play tells the story of a scene on a timeline.
func (s Scenario) play(own *preconf.Timeline, scene *scene, p Params) (Conclusion, error) {
	scene.Timeline = own
	defer func() {
		if scene.Stale != nil {
			scene.Stale(preconf.Lag{})
		}
		scene.hide(common.Hash{})
	}()
	err := own.WithoutFaults(func() error {
		return attempt(func() {
			scene.begin(s.Name, p)
			s.tell(scene)
			if !scene.concluded() {
				must(errors.New("the payment went otherwise than it should"))
			}
		})
	})
	if err != nil {
		return Conclusion{}, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	return scene.conclusion, nil
}
