package command

import (
	"cmp"
	"errors"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
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
	var number count
	if err := number.UnmarshalJSON(raw); err != nil || number == 0 {
		return api.BadNumber("not -1 or from 1 to 2^31-1")
	}
	*s = strikes(number)
	return nil
}

// orphaned is the branch of a fault whose answers come from the branch that a reorg has removed.
const orphaned = "orphaned"

// faultParams is Fault as fakenode_setFault takes it and fakenode_faults answers.
type faultParams struct {
	api.ControlObject `json:"-" wanted:"{method, where?, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, null?, httpStatus?, loseAnswer?, dropConnection?, truncate?, silent?, behind?, behindMs?, branch?: \"orphaned\", share?}, or {method: \"eth_subscription\", kind?, nth?, times?, share?, seed?, and one of drop, latencyMs, latencySpreadMs, duplicate, stray, reorder, truncate, silent}"`

	Method          string         `json:"method"`
	Nth             *count         `json:"nth"`
	Times           *strikes       `json:"times"` // in answers those that are left
	Where           string         `json:"where,omitempty"`
	LatencyMs       count          `json:"latencyMs,omitempty"`
	LatencySpreadMs count          `json:"latencySpreadMs,omitempty"`
	Seed            api.Number     `json:"seed,omitempty"`
	Share           float64        `json:"share,omitempty"`
	Error           *jsonrpc.Error `json:"error,omitempty"`
	Null            bool           `json:"null,omitempty"`
	HTTPStatus      count          `json:"httpStatus,omitempty"`
	LoseAnswer      bool           `json:"loseAnswer,omitempty"`
	DropConnection  bool           `json:"dropConnection,omitempty"`
	Truncate        count          `json:"truncate,omitempty"`
	Silent          bool           `json:"silent,omitempty"`
	Behind          count          `json:"behind,omitempty"`
	BehindMs        count          `json:"behindMs,omitempty"`
	Branch          string         `json:"branch,omitempty"`

	Kind      string `json:"kind,omitempty"`
	Drop      bool   `json:"drop,omitempty"`
	Duplicate bool   `json:"duplicate,omitempty"`
	Stray     bool   `json:"stray,omitempty"`
	Reorder   bool   `json:"reorder,omitempty"`
}

// faultOf returns a fault that is set as params.
func faultOf(f jsonrpc.Fault) faultParams {
	branch := ""
	if f.Behind.Orphaned {
		branch = orphaned
	}
	return faultParams{
		Method: cmp.Or(f.Method, "*"), Nth: new(count(f.Nth)), Times: new(strikes(f.Times)), Where: f.Where, Null: f.Null,
		LatencyMs: count(f.Latency.Milliseconds()), LatencySpreadMs: count(f.LatencySpread.Milliseconds()), Seed: api.Number(f.Seed), Share: f.Share,
		Error: f.Error, HTTPStatus: count(f.HTTPStatus), LoseAnswer: f.LoseAnswer, DropConnection: f.DropConnection, Truncate: count(f.Truncate), Silent: f.Silent,
		Behind: count(f.Behind.Blocks), BehindMs: count(f.Behind.Time.Milliseconds()), Branch: branch,
		Kind: f.Kind, Drop: f.Drop, Duplicate: f.Duplicate, Stray: f.Stray, Reorder: f.Reorder,
	}
}

