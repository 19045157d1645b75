package command

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/console"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
)

// subscriptionObject is an entry of fakenode_subscriptions.
type subscriptionObject struct {
	Connection  uint64          `json:"connection"`
	ID          string          `json:"id"`
	Kind        string          `json:"kind"`
	Option      json.RawMessage `json:"option,omitempty"`
	UnreadBytes int             `json:"unreadBytes"` // of the connection
	Observer    bool            `json:"observer"`
}

// Subscriptions serves fakenode_subscriptions: the open subscriptions.
func Subscriptions(r *api.Request) (any, error) {
	objects := []subscriptionObject{}
	for _, open := range r.Network.Endpoint.Subscriptions() {
		var params []json.RawMessage
		object := subscriptionObject{Connection: open.Connection, ID: open.ID, UnreadBytes: open.Unread, Observer: open.Observer}
		if err := json.Unmarshal(open.Params, &params); err != nil {
			return nil, fmt.Errorf("parameters of subscription %s: %w", open.ID, err)
		}
		if err := json.Unmarshal(params[0], &object.Kind); err != nil {
			return nil, err
		}
		if len(params) > 1 {
			object.Option = params[1]
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// armedObject is a fault of flashblocks in fakenode_faults.
type armedObject struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// feedFaultObject is a fault of the raw feed in fakenode_faults, in the form that fakenode_feedFault takes it.
type feedFaultObject struct {
	Kind  flashblocks.FaultKind `json:"kind"`
	Nth   int                   `json:"nth"`
	Count int                   `json:"count"` // left
	Bytes int                   `json:"bytes,omitempty"`
	Code  int                   `json:"code,omitempty"`
}

// faultsObject is the answer to fakenode_faults.
type faultsObject struct {
	Calls       []faultParams     `json:"calls"`
	Flashblocks []armedObject     `json:"flashblocks"`
	Feed        []feedFaultObject `json:"feed"`
	Holds       []holdObject      `json:"holds"`
	Operations  []bundlerFault    `json:"operations"`
}

func FaultsInForce(r *api.Request) (any, error) {
	answer := faultsObject{Calls: []faultParams{}, Flashblocks: []armedObject{}, Feed: []feedFaultObject{}, Holds: holdObjects(r.Moment()), Operations: bundlerFaults(r.Moment())}
	for _, fault := range r.Network.Endpoint.Faults() {
		answer.Calls = append(answer.Calls, faultOf(fault))
	}
	for _, armed := range r.Moment().Control().Faults.Armed() {
		answer.Flashblocks = append(answer.Flashblocks, armedObject{string(armed.Kind), armed.Count})
	}
	for _, fault := range r.Network.Feed.Faults() {
		answer.Feed = append(answer.Feed, feedFaultObject{fault.Kind, fault.Nth, fault.Count, fault.Bytes, fault.Code})
	}
	return answer, nil
}

// callsParams narrows fakenode_calls.
type callsParams struct {
	api.ControlObject
	Method string     `json:"method"`
	Since  api.Number `json:"since"` // the number of a call
}

func (callsParams) Wanted() string { return "{method?, since?}" }

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
	lines := []string{}
	for _, data := range found.View.Console(found.Index) {
		lines = append(lines, console.Line(data))
	}
	return lines, nil
}
