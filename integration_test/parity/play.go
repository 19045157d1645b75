package parity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// courseLength is the number of calls after which both nodes are started anew.
const courseLength = 120

// pair is two new nodes in front of a course.
type pair struct {
	peer         *Peer
	ours, theirs *Node
	comparison   *comparison
	stuck        bool // theirs has not settled in time after the last call
	stop         func()
}

func (p *Peer) start(ctx context.Context) (*pair, error) {
	began := time.Now()
	ours, stopOurs, err := p.Ours(ctx)
	if err != nil {
		return nil, err
	}
	theirs, stopTheirs, err := p.Theirs(ctx)
	if err != nil {
		stopOurs()
		return nil, err
	}
	now := time.Now()
	pair := &pair{
		peer: p, ours: newNode(ours, now), theirs: newNode(theirs, now), comparison: newComparison(began, p.Tolerance),
		stop: func() { stopOurs(); stopTheirs() },
	}
	if p.Placed {
		return pair, nil
	}
	for _, contract := range contracts {
		for _, node := range []*Node{pair.ours, pair.theirs} {
			if _, err := node.post(ctx, "hardhat_setCode", []any{contract.address, contract.code}); err != nil {
				pair.stop()
				return nil, err
			}
		}
	}
	return pair, nil
}

// play makes calls until one leaves the chains different, and returns the differences and the number of calls made.
func (p *Peer) play(ctx context.Context, calls []Call) (found []Difference, made int, err error) {
	pair, err := p.start(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer pair.stop()
	for i, call := range calls {
		differences, apart, err := pair.step(ctx, call)
		if err != nil {
			return nil, i, fmt.Errorf("after %s: %w", texts(calls[:i+1]), err)
		}
		for _, d := range differences {
			d.Calls = calls[:i+1]
			found = append(found, d)
		}
		if apart {
			return found, i + 1, nil
		}
	}
	return found, len(calls), nil
}

// decisive are the differences of heads and pools after which nothing else is the same.
var decisive = []string{
	"then eth_getBlockByNumber", "then eth_getBlockByNumber.number", "then eth_getBlockByNumber.timestamp", "then eth_getBlockByNumber.baseFeePerGas",
	"then eth_getBlockByNumber.gasUsed", "then eth_getBlockByNumber.transactions[]", "then txpool_status.pending", "then txpool_status.queued", "then eth_pendingTransactions[]",
}

// step makes one call of both nodes. Apart reports whether their chains or pools differ afterwards.
func (p *pair) step(ctx context.Context, call Call) (found []Difference, apart bool, err error) {
	ours, err := p.ours.make(ctx, call)
	if err != nil {
		return nil, false, err
	}
	theirs, err := p.theirs.make(ctx, call)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, false, err
	case err != nil: // it has ended
		return []Difference{{Method: call.Method, Where: "no answer", Ours: string(ours.Result), Theirs: err.Error()}}, true, nil
	}
	found = p.unmasked(p.comparison.compare(call.Method, ours, theirs))
	if !slices.ContainsFunc(commands, func(prefix string) bool { return strings.HasPrefix(call.Method, prefix) }) {
		return found, false, nil
	}
	// A command that one of them has refused leaves two states, even where head and pool do not show it.
	apart = done(call, ours) != done(call, theirs)
	if slices.Contains(goBack, call.Method) {
		for _, more := range p.peer.Forgets {
			for _, node := range []*Node{p.ours, p.theirs} {
				if _, err := node.make(ctx, more); err != nil {
					return nil, false, err
				}
			}
		}
	}
	p.settle(ctx)
	for _, look := range []Call{{Method: "eth_getBlockByNumber", Params: []any{"latest", false}}, {Method: cmp.Or(p.peer.Pool, "txpool_status")}} {
		ours, err := p.ours.make(ctx, look)
		if err != nil {
			return nil, false, err
		}
		theirs, err := p.theirs.make(ctx, look)
		if err != nil {
			return nil, false, err
		}
		for _, d := range p.unmasked(p.comparison.compare(call.Method, ours, theirs)) {
			d.Where = strings.Replace(d.Where, "result", "then "+look.Method, 1)
			if slices.Contains(decisive, d.Where) {
				found, apart = append(found, d), true
			}
		}
	}
	return found, apart, nil
}

// settle waits until theirs has settled: for a second, but only for 63 ms where that did not suffice the last time.
func (p *pair) settle(ctx context.Context) {
	if p.peer.Settled == nil {
		return
	}
	most := time.Second
	if p.stuck {
		most = 60 * time.Millisecond
	}
	p.stuck = false
	for wait := time.Millisecond; !p.peer.Settled(ctx, p.theirs); wait *= 2 {
		if wait > most {
			p.stuck = true
			return
		}
		time.Sleep(wait)
	}
}

