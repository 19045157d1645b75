package command

import (
	"math"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
)

// feedFaultParams is FeedFault as fakenode_feedFault takes it.
type feedFaultParams struct {
	api.ControlObject
	Kind  flashblocks.FaultKind `json:"kind"`
	Nth   *api.Number           `json:"nth"`
	Count *api.Number           `json:"count"`
	Bytes *api.Number           `json:"bytes"`
	Code  *api.Number           `json:"code"`
}

func (feedFaultParams) Wanted() string { return "{kind, nth?, count?, bytes?, code?}" }

// FeedFault serves fakenode_feedFault, for the network of the request.
func FeedFault(r *api.Request, p feedFaultParams) (any, error) {
	fault := flashblocks.Fault{Kind: p.Kind}
	for _, number := range []struct {
		name  string
		given *api.Number
		to    *int
	}{
		{"nth", p.Nth, &fault.Nth}, {"count", p.Count, &fault.Count}, {"bytes", p.Bytes, &fault.Bytes}, {"code", p.Code, &fault.Code},
	} {
		if number.given == nil {
			continue
		}
		if *number.given == 0 {
			return nil, api.InvalidParams("%s: %s is 0, want 1 or more", r.Method, number.name)
		}
		*number.to = int(min(*number.given, math.MaxInt32))
	}
	if err := r.Network.FailFeed(fault); err != nil {
		return nil, r.BadInput(err)
	}
	return nil, nil
}
