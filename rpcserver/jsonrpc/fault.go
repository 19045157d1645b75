package jsonrpc

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Forever as Fault.Times strikes until the faults are cleared.
const Forever = -1

// Fault spoils calls of a method on purpose, so that a client's handling of it can be tested. At least
// one effect is set; several combine. The fakenode_ methods never fail this way.
type Fault struct {
	// Method is the wire name. Empty or "*": every method.
	Method string
	// Nth is the first call to strike, counted from when the fault was set. Zero: 1, the next one.
	Nth int
	// Times is how many calls in a row are struck. Zero: 1. Forever: until the faults are cleared.
	Times int

	// Latency delays the call, in wall time. LatencySpread adds a random time up to it, drawn from Seed: the same each run.
	Latency, LatencySpread time.Duration
	Seed                   uint64
	// Error answers in place of the method, which does not run. Its code is not 0.
	Error *Error
	// HTTPStatus, 400 to 599, is sent in place of the answer, with its usual text as body; the method has
	// run, unless Error is set. A WebSocket connection is closed with 1011.
	HTTPStatus int
	// DropConnection closes the connection in place of the answer; the method has run, unless Error is set.
	DropConnection bool
	// Truncate cuts the answer after so many bytes. Zero: not.
	Truncate int
	// Silent never answers: over HTTP until the client gives up, on a WebSocket nothing is sent any more, while the
	// connection stays open. The method has run, unless Error is set.
	Silent bool

	// Notification spoils notifications in place of calls: Method is then the kind of subscription, such as "logs", Nth and
	// Times count notifications, and no effect on calls may be set.
	Notification NotificationEffect
}

// NotificationEffect is what a fault does to notifications.
type NotificationEffect string

const (
	// StopSubscription lets the subscription send nothing more, without the client being told.
	StopSubscription NotificationEffect = "stop"
	// DuplicateNotification sends the notification twice.
	DuplicateNotification NotificationEffect = "duplicate"
	// ReorderNotification sends the notification behind the next one of the same subscription.
	ReorderNotification NotificationEffect = "reorder"
)

// onCalls reports whether an effect on calls is set.
func (f Fault) onCalls() bool {
	return f.Latency != 0 || f.LatencySpread != 0 || f.Error != nil || f.HTTPStatus != 0 || f.DropConnection || f.Truncate != 0 || f.Silent
}

// validate says what is wrong with the fault.
func (f Fault) validate() error {
	switch {
	case f.Nth < 0:
		return fmt.Errorf("nth is %d, want 1 or more", f.Nth)
	case f.Times < Forever:
		return fmt.Errorf("times is %d, want 1 or more, or -1 for ever", f.Times)
	case f.Notification != "" && f.onCalls():
		return errors.New("an effect on notifications and one on calls do not go together: want two faults")
	case f.LatencySpread < 0:
		return fmt.Errorf("latency spread is %s, want 0 or more", f.LatencySpread)
	case f.Latency < 0:
		return fmt.Errorf("latency is %s, want 0 or more", f.Latency)
	case f.Error != nil && f.Error.Code == 0:
		return errors.New("error code is 0, which stands for success: want another")
	case f.HTTPStatus != 0 && (f.HTTPStatus < 400 || f.HTTPStatus > 599):
		return fmt.Errorf("HTTP status is %d, want 400 to 599", f.HTTPStatus)
	case f.Truncate < 0:
		return fmt.Errorf("truncate is %d, want 1 or more bytes", f.Truncate)
	case f.Notification == "" && !f.onCalls():
		return errors.New("no effect set: want latency, error, HTTP status, dropped connection, truncation, silence or one on notifications")
	}
	return nil
}

