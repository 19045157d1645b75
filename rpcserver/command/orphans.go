package command

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// mostOrphans is the number of blocks that an answer of fakenode_orphans lists.
const mostOrphans = 1000

// orphanObject names a block that a reorg removed, in the answer to fakenode_orphans.
type orphanObject struct {
	Number uint64      `json:"number"`
	Hash   common.Hash `json:"hash"`
}

// Orphans serves fakenode_orphans: the blocks that reorgs removed, the highest first.
func Orphans(r *api.Request) (any, error) {
	objects := []orphanObject{}
	for _, block := range slices.Backward(r.Moment().Chain().Orphans()) {
		if len(objects) == mostOrphans {
			break
		}
		objects = append(objects, orphanObject{Number: block.Number(), Hash: block.Hash()})
	}
	return objects, nil
}
