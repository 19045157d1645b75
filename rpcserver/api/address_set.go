package api

import (
	"maps"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// maxCodeless is the number of addresses without code that the node warns of.
const maxCodeless = 1024

// addressSet is a set that keeps at most maxCodeless addresses. Safe for concurrent use.
type addressSet struct {
	mu  sync.Mutex
	all map[common.Address]bool
}

// All returns the addresses in ascending order.
func (s *addressSet) All() []common.Address {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Keys(s.all), common.Address.Cmp)
}

// Add adds an address and reports whether it was new and had room.
func (s *addressSet) Add(address common.Address) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[address] || len(s.all) >= maxCodeless {
		return false
	}
	if s.all == nil {
		s.all = make(map[common.Address]bool)
	}
	s.all[address] = true
	return true
}
