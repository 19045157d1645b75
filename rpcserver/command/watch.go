package command

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
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

// callFaultObject is a fault of calls or notifications in fakenode_faults, in the form that fakenode_setFault takes.
type callFaultObject struct {
	Method         string         `json:"method"`
	Nth            int            `json:"nth"`
	Times          int            `json:"times"` // left; -1: for ever
	LatencyMs      int64          `json:"latencyMs,omitempty"`
	Error          *jsonrpc.Error `json:"error,omitempty"`
	HTTPStatus     int            `json:"httpStatus,omitempty"`
	LoseAnswer     bool           `json:"loseAnswer,omitempty"`
	DropConnection bool           `json:"dropConnection,omitempty"`
	Truncate       int            `json:"truncate,omitempty"`

	LatencySpreadMs int64  `json:"latencySpreadMs,omitempty"`
	Seed            uint64 `json:"seed,omitempty"`
	Silent          bool   `json:"silent,omitempty"`

	Kind      string `json:"kind,omitempty"`
	Drop      bool   `json:"drop,omitempty"`
	Duplicate bool   `json:"duplicate,omitempty"`
	Reorder   bool   `json:"reorder,omitempty"`

	Behind   int     `json:"behind,omitempty"`
	BehindMs int64   `json:"behindMs,omitempty"`
	Branch   string  `json:"branch,omitempty"`
	Share    float64 `json:"share,omitempty"`
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
	Calls       []callFaultObject `json:"calls"`
	Flashblocks []armedObject     `json:"flashblocks"`
	Feed        []feedFaultObject `json:"feed"`
	Holds       []holdObject      `json:"holds"`
	Operations  []bundlerFault    `json:"operations"`
}

// FaultsInForce serves fakenode_faults.
func FaultsInForce(r *api.Request) (any, error) {
	answer := faultsObject{Calls: []callFaultObject{}, Flashblocks: []armedObject{}, Feed: []feedFaultObject{}, Holds: holdObjects(r.Moment()), Operations: bundlerFaults(r.Moment())}
	for _, fault := range r.Network.Endpoint.Faults() {
		branch := ""
		if fault.Behind.Orphaned {
			branch = orphaned
		}
		answer.Calls = append(answer.Calls, callFaultObject{
			Method: cmp.Or(fault.Method, "*"), Nth: fault.Nth, Times: fault.Times, LatencyMs: fault.Latency.Milliseconds(),
			Error: fault.Error, HTTPStatus: fault.HTTPStatus, LoseAnswer: fault.LoseAnswer, DropConnection: fault.DropConnection, Truncate: fault.Truncate,
			LatencySpreadMs: fault.LatencySpread.Milliseconds(), Seed: fault.Seed, Silent: fault.Silent,
			Kind: fault.Kind, Drop: fault.Drop, Duplicate: fault.Duplicate, Reorder: fault.Reorder,
			Behind: fault.Behind.Blocks, BehindMs: fault.Behind.Time.Milliseconds(), Branch: branch, Share: fault.Share,
		})
	}
	for _, armed := range r.Moment().ArmedFaults() {
		answer.Flashblocks = append(answer.Flashblocks, armedObject{string(armed.Kind), armed.Count})
	}
	for _, fault := range r.Network.Feed.Faults() {
		answer.Feed = append(answer.Feed, feedFaultObject{fault.Kind, fault.Nth, fault.Count, fault.Bytes, fault.Code})
	}
	return answer, nil
}