// SetFault serves fakenode_setFault, for the network of the request.
func SetFault(r *api.Request, p faultParams) (any, error) {
	fault := jsonrpc.Fault{
		Method:         p.Method,
		Kind:           p.Kind,
		Latency:        p.LatencyMs.milliseconds(),
		Error:          p.Error,
		Where:          p.Where,
		Null:           p.Null,
		HTTPStatus:     int(p.HTTPStatus),
		LoseAnswer:     p.LoseAnswer,
		DropConnection: p.DropConnection,
		Truncate:       int(p.Truncate),
		Drop:           p.Drop,
		Duplicate:      p.Duplicate,
		Stray:          p.Stray,
		Reorder:        p.Reorder,
		LatencySpread:  p.LatencySpreadMs.milliseconds(),
		Seed:           uint64(p.Seed),
		Silent:         p.Silent,
		Behind:         jsonrpc.Behind{Blocks: int(p.Behind), Time: p.BehindMs.milliseconds(), Orphaned: p.Branch == orphaned},
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
	api.ControlObject `wanted:"{code?, kind?}"`

	Code count  `json:"code"`
	Kind string `json:"kind"`
}

// Disconnect serves fakenode_disconnect: it cuts WebSocket connections to the network of the request, and answers how
// many. The connection of the request itself is cut after the answer.
func Disconnect(r *api.Request, p *disconnectParams) (any, error) {
	p = cmp.Or(p, new(disconnectParams))
	cut, err := r.Caller.Disconnect(jsonrpc.Disconnection{Code: int(p.Code), Kind: p.Kind})
	if err != nil {
		return nil, api.InvalidParams("%s: %s", r.Method, err)
	}
	return cut, nil
}

// ClearFaults serves fakenode_clearFaults: faults of all kinds end, and no transaction is held any more.
func ClearFaults(r *api.Request) (any, error) {
	r.Network.Endpoint.ClearFaults()
	r.Network.Feed.ClearFaults()
	r.Network.Timeline.ClearFlashblockFaults()
	return nil, userop.ClearFaults(r.Network.Timeline)
}

// flashblockFaultParams is a fault of flashblocks as fakenode_flashblockFault takes it.
type flashblockFaultParams struct {
	api.ControlObject `wanted:"{kind, count?, transactions?, hashes?, retract?}"`

	Kind         control.FaultKind `json:"kind"`
	Count        *count            `json:"count"`
	Transactions string            `json:"transactions"` // "requeue" (default) or "gone"
	Hashes       []common.Hash     `json:"hashes"`
	Retract      bool              `json:"retract"`
}

func FlashblockFault(r *api.Request, p flashblockFaultParams) (any, error) {
	if p.Transactions != "" && p.Transactions != "requeue" && p.Transactions != "gone" {
		return nil, api.InvalidParams(`transactions of the fault: have %q, want "requeue" or "gone"`, api.Excerpt(p.Transactions))
	}
	fault := control.FlashblockFault{Kind: p.Kind, Gone: p.Transactions == "gone", Hashes: p.Hashes, Retract: p.Retract}
	if p.Count != nil {
		if *p.Count == 0 {
			return nil, api.InvalidParams("count of the fault: have 0, want 1 or more")
		}
		fault.Count = int(*p.Count)
	}
	result, err := r.Network.Timeline.FlashblockFault(fault)
	if errors.Is(err, preconf.ErrNoFlashblock) {
		return nil, api.Refused(err)
	}
	result.Transactions = append([]common.Hash{}, result.Transactions...)
	return result, r.BadInput(err)
}

// feedFaultParams is FeedFault as fakenode_feedFault takes it.
type feedFaultParams struct {
	api.ControlObject `wanted:"{kind, nth?, count?, bytes?, code?}"`

	Kind  flashblocks.FaultKind `json:"kind"`
	Nth   *count                `json:"nth"`
	Count *count                `json:"count"`
	Bytes *count                `json:"bytes"`
	Code  *count                `json:"code"`
}

// FeedFault serves fakenode_feedFault, for the network of the request.
func FeedFault(r *api.Request, p feedFaultParams) (any, error) {
	fault := flashblocks.Fault{Kind: p.Kind}
	for _, number := range []struct {
		name  string
		given *count
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
		*number.to = int(*number.given)
	}
	return nil, r.BadInput(r.Network.FailFeed(fault))
}

// bundlerFault is a fault of the bundler as fakenode_bundlerFault takes it and fakenode_faults answers.
type bundlerFault struct {
	api.ControlObject `wanted:"{kind, sender?, count?}, with {blocks? or milliseconds?} if late, {blocks?} of a lie, {limit?, percent?} if underestimate"`

	Kind         userop.FaultKind `json:"kind"`
	Sender       *common.Address  `json:"sender,omitempty"`
	Count        count            `json:"count"`
	Blocks       api.Number       `json:"blocks,omitempty"`
	Milliseconds api.Number       `json:"milliseconds,omitempty"`
	Limit        userop.GasLimit  `json:"limit,omitempty"`
	Percent      count            `json:"percent,omitempty"`
}

// BundlerFault serves fakenode_bundlerFault: it makes the bundler mishandle operations to come.
func BundlerFault(r *api.Request, p bundlerFault) (any, error) {
	if p.Milliseconds > math.MaxInt64/api.Number(time.Millisecond) {
		return nil, api.InvalidParams("%s: %d ms are too long", r.Method, p.Milliseconds)
	}
	return nil, r.BadInput(userop.Fail(r.Network.Timeline, userop.Fault{
		Kind: p.Kind, Sender: p.Sender, Count: int(p.Count), Blocks: uint64(p.Blocks),
		For: time.Duration(p.Milliseconds) * time.Millisecond, Limit: p.Limit, Percent: int(p.Percent),
	}))
}

// bundlerFaults returns the faults of the bundler that are armed.
func bundlerFaults(m *preconf.Moment) []bundlerFault {
	return api.Each(userop.Faults(m), func(f userop.Fault) bundlerFault {
		return bundlerFault{
			Kind: f.Kind, Sender: f.Sender, Count: count(f.Count), Blocks: api.Number(f.Blocks), Milliseconds: api.Number(f.For.Milliseconds()),
			Limit: f.Limit, Percent: count(f.Percent),
		}
	})
}
