package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/preconf"
)

// Question asks a back end about the payment of a story after a move. As JSON it has the same members in lower case.
type Question struct {
	Scenario    string         `json:"scenario"`
	Step        int            `json:"step"`
	Transaction common.Hash    `json:"transaction"`
	Contract    common.Address `json:"contract"`
	Payer       common.Address `json:"payer"`
	Nonce       common.Hash    `json:"nonce"`
	Merchant    common.Address `json:"merchant"`
	Value       *uint256.Int   `json:"value"`
}

// Answer is a back end's view of a payment.
type Answer string

const (
	// Open is a payment that has not been made, as far as the back end knows.
	Open Answer = "open"
	// Paid is a payment that a sealed block holds. It may be taken back.
	Paid Answer = "paid"
	// Shipped is a payment for which the back end has given what it does not get back.
	Shipped Answer = "shipped"
)

// Exam plays stories move by move against a back end.
type Exam struct {
	// Kinds of the stories. Nil: those around one authorization, of pre-confirmations, reorgs and nodes that are behind.
	Kinds []Kind
	// Wait is the wall time after each move until the back end is asked. Zero: it looks at the chain when it is asked.
	Wait time.Duration
	// Patience is how long a wrong answer that can be taken back may be corrected, in wall time. Zero: it may not.
	Patience time.Duration
	// Ask asks the back end. An error ends the exam.
	Ask func(context.Context, Question) (Answer, error)
}

// Mark is the result of one story.
type Mark struct {
	Scenario string
	// Failed says what is wrong with the answer; empty: passed. Step and Did are the move that fooled the back end.
	Failed string
	Step   int
	Did    string
}

// Marks are the results of an exam, in the order of the stories.
type Marks []Mark

// Failed returns the stories that were failed.
func (m Marks) Failed() (failed Marks) {
	for _, mark := range m {
		if mark.Failed != "" {
			failed = append(failed, mark)
		}
	}
	return failed
}

// String returns a table: a line for each story, and one with the sum.
func (m Marks) String() string {
	var b strings.Builder
	for _, mark := range m {
		if mark.Failed == "" {
			fmt.Fprintf(&b, "passed  %s\n", mark.Scenario)
			continue
		}
		fmt.Fprintf(&b, "FAILED  %s, step %d: %s\n        %s\n", mark.Scenario, mark.Step, mark.Failed, mark.Did)
	}
	fmt.Fprintf(&b, "%d of %d stories passed\n", len(m)-len(m.Failed()), len(m))
	return b.String()
}

// Hold plays the stories one after the other, each until its payment is final or finally missing.
func (e Exam) Hold(ctx context.Context, stage Stage) (marks Marks, err error) {
	kinds := e.Kinds
	if kinds == nil {
		kinds = []Kind{ofPreconfirmations, ofReorgs, ofNodesBehind}
	}
	for _, kind := range kinds {
		if !slices.ContainsFunc(scenarios, func(s Scenario) bool { return s.Kind == kind }) {
			return nil, fmt.Errorf("no scenario is of %q: they are %s", kind, strings.Join(Listed(), "; "))
		}
	}
	for _, s := range scenarios {
		if !slices.Contains(kinds, s.Kind) {
			continue
		}
		mark, err := e.play(ctx, s, stage)
		if err != nil {
			return marks, fmt.Errorf("%s, step %d: %w", s.Name, mark.Step, err)
		}
		marks = append(marks, mark)
	}
	return marks, nil
}

// play plays one story. A back end that is fooled is not asked any more.
func (e Exam) play(ctx context.Context, s Scenario, stage Stage) (mark Mark, err error) {
	story := s.Tell(stage, Params{})
	defer story.Close()
	mark.Scenario = s.Name
	for shipped := false; ; {
		move, err := story.Next(ctx)
		if err != nil {
			return mark, err
		}
		if move.Done {
			if err := finalize(ctx, stage.Timeline); err != nil {
				return mark, err
			}
		}
		if !shipped { // else it cannot take that back
			mark.Step, mark.Did = move.Step, move.Did
			said, wrong, err := e.ask(ctx, stage.Timeline, story, move)
			if err != nil || wrong != "" {
				mark.Failed = wrong
				return mark, err
			}
			shipped = said == Shipped
		}
		if move.Done {
			if shipped && !move.Conclusion.Settled {
				mark.Failed = "it has shipped, and the payment did not happen"
			}
			return mark, nil
		}
	}
}

// ask asks about a story after a move, and returns the answer and its error in words, or "".
func (e Exam) ask(ctx context.Context, t *preconf.Timeline, story *Story, move Move) (said Answer, wrong string, err error) {
	if story.conclusionSoFar().Transaction == (common.Hash{}) {
		return Open, "", nil // there is no payment yet
	}
	timer := time.NewTimer(e.Wait)
	defer timer.Stop()
	for deadline := time.Now().Add(e.Wait + e.Patience); ; {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return "", "", ctx.Err()
		}
		c := story.conclusionSoFar()
		said, err = e.Ask(ctx, Question{c.Scenario, move.Step, c.Transaction, c.Contract, c.Payer, c.Nonce, c.Merchant, c.Value})
		if err != nil {
			return said, "", err
		}
		if wrong, err = story.judge(t, said, move); wrong == "" || err != nil || said == Shipped || !time.Now().Before(deadline) {
			return said, wrong, err
		}
		timer.Reset(20 * time.Millisecond)
	}
}

// judge returns the error of an answer after a move, in words, or "".
func (s *Story) judge(t *preconf.Timeline, said Answer, move Move) (wrong string, err error) {
	c := s.conclusionSoFar()
	found, missing := t.Moment().Find(c.Transaction)
	sealed := missing == nil && found.Where == preconf.Sealed && found.Receipt.Status == types.ReceiptStatusSuccessful
	switch {
	case said != Open && said != Paid && said != Shipped:
		return "", fmt.Errorf("it says %.80q of the payment, want %q, %q or %q", said, Open, Paid, Shipped)
	case said != Open && !sealed:
		return fmt.Sprintf("it says %s, and no block holds the payment", said), nil
	case said == Open && move.Done && move.Conclusion.Settled:
		return "it says open, and the payment is final", nil
	}
	return "", nil
}

// conclusionSoFar returns the payment as far as the story has named it.
func (s *Story) conclusionSoFar() Conclusion {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scene.conclusion
}

// finalize makes blocks until the newest of now is final.
func finalize(ctx context.Context, t *preconf.Timeline) error {
	head := t.Moment().Latest().Number()
	for range 100 {
		if t.Moment().Finalized().Number() >= head {
			break
		}
		if _, err := t.SealContext(ctx, 16); err != nil {
			return err
		}
	}
	return nil
}
