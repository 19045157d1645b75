package bridge

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rollup"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// superRootsObject is the answer of superroot_atTimestamp, with the one chain that there is. Ids of chains are decimal
// texts.
type superRootsObject struct {
	CurrentL1          blockID                  `json:"current_l1"`
	SafeTimestamp      uint64                   `json:"safe_timestamp"` // this and the next two in Unix seconds
	LocalSafeTimestamp uint64                   `json:"local_safe_timestamp"`
	FinalizedTimestamp uint64                   `json:"finalized_timestamp"`
	Optimistic         map[string]chainRootInfo `json:"optimistic_at_timestamp"`
	ChainIDs           []string                 `json:"chain_ids"`
	Data               *superRootObject         `json:"data,omitempty"` // absent: the chain has no block at that time yet
}

// chainRootInfo is the output of a chain, with the L1 block that it follows from.
type chainRootInfo struct {
	Output     outputPreimage `json:"output"`
	OutputRoot common.Hash    `json:"output_root"`
	RequiredL1 blockID        `json:"required_l1"`
}

// outputPreimage holds the values that an output root hashes.
type outputPreimage struct {
	StateRoot                common.Hash `json:"stateRoot"`
	MessagePasserStorageRoot common.Hash `json:"messagePasserStorageRoot"`
	BlockHash                common.Hash `json:"blockHash"`
}

// superRootObject is a super root.
type superRootObject struct {
	RequiredL1 blockID       `json:"verified_required_l1"`
	Super      superPreimage `json:"super"`
	SuperRoot  common.Hash   `json:"super_root"`
}

// superPreimage holds the values that a super root hashes.
type superPreimage struct {
	Timestamp hexutil.Uint64 `json:"timestamp"`
	Chains    []chainOutput  `json:"chains"`
}

type chainOutput struct {
	ChainID string
	Output  common.Hash
}

// SuperRootAtTimestamp serves superroot_atTimestamp, of a time in Unix seconds.
func SuperRootAtTimestamp(r *api.Request, time api.Number) (any, error) {
	b, err := of(r)
	if err != nil {
		return nil, err
	}
	l2, l1 := b.L2.Moment(), b.L1.Moment()
	id, head := l2.Chain().Config().ChainID.String(), l1.Latest()
	answer := superRootsObject{
		CurrentL1: blockID{head.Hash(), head.Number()}, ChainIDs: []string{id}, Optimistic: map[string]chainRootInfo{},
		SafeTimestamp: l2.Safe().Time(), LocalSafeTimestamp: l2.Safe().Time(), FinalizedTimestamp: l2.Finalized().Time(),
	}
	if uint64(time) > l2.Latest().Time() || uint64(time) < l2.Chain().BlockByNumber(l2.Chain().Base()).Time() {
		return answer, nil
	}
	super, output, block, err := rollup.SuperRootAt(l2, uint64(time))
	if err != nil {
		return nil, api.Refused(err)
	}
	origin := l2RefOf(block).Origin
	answer.Optimistic[id] = chainRootInfo{outputPreimage{output.StateRoot, output.PasserRoot, output.BlockHash}, super.Output, origin}
	answer.Data = &superRootObject{
		RequiredL1: origin, SuperRoot: super.Root(),
		Super: superPreimage{hexutil.Uint64(super.Time), []chainOutput{{id, super.Output}}},
	}
	return answer, nil
}
