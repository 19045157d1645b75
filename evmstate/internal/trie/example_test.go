package trie_test

import (
	"fmt"

	"github.com/fakenode/fakenode/evmstate/internal/trie"
)

func Example() {
	edit := trie.Trie{}.Edit()
	edit.Put([]byte("doe"), []byte("reindeer"))
	edit.Put([]byte("dog"), []byte("puppy"))
	before := edit.Trie()

	edit.Put([]byte("dogglesworth"), []byte("cat"))
	edit.Delete([]byte("dog"))
	after := edit.Trie()

	fmt.Println("before", before.Hash())
	fmt.Println("after ", after.Hash())
	fmt.Println("nodes that prove dogglesworth:", len(after.Prove([]byte("dogglesworth"))))
	// Output:
	// before 0x05ae693aac2107336a79309e0c60b24a7aac6aa3edecaef593921500d33c63c4
	// after  0x08dac54857429da2bcf85e67a90be006fd6e4e40f9305d05b5c3058bb996f9e7
	// nodes that prove dogglesworth: 2
}
