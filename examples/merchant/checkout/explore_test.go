package checkout

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure no course of accidents fools the shop: it ships what is captured for good, and nothing else.
func TestExplore(t *testing.T) {
	t.Parallel()
	explore(t, fakenode.Config{Lags: fakenode.Lags{FinalizedLag: new(uint64(8))}}, laboratory.Number(t, "FAKENODE_SCHEDULES", laboratory.Budget(t, 10, 1_000)))
}

// Ensure accidents do not fool the shop where the token is the native coin, with a second log of each payment and each
// block final at once, nor where another proposal may take a block's place in silence.
func TestChainsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Arc, fakenode.Monad} {
		explore(t, fakenode.Config{Preset: preset}, laboratory.Budget(t, 3, 200))
	}
}

// Ensure the shop passes every story that the chain of a preset can have.
func TestExam(t *testing.T) {
	t.Parallel()
	for preset, passed := range map[fakenode.Preset]string{
		fakenode.Arc: "passed  CountedTwice\npassed  DustLeft\n", fakenode.Monad: "passed  ProposalReplaced\n",
		fakenode.BaseFlashblocks: "passed  LostPreconfirmation\n", fakenode.Hardhat: "passed  LateBlock\n",
	} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
		shop, err := Open(t.Context(), Config{
			URL: node.URL(), Token: node.Token().Address(), Key: node.Account(1).Key, Database: filepath.Join(t.TempDir(), "merchant.db"),
			Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
		require.NoError(t, err)
		defer shop.Close()
		marks, err := node.Exam(t.Context(), fakenode.Exam{
			Kinds: []fakenode.ScenarioKind{"pre-confirmations", "reorgs", "nodes that are behind", "decoys", "a native token"}, Ask: shop.examined,
			Patience: time.Minute, // a head of the same height is believed when it was seen often enough
		})
		require.NoError(t, err)
		require.Empty(t, marks.Failed(), "%s: %s", preset, marks)
		require.Contains(t, marks.String(), passed)
	}
}

// explore searches for accidents that fool the shop on worlds of a node.
func explore(t *testing.T, config fakenode.Config, runs int) {
	node, folder := fakenode.RunConfigT(t, config), t.TempDir()
	search := fakenode.Exploration{Runs: runs, Seed: 5}
	finding, err := search.Explore(t.Context(), func(ctx context.Context) (*scenario.World, error) {
		world, err := node.NewWorld(fakenode.WorldOptions{})
		if err != nil {
			return nil, err
		}
		database, err := os.MkdirTemp(folder, "")
		require.NoError(t, err)
		shop, err := Open(ctx, Config{
			URL: world.URL(), Token: world.Token().Address(), Key: world.Account(1).Key, Database: filepath.Join(database, "merchant.db"),
			Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
		if err != nil {
			return nil, errors.Join(err, world.Close())
		}
		return world.Network.ExploredWorld(shop.examined, func() { _ = errors.Join(shop.Close(), world.Close(), os.RemoveAll(database)) }), nil
	})
	require.NoError(t, err)
	require.Empty(t, finding.Failed, "%s", finding)
}

// examined looks at the chain if it can, and answers how the order of a payment stands, which is drafted when it is
// asked about first.
func (s *Shop) examined(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
	id := q.Nonce.Hex() + q.Payer.Hex()
	if _, err := s.Show(ctx, id); err != nil {
		terms := tokencontract.Authorization{From: q.Payer, To: q.Merchant, Value: q.Value, ValidBefore: math.MaxInt32, Nonce: q.Nonce}
		if err := s.store.insertOrder(ctx, Order{ID: id, Path: Fixed, Terms: terms}); err != nil {
			return scenario.Open, err
		}
	}
	if err := s.reconcile(ctx); err != nil && !errors.Is(err, errBehind) { // else the order stands as it did
		return scenario.Open, err
	}
	switch o, err := s.Show(ctx, id); {
	case err != nil:
		return scenario.Open, err
	case o.Stage() != Captured:
		return scenario.Open, nil
	case o.Final:
		return scenario.Shipped, nil
	}
	return scenario.Paid, nil
}
