package command

import (
	"cmp"
	"math"
	"time"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/userop"
)

// strikes is the number of calls that a fault strikes: a Number, or -1 for ever.
type strikes int

func (s *strikes) UnmarshalJSON(raw []byte) error {
	if string(raw) == "-1" {
		*s = jsonrpc.Forever
		return nil
	}
	var number api.Number
	if err := number.UnmarshalJSON(raw); err != nil || number == 0 || number > math.MaxInt32 {
		return api.BadNumber("not -1 or from 1 to 2^31-1")
	}
	*s = strikes(number)
	return nil
}

// orphaned is the branch of a fault whose answers come from the branch that a reorg has removed.
const orphaned = "orphaned"

// faultParams is Fault as fakenode_setFault takes it and fakenode_faults answers.
type faultParams struct {
	api.ControlObject `json:"-"`

	Method          string         `json:"method"`
	Nth             *api.Number    `json:"nth"`
	Times           *strikes       `json:"times"` // in answers those that are left
	LatencyMs       api.Number     `json:"latencyMs,omitempty"`
	LatencySpreadMs api.Number     `json:"latencySpreadMs,omitempty"`
	Seed            api.Number     `json:"seed,omitempty"`
	Share           float64        `json:"share,omitempty"`
	Error           *jsonrpc.Error `json:"error,omitempty"`
	HTTPStatus      api.Number     `json:"httpStatus,omitempty"`
	LoseAnswer      bool           `json:"loseAnswer,omitempty"`
	DropConnection  bool           `json:"dropConnection,omitempty"`
	Truncate        api.Number     `json:"truncate,omitempty"`
	Silent          bool           `json:"silent,omitempty"`
	Behind          api.Number     `json:"behind,omitempty"`
	BehindMs        api.Number     `json:"behindMs,omitempty"`
	Branch          string         `json:"branch,omitempty"`

	Kind      string `json:"kind,omitempty"`
	Drop      bool   `json:"drop,omitempty"`
	Duplicate bool   `json:"duplicate,omitempty"`
	Reorder   bool   `json:"reorder,omitempty"`
}

// faultOf returns a fault that is set as params.
func faultOf(f jsonrpc.Fault) faultParams {
	branch := ""
	if f.Behind.Orphaned {
		branch = orphaned
	}
	return faultParams{
		Method: cmp.Or(f.Method, "*"), Nth: new(api.Number(f.Nth)), Times: new(strikes(f.Times)),
		LatencyMs: api.Number(f.Latency.Milliseconds()), LatencySpreadMs: api.Number(f.LatencySpread.Milliseconds()), Seed: api.Number(f.Seed), Share: f.Share,
		Error: f.Error, HTTPStatus: api.Number(f.HTTPStatus), LoseAnswer: f.LoseAnswer, DropConnection: f.DropConnection, Truncate: api.Number(f.Truncate), Silent: f.Silent,
		Behind: api.Number(f.Behind.Blocks), BehindMs: api.Number(f.Behind.Time.Milliseconds()), Branch: branch,
		Kind: f.Kind, Drop: f.Drop, Duplicate: f.Duplicate, Reorder: f.Reorder,
	}
}

func (faultParams) Wanted() string {
	return "{method, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, httpStatus?, loseAnswer?, dropConnection?, " +
		"truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, duplicate, reorder}"
}

// SetFault serves fakenode_setFault, for the network of the request.
func SetFault(r *api.Request, p faultParams) (any, error) {
	const most = math.MaxInt32 // keeps the conversions below in range
	if p.LatencyMs > most || p.LatencySpreadMs > most || p.HTTPStatus > most || p.Truncate > most || p.Behind > most || p.BehindMs > most || p.Nth != nil && *p.Nth > most {
		return nil, api.InvalidParams("fault: a number is above %d", most)
	}
	fault := jsonrpc.Fault{
		Method:         p.Method,
		Kind:           p.Kind,
		Latency:        time.Duration(p.LatencyMs) * time.Millisecond,
		Error:          p.Error,
		HTTPStatus:     int(p.HTTPStatus),
		LoseAnswer:     p.LoseAnswer,
		DropConnection: p.DropConnection,
		Truncate:       int(p.Truncate),
		Drop:           p.Drop,
		Duplicate:      p.Duplicate,
		Reorder:        p.Reorder,
		LatencySpread:  time.Duration(p.LatencySpreadMs) * time.Millisecond,
		Seed:           uint64(p.Seed),
		Silent:         p.Silent,
		Behind:         jsonrpc.Behind{Blocks: int(p.Behind), Time: time.Duration(p.BehindMs) * time.Millisecond, Orphaned: p.Branch == orphaned},
		Share:          p.Share,
	}
	if p.Branch != "" && p.Branch != orphaned {
		return nil, api.InvalidParams("fault: branch is %q, want %q, or leave it out", jsonrpc.Excerpt(p.Branch), orphaned)
	}
	if p.Method == "" {
		return nil, api.InvalidParams(`fault: method is missing; "*" is every method`)
	}
	if p.Nth != nil {
		if *p.Nth == 0 {
			return nil, api.InvalidParams("fault: nth is 0, want 1 or more")
		}
		fault.Nth = int(*p.Nth)
	}
	if p.Times != nil {
		fault.Times = int(*p.Times)
	}
	if err := r.Network.Endpoint.Fail(fault); err != nil {
		return nil, api.InvalidParams("fault: %s", err)
	}
	return nil, nil
}

// disconnectParams is Disconnection as fakenode_disconnect takes it.
type disconnectParams struct {
	api.ControlObject
	Code api.Number `json:"code"`
	Kind string     `json:"kind"`
}

func (disconnectParams) Wanted() string { return "{code?, kind?}" }

// Disconnect serves fakenode_disconnect: it cuts WebSocket connections to the network of the request, and answers how
// many. The connection of the request itself is cut after the answer.
func Disconnect(r *api.Request, p *disconnectParams) (any, error) {
	if p == nil {
		p = &disconnectParams{}
	}
	cut, err := r.Caller.Disconnect(jsonrpc.Disconnection{Code: int(min(p.Code, math.MaxInt32)), Kind: p.Kind})
	if err != nil {
		return nil, api.InvalidParams("%s: %s", r.Method, err)
	}
	return cut, nil
}

// ClearFaults serves fakenode_clearFaults: all faults of methods, flashblocks, the raw feed and user operations end,
// and no transaction is held any more.
func ClearFaults(r *api.Request) (any, error) {
	r.Network.Endpoint.ClearFaults()
	r.Network.Feed.ClearFaults()
	r.Network.Timeline.ClearFlashblockFaults()
	return nil, userop.ClearFaults(r.Network.Timeline)
}
