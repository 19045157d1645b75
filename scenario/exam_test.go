package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
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
	// finalized ships what is in a final block and a transfer of the token from the payer.
	"finalized": func(ctx context.Context, client *ethclient.Client, q scenario.Question) scenario.Answer {
		found, header := receipt(ctx, client, q)
		final, err := client.HeaderByNumber(ctx, big.NewInt(int64(rpc.FinalizedBlockNumber)))
		if err != nil || found == nil || header == nil || header.Hash() != found.BlockHash || final.Number.Cmp(found.BlockNumber) < 0 {
			return scenario.Open
		}
		for _, log := range found.Logs {
			if transfer, err := tokencontract.DecodeTransfer(*log); err == nil && log.Address == q.Contract && transfer.From == q.Payer && transfer.To == q.Merchant {
				return scenario.Answer{Payment: "shipped", Amount: transfer.Value}
			}
		}
		return scenario.Open
	},
	"blind": func(context.Context, *ethclient.Client, scenario.Question) scenario.Answer { return scenario.Open },
}

// Ensure an exam fails a shop that ships at pending in the story of a lost pre-confirmation, at the move that fools it,
// and in no story that it survives; that a shop which waits for final blocks passes; and that one which never sees a
// payment passes only where there is none.
func TestExam(t *testing.T) {
	t.Parallel()
	failed := map[string][]string{
		"pending":   {"CaptureReorgedOut 2", "FakeToken 2", "FlappingHead 2", "LateBlock 2", "LostPreconfirmation 2", "NonceOfAnotherPayer 2", "OtherToken 2", "PhantomLog 2", "ReplicaOnOrphan 2", "ShippedThenReorgedOut 2"},
		"latest":    {"FakeToken 2", "NonceOfAnotherPayer 2", "OtherToken 2", "ReplicaOnOrphan 4"},
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
			require.Len(t, marks, 19)
			var got []string
			for _, mark := range marks.Failed() {
				got = append(got, fmt.Sprintf("%s %d", mark.Scenario, mark.Step))
			}
			require.Len(t, got, len(failed[name]), "%s", marks)
			for i, want := range failed[name] {
				require.True(t, strings.HasPrefix(got[i], want), "%s, want %s\n%s", got[i], want, marks)
			}
			require.Contains(t, marks.String(), fmt.Sprintf("%d of 18 stories passed", 18-len(got)))
			if name == "pending" {
				require.Contains(t, marks.String(), "FAILED  LostPreconfirmation, step 2: it says shipped, and no block holds the payment\n        Flashblock 0 of block ")
			}
		})
	}
}

// Ensure an exam of other kinds plays theirs, that a wrong answer may be corrected for a while, and that one which is
// none fails its story alone.
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

	exam.Ask = func(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		switch q.Scenario {
		case "CeilingExceeded":
			return scenario.Answer{Payment: "maybe"}, nil
		case "PermitFrontRun":
			return scenario.Answer{}, errors.New("it is down")
		}
		return shops["latest"](ctx, node.Client(), q), nil
	}
	marks, err = node.Exam(t.Context(), exam)
	require.NoError(t, err)
	require.Len(t, marks.Failed(), 2, "%s", marks)
	require.Contains(t, marks.String(), `FAILED  CeilingExceeded, step 2: it says "maybe" of the payment, want "open", "paid" or "shipped"`)
	require.Contains(t, marks.String(), `FAILED  PermitFrontRun, step 1: it is down`)
	exam.Kinds = []scenario.Kind{"an L1's bridge"}
	_, err = node.Exam(t.Context(), exam)
	require.EqualError(t, err, `no story of an exam is of "an L1's bridge": they are of pre-confirmations; reorgs; nodes that are behind; decoys; captures; orders; subscriptions; channels; user operations; a native token`)
}

// Ensure each story of an exam has a payment of its own also after one that was failed, and that no block of one is
// undone by the next.
func TestExamNeverGoesBack(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	payments, nonces := map[common.Hash]string{}, map[common.Hash]string{}
	story, height := "", uint64(0)
	marks, err := node.Exam(t.Context(), fakenode.Exam{Ask: func(_ context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		if q.Scenario != story {
			require.Empty(t, payments[q.Transaction]+nonces[q.Nonce], q.Scenario)
			require.GreaterOrEqual(t, node.BlockNumber(), height)
			story, payments[q.Transaction], nonces[q.Nonce] = q.Scenario, q.Scenario, q.Scenario
		}
		height = node.BlockNumber()
		return scenario.Paid, nil
	}})
	require.NoError(t, err)
	require.Len(t, marks.Failed(), 18)
	require.Len(t, payments, 18)
}

