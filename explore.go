package fakenode

import (
	"context"
	"fmt"
	"strings"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/scenario"
)

// BackEnd answers questions about payments, as Exam.Ask.
type BackEnd func(context.Context, ExamQuestion) (ExamAnswer, error)

// TestRunner is a Tester that has subtests of its own type T, such as *testing.T.
type TestRunner[T any] interface {
	Tester
	Context() context.Context
	Run(name string, f func(T)) bool
}

// Explore searches for a schedule of accidents that fools a back end, each on a world of the node for which begin
// begins the back end anew. The schedule that is found, made short, is a subtest that fails with what happened, and
// with the lines that play it again.
func Explore[T TestRunner[T]](t T, node *Node, e Exploration, begin func(world *Node) BackEnd) {
	t.Helper()
	finding, err := e.Explore(t.Context(), func(context.Context) (*scenario.World, error) {
		world, err := node.NewWorld(WorldOptions{})
		if err != nil {
			return nil, err
		}
		return world.Network.ExploredWorld(begin(world), func() { _ = world.Close() }), nil
	})
	if err != nil {
		t.Fatalf("fakenode: explore: %v", err)
	}
	if finding.Failed != "" {
		t.Run(strings.ReplaceAll(finding.Schedule.String(), ", ", ","), func(t T) {
			t.Errorf("%s\nTo play it again:\n\tfound, _ := fakenode.ParseSchedule(%q)\n"+
				"\tfakenode.Explore(t, node, fakenode.Exploration{Runs: -1, Depth: %d, Found: []fakenode.Schedule{found}}, begin)", finding, finding.Schedule, finding.Depth)
		})
	}
}

// ParseSchedule reads a schedule such as "pay 0 0, seal 0 0, reorg 0 0", for Exploration.Found.
func ParseSchedule(text string) (Schedule, error) { return scenario.ParseSchedule(text) }

// spoilt are faults of calls and of notifications by what they do, in words. Those that fool more come first.
var spoilt = []struct {
	effect string
	calls  bool
	fault  Fault
}{
	{"null", true, Fault{Null: true}},
	{"lost, after the method has run", true, Fault{LoseAnswer: true}},
	{"those of a node a block behind", true, Fault{Behind: Behind{Blocks: 1}}},
	{"errors", true, Fault{Error: &Error{Code: jsonrpc.CodeServer, Message: "the node failed"}}},
	{"those of a node on the removed branch", true, Fault{Behind: Behind{Orphaned: true}}},
	{"HTTP status 429", true, Fault{HTTPStatus: 429}},
	{"cut connections", true, Fault{DropConnection: true}},
	{"lost", false, Fault{Drop: true}},
	{"sent twice", false, Fault{Duplicate: true}},
	{"sent behind the next", false, Fault{Reorder: true}},
	{"cut short", false, Fault{Truncate: 20}},
	{"sent behind one of no subscription", false, Fault{Stray: true}},
}

// ExploredWorld returns the network as a schedule of accidents is played on it, against a back end. Close is called at
// the end of it.
func (n *Network) ExploredWorld(ask BackEnd, close func()) *scenario.World {
	mark := n.MarkCalls()
	w := &scenario.World{Stage: n.stage(), Ask: ask, Close: close, Heal: n.ClearFaults}
	faults := map[string]Fault{}
	for _, s := range spoilt {
		if faults[s.effect] = s.fault; s.calls {
			w.Effects = append(w.Effects, s.effect)
		} else {
			w.Notified = append(w.Notified, s.effect)
		}
	}
	w.Fail = func(method, where, effect string, nth, times int) error {
		fault := faults[effect]
		fault.Method, fault.Where, fault.Nth, fault.Times = method, where, nth, times
		return n.Fail(fault)
	}
	w.Cut = func() int {
		cut, err := n.Disconnect(Disconnection{})
		n.check(err)
		return cut
	}
	w.Calls = func() (calls []string) {
		for _, call := range mark.Calls("") {
			calls = append(calls, fmt.Sprintf("%s %d", call.Method, call.Code))
		}
		return calls
	}
	return w
}
