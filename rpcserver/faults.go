package rpcserver

import (
	"math"
	"time"
)

// strikes is how many calls a fault strikes: a Number, or -1 for ever.
type strikes int

// UnmarshalJSON implements json.Unmarshaler.
func (s *strikes) UnmarshalJSON(raw []byte) error {
	if string(raw) == "-1" {
		*s = Forever
		return nil
	}
	var number Number
	if err := number.UnmarshalJSON(raw); err != nil || number == 0 || number > math.MaxInt32 {
		return badNumber("not -1 or from 1 to 2^31-1")
	}
	*s = strikes(number)
	return nil
}

// faultParams is Fault as fakenode_setFault takes it.
type faultParams struct {
	controlObject
	Method         string   `json:"method"`
	Kind           string   `json:"kind"`
	Nth            *Number  `json:"nth"`
	Times          *strikes `json:"times"`
	LatencyMs      Number   `json:"latencyMs"`
	Error          *Error   `json:"error"`
	HTTPStatus     Number   `json:"httpStatus"`
	DropConnection bool     `json:"dropConnection"`
	Truncate       Number   `json:"truncate"`
	Drop           bool     `json:"drop"`
	Duplicate      bool     `json:"duplicate"`
	Reorder        bool     `json:"reorder"`

	LatencySpreadMs Number `json:"latencySpreadMs"`
	Seed            Number `json:"seed"`
	Silent          bool   `json:"silent"`
}

func (faultParams) Wanted() string {
	return "{method, nth?, times?, latencyMs?, latencySpreadMs?, seed?, error?: {code, message, data?}, httpStatus?, dropConnection?, " +
		"truncate?, silent?}, or {method: \"eth_subscription\", kind?, nth?, times?, and one of drop, latencyMs, duplicate, reorder}"
}

// setFault serves fakenode_setFault, for the network it is sent to.
func setFault(r *request, p faultParams) (any, error) {
	const most = math.MaxInt32 // keeps the conversions below in range
	if p.LatencyMs > most || p.LatencySpreadMs > most || p.HTTPStatus > most || p.Truncate > most || p.Nth != nil && *p.Nth > most {
		return nil, invalidParams("fault: a number is above %d", most)
	}
	fault := Fault{
		Method:         p.Method,
		Kind:           p.Kind,
		Latency:        time.Duration(p.LatencyMs) * time.Millisecond,
		Error:          p.Error,
		HTTPStatus:     int(p.HTTPStatus),
		DropConnection: p.DropConnection,
		Truncate:       int(p.Truncate),
		Drop:           p.Drop,
		Duplicate:      p.Duplicate,
		Reorder:        p.Reorder,
		LatencySpread:  time.Duration(p.LatencySpreadMs) * time.Millisecond,
		Seed:           uint64(p.Seed),
		Silent:         p.Silent,
	}
	if p.Method == "" {
		return nil, invalidParams(`fault: method is missing; "*" is every method`)
	}
	if p.Nth != nil {
		if *p.Nth == 0 {
			return nil, invalidParams("fault: nth is 0, want 1 or more")
		}
		fault.Nth = int(*p.Nth)
	}
	if p.Times != nil {
		fault.Times = int(*p.Times)
	}
	if err := r.served.endpoint.Fail(fault); err != nil {
		return nil, invalidParams("fault: %s", err)
	}
	return nil, nil
}

// disconnectParams is Disconnection as fakenode_disconnect takes it.
type disconnectParams struct {
	controlObject
	Code Number `json:"code"`
	Kind string `json:"kind"`
}

func (disconnectParams) Wanted() string { return "{code?, kind?}" }

// disconnect serves fakenode_disconnect: cuts WebSocket connections to the network it is sent to, and answers how many.
// The one that it came over is cut behind the answer.
func disconnect(r *request, p *disconnectParams) (any, error) {
	if p == nil {
		p = &disconnectParams{}
	}
	cut, err := r.caller.Disconnect(Disconnection{Code: int(min(p.Code, math.MaxInt32)), Kind: p.Kind})
	if err != nil {
		return nil, invalidParams("%s: %s", r.method, err)
	}
	return cut, nil
}

// clearFaults serves fakenode_clearFaults: no method fails any more, no flashblock and no frame of the raw feed.
func clearFaults(r *request) (any, error) {
	r.served.endpoint.ClearFaults()
	r.served.feed.ClearFaults()
	r.network.Timeline.ClearFlashblockFaults()
	return nil, nil
}
