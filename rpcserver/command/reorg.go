package command

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// reorgParams is a reorg as fakenode_reorg takes it; see preconf.ReorgOptions.
type reorgParams struct {
	api.ControlObject
	Depth        api.Number           `json:"depth"`
	Length       *api.Number          `json:"length"`
	Transactions preconf.Fate         `json:"transactions"`
	Drop         []common.Hash        `json:"drop"`
	Blocks       [][]hexutil.Bytes    `json:"blocks"` // raw transactions
	Above        preconf.Fate         `json:"l2Transactions"`
	RemovedOrder preconf.RemovedOrder `json:"removedOrder"`
	Force        bool                 `json:"force"`
}

func (reorgParams) Wanted() string {
	return "{depth, length?, transactions?, drop?, blocks?, removedOrder?, force?, l2Transactions?}"
}

// maxReplacement is the most blocks that a reorg may add, but a reorg may always add one more than it removes. All of
// them become part of the chain at once, and other writers wait until then.
const maxReplacement = 10_000

// options returns it as preconf.ReorgOptions.
func (p *reorgParams) options() (preconf.ReorgOptions, error) {
	options := preconf.ReorgOptions{
		Depth:        int(min(p.Depth, maxBlocks+1)),
		Transactions: p.Transactions,
		Above:        p.Above,
		Drop:         p.Drop,
		RemovedOrder: p.RemovedOrder,
		Force:        p.Force,
	}
	if p.Depth > maxBlocks {
		return options, api.InvalidParams("depth of the reorg: have %d, the limit is %d", p.Depth, maxBlocks)
	}
	if p.Length != nil {
		if most := max(p.Depth+1, maxReplacement); *p.Length > most {
			return options, api.InvalidParams("length of the reorg: have %d, the limit is %d", *p.Length, most)
		}
		options.Length = new(int(*p.Length))
	}
	for i, block := range p.Blocks {
		transactions := make([]*types.Transaction, len(block))
		for j, raw := range block {
			transactions[j] = new(types.Transaction)
			if err := transactions[j].UnmarshalBinary(raw); err != nil {
				return options, api.InvalidParams("blocks[%d][%d] of the reorg is not a raw transaction: %s", i, j, err)
			}
		}
		options.Blocks = append(options.Blocks, transactions)
	}
	return options, nil
}

// reorgObject reports the changes of a reorg, oldest block first.
type reorgObject struct {
	Removed []common.Hash `json:"removed"`
	Added   []common.Hash `json:"added"`
	// Requeued transactions wait in the pool for a later block.
	Requeued []common.Hash `json:"requeued"`
}

// Reorg serves fakenode_reorg: it replaces the newest blocks.
func Reorg(r *api.Request, p reorgParams) (any, error) {
	options, err := p.options()
	if err != nil {
		return nil, err
	}
	result, err := r.Network.Timeline.Reorg(options)
	if err := r.BadInput(err); err != nil {
		return nil, err
	}
	return reorgObject{shape.OrEmpty(result.Removed), shape.OrEmpty(result.Added), shape.OrEmpty(result.Requeued)}, nil
}

// rollback removes the newest blocks with their transactions.
func rollback(r *api.Request, depth uint64) error {
	if depth == 0 {
		return nil
	}
	_, err := r.Network.Timeline.Reorg(preconf.ReorgOptions{
		Depth:        int(min(depth, maxBlocks)),
		Length:       new(int),
		Transactions: preconf.Drop,
		Force:        true,
	})
	return r.BadInput(err)
}

// SetHead serves debug_setHead: the block of that number becomes the head, and later ones become orphans.
func SetHead(r *api.Request, number api.Number) (any, error) {
	head := r.Moment().Latest().Number()
	if uint64(number) > head {
		return nil, api.InvalidParams("invalid argument 0 (number) of %s: block %d is above the head, %d", r.Method, number, head)
	}
	return nil, rollback(r, head-uint64(number))
}
