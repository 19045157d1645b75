package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Exploration is a search for the Schedule that fools a back end.
type Exploration struct {
	// Runs is how many schedules are drawn. Zero: 400, or as many as fit into For; -1: none.
	Runs int
	// For is the wall time after which no more are drawn. Zero: any.
	For time.Duration
	// Seed draws the schedules: the same for the same answers.
	Seed uint64
	// Depth of the deepest reorg that the back end means to survive, in blocks. Zero: 3.
	Depth int
	// Without are names of accidents that do not happen.
	Without []string
	// Indexer asks for the token's transfers in place of payments: in the end they are those of the chain.
	Indexer bool
	// Captures hands the back end authorizations to capture: of an order's, one is captured.
	Captures bool
	// Wait is the wall time after each move until the back end is asked, Patience how long it may correct a wrong answer.
	Wait, Patience time.Duration
	// Found are schedules that are played first.
	Found []Schedule
}

// Finding is the result of an Exploration.
type Finding struct {
	// Schedule fooled the back end, made as short as it could be. Its Failed is empty if there is none.
	Schedule
	// Told tells what happened in it, a line each.
	Told string
	// Flaky reports whether the back end passed the same schedule in most other plays.
	Flaky bool
	// Runs were played until it was found, Calls counts the pairs of calls that the back end made in them, and Skipped are
	// accidents that happened in none.
	Runs, Calls int
	Skipped     []string
}

// String returns a few lines about it.
func (f Finding) String() string {
	never := ""
	if len(f.Skipped) > 0 {
		never = fmt.Sprintf("; never: %s", strings.Join(f.Skipped, ", "))
	}
	if f.Failed == "" {
		return fmt.Sprintf("passed %d schedules, with %d pairs of calls%s\n", f.Runs, f.Calls, never)
	}
	flaky := ""
	if f.Flaky {
		flaky = "It passes the same schedule at other times, so this one is not made shorter.\n"
	}
	return fmt.Sprintf("FAILED schedule %d of seed %d: %s\n%s%s", f.Runs, f.Seed, f.Failed, f.Told, flaky)
}

// Check returns an error that names what is wrong with the exploration.
func (e Exploration) Check() error {
	if e.Depth < 0 || e.Depth > MaxDepth {
		return fmt.Errorf("depth %d is outside 1 to %d", e.Depth, MaxDepth)
	}
	if e.Runs < -1 {
		return fmt.Errorf("runs %d is below -1, which draws none", e.Runs)
	}
	if e.Indexer && e.Captures {
		return errors.New("an indexer captures nothing")
	}
	for _, name := range e.Without {
		if kindOf(name) < 0 {
			return fmt.Errorf("there is no accident %q: they are %s", name, strings.Join(AccidentNames(), ", "))
		}
	}
	return nil
}

// explorer is an Exploration under way.
type explorer struct {
	Exploration
	world    func(context.Context) (*World, error)
	random   *rand.Rand
	plays    int             // of payments
	asked    map[string]bool // pairs of calls
	happened map[string]bool // names of accidents
	corpus   [][]Accident    // schedules that made the back end ask something new
	finding  Finding
}

// Explore plays schedules, each on a world, until one fools the back end, which is then made short. The error is that
// of world, of Check or of the context, or reports that there is no payment.
func (e Exploration) Explore(ctx context.Context, world func(context.Context) (*World, error)) (Finding, error) {
	if err := e.Check(); err != nil {
		return Finding{}, err
	}
	e.Depth = cmp.Or(e.Depth, 3)
	if e.Runs == 0 && e.For == 0 {
		e.Runs = 400
	}
	x := &explorer{Exploration: e, world: world, random: rand.New(rand.NewPCG(e.Seed, 0)), asked: map[string]bool{}, happened: map[string]bool{}}
	err := x.explore(ctx)
	if err == nil && e.Runs >= 0 && !x.happened["pay"] && !slices.Contains(e.Without, "pay") {
		err = errors.New("no payment can be made on this chain")
	}
	x.finding.Calls = len(x.asked)
	x.finding.Skipped = slices.DeleteFunc(AccidentNames(), func(name string) bool { return x.happened[name] })
	return x.finding, err
}

func (x *explorer) explore(ctx context.Context) error {
	for _, found := range x.Found {
		if failed, err := x.try(ctx, found.Moves); failed || err != nil {
			return err
		}
	}
	begun := time.Now()
	for i := 0; (x.Runs == 0 || i < x.Runs) && (x.For == 0 || time.Since(begun) < x.For); i++ {
		if failed, err := x.try(ctx, x.draw()); failed || err != nil {
			return err
		}
	}
	return nil
}

// found notes the result of a play that fooled the back end.
func (x *explorer) found(p Finding) { x.finding.Schedule, x.finding.Told = p.Schedule, p.Told }