// Ensure every preset has its exam, which leaves out by name what its chain cannot have, and that a shop which waits
// for final blocks passes the rest, behind a replica too.
func TestExamOfPresets(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	announced := []string{"ProposalReplaced"}
	noFlashblocks := []string{"LateBlock", "LostPreconfirmation", "PhantomLog", "ProposalReplaced", "StalledPending"}
	for name, tc := range map[string]struct {
		config  fakenode.Config
		leftOut []string
	}{
		"base":         {fakenode.Config{Preset: fakenode.Base}, noFlashblocks},
		"anvil":        {fakenode.Config{Preset: fakenode.Anvil}, announced},
		"hardhat":      {fakenode.Config{Preset: fakenode.Hardhat}, []string{"CaptureReorgedOut", "CaptureThenReorg", "DeepReorg", "FlappingHead", "ProposalReplaced", "ReplicaOnOrphan", "ShippedThenReorgedOut"}},
		"megaeth":      {fakenode.Config{Preset: fakenode.MegaETH, Mode: fakenode.Interval}, announced},
		"monad":        {fakenode.Config{Preset: fakenode.Monad}, []string{"DeepReorg", "FlappingHead", "LateBlock", "LostPreconfirmation", "PhantomLog", "ShippedThenReorgedOut", "StalledPending"}},
		"no preconf":   {fakenode.Config{NoPreconf: true}, noFlashblocks},
		"replica":      {fakenode.Config{Replicas: fakenode.Replicas{Count: 1, Lag: []fakenode.Replica{{Blocks: 2}}}}, announced},
		"no contracts": {fakenode.Config{Contracts: fakenode.NoContracts}, []string{"OtherToken", "ProposalReplaced"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, tc.config)
			client := node.Client()
			if tc.config.Replicas.Count > 0 {
				dialled, err := ethclient.Dial(node.ReplicaURL(1))
				require.NoError(t, err)
				defer dialled.Close()
				client = dialled
			}
			marks, err := node.Exam(t.Context(), fakenode.Exam{Ask: func(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
				return shops["finalized"](ctx, client, q), nil
			}})
			require.NoError(t, err)
			require.Empty(t, marks.Failed(), "%s", marks)
			var leftOut []string
			for _, mark := range marks {
				if mark.LeftOut != "" {
					leftOut = append(leftOut, mark.Scenario)
				}
			}
			require.Equal(t, tc.leftOut, leftOut, "%s", marks)
		})
	}
}

// Ensure a shop that credits the amount of an announced log is failed where it tells the amount.
func TestExamOfAmounts(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	announced := map[common.Hash]*uint256.Int{}
	marks, err := node.Exam(t.Context(), fakenode.Exam{Kinds: []scenario.Kind{"pre-confirmations"}, Ask: func(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		for _, log := range node.Moment().Pending().Logs() {
			if transfer, err := tokencontract.DecodeTransfer(*log); err == nil && announced[log.TxHash] == nil {
				announced[log.TxHash] = transfer.Value
			}
		}
		said := shops["finalized"](ctx, node.Client(), q)
		said.Amount = announced[q.Transaction]
		return said, nil
	}})
	require.NoError(t, err)
	require.Len(t, marks.Failed(), 1, "%s", marks)
	require.Contains(t, marks.String(), "FAILED  PhantomLog, step 4: it says shipped with 25000001 token units, and the payment is of 25000000\n")
	require.Contains(t, marks.String(), "        The payment happened with the amount of the sealed Transfer")
}

// Ensure an exam hands a back end that captures a second authorization where it calls an order open whose transaction
// has no receipt, and fails it if it captures that one, too.
func TestExamOfCaptures(t *testing.T) {
	t.Parallel()
	const twice = "it has captured two authorizations for one order"
	for name, want := range map[string]string{"remembers": "", "forgets": twice, "remembers until a restart": twice, "sleeps": "it has captured nothing"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			client, merchant := node.Client(), node.Account(1)
			sent := map[common.Hash]common.Hash{} // by order
			capture := func(ctx context.Context, c *scenario.Capture) common.Hash {
				v := c.ReceiveSignature
				data := tokencontract.NewToken().PackReceiveWithAuthorizationVRS(c.From, c.To, fixtures.USD("25").ToBig(), new(big.Int).SetUint64(c.ValidAfter), new(big.Int).SetUint64(c.ValidBefore), c.Nonce, v.V(), v.R(), v.S())
				hash, err := node.Transact(merchant, fakenode.Tx{To: new(node.Token().Address()), Data: data})
				require.NoError(t, err)
				return hash
			}
			restart := func(context.Context) error {
				if name == "remembers until a restart" {
					clear(sent)
				}
				return nil
			}
			marks, err := node.Exam(t.Context(), fakenode.Exam{Kinds: []scenario.Kind{"captures"}, Restart: restart, Ask: func(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
				if _, known := sent[*q.Order]; q.Capture != nil && name != "sleeps" && !(known && strings.HasPrefix(name, "remembers")) {
					sent[*q.Order] = capture(ctx, q.Capture)
				}
				receipt, err := client.TransactionReceipt(ctx, sent[*q.Order])
				if q.Capture != nil && name != "sleeps" {
					require.Error(t, err, "the receipt is null")
				}
				if err != nil || receipt.Status != types.ReceiptStatusSuccessful {
					return scenario.Open, nil
				}
				return scenario.Paid, nil
			}})
			require.NoError(t, err)
			require.Len(t, marks, 1)
			require.Equal(t, want, marks[0].Failed, "%s", marks)
		})
	}
}
