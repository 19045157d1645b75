package door_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
)

// subtests is a TestRunner that remembers the names and errors of its subtests.
type subtests struct {
	*testing.T
	name, said string
}

func (s *subtests) Errorf(format string, args ...any) { s.said = fmt.Sprintf(format, args...) }

func (s *subtests) Run(name string, f func(*subtests)) bool {
	s.name = name
	f(s)
	return s.said == ""
}

// Ensure Explore fails a subtest named by the schedule that fools a back end, with the lines that play it again, which
// fail that back end and no other.
func TestExplore(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	eager := func(*fakenode.Node) fakenode.BackEnd {
		return func(context.Context, fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
			return scenario.Shipped, nil
		}
	}
	tried := &subtests{T: t}
	fakenode.Explore(tried, node, fakenode.Exploration{}, eager)
	require.Equal(t, "pay 0 0", tried.name)
	require.Contains(t, tried.said, "payment 1: it says shipped, and no block holds the payment\n  Payment 1 is sent.\n")
	require.Contains(t, tried.said, `found, _ := fakenode.ParseSchedule("pay 0 0")`)

	found, err := fakenode.ParseSchedule(tried.name)
	require.NoError(t, err)
	replay := fakenode.Exploration{Runs: -1, Depth: 3, Found: []fakenode.Schedule{found}}
	tried = &subtests{T: t}
	fakenode.Explore(tried, node, replay, eager)
	require.NotEmpty(t, tried.said)
	tried = &subtests{T: t}
	fakenode.Explore(tried, node, replay, func(world *fakenode.Node) fakenode.BackEnd {
		return func(_ context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
			if world.Token().AuthorizationState(q.Payer, q.Nonce) {
				return scenario.Paid, nil
			}
			return scenario.Open, nil
		}
	})
	require.Empty(t, tried.said)
}

// Ensure each way in which a schedule spoils answers and notifications is a fault that a node takes.
func TestExploreSpoils(t *testing.T) {
	t.Parallel()
	world := fakenode.RunT(t).ExploredWorld(nil, func() {})
	for method, effects := range map[string][]string{"eth_call": world.Effects, "eth_subscription": world.Notified} {
		for _, effect := range effects {
			require.NoError(t, world.Fail(method, "", effect, 1, 1), effect)
		}
	}
}
