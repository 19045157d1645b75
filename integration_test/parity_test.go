package integration_test

import (
	"context"
	"log/slog"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/integration_test/parity"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// parityPage holds the differences that are meant.
const parityPage = "../docs/maintainers/parity.md"

// Ensure the preset anvil answers as anvil but for the rows of docs/maintainers/parity.md. With make parity, also that
// anvil still differs in each of them.
func TestParityAnvil(t *testing.T) {
	t.Parallel()
	foundryProgram(t, "anvil") // skips the test here, not in the goroutine of a course
	requireParity(t, parity.Anvil(beside(fakenode.Anvil, func() (string, func(), error) {
		url, stop := startAnvil(t, "--steps-tracing")
		return url, stop, nil
	})))
}

// beside returns a function that starts a node with a preset on the wall clock, and the one that it is named after.
func beside(preset fakenode.Preset, peer func() (url string, stop func(), err error)) parity.Start {
	return func(ctx context.Context) (string, string, func(), error) {
		node, err := fakenode.New(fakenode.Config{Preset: preset, RealClock: true, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return "", "", nil, err
		}
		ours, stopOurs := run(ctx, node)
		theirs, stopTheirs, err := peer()
		if err != nil {
			stopOurs()
			return "", "", nil, err
		}
		return ours, theirs, func() { stopOurs(); stopTheirs() }, nil
	}
}

// run runs a node and returns its URL and a function that closes it.
func run(ctx context.Context, node *fakenode.Node) (url string, stop func()) {
	ctx, end := context.WithCancel(ctx)
	ran := make(chan error, 1)
	go func() { ran <- node.Run(ctx) }()
	return node.URL(), func() {
		end()
		<-ran
		_ = node.Close()
	}
}

// requireParity plays random calls with a peer, as many as PARITY_CALLS says and of the seed PARITY_SEED. Where neither
// is set these are 200 of seed 1, or 2,000 with long runs. With PARITY_ROWS the rows of the page are checked, too.
// PARITY_SHORTEN says of how many kinds of differences the calls are shortened. With PARITY_TRY, the calls of a row,
// both answers to each are printed instead.
func requireParity(t *testing.T, peer *parity.Peer) {
	t.Helper()
	if text := os.Getenv("PARITY_TRY"); text != "" {
		require.NoError(t, peer.Try(t.Context(), text))
		return
	}
	rows, err := parity.Table(parityPage, peer.Name)
	require.NoError(t, err)
	if os.Getenv("PARITY_ROWS") != "" { // each row needs new nodes
		for _, row := range rows {
			holds, err := peer.Holds(t.Context(), row)
			require.NoError(t, err, row.Line)
			assert.True(t, holds, "%s and the node answer alike here now: remove the row\n%s", peer.Name, row.Line)
		}
	}
	if peer.Like != "" {
		more, err := parity.Table(parityPage, peer.Like)
		require.NoError(t, err)
		rows = append(rows, more...)
	}
	report, err := peer.Compare(t.Context(), laboratory.Number[uint64](t, "PARITY_SEED", 1), laboratory.Number(t, "PARITY_CALLS", laboratory.Budget(t, 200, 2000)), rows, laboratory.Number(t, "PARITY_SHORTEN", 20), t.Log)
	require.NoError(t, err)
	t.Log(report)
	require.Empty(t, report.Unlisted, "differences that %s does not list", parityPage)
}
