package remote_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/remote"
)

var contract = common.Address{0xc0}

// cacheFile writes the file of a fork at block 16 with a contract of so many slots, slot n holding n.
func cacheFile(t testing.TB, slots int) string {
	lines := []string{
		`{"key":"account 0x10 0xc000000000000000000000000000000000000000","value":{"balance":"0x0","code":"0x00","nonce":"0x1"}}`,
		`{"key":"header 0x10","value":{"hash":"0x` + strings.Repeat("22", 32) + `","header":{"parentHash":"` + common.Hash{}.Hex() +
			`","sha3Uncles":"` + common.Hash{}.Hex() + `","stateRoot":"` + common.Hash{}.Hex() + `","transactionsRoot":"` + common.Hash{}.Hex() +
			`","receiptsRoot":"` + common.Hash{}.Hex() + `","logsBloom":"0x` + strings.Repeat("00", 256) +
			`","difficulty":"0x0","number":"0x10","gasLimit":"0x1","gasUsed":"0x0","timestamp":"0x1","extraData":"0x"}}}`,
	}
	for n := range slots {
		key := common.BigToHash(common.Big1)
		key[30], key[31] = byte(n>>8), byte(n)
		lines = append(lines, fmt.Sprintf(`{"key":"storage 0x10 0xc000000000000000000000000000000000000000 %s","value":"%s"}`, key, key))
	}
	slices.Sort(lines)
	head := `{"chainId":"0x2105","fork":{"hash":"0x` + strings.Repeat("22", 32) + `","number":"0x10"}}`
	path := filepath.Join(t.TempDir(), "fork.jsonl")
	require.NoError(t, os.WriteFile(path, []byte(head+"\n"+strings.Join(lines, "\n")+"\n"), 0o600))
	return path
}

// Ensure a State over a Fork reads from the file, keeps values written over it, also zero, and that its root covers
// only those.
func TestStateOverFork(t *testing.T) {
	t.Parallel()
	fork, err := remote.Open(t.Context(), remote.Config{CacheFile: cacheFile(t, 10)})
	require.NoError(t, err)
	require.Equal(t, uint64(8453), fork.ChainID())
	below := evmstate.StateFromSource(fork.At(fork.Number()))
	five, six := common.Hash{31: 5}, common.Hash{31: 6}
	require.NoError(t, below.Load(contract, five, six))
	require.Equal(t, five, below.Storage(contract, five))

	above := below.WithStorage(contract, five, common.Hash{}).Commit()
	require.Zero(t, above.Storage(contract, five))
	require.Equal(t, six, above.Storage(contract, six))
	require.Equal(t, five, below.Storage(contract, five), "States do not change")
	require.Equal(t, evmstate.NewState().Root(), below.Root())

	// The root does not depend on reads.
	again, err := remote.Open(t.Context(), remote.Config{CacheFile: cacheFile(t, 10)})
	require.NoError(t, err)
	require.Equal(t, above.Root(), evmstate.StateFromSource(again.At(16)).WithStorage(contract, five, common.Hash{}).Root())

	gone := above.WithoutAccount(contract)
	require.False(t, gone.Exist(contract))
	require.Zero(t, gone.Storage(contract, six))
	cleared := above.WithStorageCleared(contract)
	require.Zero(t, cleared.Storage(contract, six))
	require.Equal(t, uint64(1), cleared.Nonce(contract))

	err = below.Load(common.Address{1})
	require.ErrorIs(t, err, remote.ErrMiss)
	require.PanicsWithError(t, err.Error(), func() { below.Balance(common.Address{1}) })
	require.Equal(t, []string{"account 0x0100000000000000000000000000000000000000 at block 16"}, fork.Misses())
}

// Ensure a merged file is read, and one that contradicts itself or mixes forks is rejected with its line.
func TestCacheFiles(t *testing.T) {
	t.Parallel()
	path := cacheFile(t, 3)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.SplitAfter(strings.TrimSpace(string(content))+"\n", "\n")
	last := lines[len(lines)-2]
	for name, c := range map[string]struct{ text, wants string }{
		"merged":        {string(content) + lines[0] + last, ""},
		"contradiction": {string(content) + strings.Replace(last, `02"}`, `03"}`, 1), "line 7: the cache has two values"},
		"mixed":         {string(content) + strings.Replace(lines[0], "0x2105", "0x1", 1), "line 7: this is the cache of another fork"},
		"cut":           {string(content)[:len(content)-20], "line 6: want an item"},
		"headless":      {strings.Join(lines[1:], ""), "line 1: want a head"},
		"empty":         {"", "is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "fork.jsonl")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			_, err := remote.Open(t.Context(), remote.Config{CacheFile: path, Offline: true})
			if c.wants == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "fork cache "+path)
			require.ErrorContains(t, err, c.wants)
		})
	}
}

// Ensure the file of a fork may be written while items are fetched, and holds them in the end. The race detector looks
// on.
func TestCacheIsSavedWhileItemsAreFetched(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	path := filepath.Join(t.TempDir(), "fork.jsonl")
	fork, err := remote.Open(t.Context(), remote.Config{URL: node.URL(), CacheFile: path})
	require.NoError(t, err)
	const accounts = 100
	state, fetched := fork.At(0), make(chan struct{})
	go func() {
		defer close(fetched)
		for i := range accounts {
			_, err := state.Account(common.Address{1, byte(i)})
			assert.NoError(t, err)
		}
	}()
	for saved := false; !saved; {
		select {
		case <-fetched:
			saved = true
		default:
		}
		require.NoError(t, fork.Save())
	}
	again, err := remote.Open(t.Context(), remote.Config{CacheFile: path, Offline: true})
	require.NoError(t, err)
	for i := range accounts {
		_, err := again.At(0).Account(common.Address{1, byte(i)})
		require.NoError(t, err)
	}
}

// Ensure what could not be written is not forgotten: each Save says so until one succeeds.
func TestCacheThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	folder := filepath.Join(t.TempDir(), "folder")
	path := filepath.Join(folder, "fork.jsonl")
	fork, err := remote.Open(t.Context(), remote.Config{URL: node.URL(), CacheFile: path})
	require.NoError(t, err)
	for range 2 {
		require.ErrorContains(t, fork.Save(), "fork cache: open "+path)
	}
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, fork.Save())
	require.FileExists(t, path)
}

func BenchmarkOpen10000Slots(b *testing.B) {
	path := cacheFile(b, 10_000)
	for b.Loop() {
		if _, err := remote.Open(b.Context(), remote.Config{CacheFile: path}); err != nil {
			b.Fatal(err)
		}
	}
}
