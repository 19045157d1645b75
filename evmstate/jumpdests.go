package evmstate

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/lru"
	"github.com/ethereum/go-ethereum/core/vm"
)

// jumpDests keeps where code may be jumped to: finding out takes longer than most
// calls. It depends on the code alone, so all Machines share it. Safe for
// concurrent use.
type jumpDests struct {
	lru *lru.Cache[common.Hash, vm.BitVec]
}

// 1,024 contracts of 24 KiB, the largest there are, take 3 MiB.
var sharedJumpDests = jumpDests{lru.NewCache[common.Hash, vm.BitVec](1024)}

func (j jumpDests) Load(code common.Hash) (vm.BitVec, bool) { return j.lru.Get(code) }
func (j jumpDests) Store(code common.Hash, dests vm.BitVec) { j.lru.Add(code, dests) }
