package keeping_test

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/preconf"
)

// openOptions describes the node of a file that a node with a plain configuration has written.
func openOptions(path string, log *bytes.Buffer) keeping.Options {
	return keeping.Options{Path: path, Chain: chain.Options{Track: true}, Logger: slog.New(slog.NewTextHandler(log, nil))}
}

// Ensure what is not kept in the file leaves it as it is and is not told of, and that the node's own networks stay on
// their chains.
func TestNetworksThatAreNotKept(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	path := filepath.Join(t.TempDir(), "state.db")
	node := fakenode.RunConfigT(t, fakenode.Config{State: path, StartTime: time.Unix(1_800_000_000, 0)})
	head := node.Seal()
	require.NoError(t, node.Close())
	file, err := keeping.Open(openOptions(path, &log))
	require.NoError(t, err)
	require.Equal(t, head, file.Main.Moment().Latest().Hash())
	require.ErrorIs(t, file.MayLeave(file.Main), keeping.ErrOneChain)
	require.ErrorIs(t, file.MayLeave(file.Testnet), keeping.ErrOneChain)
	stranger := node.Timeline().Copy()
	require.NoError(t, file.MayLeave(stranger))
	file.Keep(stranger.Copy(), stranger, "a", "main", time.Unix(7, 0), "", 0)
	file.Leave(stranger)
	file.Forget(stranger)

	made := time.Unix(1_800_000_123, 0)
	copies := map[string]*preconf.Timeline{"main": file.Main.Copy(), "testnet": file.Testnet.Copy()}
	file.Keep(copies["main"], file.Main, "b", "main", made, "", 0)
	file.Keep(copies["testnet"], file.Testnet, "b", "testnet", made, "", 0)
	require.NoError(t, file.Close())
	require.Empty(t, log.String())

	file, err = keeping.Open(openOptions(path, &log))
	require.NoError(t, err)
	require.Len(t, file.Worlds, 1)
	require.Equal(t, "b", file.Worlds[0].Name)
	require.True(t, made.Equal(file.Worlds[0].Made))
	require.Equal(t, head, file.Worlds[0].Main.Moment().Latest().Hash())
	require.NoError(t, file.MayLeave(file.Worlds[0].Main))
	file.Leave(file.Worlds[0].Main)
	file.Leave(file.Worlds[0].Main)
	require.Contains(t, log.String(), `level=WARN msg="a world is not kept any more" network="main of world b" reason="it was reset to another chain"`)
	require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("\n")), "once")
	require.NoError(t, file.Close())

	file, err = keeping.Open(openOptions(path, &log))
	require.NoError(t, err)
	require.Empty(t, file.Worlds, "it is not whole")
	require.NoError(t, file.Close())
	require.Zero(t, bytesOfWorlds(t, path), "so nothing is left of it")
	o := openOptions(path, &log)
	o.Main.Filters.Count = -1
	_, err = keeping.Open(o)
	require.EqualError(t, err, path+": limit of filters is -1, want 1 or more, or 0 for the default")
}

// Ensure a real clock has gone on while the node was not there, and one that commands move has not.
func TestClockWhileAway(t *testing.T) {
	t.Parallel()
	for _, isReal := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "state.db")
		node := fakenode.RunConfigT(t, fakenode.Config{State: path, StartTime: time.Unix(1_800_000_000, 0)})
		node.Seal()
		then := node.Now()
		require.NoError(t, node.Close())
		o := openOptions(path, new(bytes.Buffer))
		o.Main.Real = isReal
		file, err := keeping.Open(o)
		require.NoError(t, err)
		require.Equal(t, isReal, file.Main.Moment().Now().After(then))
		require.NoError(t, file.Close())
	}
}

// Ensure a fork whose chain does not answer is an error, whether its file is whole or damaged.
func TestOpenForkOfSilentChain(t *testing.T) {
	t.Parallel()
	below, config := keptFork(t)
	config.Fork.CacheFile = ""
	node := fakenode.RunConfigT(t, config)
	newWorld(t, node, "w").Seal()
	tx := transfer(t, node, 1, 0, 100)
	require.NoError(t, node.Send(tx))
	node.Seal()
	require.NoError(t, node.Close())
	o := openOptions(config.State, new(bytes.Buffer))
	o.Fork = &remote.Config{URL: below.URL(), Retries: -1, Logger: slog.New(slog.DiscardHandler)}
	require.NoError(t, below.Close())
	_, err := keeping.Open(o)
	require.ErrorContains(t, err, "cannot be reached")
	_, r, _ := tx.RawSignatureValues()
	flipped(t, config.State, r.Bytes())
	_, err = keeping.Open(o)
	require.ErrorContains(t, err, "cannot be reached")
	o.Fork = nil
	o.Damaged, o.Path = config.State, filepath.Join(t.TempDir(), "new.db")
	_, err = keeping.Open(o)
	require.ErrorContains(t, err, "the fork's URL or cache file must be given again")
}
