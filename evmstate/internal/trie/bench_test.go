package trie_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/crypto"
	gethtrie "github.com/ethereum/go-ethereum/trie"
	"github.com/ethereum/go-ethereum/triedb"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/internal/trie"
)

// benchKeys is the number of accounts in the benchmarks' trie.
const benchKeys = 10_000

// accounts returns hashed keys and values of the size of an account.
func accounts() (keys, values [][]byte) {
	for i := range uint64(benchKeys) {
		keys = append(keys, crypto.Keccak256(binary.BigEndian.AppendUint64(nil, i)))
		values = append(values, append(make([]byte, 70), keys[i][:8]...))
		values[i][0] = 0xf8
	}
	return keys, values
}

// BenchmarkUpdate changes keys of a trie of 10,000 and takes the root, as a block does.
func BenchmarkUpdate(b *testing.B) {
	keys, values := accounts()
	for _, size := range []int{1, 100} {
		b.Run(fmt.Sprintf("keys=%d/fakenode", size), func(b *testing.B) {
			edit := trie.Trie{}.Edit()
			for i, key := range keys {
				edit.Put(key, values[i])
			}
			t := edit.Trie()
			t.Hash()
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				edit := t.Edit()
				for i := range size {
					at := (n*size + i) % benchKeys
					edit.Put(keys[at], binary.BigEndian.AppendUint64(values[at][:70:70], uint64(n)))
				}
				t = edit.Trie()
				t.Hash()
			}
		})
		b.Run(fmt.Sprintf("keys=%d/geth", size), func(b *testing.B) {
			t := gethtrie.NewEmpty(triedb.NewDatabase(rawdb.NewMemoryDatabase(), nil))
			for i, key := range keys {
				t.MustUpdate(key, values[i])
			}
			t.Hash()
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				for i := range size {
					at := (n*size + i) % benchKeys
					t.MustUpdate(keys[at], binary.BigEndian.AppendUint64(values[at][:70:70], uint64(n)))
				}
				t.Hash()
			}
		})
	}
}

// BenchmarkBuild makes a trie of 10,000 keys and takes its root.
func BenchmarkBuild(b *testing.B) {
	keys, values := accounts()
	b.Run("fakenode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			edit := trie.Trie{}.Edit()
			for i, key := range keys {
				edit.Put(key, values[i])
			}
			edit.Trie().Hash()
		}
	})
	b.Run("geth", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t := gethtrie.NewEmpty(triedb.NewDatabase(rawdb.NewMemoryDatabase(), nil))
			for i, key := range keys {
				t.MustUpdate(key, values[i])
			}
			t.Hash()
		}
	})
}

// BenchmarkProve proves one key of 10,000.
func BenchmarkProve(b *testing.B) {
	keys, values := accounts()
	b.Run("fakenode", func(b *testing.B) {
		edit := trie.Trie{}.Edit()
		for i, key := range keys {
			edit.Put(key, values[i])
		}
		t := edit.Trie()
		t.Hash()
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			t.Prove(keys[n%benchKeys])
		}
	})
	b.Run("geth", func(b *testing.B) {
		t := gethtrie.NewEmpty(triedb.NewDatabase(rawdb.NewMemoryDatabase(), nil))
		for i, key := range keys {
			t.MustUpdate(key, values[i])
		}
		t.Hash()
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			require.NoError(b, t.Prove(keys[n%benchKeys], new(proofNodes)))
		}
	})
}
