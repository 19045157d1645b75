package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/lru"
	"github.com/ethereum/go-ethereum/core/vm"
)

// jumpDests caches the valid jump destinations of code, because finding them takes longer than most calls. They depend
// on the code alone, so all Machines share one cache. It is safe for concurrent use.
type jumpDests struct {
	lru *lru.Cache[common.Hash, vm.BitVec]
}

// 1,024 contracts of the largest size (24 KiB) take 3 MiB.
var sharedJumpDests = jumpDests{lru.NewCache[common.Hash, vm.BitVec](1024)}

func (j jumpDests) Load(code common.Hash) (vm.BitVec, bool) { return j.lru.Get(code) }
func (j jumpDests) Store(code common.Hash, dests vm.BitVec) { j.lru.Add(code, dests) }
