package trie_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethdb/memorydb"
	gethtrie "github.com/ethereum/go-ethereum/trie"
	"github.com/ethereum/go-ethereum/triedb"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/internal/trie"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// TestAgainstGeth runs long random programs through both tries.
func TestAgainstGeth(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	seeds := laboratory.Budget[uint64](t, 4, 20)
	for kind := range kinds {
		for seed := range seeds {
			r := rand.New(rand.NewPCG(seed, uint64(kind)))
			program := make([]byte, stepSize*300)
			for i := range program {
				program[i] = byte(r.Uint32())
			}
			runBoth(t, kind, program)
		}
	}
}

func FuzzTrie(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 0))
	for kind := range kinds {
		program := make([]byte, stepSize*40)
		for i := range program {
			program[i] = byte(r.Uint32())
		}
		f.Add(byte(kind), program)
	}
	f.Fuzz(func(t *testing.T, kind byte, program []byte) {
		program = program[:min(len(program), 200*stepSize)] // more finds no more, and slower
		runBoth(t, keyKind(kind)%kinds, program)
	})
}

// stepSize is the length of a step of a program: what to do, the key (3 bytes) and the value.
const stepSize = 5

// runBoth runs the program through this package, one Put at a time and as an Edit, and through go-ethereum's trie, and
// compares everything they return. At the end it compares every version once more.
func runBoth(t *testing.T, kind keyKind, program []byte) {
	type version struct {
		trie    trie.Trie
		root    common.Hash
		content map[string]string
	}
	var (
		geth     = gethtrie.NewEmpty(triedb.NewDatabase(rawdb.NewMemoryDatabase(), nil))
		one      trie.Trie
		edit     trie.Edit
		content  = map[string]string{}
		versions []version
	)
	check := func(key []byte) {
		root := geth.Hash()
		require.Equal(t, root, one.Hash())
		edited := edit.Trie()
		require.Equal(t, root, edited.Hash())
		requireSameProof(t, geth, one, key, content[string(key)])
		requireSameProof(t, geth, edited, key, content[string(key)])
		versions = append(versions, version{one, root, maps.Clone(content)}, version{edited, root, maps.Clone(content)})
	}
	for ; len(program) >= stepSize; program = program[stepSize:] {
		op, seed := program[0], uint32(program[1])|uint32(program[2])<<8|uint32(program[3])<<16
		if kind == hashed {
			seed %= 256 // or no key would be met twice
		}
		key, value := keyOf(kind, seed), valueOf(uint32(program[4]))
		if op%4 == 0 {
			value = nil
		}
		if len(value) == 0 {
			require.NoError(t, geth.Delete(key))
			one = one.Delete(key)
			edit.Delete(key)
			delete(content, string(key))
		} else {
			require.NoError(t, geth.Update(key, value))
			one = one.Put(key, value)
			edit.Put(key, value)
			content[string(key)] = string(value)
		}
		require.Equal(t, content[string(key)], string(one.Get(key)))
		require.Equal(t, content[string(key)], string(edit.Get(key)))
		if op%16 < 4 {
			check(keyOf(kind, seed+uint32(op>>4))) // present or absent
			check(key)
		}
	}
	check(nil)
	for _, version := range versions {
		require.Equal(t, version.root, version.trie.Hash())
		require.Equal(t, slices.Sorted(maps.Keys(version.content)), keysOf(version.trie))
		require.Equal(t, version.content, contentOf(version.trie))
	}
	require.Equal(t, geth.Hash(), rebuilt(content))
}

// requireSameProof proves the key with both tries, compares the nodes byte for byte and has go-ethereum verify them.
func requireSameProof(t *testing.T, geth *gethtrie.Trie, ours trie.Trie, key []byte, value string) {
	want := proofNodes{}
	require.NoError(t, geth.Prove(key, &want))
	got := ours.Prove(key)
	require.Equal(t, want, proofNodes(got))
	if len(got) == 0 {
		return // the empty trie: nothing to verify
	}
	proof := memorydb.New()
	for _, node := range got {
		require.NoError(t, proof.Put(crypto.Keccak256(node), node))
	}
	proven, err := gethtrie.VerifyProof(ours.Hash(), key, proof)
	require.NoError(t, err)
	require.Equal(t, value, string(proven))
}

// proofNodes collects the nodes of go-ethereum's proofs.
type proofNodes [][]byte

func (p *proofNodes) Put(_, node []byte) error {
	*p = append(*p, node)
	return nil
}

func (*proofNodes) Delete([]byte) error { return nil }

// rebuilt returns the root of a trie made of nothing but the content, in one go and in an order of its own.
func rebuilt(content map[string]string) common.Hash {
	edit := trie.Trie{}.Edit()
	for key, value := range content {
		edit.Put([]byte(key), []byte(value))
	}
	return edit.Trie().Hash()
}
