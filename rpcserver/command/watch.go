package command

import (
	"cmp"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/console"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
)

// Subscriptions serves fakenode_subscriptions: the open subscriptions.
func Subscriptions(r *api.Request) (any, error) { return r.Network.Endpoint.Subscriptions(), nil }

// faultsObject is the answer to fakenode_faults.
type faultsObject struct {
	Calls       []faultParams        `json:"calls"`
	Flashblocks []control.ArmedFault `json:"flashblocks"`
	Feed        []flashblocks.Fault  `json:"feed"` // with the number of frames that are left
	Holds       []hold               `json:"holds"`
	Operations  []bundlerFault       `json:"operations"`
}

func FaultsInForce(r *api.Request) (any, error) {
	m, calls := r.Moment(), api.Each(r.Network.Endpoint.Faults(), faultOf)
	armed := append([]control.ArmedFault{}, m.Control().Faults.Armed()...)
	return faultsObject{calls, armed, append([]flashblocks.Fault{}, r.Network.Feed.Faults()...), holdsOf(m), bundlerFaults(m)}, nil
}

// callsParams narrows fakenode_calls.
type callsParams struct {
	api.ControlObject `wanted:"{method?, since?}"`

	Method string     `json:"method"`
	Since  api.Number `json:"since"` // the number of a call
}

// Calls serves fakenode_calls, for the network of the request.
func Calls(r *api.Request, p *callsParams) (any, error) {
	p = cmp.Or(p, new(callsParams))
	return r.Network.Endpoint.CallsSince(uint64(p.Since), p.Method), nil
}

// Console serves fakenode_console: the lines that contracts wrote by console.log in a transaction, in order.
func Console(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil {
		return nil, err
	}
	if !found.Executed() {
		return nil, api.Errorf(api.CodeServer, "transaction not found: %s is in no sealed or pre-confirmed block", hash)
	}
	return api.Each(found.View.Console(found.Index), console.Line), nil
}
