package scenario

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

// World is a chain with a back end on it, on which one Schedule is played.
type World struct {
	Stage
	// Ask asks the back end.
	Ask func(context.Context, Question) (Answer, error)
	// Fail arms a fault of calls, or of notifications ("eth_subscription"), from the nth on; where is a text in the
	// parameters. Effects and Notified say what faults do, in words. Heal ends all.
	Fail              func(method, where, effect string, nth, times int) error
	Effects, Notified []string
	Heal              func()
	// Cut cuts the sockets of clients and returns their number.
	Cut func() int
	// Calls returns the calls that clients have made in the run, each a method and a kind of answer.
	Calls func() []string
	// Close ends the back end and the world.
	Close func()
}

// maxPayments is the number of payments of a run.
const maxPayments = 8

// payment is one payment of a run.
type payment struct {
	*scene
	validBefore uint64 // of its authorization, in Unix seconds
	shipped     bool   // as the back end said
	// nonces are of the authorizations that were handed over for the order, open is whether the back end calls it so.
	nonces []common.Hash
	open   bool
}

// run is a Schedule being played.
type run struct {
	*World
	*explorer
	ctx      context.Context
	first    uint64 // block of the run
	payments []*payment
	before   []*preconf.Moment // the moves since the node was started
	lying    bool              // a node that is behind answers
	failing  bool              // a fault of calls was armed
	undo     []func()          // moves of the token's owner
	told     string            // what happened, a line each
}

// play plays a schedule, and then lets everything get well and become final. It returns what is wrong with the back
// end, or "", and how many moves had been made.
func (r *run) play(moves []Accident) (wrong string, made int) {
	defer r.heal()
	r.first = r.Timeline.Moment().Latest().Number() + 1
	for i, move := range moves {
		did := r.attempt(move)
		if did == "" {
			continue
		}
		r.told += fmt.Sprintf("  %s.\n", did)
		if move.Name == "answer" || move.Name == "notification" { // it shows in what comes after the next
			continue
		}
		if wrong := r.question(i+1, false); wrong != "" || r.ctx.Err() != nil {
			return wrong, i + 1
		}
	}
	r.heal()
	r.told += "  The accidents are over, and everything is final.\n"
	var err error
	for i := 0; err == nil && (i < 2 || i < 20 && r.Timeline.Moment().PoolSize() > 0); i++ { // one may be late, and fees may be high
		_, err = r.Timeline.SealContext(r.ctx, 1)
	}
	if err != nil || finalize(r.ctx, r.Timeline) != nil {
		return "", len(moves)
	}
	return r.question(len(moves)+1, true), len(moves)
}

// heal ends what spoils answers and pre-confirmation.
func (r *run) heal() {
	r.Heal()
	r.Stale(preconf.Lag{})
	r.Timeline.ClearFlashblockFaults()
	r.lying, r.failing = false, false
	for _, undo := range r.undo {
		_ = attempt(undo) // a reorg may have undone it
	}
	r.undo = nil
}

// question asks about every payment, and returns what is wrong. While nodes lie or fail nothing that the back end says
// is wrong; what it has shipped then counts in the end.
func (r *run) question(step int, final bool) string {
	if r.Indexer {
		return r.askIndexer(step, final)
	}
	exam := Exam{Wait: r.Wait, Patience: r.Patience, Ask: r.Ask}
	for i, p := range r.payments {
		if !p.shipped {
			excused := !final && (r.lying || r.failing)
			said, wrong := exam.insist(r.ctx, r.Timeline, final, func() (Answer, string) {
				said, wrong := exam.answer(r.ctx, p.question(step))
				if wrong != "" {
					said = Open // it may answer in time
				} else {
					wrong = p.judge(r.Timeline, said, final)
				}
				if excused {
					wrong = ""
				}
				return said, wrong
			})
			if exam.Wait = 0; r.ctx.Err() != nil {
				return ""
			}
			if p.shipped = said.Payment == Shipped.Payment; wrong != "" {
				return fmt.Sprintf("payment %d: %s", i+1, wrong)
			}
		}
		if final && p.shipped {
			if wrong := p.judge(r.Timeline, Shipped, true); wrong != "" {
				if p.order == nil {
					wrong = "it has shipped, and the payment did not happen"
				}
				return fmt.Sprintf("payment %d: %s", i+1, wrong)
			}
		}
	}
	return ""
}
