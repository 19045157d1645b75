package servertest

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// OpenFork opens a block of the chain that is served at url, the newest if block is empty. Each request is made once.
func OpenFork(t testing.TB, url, block string) *remote.Fork {
	t.Helper()
	f, err := remote.Open(t.Context(), remote.Config{URL: url, Block: block, Retries: -1, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return f
}

// Fork starts a network on the head of n's chain, whose data it reads at url.
func (n *Network) Fork(url string, served rpcserver.Config) *Network {
	n.Helper()
	f := OpenFork(n, url, "")
	c, err := chain.NewFork(f, n.Timeline.Moment().Chain().Config(), evmstate.StateFromSource(f.At(f.Number())), chain.Options{})
	require.NoError(n, err)
	return New(n, preconf.Config{Chain: c}, served)
}
