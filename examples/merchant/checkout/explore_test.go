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

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure no course of accidents fools the shop: it ships what is captured for good, and nothing else.
func TestExplore(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Lags: fakenode.Lags{FinalizedLag: new(uint64(8))}})
	folder := t.TempDir()
	search := fakenode.Exploration{Runs: laboratory.Budget(t, 20, 4_000), Seed: 5}
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

// examined looks at the chain, and answers how the order of a payment stands, which is drafted when it is asked about
// first.
func (s *Shop) examined(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
	id := q.Nonce.Hex() + q.Payer.Hex()
	if _, err := s.Show(ctx, id); err != nil {
		terms := tokencontract.Authorization{From: q.Payer, To: q.Merchant, Value: q.Value, ValidBefore: math.MaxInt32, Nonce: q.Nonce}
		if err := s.store.insertOrder(ctx, Order{ID: id, Path: Fixed, Terms: terms}); err != nil {
			return scenario.Open, err
		}
	}
	if err := s.reconcile(ctx); err != nil {
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
