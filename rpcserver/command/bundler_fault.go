package command

import (
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/userop"
)

// bundlerFault is a fault of the bundler as fakenode_bundlerFault takes it and fakenode_faults answers.
type bundlerFault struct {
	api.ControlObject
	Kind         userop.FaultKind `json:"kind"`
	Sender       *common.Address  `json:"sender,omitempty"`
	Count        api.Number       `json:"count"`
	Blocks       api.Number       `json:"blocks,omitempty"`
	Milliseconds api.Number       `json:"milliseconds,omitempty"`
	Limit        userop.GasLimit  `json:"limit,omitempty"`
	Percent      api.Number       `json:"percent,omitempty"`
}

func (bundlerFault) Wanted() string {
	return "{kind, sender?, count?}, with {blocks? or milliseconds?} if late, {blocks?} of a lie, {limit?, percent?} if underestimate"
}

// BundlerFault serves fakenode_bundlerFault: it makes the bundler mishandle operations to come.
func BundlerFault(r *api.Request, p bundlerFault) (any, error) {
	if p.Milliseconds > math.MaxInt64/api.Number(time.Millisecond) {
		return nil, api.InvalidParams("%s: %d ms are too long", r.Method, p.Milliseconds)
	}
	const most = math.MaxInt32 // over every limit
	return nil, r.BadInput(userop.Fail(r.Network.Timeline, userop.Fault{
		Kind: p.Kind, Sender: p.Sender, Count: int(min(p.Count, most)), Blocks: uint64(p.Blocks),
		For: time.Duration(p.Milliseconds) * time.Millisecond, Limit: p.Limit, Percent: int(min(p.Percent, most)),
	}))
}

// bundlerFaults returns the faults of the bundler that are armed.
func bundlerFaults(m *preconf.Moment) []bundlerFault {
	objects := []bundlerFault{}
	for _, f := range userop.Faults(m) {
		objects = append(objects, bundlerFault{
			Kind: f.Kind, Sender: f.Sender, Count: api.Number(f.Count), Blocks: api.Number(f.Blocks), Milliseconds: api.Number(f.For.Milliseconds()),
			Limit: f.Limit, Percent: api.Number(f.Percent),
		})
	}
	return objects
}
