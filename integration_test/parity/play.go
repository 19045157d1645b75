package parity

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// courseLength is the number of calls after which both nodes are started anew.
const courseLength = 120

// pair is two new nodes in front of a course.
type pair struct {
	peer         *Peer
	ours, theirs *Node
	comparison   *comparison
	stuck        bool           // theirs has not settled in time after the last call
	head         hexutil.Uint64 // the number of ours after the last command
	stop         func()
}

func (p *Peer) start(ctx context.Context) (*pair, error) {
	began := time.Now()
	ours, theirs, stop, err := p.Start(ctx)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	pair := &pair{peer: p, ours: newNode(ours, now), theirs: newNode(theirs, now), comparison: newComparison(began, p.Tolerance), stop: stop}
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

// Try prints the answers of new nodes to calls as a row has them: ours above theirs.
func (p *Peer) Try(ctx context.Context, text string) error {
	calls, err := parseCalls(text)
	if err != nil {
		return err
	}
	pair, err := p.start(ctx)
	if err != nil {
		return err
	}
	defer pair.stop()
	for _, call := range calls {
		fmt.Println(call.Method)
		for _, node := range []*Node{pair.ours, pair.theirs} {
			switch answer, err := node.make(ctx, call); {
			case err != nil:
				return err
			case answer.Error != nil:
				fmt.Println("    ", said(answer.Error), string(answer.Error.Data))
			default:
				fmt.Println("    ", string(answer.Result))
			}
		}
		pair.settle(ctx)
	}
	return nil
}

// decisive are the differences of heads and pools after which nothing else is the same.
var decisive = []string{
	"then eth_getBlockByNumber", "then eth_getBlockByNumber.number", "then eth_getBlockByNumber.timestamp", "then eth_getBlockByNumber.baseFeePerGas",
	"then eth_getBlockByNumber.gasUsed", "then eth_getBlockByNumber.transactions[]", "then txpool_status.pending", "then txpool_status.queued", "then eth_pendingTransactions[]",
}

// noAnswer is where a peer differs that has ended, or takes longer than mostWaited.
const noAnswer = "no answer"

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
		said := err.Error()
		if _, err := p.theirs.post(ctx, "eth_chainId", []any{}); err != nil {
			said += ", nor to eth_chainId"
		}
		return p.unmasked([]Difference{{Method: call.Method, Where: noAnswer, Ours: string(ours.Result), Theirs: said}}), true, nil
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
	looks := []Call{{Method: "eth_getBlockByNumber", Params: []any{"latest", false}}, {Method: cmp.Or(p.peer.Pool, "txpool_status")}}
	for i := 0; i < len(looks); i++ {
		look := looks[i]
		ours, err := p.ours.make(ctx, look)
		if err != nil {
			return nil, false, err
		}
		theirs, err := p.theirs.make(ctx, look)
		if err != nil {
			return nil, false, err
		}
		if i == 0 {
			var head struct{ Number hexutil.Uint64 }
			if err := json.Unmarshal(ours.Result, &head); err != nil {
				return nil, false, err
			}
			if head.Number > p.head+1 { // of several blocks the first has what waited
				looks = append(looks, Call{Method: "eth_getBlockByNumber", Params: []any{p.head + 1, false}})
			}
			p.head = head.Number
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
	Differ   int            // calls whose answers differ
	Listed   map[string]int // differences that the table has, by the line of the row
	Unlisted []Difference   // the first of each kind, shortened
	Counts   map[string]int // of unlisted differences, by Difference.String of the first
}

// outcome holds the differences found in a course.
type outcome struct {
	found []Difference
	made  int
	err   error
}

// begin plays a course beside others.
func (p *Peer) begin(ctx context.Context, seed, number uint64) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		played := outcome{err: errors.New("the nodes were not started")} // where a test ends this goroutine
		defer func() { done <- played }()
		played.found, played.made, played.err = p.play(ctx, p.course(seed, number, courseLength))
	}()
	return done
}

