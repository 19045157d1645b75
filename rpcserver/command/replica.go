package command

import (
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// replicaParams is a Replica as fakenode_replica takes it and answers.
type replicaParams struct {
	api.ControlObject `json:"-" wanted:"{behind?, behindMs?, jitter?, jitterMs?, stuck?, orphaned?, seed?}"`

	Behind   api.Number `json:"behind"`
	BehindMs api.Number `json:"behindMs"`
	Jitter   api.Number `json:"jitter"`
	JitterMs api.Number `json:"jitterMs"`
	Stuck    api.Number `json:"stuck"`
	Orphaned api.Number `json:"orphaned"`
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
		blocks := func(n api.Number) int { return int(min(n, math.MaxInt32)) }
		ms := func(n api.Number) time.Duration { return time.Duration(min(n, math.MaxInt32)) * time.Millisecond }
		if err := t.Set(preconf.Replica(uint64(number), control.Replica{
			Blocks: blocks(lag.Behind), Time: ms(lag.BehindMs), Jitter: blocks(lag.Jitter), JitterTime: ms(lag.JitterMs),
			Stuck: blocks(lag.Stuck), Orphaned: blocks(lag.Orphaned), Seed: uint64(lag.Seed),
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
			Behind: api.Number(set.Blocks), BehindMs: api.Number(set.Time.Milliseconds()), Jitter: api.Number(set.Jitter),
			JitterMs: api.Number(set.JitterTime.Milliseconds()), Stuck: api.Number(set.Stuck), Orphaned: api.Number(set.Orphaned), Seed: api.Number(set.Seed),
		},
		BlockNumber: seen.Latest().Number(), BlockHash: seen.Latest().Hash(), FlashblockIndex: indexOrNull(seen.Pending().FlashblockIndex()),
	}, nil
}