// effect says in words what the fault does.
func (f Fault) effect() string {
	var effects []string
	if f.Notification != "" {
		effects = append(effects, string(f.Notification)+" notification")
	}
	if f.Latency > 0 {
		effects = append(effects, fmt.Sprintf("%s late", f.Latency))
	}
	if f.Silent {
		effects = append(effects, "no answer")
	}
	if f.Error != nil {
		effects = append(effects, fmt.Sprintf("error %d %s", f.Error.Code, Excerpt(f.Error.Message)))
	}
	if f.HTTPStatus != 0 {
		effects = append(effects, fmt.Sprintf("HTTP status %d", f.HTTPStatus))
	}
	if f.DropConnection {
		effects = append(effects, "connection dropped")
	}
	if f.Truncate > 0 {
		effects = append(effects, fmt.Sprintf("answer cut after %d bytes", f.Truncate))
	}
	return strings.Join(effects, ", ")
}

// faultPlan is the faults set on a network. Safe for concurrent use.
type faultPlan struct {
	set atomic.Bool // any at all: spares calls the lock

	mu     sync.Mutex
	faults []*plannedFault // in the order set
}

type plannedFault struct {
	Fault
	random *rand.Rand // nil without LatencySpread
	wait   int        // matching calls before the first strike
	left   int        // strikes; negative: for ever
}

func (p *faultPlan) add(f Fault) {
	planned := &plannedFault{Fault: f, wait: max(f.Nth, 1) - 1, left: cmp.Or(f.Times, 1)}
	if f.LatencySpread > 0 {
		planned.random = rand.New(rand.NewPCG(f.Seed, 0))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, planned)
	p.set.Store(true)
}

func (p *faultPlan) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
	p.set.Store(false)
}

// list returns the faults with what is left of them.
func (p *faultPlan) list() []Fault {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Fault, len(p.faults))
	for i, f := range p.faults {
		list[i] = f.Fault
		list[i].Nth, list[i].Times = f.wait+1, f.left
	}
	return list
}

// hit counts a call of method and returns the fault that strikes it, if any.
func (p *faultPlan) hit(method string) (struck Fault, ok bool) { return p.strike(method, false) }

// hitNotification counts a notification of a kind of subscription and returns what happens to it, if anything.
func (p *faultPlan) hitNotification(kind string) NotificationEffect {
	struck, _ := p.strike(kind, true)
	return struck.Notification
}

func (p *faultPlan) strike(name string, notification bool) (struck Fault, ok bool) {
	if !p.set.Load() {
		return Fault{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.faults {
		switch {
		case f.Method != "" && f.Method != name || (f.Notification != "") != notification:
		case f.wait > 0:
			f.wait--
		case !ok:
			struck, ok = f.Fault, true
			if f.random != nil {
				struck.Latency += time.Duration(f.random.Int64N(int64(f.LatencySpread)))
			}
			if f.left > 0 {
				f.left--
			}
		}
	}
	p.faults = slices.DeleteFunc(p.faults, func(f *plannedFault) bool { return f.left == 0 })
	p.set.Store(len(p.faults) > 0)
	return struck, ok
}

// disturbance is what faults do to an answer as a whole, batch or not.
type disturbance struct {
	httpStatus int
	drop       bool
	silent     bool
	keep       int // bytes of the answer; 0: all
}

// cut returns the part of the answer that is sent.
func (d disturbance) cut(answer []byte) []byte {
	switch {
	case d.drop, d.silent:
		return nil
	case d.keep > 0 && d.keep < len(answer):
		return answer[:d.keep]
	}
	return answer
}

// suffer applies a fault to the call being answered; the error, if any, answers it.
func (r *Request) suffer(f Fault) error {
	if f.Latency > 0 {
		r.LetOthersPass()
		timer := time.NewTimer(f.Latency)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}
	r.disturbance.drop = r.disturbance.drop || f.DropConnection
	r.disturbance.silent = r.disturbance.silent || f.Silent
	r.disturbance.httpStatus = cmp.Or(f.HTTPStatus, r.disturbance.httpStatus)
	r.disturbance.keep = cmp.Or(f.Truncate, r.disturbance.keep)
	if f.Error != nil {
		return f.Error
	}
	return nil
}