// Compare makes at least that many random calls of both nodes, and returns the differences that no row lists. It says
// the first of each kind as it is found.
func (p *Peer) Compare(ctx context.Context, seed uint64, calls int, rows []Row, shorten int, say func(...any)) (*Report, error) {
	report, kinds := &Report{Listed: map[string]int{}, Counts: map[string]int{}}, map[string]string{}
	ctx, cancel := context.WithCancel(ctx)
	var running []<-chan outcome // in their order, so that every run of a seed reports the same
	defer func() {
		cancel()
		for _, course := range running {
			<-course
		}
	}()
	for begun := uint64(0); report.Calls < calls; {
		for ; len(running) < max(1, p.AtOnce); begun++ {
			running = append(running, p.begin(ctx, seed, begun))
		}
		played := <-running[0]
		running = running[1:]
		if played.err != nil {
			return report, fmt.Errorf("course %d of seed %d: %w", report.Courses, seed, played.err)
		}
		report.Calls, report.Courses = report.Calls+max(played.made, 1), report.Courses+1
		known := map[int]bool{} // after how many calls there is a listed difference
		for _, d := range played.found {
			known[len(d.Calls)] = known[len(d.Calls)] || listing(rows, d) >= 0
		}
		report.Differ += len(known)
		for _, d := range played.found {
			if row := listing(rows, d); row >= 0 {
				report.Listed[rows[row].Line]++
				continue
			}
			if known[len(d.Calls)] && strings.HasPrefix(d.Where, "then ") { // follows from what is meant
				continue
			}
			first, seen := kinds[d.kind()]
			if !seen {
				if len(kinds) < shorten && d.Where != noAnswer { // each try would wait as long
					var err error
					if d.Calls, err = p.shorten(ctx, d, rows); err != nil {
						return report, err
					}
				}
				first = d.String()
				kinds[d.kind()] = first
				report.Unlisted = append(report.Unlisted, d)
				say(fmt.Sprintf("after %d calls %s\n%s", report.Calls, first, texts(d.Calls)))
			}
			report.Counts[first]++
		}
	}
	return report, nil
}

// mostShortened is how long the calls of a difference are shortened: some take half a minute in each try.
const mostShortened = 2 * time.Minute

// shorten returns the fewest calls found that still lead to a difference of the same kind.
func (p *Peer) shorten(ctx context.Context, d Difference, rows []Row) ([]Call, error) {
	calls, last := d.Calls[:len(d.Calls)-1], d.Calls[len(d.Calls)-1]
	began := time.Now()
	for size := len(calls); size > 0; size /= 2 {
		for from := 0; from+size <= len(calls) && time.Since(began) < mostShortened; {
			fewer := slices.Concat(calls[:from], calls[from+size:])
			shows, err := p.shows(ctx, append(slices.Clone(fewer), last), d, rows)
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

// shows reports whether the last of the calls has a difference of a kind that no row lists.
func (p *Peer) shows(ctx context.Context, calls []Call, want Difference, rows []Row) (bool, error) {
	found, _, err := p.play(ctx, calls)
	return slices.ContainsFunc(found, func(d Difference) bool {
		return len(d.Calls) == len(calls) && d.kind() == want.kind() && listing(rows, d) < 0
	}), err
}

// Holds reports whether the calls of a row still show its difference, in each of its members.
func (p *Peer) Holds(ctx context.Context, row Row) (bool, error) {
	var found []Difference
	for _, calls := range row.Shows {
		played, _, err := p.play(ctx, calls)
		if err != nil {
			return false, err
		}
		found = append(found, played...)
	}
	for _, where := range row.Where {
		one := row
		one.Where = []string{where}
		if !slices.ContainsFunc(found, one.lists) {
			return false, nil
		}
	}
	return true, nil
}

// done reports whether a node has carried out a command.
func done(call Call, a *answer) bool {
	return a.Error == nil && !(string(a.Result) == "false" && slices.Contains(goBack, call.Method))
}

// mostListed is the number of calls that a report lists in whole.
const mostListed = 16

// String lists the rows by how often they were met, and the unlisted differences, each with the calls that show it.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d calls in %d courses, %d with answers that differ, %d kinds unlisted\n", r.Calls, r.Courses, r.Differ, len(r.Unlisted))
	for _, line := range slices.SortedFunc(maps.Keys(r.Listed), func(a, b string) int { return cmp.Compare(r.Listed[b], r.Listed[a]) }) {
		fmt.Fprintf(&b, "%5d listed %s\n", r.Listed[line], line)
	}
	for _, d := range r.Unlisted {
		if len(d.Calls) > mostListed && d.Where != noAnswer { // it has not been shortened
			d.Calls = d.Calls[len(d.Calls)-1:]
		}
		fmt.Fprintf(&b, "%5d × %s\n        %s\n", r.Counts[d.String()], d, texts(d.Calls))
	}
	return b.String()
}
