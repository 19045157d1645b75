package keeping_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
)

// flipped damages a file wherever it has part, and returns it as it is then.
func flipped(t *testing.T, path string, part []byte) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Contains(t, string(text), string(part))
	wrong := bytes.Clone(part)
	wrong[len(wrong)/2] ^= 1
	text = bytes.ReplaceAll(text, part, wrong)
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return text
}

// Ensure a damaged file of State is rejected with a line that offers what can be recovered, that this is what
// recovering gives, in a new file, and that the damaged one stays as it is.
func TestRecover(t *testing.T) {
	t.Parallel()
	code := bytes.Repeat([]byte{0xfe, 0xed}, 50)
	for name, test := range map[string]struct {
		damaged   func(node *fakenode.Node) []byte
		offer     string // up to which block, as the line says
		recovered uint64
	}{
		"a transaction": {func(node *fakenode.Node) []byte {
			_, r, _ := transfer(t, node, 1, 3, 100).RawSignatureValues()
			return r.Bytes()
		}, "block 3", 3},
		"a code":     {func(*fakenode.Node) []byte { return code }, "block 2", 2},
		"the moment": {func(*fakenode.Node) []byte { return []byte(`"Clean":true`) }, "block 6", 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := keptConfig(t)
			if name == "the moment" {
				config.L1 = new(fakenode.L1Config)
			}
			node := fakenode.RunConfigT(t, config)
			for i := range uint64(6) {
				if i == 2 { // an edit of block 2, which is in the file without it
					require.NoError(t, node.Close())
					node = fakenode.RunConfigT(t, config)
					require.NoError(t, node.Timeline().EditState(func(s *evmstate.State) *evmstate.State {
						return s.WithCode(common.Address{0xcc}, code)
					}))
				}
				require.NoError(t, node.Send(transfer(t, node, 1, i, 100)))
				node.Seal()
			}
			node.Testnet().Seal()
			require.NoError(t, node.Close())
			damaged := flipped(t, config.State, test.damaged(node))

			_, err := fakenode.New(config)
			require.ErrorContains(t, err, config.State+" is damaged: network ")
			require.ErrorContains(t, err, "; --recover "+config.State+" with a new file as --state goes on from "+test.offer+" of the main network and 1 of the test network")
			require.True(t, strings.HasSuffix(err.Error(), " of the test network"), "no world is in it")

			again := config
			again.Recover, again.State = config.State, filepath.Join(t.TempDir(), "new.db")
			recovered := fakenode.RunConfigT(t, again)
			require.Equal(t, test.recovered, recovered.BlockNumber())
			require.Equal(t, node.Moment().Chain().BlockByNumber(test.recovered).Hash(), recovered.Moment().Latest().Hash())
			for block := range test.recovered + 1 {
				view, err := recovered.Moment().ByNumber(block)
				require.NoError(t, err)
				state, err := view.State()
				require.NoError(t, err)
				require.Equal(t, 100*block, state.Balance(common.Address{0xbb}).Uint64())
			}
			require.Equal(t, node.Testnet().Moment().Latest().Hash(), recovered.Testnet().Moment().Latest().Hash())
			recovered.Seal()
			require.NoError(t, recovered.Close())

			text, err := os.ReadFile(config.State)
			require.NoError(t, err)
			require.True(t, bytes.Equal(damaged, text), "the damaged file is touched")
			_, err = fakenode.New(again)
			require.EqualError(t, err, again.State+" keeps a node already: recovering needs a new file")
			again.Recover = ""
			require.Equal(t, test.recovered+1, fakenode.RunConfigT(t, again).BlockNumber())
		})
	}
}

// Ensure a file of which nothing is left is rejected with a line that reports that.
func TestRecoverNothing(t *testing.T) {
	t.Parallel()
	config := keptConfig(t)
	require.NoError(t, os.WriteFile(config.State, []byte("precious"), 0o600))
	_, err := fakenode.New(config)
	require.ErrorContains(t, err, config.State+" is damaged: ")
	require.ErrorContains(t, err, "; nothing of it can be recovered")
	_, err = fakenode.New(fakenode.Config{State: filepath.Join(t.TempDir(), "new.db"), Recover: config.State})
	require.ErrorContains(t, err, config.State+" is damaged: ")
	_, err = fakenode.New(fakenode.Config{Recover: config.State, StartTime: time.Unix(1_800_000_000, 0)})
	require.EqualError(t, err, config.State+" cannot be recovered without a path for the new state")
}
