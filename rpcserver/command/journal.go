package command

import "github.com/fakenode/fakenode/rpcserver/api"

// callsParams narrows fakenode_calls.
type callsParams struct {
	api.ControlObject
	Method string     `json:"method"`
	Since  api.Number `json:"since"` // the number of a call
}

func (callsParams) Wanted() string { return "{method?, since?}" }

// Calls serves fakenode_calls, for the network of the request.
func Calls(r *api.Request, p *callsParams) (any, error) {
	if p == nil {
		p = &callsParams{}
	}
	return r.Network.Endpoint.CallsSince(uint64(p.Since), p.Method), nil
}
