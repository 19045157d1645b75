package scenario_test

import (
	"context"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure a story into which somebody writes so that its conclusion is not true any more ends with an error, and gives
// no conclusion: the payment is sent again, taken back, or its block comes back.
func TestStoriesThatOthersSpoil(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		moves int // before the others write
		spoil func(node *fakenode.Node, payment common.Hash)
	}{
		{"CaptureReorgedOut", 3, func(node *fakenode.Node, payment common.Hash) {
			for _, orphan := range node.Moment().Sealed().Orphans() {
				for _, tx := range orphan.Transactions() {
					if signed := evmstate.Signed(tx); signed != nil && tx.Hash() == payment {
						require.NoError(t, node.Send(signed))
					}
				}
			}
			node.Seal()
		}},
		{"CaptureThenReorg", 3, func(node *fakenode.Node, payment common.Hash) {
			_, err := node.Reorg(fakenode.ReorgOptions{Depth: 2, Drop: []common.Hash{payment}, Force: true})
			require.NoError(t, err)
		}},
		{"CaptureThenReorg", 3, func(node *fakenode.Node, payment common.Hash) {
			_, err := node.Reorg(fakenode.ReorgOptions{Depth: 2, Force: true})
			require.NoError(t, err)
		}},
	} {
		node := fakenode.RunT(t)
		story, err := node.Story(c.name, fakenode.ScenarioParams{})
		require.NoError(t, err)
		var payment common.Hash
		for i := range c.moves {
			_, err := story.Next(t.Context())
			require.NoError(t, err)
			if pool := node.Moment().Pool(); i == 0 && len(pool) > 0 {
				payment = pool[0].Tx.Hash()
			}
		}
		require.NotZero(t, payment)
		c.spoil(node, payment)
		move, err := story.Next(t.Context())
		require.EqualError(t, err, "scenario "+c.name+": the payment went otherwise than it should")
		require.Zero(t, move)
	}
}

// Ensure a scenario whose moves take their time ends with its context between two moves, undone, and an exam while it
// waits to ask.
func TestPausesEndWithTheContext(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	stage := scenario.Stage{Timeline: node.Timeline(), Accounts: node.Accounts(), Token: node.Token().Domain()}
	before := node.Moment().Latest().Hash()
	long, err := scenario.Find("CaptureThenReorg")
	require.NoError(t, err)
	for _, wait := range []func(context.Context) error{
		func(ctx context.Context) error {
			conclusion, err := long.Play(ctx, stage, scenario.Params{Step: time.Hour})
			require.Zero(t, conclusion)
			return err
		},
		func(ctx context.Context) error {
			asked := func(context.Context, scenario.Question) (scenario.Answer, error) { panic("it is too early to ask") }
			marks, err := scenario.Exam{Kinds: []scenario.Kind{"reorgs"}, Wait: time.Hour, Ask: asked}.Hold(ctx, stage)
			require.Empty(t, marks)
			return err
		},
	} {
		ctx, leave := context.WithCancel(t.Context())
		feed := node.Timeline().Subscribe()
		done := make(chan error, 1)
		go func() { done <- wait(ctx) }()
		_, err := feed.Next(t.Context()) // the first move
		require.NoError(t, err)
		leave()
		require.ErrorIs(t, <-done, context.Canceled)
		feed.Close()
		require.Equal(t, before, node.Moment().Latest().Hash())
		require.Zero(t, node.Moment().PoolSize())
	}
	quick, err := long.Play(t.Context(), stage, scenario.Params{Step: time.Microsecond})
	require.NoError(t, err)
	require.True(t, quick.Settled)
}

// Ensure the payment is a transfer of exactly the amount that is asked for, from and to the accounts that are, on a
// node whose blocks have room for it; and that one without says so.
func TestRoomForScenarios(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	payer, merchant := node.Account(4), node.Account(5)
	had := node.Token().BalanceOf(payer.Address)
	c, err := node.Scenario("CaptureThenReorg", fakenode.ScenarioParams{Payer: 4, Merchant: 5, Amount: "3.000001"})
	require.NoError(t, err)
	require.Equal(t, fixtures.USD("3.000001"), c.Value)
	require.Equal(t, new(uint256.Int).Sub(had, c.Value), node.Token().BalanceOf(payer.Address))
	require.Equal(t, []common.Address{payer.Address, merchant.Address}, []common.Address{c.Payer, c.Merchant})
	found, err := node.Moment().Find(c.Transaction)
	require.NoError(t, err)
	require.EqualValues(t, 4_000_000, found.Transaction.Gas())
	transfers := 0
	for _, log := range found.Receipt.Logs {
		if transfer, err := tokencontract.DecodeTransfer(*log); err == nil {
			require.Equal(t, c.Value, transfer.Value)
			transfers++
		}
	}
	require.Equal(t, 1, transfers)

	tight := fakenode.RunConfigT(t, fakenode.Config{GasLimit: 3_999_999})
	_, err = tight.Scenario("CaptureThenReorg", fakenode.ScenarioParams{})
	require.EqualError(t, err, "scenario CaptureThenReorg: the capture would fail: exceeds block gas limit")
	require.Zero(t, tight.BlockNumber())
	require.NoError(t, func() error {
		_, err := fakenode.RunConfigT(t, fakenode.Config{GasLimit: 4_000_000}).Scenario("CaptureThenReorg", fakenode.ScenarioParams{})
		return err
	}())
}
