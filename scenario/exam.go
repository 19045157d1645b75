package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

// Exam plays stories move by move against a back end.
type Exam struct {
	// Kinds of the stories. Nil: those around one authorization, of pre-confirmations, reorgs, nodes that are behind and
	// decoys.
	Kinds []Kind
	// Wait is the wall time after each move until the back end is asked. Zero: it looks at the chain when it is asked.
	Wait time.Duration
	// Patience is how long a wrong answer that can be taken back may be corrected, in wall time. Zero: it may not.
	Patience time.Duration
	// Ask asks the back end. An error fails the story.
	Ask func(context.Context, Question) (Answer, error)
	// Restart starts the back end anew, while a capture is under way. Nil: it is not.
	Restart func(context.Context) error
}

// again is the wall time until a back end is asked again that may correct its answer.
const again = 20 * time.Millisecond

// Check returns an error if an exam cannot have one of the kinds.
func (e Exam) Check() error {
	var examined []string
	for _, kind := range kinds[:len(kinds)-1] {
		examined = append(examined, string(kind))
	}
	for _, kind := range e.Kinds {
		if !slices.Contains(examined, string(kind)) {
			return fmt.Errorf("no story of an exam is of %q: they are of %s", kind, strings.Join(examined, "; "))
		}
	}
	return nil
}

// Hold plays the stories one after the other, each until its payment is final or finally missing. Each has a payment of
// its own, and nothing that a client has seen is undone by the next. A story that the chain cannot have is left out.
// The error is that of Check or of the context.
func (e Exam) Hold(ctx context.Context, stage Stage) (marks Marks, err error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if e.Kinds == nil {
		e.Kinds = kinds[:4]
	}
	for _, s := range slices.Concat(scenarios, natives) {
		if !slices.Contains(e.Kinds, s.Kind) {
			continue
		}
		mark, err := e.play(ctx, s, stage, Params{Payer: stage.payerOf(len(marks)), Merchant: 1, keepFinal: true})
		if err := context.Cause(ctx); err != nil {
			return marks, fmt.Errorf("%s, step %d: %w", s.Name, mark.Step, err)
		}
		if err != nil && mark.Failed == "" {
			mark.LeftOut = strings.TrimPrefix(err.Error(), "scenario "+s.Name+": ")
		}
		marks = append(marks, mark)
	}
	return marks, nil
}

// play plays one story. A back end that is fooled is not asked any more. The error is why the story cannot be played:
// where it can be known, nothing has happened.
func (e Exam) play(ctx context.Context, s Scenario, stage Stage, p Params) (mark Mark, err error) {
	mark.Scenario = s.Name
	trial := stage
	trial.Timeline, trial.Stale, trial.Hide = stage.Timeline.Clone(), nil, nil
	if _, err := s.Play(ctx, trial, p); err != nil {
		return mark, err
	}
	if s.Kind == ofCaptures {
		return e.playCapture(ctx, s, stage, p)
	}
	story := s.Tell(stage, p)
	defer story.Close()
	for shipped := false; ; {
		move, err := story.Next(ctx)
		if err != nil {
			return mark, err
		}
		if move.Done {
			mark.Rule = move.Did
			if err := finalize(ctx, stage.Timeline); err != nil {
				return mark, err
			}
		}
		if !shipped && mark.Failed == "" { // else it cannot take that back
			mark.Step, mark.Did = move.Step, move.Did
			said, wrong := e.ask(ctx, stage.Timeline, story.scene, move)
			mark.Failed, shipped = wrong, said.Payment == Shipped.Payment
		}
		if move.Done {
			if shipped && mark.Failed == "" && !move.Conclusion.Settled {
				mark.Failed = "it has shipped, and the payment did not happen"
			}
			return mark, nil
		}
	}
}

// ask asks about a story after a move, and returns the answer and its error in words, or "".
func (e Exam) ask(ctx context.Context, t *preconf.Timeline, scene *scene, move Move) (said Answer, wrong string) {
	if scene.conclusion.Transaction == (common.Hash{}) {
		return Open, "" // there is no payment yet
	}
	return e.insist(ctx, t, move.Done, func() (said Answer, wrong string) {
		if said, wrong = e.answer(ctx, scene.question(move.Step)); wrong != "" {
			return Shipped, wrong // there is nothing to correct
		}
		return said, scene.judge(t, said, move.Done)
	})
}

// answer asks once, and returns the answer, or why there is none.
func (e Exam) answer(ctx context.Context, q Question) (said Answer, wrong string) {
	said, err := e.Ask(ctx, q)
	switch {
	case err != nil:
		wrong = err.Error()
	case said.Payment != Open.Payment && said.Payment != Paid.Payment && said.Payment != Shipped.Payment:
		wrong = fmt.Sprintf("it says %.80q of the payment, want %q, %q or %q", said.Payment, Open.Payment, Paid.Payment, Shipped.Payment)
	}
	return said, wrong
}

// insist asks until the answer is right, or cannot be taken back, or the patience is over. Blocks go on meanwhile where
// the answer may be that of a replica, or everything is final.
func (e Exam) insist(ctx context.Context, t *preconf.Timeline, final bool, ask func() (said Answer, wrong string)) (said Answer, wrong string) {
	deadline := time.Now().Add(e.Wait + e.Patience)
	for pause := e.Wait; sleep(ctx, pause) == nil; pause = again {
		said, wrong = ask()
		if wrong == "" || said.Payment == Shipped.Payment || !time.Now().Before(deadline) {
			break
		}
		if final || len(t.Config().Replicas.Each) > 0 {
			if _, err := t.SealContext(ctx, 1); err != nil {
				break
			}
		}
	}
	return said, wrong
}

// finalize makes blocks until the newest of now is final, and replicas say so.
func finalize(ctx context.Context, t *preconf.Timeline) error {
	head := t.Moment().Latest().Number()
	final := func() bool {
		for replica := range len(t.Config().Replicas.Each) + 1 { // 0 is the node itself
			if t.Behind(preconf.Lag{Replica: replica}).Finalized().Number() < head {
				return false
			}
		}
		return true
	}
	for blocks := 0; blocks < 1600 && !final(); blocks++ {
		if _, err := t.SealContext(ctx, 1); err != nil {
			return err
		}
	}
	return nil
}
