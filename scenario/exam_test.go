package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
)

// receipt returns the receipt of a payment and the header of its height, or nil.
func receipt(ctx context.Context, client *ethclient.Client, q scenario.Question) (*types.Receipt, *types.Header) {
	receipt, err := client.TransactionReceipt(ctx, q.Transaction)
	if err != nil || receipt.Status != types.ReceiptStatusSuccessful {
		return nil, nil
	}
	header, _ := client.HeaderByNumber(ctx, receipt.BlockNumber)
	return receipt, header
}

// The shops of the tests look at the chain when they are asked.
var shops = map[string]func(context.Context, *ethclient.Client, scenario.Question) scenario.Answer{
	// pending ships when there is a receipt, which pre-confirmed payments have.
	"pending": func(ctx context.Context, client *ethclient.Client, q scenario.Question) scenario.Answer {
		if found, _ := receipt(ctx, client, q); found == nil {
			return scenario.Open
		}
		return scenario.Shipped
	},
	// latest enters a payment into its books that is in a block now.
	"latest": func(ctx context.Context, client *ethclient.Client, q scenario.Question) scenario.Answer {
		found, header := receipt(ctx, client, q)
		if found == nil || header == nil || header.Hash() != found.BlockHash {
			return scenario.Open
		}
		return scenario.Paid
	},
	// finalized ships what is in a final block.
	"finalized": func(ctx context.Context, client *ethclient.Client, q scenario.Question) scenario.Answer {
		found, header := receipt(ctx, client, q)
		final, err := client.HeaderByNumber(ctx, big.NewInt(int64(rpc.FinalizedBlockNumber)))
		if err != nil || found == nil || header == nil || header.Hash() != found.BlockHash || final.Number.Cmp(found.BlockNumber) < 0 {
			return scenario.Open
		}
		return scenario.Shipped
	},
	"blind": func(context.Context, *ethclient.Client, scenario.Question) scenario.Answer { return scenario.Open },
}

// Ensure an exam fails a shop that ships at pending in the story of a lost pre-confirmation, at the move that fools it,
// and in no story that it survives; that a shop which waits for final blocks passes; and that one which never sees a
// payment passes only where there is none.
func TestExam(t *testing.T) {
	t.Parallel()
	failed := map[string][]string{
		"pending":   {"CaptureReorgedOut 2", "FlappingHead 2", "LateBlock 2", "LostPreconfirmation 2", "PhantomLog 2", "ReplicaOnOrphan 2", "ShippedThenReorgedOut 2"},
		"latest":    {"ReplicaOnOrphan 4"},
		"finalized": nil,
		"blind":     {"CaptureThenReorg", "DeepReorg", "FeeSpikeWhileCapturing", "HeadGoesBack", "LateBlock", "LogsNotYetThere", "NonceFromReplica", "PhantomLog", "ReceiptThenNull", "StalledPending"},
	}
	for name, shop := range shops {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			marks, err := node.Exam(t.Context(), fakenode.Exam{Ask: func(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
				return shop(ctx, node.Client(), q), nil
			}})
			require.NoError(t, err)
			require.Len(t, marks, 15)
			var got []string
			for _, mark := range marks.Failed() {
				got = append(got, fmt.Sprintf("%s %d", mark.Scenario, mark.Step))
			}
			require.Len(t, got, len(failed[name]), "%s", marks)
			for i, want := range failed[name] {
				require.True(t, strings.HasPrefix(got[i], want), "%s, want %s\n%s", got[i], want, marks)
			}
			require.Contains(t, marks.String(), fmt.Sprintf("%d of 15 stories passed", 15-len(got)))
			if name == "pending" {
				require.Contains(t, marks.String(), "FAILED  LostPreconfirmation, step 2: it says shipped, and no block holds the payment\n        Flashblock 0 of block ")
			}
		})
	}
}

// Ensure an exam of other kinds plays theirs, that a wrong answer may be corrected for a while, and that what cannot be
// judged ends it.
func TestExamOfOtherKinds(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	asked := 0
	exam := fakenode.Exam{Kinds: []scenario.Kind{"orders"}, Patience: time.Minute, Ask: func(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		if asked++; asked%2 == 1 {
			return scenario.Paid, nil // at first it does not look
		}
		return shops["latest"](ctx, node.Client(), q), nil
	}}
	marks, err := node.Exam(t.Context(), exam)
	require.NoError(t, err)
	require.Empty(t, marks.Failed(), "%s", marks)

	exam.Ask = func(context.Context, fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		return scenario.Shipped, nil
	}
	marks, err = node.Exam(t.Context(), exam)
	require.NoError(t, err)
	require.NotEmpty(t, marks.Failed(), "what has shipped too early is not asked again")

	exam.Ask = func(context.Context, fakenode.ExamQuestion) (fakenode.ExamAnswer, error) { return "maybe", nil }
	_, err = node.Exam(t.Context(), exam)
	require.EqualError(t, err, `CeilingExceeded, step 2: it says "maybe" of the payment, want "open", "paid" or "shipped"`)
	down := errors.New("it is down")
	exam.Ask = func(context.Context, fakenode.ExamQuestion) (fakenode.ExamAnswer, error) { return "", down }
	_, err = node.Exam(t.Context(), exam)
	require.ErrorIs(t, err, down)
	exam.Kinds = []scenario.Kind{"weather"}
	_, err = node.Exam(t.Context(), exam)
	require.ErrorContains(t, err, `no scenario is of "weather": they are of pre-confirmations: `)
}
