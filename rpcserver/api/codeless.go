package api

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
)

const (
	// codelessNote is the name under which a timeline has the addresses of Codeless, one after another.
	codelessNote = "codeless"
	// maxCodeless is how many addresses Codeless returns at most.
	maxCodeless = 1024
)

// Codeless returns the addresses without code that transactions with data went to, in ascending order.
func Codeless(m *preconf.Moment) []common.Address {
	var all []common.Address
	for address := range slices.Chunk(m.Note(codelessNote), common.AddressLength) {
		all = append(all, common.Address(address))
	}
	return all
}

// AddCodeless adds an address to those of Codeless, and reports whether it was new and had room.
func AddCodeless(t *preconf.Timeline, address common.Address) (added bool) {
	err := t.Atomically(func(t *preconf.Timeline) error {
		all := Codeless(t.Moment())
		at, known := slices.BinarySearchFunc(all, address, common.Address.Cmp)
		if added = !known && len(all) < maxCodeless; added {
			var note []byte
			for _, a := range slices.Insert(all, at, address) {
				note = append(note, a[:]...)
			}
			return t.SetNote(codelessNote, note)
		}
		return nil
	})
	return added && err == nil
}
