package rpcserver

import (
	"math"
	"time"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
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
	Nth            *Number  `json:"nth"`
	Times          *strikes `json:"times"`
	LatencyMs      Number   `json:"latencyMs"`
	Error          *Error   `json:"error"`
	HTTPStatus     Number   `json:"httpStatus"`
	DropConnection bool     `json:"dropConnection"`
	Truncate       Number   `json:"truncate"`

	LatencySpreadMs Number `json:"latencySpreadMs"`
	Seed            Number `json:"seed"`
	Silent          bool   `json:"silent"`

	StopSubscription      bool `json:"stopSubscription"`
	DuplicateNotification bool `json:"duplicateNotification"`
	ReorderNotification   bool `json:"reorderNotification"`
}

// notification returns the effect on notifications, if there is one.
func (p *faultParams) notification() (jsonrpc.NotificationEffect, error) {
	var effects []jsonrpc.NotificationEffect
	for effect, set := range map[jsonrpc.NotificationEffect]bool{
		jsonrpc.StopSubscription: p.StopSubscription, jsonrpc.DuplicateNotification: p.DuplicateNotification, jsonrpc.ReorderNotification: p.ReorderNotification,
	} {
		if set {
			effects = append(effects, effect)
		}
	}
	switch len(effects) {
	case 0:
		return "", nil
	case 1:
		if _, known := streamKinds[p.Method]; !known && p.Method != "*" {
			return "", invalidParams("fault: unknown kind of subscription %s", excerpt(p.Method))
		}
		return effects[0], nil
	}
	return "", invalidParams("fault: stopSubscription, duplicateNotification and reorderNotification do not go together")
}

func (faultParams) Wanted() string {
	return "{method, nth?, times?, latencyMs?, error?: {code, message, data?}, httpStatus?, dropConnection?, truncate?, " +
		"latencySpreadMs?, seed?, silent?, stopSubscription?, duplicateNotification?, reorderNotification?}"
}

// setFault serves fakenode_setFault, for the network it is sent to.
func setFault(r *request, p faultParams) (any, error) {
	const most = math.MaxInt32 // keeps the conversions below in range
	notification, err := p.notification()
	if err != nil {
		return nil, err
	}
	if p.LatencyMs > most || p.LatencySpreadMs > most || p.HTTPStatus > most || p.Truncate > most || p.Nth != nil && *p.Nth > most {
		return nil, invalidParams("fault: a number is above %d", most)
	}
	fault := Fault{
		Method:         p.Method,
		Latency:        time.Duration(p.LatencyMs) * time.Millisecond,
		Error:          p.Error,
		HTTPStatus:     int(p.HTTPStatus),
		DropConnection: p.DropConnection,
		Truncate:       int(p.Truncate),
		LatencySpread:  time.Duration(p.LatencySpreadMs) * time.Millisecond,
		Seed:           uint64(p.Seed),
		Silent:         p.Silent,
		Notification:   notification,
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

// clearFaults serves fakenode_clearFaults: no method fails any more, and no flashblock.
func clearFaults(r *request) (any, error) {
	r.served.endpoint.ClearFaults()
	r.network.Timeline.ClearFlashblockFaults()
	return nil, nil
}