// try plays a schedule that was found or drawn, and makes one that fools the back end short.
func (x *explorer) try(ctx context.Context, moves []Accident) (failed bool, err error) {
	x.finding.Runs++
	p, err := x.play(ctx, moves, true)
	if err != nil || p.Failed == "" {
		return false, err
	}
	if failed, err = x.fails(ctx, p.Moves); failed {
		return true, x.shorten(ctx)
	}
	x.found(p)
	x.finding.Flaky = true
	return true, err
}

// maxShorten is how long a schedule is made shorter, for back ends that answer slowly or not at all.
const maxShorten = 2 * time.Minute

// shorten makes the schedule that was found as short as it can be.
func (x *explorer) shorten(ctx context.Context) error {
	begun := time.Now()
	for candidates := shorter(x.finding.Moves); len(candidates) > 0 && time.Since(begun) < maxShorten; {
		failed, err := x.fails(ctx, candidates[0])
		if err != nil {
			return err
		}
		if candidates = candidates[1:]; failed {
			candidates = shorter(x.finding.Moves)
		}
	}
	return nil
}

// fails plays a schedule up to three times, and reports whether it fails twice: then it is the finding.
func (x *explorer) fails(ctx context.Context, moves []Accident) (failed bool, err error) {
	for passes, failures := 0, 0; passes < 2; {
		p, err := x.play(ctx, moves, false)
		if err != nil {
			return false, err
		}
		if p.Failed == "" {
			passes++
		} else if failures++; failures == 2 {
			x.found(p)
			return true, nil
		}
	}
	return false, nil
}

// play plays a schedule on a world, and learns from one that is no repetition what makes the back end ask.
func (x *explorer) play(ctx context.Context, moves []Accident, learn bool) (p Finding, err error) {
	world, err := x.world(ctx)
	if err != nil {
		return p, err
	}
	defer world.Close()
	r := &run{World: world, explorer: x, ctx: ctx}
	wrong, made := r.play(moves)
	if err := context.Cause(ctx); err != nil {
		return p, err
	}
	if learn {
		known, before := len(x.asked), ""
		for _, call := range world.Calls() {
			x.asked[before+" > "+call], before = true, call
		}
		if len(x.asked) > known {
			x.corpus = append(x.corpus, moves)
		}
	}
	return Finding{Schedule: Schedule{scheduleVersion, x.Seed, x.Depth, moves[:made], wrong}, Told: r.told}, nil
}

// draw returns a new schedule: one that made the back end ask something new, varied, or a random one with a theme of
// few accidents, as all of them together hide each other's effects.
func (x *explorer) draw() (moves []Accident) {
	if len(x.corpus) > 0 && x.random.IntN(3) == 0 {
		moves = slices.Clone(x.corpus[x.random.IntN(len(x.corpus))])
		for range 1 + x.random.IntN(3) {
			i, move := x.random.IntN(len(moves)), x.oneOf([][]string{usual, themes}[x.random.IntN(2)])
			switch x.random.IntN(3) {
			case 0:
				moves[i] = move
			case 1:
				moves = slices.Insert(moves, i+1, x.followed(move)...)
			case 2:
				moves[i].A, moves[i].B = x.number(), x.number()
			}
		}
		return moves
	}
	theme := []string{x.oneOf(themes).Name, x.oneOf(themes).Name}[:1+x.random.IntN(2)]
	moves = x.followed(x.oneOf([]string{"pay"}))
	for range 3 + x.random.IntN(8) {
		moves = append(moves, x.followed(x.oneOf([][]string{usual, theme}[x.random.IntN(2)]))...)
	}
	return moves
}

// usual are accidents that every schedule may have: payments, blocks, flashblocks and reorgs. The others make its
// theme, spoilt answers more often, as there are many.
var (
	usual  = AccidentNames()[:4]
	themes = append(AccidentNames()[4:], slices.Repeat([]string{"answer"}, 12)...)
)

// followed returns a move, and mostly moves after it in which it shows.
func (x *explorer) followed(move Accident) (moves []Accident) {
	for moves = append(moves, move); accidents[kindOf(move.Name)].next != nil && x.random.IntN(5) > 0; moves = append(moves, move) {
		move = x.oneOf(accidents[kindOf(move.Name)].next)
	}
	return moves
}

// oneOf draws an accident of these names, without those that shall not happen.
func (x *explorer) oneOf(names []string) Accident {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(x.Without, name) })
	if len(names) == 0 {
		names = []string{"nothing"}
	}
	move := Accident{names[x.random.IntN(len(names))], x.number(), x.number()}
	switch move.Name {
	case "reorg":
		move.A, move.B = x.random.IntN(3*x.Depth), x.random.IntN(4)
	case "answer":
		move.A = x.random.IntN(8) // of any method
	}
	return move
}

// number draws a number, mostly a small one.
func (x *explorer) number() int { return x.random.IntN(1 << (1 + x.random.IntN(6))) }
