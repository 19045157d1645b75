package trie_test

import (
	"fmt"

	"github.com/fakenode/fakenode/evmstate/internal/trie"
)

func Example() {
	before := trie.Trie{}.Put([]byte("doe"), []byte("reindeer")).Put([]byte("dog"), []byte("puppy"))
	after := before.Put([]byte("dogglesworth"), []byte("cat")).Delete([]byte("dog"))

	fmt.Println(before.Hash())
	for key, value := range after.All() {
		fmt.Printf("%s: %s\n", key, value)
	}
	fmt.Printf("dog was a %s\n", before.Get([]byte("dog")))
	// Output:
	// 0x05ae693aac2107336a79309e0c60b24a7aac6aa3edecaef593921500d33c63c4
	// doe: reindeer
	// dogglesworth: cat
	// dog was a puppy
}