// unmasked returns the differences that two nodes do not have by nature.
func (p *pair) unmasked(found []Difference) []Difference {
	return slices.DeleteFunc(found, func(d Difference) bool {
		return slices.ContainsFunc(p.peer.Masked, func(mask string) bool { return like(mask, d.Method+" "+d.Where) })
	})
}

// make makes a call and keeps its result for later ones.
func (n *Node) make(ctx context.Context, call Call) (*answer, error) {
	answer, err := n.post(ctx, call.Method, n.resolve(ctx, call))
	if err == nil && answer.Error == nil && call.ID > 0 {
		n.results[call.ID] = answer.Result
	}
	return answer, err
}

// Report is the outcome of a run.
type Report struct {
	Calls    int            // made of each node
	Courses  int            // begun with new nodes
	Listed   int            // differences that the table has
	Unlisted []Difference   // the first of each kind, shortened
	Counts   map[string]int // of unlisted differences, by Difference.String of the first
}

// Compare makes random calls of both nodes and returns the differences that no row lists.
func (p *Peer) Compare(ctx context.Context, seed uint64, calls int, rows []Row, shorten int) (*Report, error) {
	report, kinds := &Report{Counts: map[string]int{}}, map[string]string{}
	for number := uint64(0); report.Calls < calls; number++ {
		found, made, err := p.play(ctx, p.course(seed, number, min(courseLength, calls-report.Calls)))
		if err != nil {
			return report, fmt.Errorf("course %d of seed %d: %w", number, seed, err)
		}
		report.Calls, report.Courses = report.Calls+max(made, 1), report.Courses+1
		listed := 0 // how many calls led to the last listed difference
		for _, d := range found {
			follows := listed == len(d.Calls) && strings.HasPrefix(d.Where, "then ") // of a call that both did not take
			if follows || slices.ContainsFunc(rows, func(r Row) bool { return r.lists(d) }) {
				report.Listed, listed = report.Listed+1, len(d.Calls)
				continue
			}
			first, known := kinds[d.kind()]
			if !known {
				if len(kinds) < shorten {
					if d.Calls, err = p.shorten(ctx, d); err != nil {
						return report, err
					}
				}
				first = d.String()
				kinds[d.kind()] = first
				report.Unlisted = append(report.Unlisted, d)
			}
			report.Counts[first]++
		}
	}
	return report, nil
}

// shorten returns the fewest calls found that still lead to a difference of the same kind.
func (p *Peer) shorten(ctx context.Context, d Difference) ([]Call, error) {
	calls, last := d.Calls[:len(d.Calls)-1], d.Calls[len(d.Calls)-1]
	for size := len(calls); size > 0; size /= 2 {
		for from := 0; from+size <= len(calls); {
			fewer := slices.Concat(calls[:from], calls[from+size:])
			shows, err := p.shows(ctx, append(slices.Clone(fewer), last), d)
			if err != nil {
				return nil, err
			}
			if shows {
				calls = fewer
			} else {
				from += size
			}
		}
	}
	return append(slices.Clone(calls), last), nil
}

// shows reports whether the last of the calls has a difference of a kind.
func (p *Peer) shows(ctx context.Context, calls []Call, want Difference) (bool, error) {
	found, _, err := p.play(ctx, calls)
	return slices.ContainsFunc(found, func(d Difference) bool {
		return len(d.Calls) == len(calls) && d.kind() == want.kind()
	}), err
}

// Holds reports whether the calls of a row still show its difference.
func (p *Peer) Holds(ctx context.Context, row Row) (bool, error) {
	found, _, err := p.play(ctx, row.Shows)
	return slices.ContainsFunc(found, row.lists), err
}

// done reports whether a node has carried out a command.
func done(call Call, a *answer) bool {
	return a.Error == nil && !(string(a.Result) == "false" && slices.Contains(goBack, call.Method))
}

// mostListed is the number of calls that a report lists in whole.
const mostListed = 16

// String lists the unlisted differences, each with the calls that show it.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d calls in %d courses, %d listed differences, %d kinds unlisted\n", r.Calls, r.Courses, r.Listed, len(r.Unlisted))
	for _, d := range r.Unlisted {
		if len(d.Calls) > mostListed { // it has not been shortened
			d.Calls = d.Calls[len(d.Calls)-1:]
		}
		fmt.Fprintf(&b, "%5d × %s\n        %s\n", r.Counts[d.String()], d, texts(d.Calls))
	}
	return b.String()
}
