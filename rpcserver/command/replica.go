package command

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// replicaParams is a Replica as fakenode_replica takes it and answers.
type replicaParams struct {
	api.ControlObject `json:"-" wanted:"{behind?, behindMs?, jitter?, jitterMs?, stuck?, orphaned?, seed?}"`

	Behind   count      `json:"behind"`
	BehindMs count      `json:"behindMs"`
	Jitter   count      `json:"jitter"`
	JitterMs count      `json:"jitterMs"`
	Stuck    count      `json:"stuck"`
	Orphaned count      `json:"orphaned"`
	Seed     api.Number `json:"seed"`
}

// replicaObject is the answer to fakenode_replica.
type replicaObject struct {
	Replica uint64 `json:"replica"`
	replicaParams
	// BlockNumber, BlockHash and FlashblockIndex, null without a flashblock, are the head and the pending block as the
	// replica sees them.
	BlockNumber     uint64      `json:"blockNumber"`
	BlockHash       common.Hash `json:"blockHash"`
	FlashblockIndex *int        `json:"flashblockIndex"`
}

// Replica serves fakenode_replica: it sets how far behind a replica is, and answers with that and what it sees.
func Replica(r *api.Request, number api.Number, lag *replicaParams) (any, error) {
	t := r.Network.Timeline
	if lag != nil {
		if err := t.Set(preconf.Replica(uint64(number), control.Replica{
			Blocks: int(lag.Behind), Time: lag.BehindMs.milliseconds(), Jitter: int(lag.Jitter), JitterTime: lag.JitterMs.milliseconds(),
			Stuck: int(lag.Stuck), Orphaned: int(lag.Orphaned), Seed: uint64(lag.Seed),
		})); err != nil {
			return nil, r.BadInput(err)
		}
	}
	set, err := t.Moment().Control().Replicas.Get(uint64(number))
	if err != nil {
		return nil, r.BadInput(err)
	}
	seen := t.Behind(preconf.Lag{Replica: int(number)})
	return replicaObject{
		Replica: uint64(number),
		replicaParams: replicaParams{
			Behind: count(set.Blocks), BehindMs: count(set.Time.Milliseconds()), Jitter: count(set.Jitter),
			JitterMs: count(set.JitterTime.Milliseconds()), Stuck: count(set.Stuck), Orphaned: count(set.Orphaned), Seed: api.Number(set.Seed),
		},
		BlockNumber: seen.Latest().Number(), BlockHash: seen.Latest().Hash(), FlashblockIndex: indexOrNull(seen.Pending().FlashblockIndex()),
	}, nil
}
