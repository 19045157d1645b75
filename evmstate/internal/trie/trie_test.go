package trie_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/internal/trie"
)

// From the Ethereum Foundation's TrieTests (trietest.json, trieanyorder.json). An entry without a value is a deletion.
var vectors = []struct {
	name    string
	entries [][2]string
	root    string
}{
	{"nothing", nil, "56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"},
	{"singleItem", [][2]string{{"A", strings.Repeat("a", 50)}}, "d23786fb4a010da3ce639d66d5e904a11dbc02746d1ce25029e53290cabf28ab"},
	{"dogs", [][2]string{{"doe", "reindeer"}, {"dog", "puppy"}, {"dogglesworth", "cat"}}, "8aad789dff2f538bca5d8ea56e8abe10f4c7ba3a5dea95fea4cd6e7c3a1168d3"},
	{"puppy", [][2]string{{"do", "verb"}, {"horse", "stallion"}, {"doge", "coin"}, {"dog", "puppy"}}, "5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84"},
	{"foo", [][2]string{{"foo", "bar"}, {"food", "bass"}}, "17beaa1648bafa633cda809c90c04af50fc8aed3cb40d16efbddee6fdf63c4c3"},
	{"smallValues", [][2]string{{"be", "e"}, {"dog", "puppy"}, {"bed", "d"}}, "3f67c7a47520f79faa29255d2d3c084a7a6df0453116ed7232ff10277a8be68b"},
	{"testy", [][2]string{{"test", "test"}, {"te", "testy"}}, "8452568af70d8d140f58d941338542f645fcca50094b20f3c3d8c3df49337928"},
	{"hex", [][2]string{{"\x00\x45", "\x01\x23\x45\x67\x89"}, {"\x45\x00", "\x98\x76\x54\x32\x10"}}, "285505fcabe84badc8aa310e2aae17eddc7d120aabec8a476902c8184b3a3503"},
	{"emptyValues", [][2]string{
		{"do", "verb"}, {"ether", "wookiedoo"}, {"horse", "stallion"}, {"shaman", "horse"},
		{"doge", "coin"}, {"ether", ""}, {"dog", "puppy"}, {"shaman", ""},
	}, "5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84"},
	{"branch-value-update", [][2]string{{"abc", "123"}, {"abcd", "abcd"}, {"abc", "abc"}}, "7a320748f780ad9ad5b0837302075ce0eeba6c26e3d8562c67ccc0f1b273298a"},
	{"insert-middle-leaf", [][2]string{
		{"key1aa", "0123456789012345678901234567890123456789xxx"},
		{"key1", "0123456789012345678901234567890123456789Very_Long"},
		{"key2bb", "aval3"}, {"key2", "short"}, {"key3cc", "aval3"},
		{"key3", "1234567890123456789012345678901"},
	}, "cb65032e2f76c48b82b5c24b3db8f670ce73982869d38cd39a624f23d62a9e89"},
}

