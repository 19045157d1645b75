package door_test

import (
	"context"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/userop"
)

// Ensure the scenarios are listed as package scenario has them, an unknown one is an error that changes nothing, and
// one story at a time is told.
func TestScenariosOfANode(t *testing.T) {
	t.Parallel()
	require.Len(t, fakenode.Scenarios(), len(scenario.All()))
	require.Equal(t, scenario.Listed(), fakenode.ScenariosByKind())
	node := fakenode.RunT(t)
	_, err := node.Scenario("NoSuch", fakenode.ScenarioParams{})
	require.ErrorContains(t, err, "NoSuch")
	_, err = node.Story("NoSuch", fakenode.ScenarioParams{})
	require.ErrorContains(t, err, "NoSuch")
	require.Zero(t, node.BlockNumber())

	conclusion, err := node.Scenario("CaptureReorgedOut", fakenode.ScenarioParams{})
	require.NoError(t, err)
	require.Equal(t, "CaptureReorgedOut", conclusion.Scenario)
	head := node.BlockNumber()
	require.NotZero(t, head)

	story, err := node.Story("CaptureReorgedOut", fakenode.ScenarioParams{})
	require.NoError(t, err)
	move, err := story.Next(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, move.Did)
	other, err := node.Story("CaptureReorgedOut", fakenode.ScenarioParams{})
	require.NoError(t, err, "in place of the one that is not over")
	_, err = story.Next(t.Context())
	require.Error(t, err)
	_, err = other.Next(t.Context())
	require.NoError(t, err)
	require.NoError(t, other.Close())

	asked := 0
	_, err = node.Testnet().Exam(t.Context(), fakenode.Exam{Ask: func(context.Context, fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		asked++
		return "", context.Canceled
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, asked)
	require.Equal(t, head, node.BlockNumber(), "the exam is held on the other network")
}

// Ensure the commands of a network's bundler and of its paymaster reach them, and their errors the test.
func TestBundlerOfANode(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	require.ErrorContains(t, node.BundlerFault(fakenode.BundlerFault{Kind: "odd"}), `kind "odd" is unknown`)
	require.NoError(t, node.BundlerFault(fakenode.BundlerFault{Kind: fakenode.IncludeLate}))
	require.Len(t, userop.Faults(node.Moment()), 1)
	require.Empty(t, userop.Faults(node.Testnet().Moment()))
	node.ClearBundlerFaults()
	require.Empty(t, userop.Faults(node.Moment()))

	require.ErrorContains(t, node.SetPaymaster(fakenode.Paymaster{Signature: "odd"}), `signature "odd" is unknown`)
	require.NoError(t, node.SetPaymaster(fakenode.Paymaster{Signature: fakenode.ExpiredSignature}))
	require.Equal(t, fakenode.ExpiredSignature, userop.PaymasterOf(node.Moment()).Signature)
	require.NoError(t, node.SetPaymasterDeposit(uint256.NewInt(5)))
	deposits, err := userop.Deposits(node.Moment())
	require.NoError(t, err)
	require.NotEmpty(t, deposits)
	for _, deposit := range deposits {
		require.EqualValues(t, 5, deposit.Wei.Uint64())
	}
	bare := fakenode.RunConfigT(t, fakenode.Config{Contracts: fakenode.NoContracts})
	require.ErrorIs(t, bare.SetPaymasterDeposit(uint256.NewInt(5)), userop.ErrNoPaymaster)
	require.Equal(t, fakenode.OperationPlace{Where: fakenode.Unknown}, node.Operation(common.Hash{1}))
}
