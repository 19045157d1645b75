package store_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure a file has the rules of an OP-stack chain by their name, and none for Ethereum's.
func TestOriginOfRules(t *testing.T) {
	t.Parallel()
	for name, rules := range map[string]*optimism.Rules{"": nil, optimism.Azul.Name: optimism.Azul.DefaultRules()} {
		path := filepath.Join(t.TempDir(), "state.db")
		s, err := store.Open(path, store.Options{})
		require.NoError(t, err)
		require.Nil(t, s.Network("main").Origin())
		timeline := newTimeline(t, chain.Options{Track: true, Optimism: rules})
		s.Network("main").Keep(timeline)
		require.Equal(t, store.Name{Network: "main"}, s.Network("main").Name())
		require.NoError(t, s.Close())
		s, err = store.Open(path, store.Options{})
		require.NoError(t, err)
		origin := s.Network("main").Origin()
		require.Equal(t, name, origin.Upgrade)
		require.Nil(t, origin.Fork)
		require.Equal(t, timeline.Moment().Chain().Genesis().GasLimit, origin.Genesis.GasLimit)
		loaded, err := s.Network("main").Load(nil, chain.Options{Optimism: rules})
		require.NoError(t, err)
		require.Equal(t, timeline.Moment().Latest().Hash(), loaded.Chain.Head().Hash())
		require.NoError(t, s.Close())
	}
}