func TestVectors(t *testing.T) {
	t.Parallel()
	for _, vector := range vectors {
		t.Run(vector.name, func(t *testing.T) {
			t.Parallel()
			one, edit := trie.Trie{}, trie.Trie{}.Edit()
			want := map[string]string{}
			for _, entry := range vector.entries {
				key, value := []byte(entry[0]), []byte(entry[1])
				one = one.Put(key, value)
				edit.Put(key, value)
				want[entry[0]] = entry[1]
				if entry[1] == "" {
					delete(want, entry[0])
				}
			}
			require.Equal(t, common.HexToHash(vector.root), one.Hash())
			require.Equal(t, common.HexToHash(vector.root), edit.Trie().Hash())
			require.Equal(t, slices.Sorted(maps.Keys(want)), keysOf(one))
			for key, value := range want {
				require.Equal(t, value, string(one.Get([]byte(key))))
				require.Equal(t, value, string(edit.Get([]byte(key))))
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	key := []byte("key")
	for name, empty := range map[string]trie.Trie{
		"zero":    {},
		"deleted": trie.Trie{}.Put(key, []byte("value")).Delete(key),
		"edit":    trie.Trie{}.Edit().Trie(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, trie.Trie{}, empty)
			require.Equal(t, types.EmptyRootHash, empty.Hash())
			require.Nil(t, empty.Get(key))
			require.Equal(t, [][]byte{}, empty.Prove(key))
			require.Empty(t, keysOf(empty))
			require.Equal(t, empty, empty.Delete(key))
		})
	}
}

// A node shorter than a hash is part of its parent; the root has none.
func TestShortRoot(t *testing.T) {
	t.Parallel()
	node := []byte{0xc4, 0x82, 0x20, 'a', 'b'} // [path of a leaf with "a", "b"]
	short := trie.Trie{}.Put([]byte("a"), []byte("b"))
	require.Equal(t, crypto.Keccak256Hash(node), short.Hash())
	require.Equal(t, [][]byte{node}, short.Prove([]byte("a")))
}

// The trie keeps its own copy of keys: callers reuse one buffer for many.
func TestKeyBufferMayBeReused(t *testing.T) {
	t.Parallel()
	edit := trie.Trie{}.Edit()
	key := make([]byte, 1)
	for i := range byte(10) {
		key[0] = i
		edit.Put(key, []byte{i + 1})
	}
	got := edit.Trie()
	for i := range byte(10) {
		require.Equal(t, []byte{i + 1}, got.Get([]byte{i}))
	}
}

// Ensure an edit that is hashed between its changes has the roots of a trie that is made anew, and leaves the trie that
// it began with as it was.
func TestEditIsHashedOnTheWay(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	want, began := trie.Trie{}, trie.Trie{}
	for i := range 400 {
		began = began.Put(crypto.Keccak256([]byte{byte(i), byte(i >> 8)}), []byte{1, byte(i)})
	}
	want = began
	before, edit := began.Hash(), began.Edit()
	for range 2000 {
		i := random.IntN(500)
		key, value := crypto.Keccak256([]byte{byte(i), byte(i >> 8)}), []byte(nil)
		if random.IntN(3) > 0 {
			value = crypto.Keccak256([]byte{byte(random.IntN(4))})[:1+random.IntN(32)]
		}
		want = want.Put(key, value)
		edit.Put(key, value)
		if random.IntN(3) > 0 {
			require.Equal(t, want.Hash(), edit.Trie().Hash())
		}
	}
	require.Equal(t, want.Hash(), edit.Trie().Hash())
	require.Equal(t, before, began.Put([]byte("other"), []byte{1}).Delete([]byte("other")).Hash())
}

// A trie whose hash was taken is only read by whatever is done with it; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	edit := trie.Trie{}.Edit()
	for i := range uint32(500) {
		edit.Put(keyOf(hashed, i), valueOf(i+1))
	}
	full := edit.Trie()
	root := full.Hash()
	content := contentOf(full)

	var wg sync.WaitGroup
	branches := make([]trie.Trie, 4)
	for i := range branches {
		wg.Go(func() {
			edit := full.Edit()
			for n := range uint32(500) {
				if n%2 == 0 {
					edit.Delete(keyOf(hashed, n))
				} else {
					edit.Put(keyOf(hashed, n), valueOf(n+2))
				}
				full.Get(keyOf(hashed, n))
				full.Prove(keyOf(hashed, n))
			}
			full.Hash()
			branches[i] = edit.Trie()
			branches[i].Hash()
		})
	}
	wg.Wait()
	require.Equal(t, root, full.Hash())
	require.Equal(t, content, contentOf(full))
	for _, branch := range branches {
		require.Equal(t, branches[0].Hash(), branch.Hash())
		require.NotEqual(t, root, branch.Hash())
	}
}

func keysOf(t trie.Trie) []string {
	var keys []string
	for key := range t.All() {
		keys = append(keys, string(key))
	}
	return keys
}

func contentOf(t trie.Trie) map[string]string {
	content := map[string]string{}
	for key, value := range t.All() {
		content[string(key)] = string(value)
	}
	return content
}

// keyKind is a family of test keys.
type keyKind byte

const (
	hashed keyKind = iota // 32-byte hashes, as in a state trie
	shared                // 32 bytes that part late, after long common paths
	short                 // 0 to 4 bytes of few values, prefixes of one another
	kinds
)

// keyOf returns a key of the kind; equal seeds give equal keys.
func keyOf(kind keyKind, seed uint32) []byte {
	bits := func(n int) byte {
		part := byte(seed) & (1<<n - 1)
		seed >>= n
		return part
	}
	switch kind {
	case hashed:
		return crypto.Keccak256([]byte{byte(seed >> 8), byte(seed)})
	case shared:
		key := make([]byte, 32)
		for range 3 {
			key[bits(5)] = []byte{0x00, 0x01, 0x10, 0x11}[bits(2)]
		}
		return key
	default:
		key := make([]byte, bits(3)%5)
		for i := range key {
			key[i] = []byte{0x00, 0x01, 0x10, 0xff}[bits(2)]
		}
		return key
	}
}

// valueOf returns a value around the sizes where encodings change: empty, one byte, embedded, hashed, and with a long
// header.
func valueOf(seed uint32) []byte {
	size := []int{0, 1, 1, 2, 25, 31, 32, 33, 55, 56, 70, 300}[seed%12]
	value := make([]byte, size)
	for i := range value {
		value[i] = byte(seed>>4) | 1
	}
	return value
}
