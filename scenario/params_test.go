package scenario_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/scenario"
)

// Ensure parameters are bounded, with the bounds in the error, and zero ones are the defaults.
func TestParamsAreBounded(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	for want, p := range map[string]scenario.Params{
		"depth -1 is outside 1 to 1000":              {Depth: -1},
		"depth 1001 is outside 1 to 1000":            {Depth: 1001},
		"times -1 is outside 1 to 100":               {Times: -1},
		"times 101 is outside 1 to 100":              {Times: 101},
		"step -1ns is outside 0 to 1h0m0s":           {Step: -1},
		"step 1h0m0.000000001s is outside 0 to 1h0m": {Step: time.Hour + 1},
		"payer and merchant are the same account":    {Payer: 2, Merchant: 2},
		"account -1: the node has accounts 0 to 19":  {Payer: -1},
		"account 20: the node has accounts 0 to 19":  {Payer: 20},
	} {
		_, err := node.Scenario("StalledPending", p)
		require.ErrorContains(t, err, "scenario StalledPending: "+want)
		require.Zero(t, node.BlockNumber())
	}
	c, err := node.Scenario("StalledPending", scenario.Params{Payer: 19, Times: 100})
	require.NoError(t, err)
	require.Equal(t, []any{node.Account(19).Address, node.Account(0).Address}, []any{c.Payer, c.Merchant})
	require.Equal(t, fixtures.USD("25"), c.Value)
	c, err = node.Scenario("CaptureReorgedOut", scenario.Params{Depth: 2, Amount: "0.000001"})
	require.NoError(t, err)
	require.Equal(t, []any{node.Account(0).Address, node.Account(1).Address}, []any{c.Payer, c.Merchant})
	require.EqualValues(t, 1, c.Value.Uint64())
}

// Ensure the largest depth and the most flaps can be had, by which the head ends without the payment or with it.
func TestMostFlaps(t *testing.T) {
	t.Parallel()
	laboratory.OneGoroutine(t)
	for times, settled := range map[int]bool{1: false, 2: true, 99: false, 100: true} {
		c, err := fakenode.RunT(t).Scenario("FlappingHead", scenario.Params{Times: times})
		require.NoError(t, err)
		require.Equal(t, settled, c.Settled, times)
		require.Len(t, c.Orphans, (times+1)/2)
	}
	c, err := fakenode.RunT(t).Scenario("CaptureThenReorg", scenario.Params{Depth: laboratory.Budget(t, 100, 1000)})
	require.NoError(t, err)
	require.EqualValues(t, 2, c.BlockNumber)
}

// Ensure a scenario with a time after each move ends as one without.
func TestScenarioInSteps(t *testing.T) {
	t.Parallel()
	config := fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)}
	at, step := fakenode.RunConfigT(t, config), fakenode.RunConfigT(t, config)
	want, err := at.Scenario("CaptureThenReorg", scenario.Params{})
	require.NoError(t, err)
	got, err := step.Scenario("CaptureThenReorg", scenario.Params{Step: 1})
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, at.Moment().Latest().Hash(), step.Moment().Latest().Hash())
}

// Ensure stories that need somebody else say so where there are two accounts, and find the last one where there are
// three.
func TestThirdAccount(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	needs := 0
	for _, s := range some(t) {
		stage := scenario.Stage{Timeline: node.Timeline(), Accounts: node.Accounts()[:2], Token: node.Token().Domain()}
		if _, err := s.Play(t.Context(), stage, scenario.Params{}); err != nil {
			needs++
			require.ErrorContains(t, err, "the scenario needs a third account, the node has 2", s.Name)
		}
		for _, p := range []scenario.Params{{}, {Payer: 2, Merchant: 1}, {Payer: 0, Merchant: 2}} {
			stage.Accounts = node.Accounts()[:3]
			_, err := s.Play(t.Context(), stage, p)
			require.NoError(t, err, s.Name)
		}
	}
	require.NotZero(t, needs)
}

// Ensure marks are a table: a line for each story that was passed, two for one that was failed, and the sum.
func TestMarks(t *testing.T) {
	t.Parallel()
	marks := scenario.Marks{{Scenario: "A"}, {Scenario: "B", Failed: "no", Step: 3, Did: "It was sent.", Rule: "Wait."}, {Scenario: "C", Step: 4}, {Scenario: "D", LeftOut: "no blocks"}}
	require.Equal(t, "passed  A\nFAILED  B, step 3: no\n        It was sent.\n        Wait.\npassed  C\nleft out  D: no blocks\n2 of 3 stories passed\n", marks.String())
	require.Equal(t, "[FAILED  B, step 3: no\n        It was sent.\n        Wait.\n]", fmt.Sprint(marks.Failed()), "without a sum")
	require.Equal(t, []scenario.Mark(marks[1:2]), marks.Failed())
	require.Empty(t, scenario.Marks{}.Failed())
	require.Equal(t, "0 of 0 stories passed\n", scenario.Marks{}.String())
}
