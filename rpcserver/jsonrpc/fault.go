package jsonrpc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Forever as Fault.Times strikes until the faults are cleared.
const Forever = -1

// Fault spoils calls of a method, or the notifications of subscriptions, on purpose, so that a client's handling of it
// can be tested. For calls at least one effect is set, and several combine. For notifications exactly one of Drop,
// Latency (with or without a spread), Duplicate, Stray, Reorder, Truncate and Silent is set. The fakenode_ methods
// never fail this way.
type Fault struct {
	// Method is the wire name. Empty or "*": every method. The method of notifications, eth_subscription: notifications.
	Method string
	// Where is a text that a parameter of the call is or has inside, such as a hash, an address or the number of a block,
	// in any case of letters. Other calls are neither struck nor counted. Empty: every call.
	Where string
	// Kind is the kind of subscription, such as "newHeads", whose notifications are struck. Empty: every kind.
	Kind string
	// Nth is the first call or notification to strike, counted from when the fault was set. Zero: 1, the next one.
	// Notifications are counted over all subscriptions, in the order in which they were opened.
	Nth int
	// Times is the number of calls or notifications to strike in a row. Zero: 1. Forever: until the faults are cleared.
	Times int

	// Latency delays the call or the notification, in wall time. Later notifications of the same subscription stay behind
	// a delayed one.
	Latency time.Duration
	// LatencySpread adds a random time up to it to each call or notification, drawn from Seed: the same each run.
	LatencySpread time.Duration
	Seed          uint64
	// Drop loses the notification.
	Drop bool
	// Duplicate sends the notification twice.
	Duplicate bool
	// Stray sends the notification once more before it, as one of a subscription that the client does not have.
	Stray bool
	// Reorder holds the notification back until the next one of its subscription that is not struck, and sends it after
	// that one; several that are held back are sent newest first.
	Reorder bool
	// Error answers in place of the method, which does not run. Its code is not 0.
	Error *Error
	// Null answers null in place of the method, which does not run.
	Null bool
	// HTTPStatus, 400 to 599, is sent in place of the answer, with its usual text as body, as by a rate limiter or a
	// gateway: the method does not run, unless LoseAnswer is set. In a batch the other calls run, and the whole batch gets
	// the status. A WebSocket connection is closed with 1011.
	HTTPStatus int
	// LoseAnswer runs the method and sends HTTPStatus, by default 504, in place of the answer, as an impatient gateway.
	LoseAnswer bool
	// DropConnection closes the connection in place of the answer; the method has run, unless Error is set.
	DropConnection bool
	// Truncate cuts the answer, or the result in the notification, after so many bytes. Zero: it does not.
	Truncate int
	// Silent sends no answer: HTTP requests wait until the client gives up, and on a WebSocket nothing is sent any more,
	// while the connection stays open. The method has run, unless Error is set. As a fault of notifications it silences
	// the connection from that notification on.
	Silent bool
	// Behind answers the call as a node would that is so far behind.
	Behind Behind
	// Share is the part of the calls or notifications that are struck of those that would be, above 0 and at most 1, drawn
	// from Seed: the same each run. Zero: 1, all.
	Share float64
}

// Behind tells how far a node is behind: as much as the field that is furthest back says. The zero value is not behind.
type Behind struct {
	// Blocks is a number of blocks, at most 64.
	Blocks int
	// Time is a time of the node's clock, at most 5 minutes. Flashblocks are told apart up to 4 blocks back.
	Time time.Duration
	// Orphaned is the branch that a reorg has removed last, as it was before.
	Orphaned bool
}

const (
	maxBehindBlocks = 64
	maxBehindTime   = 5 * time.Minute
)

// validate returns an error if a node cannot be so far behind.
func (b Behind) validate() error {
	switch {
	case b.Blocks < 0 || b.Blocks > maxBehindBlocks:
		return fmt.Errorf("behind is %d blocks, want 0 to the %d that the node remembers", b.Blocks, maxBehindBlocks)
	case b.Time < 0 || b.Time > maxBehindTime:
		return fmt.Errorf("behind is %s, want 0 to the %s that the node remembers", b.Time, maxBehindTime)
	}
	return nil
}

// String describes it, for the log.
func (b Behind) String() string {
	switch {
	case b.Orphaned:
		return "answered from the orphaned branch"
	case b.Time > 0:
		return fmt.Sprintf("answered from %s ago", b.Time)
	}
	return fmt.Sprintf("answered from %d blocks behind", b.Blocks)
}

// onAnswers reports whether an effect is set that only calls can have.
func (f Fault) onAnswers() bool {
	return f.Error != nil || f.Null || f.HTTPStatus != 0 || f.LoseAnswer || f.DropConnection || f.Behind != Behind{}
}

// validate returns an error if a fault of calls is not valid.
func (f Fault) validate() error {
	switch {
	case f.Kind != "" || f.Drop || f.Duplicate || f.Stray || f.Reorder:
		return errors.New("kind, drop, duplicate, stray and reorder are for notifications")
	case f.Error != nil && f.Error.Code == 0:
		return errors.New("error code is 0, which stands for success: want another")
	case f.HTTPStatus != 0 && (f.HTTPStatus < 400 || f.HTTPStatus > 599):
		return fmt.Errorf("HTTP status is %d, want 400 to 599", f.HTTPStatus)
	case f.Null && (f.Error != nil || f.HTTPStatus != 0 || f.LoseAnswer):
		return errors.New("null is an answer: want it without error, HTTP status and lost answer")
	case f.LoseAnswer && f.Error != nil:
		return errors.New("with an error the method does not run: lost answers are those of methods that have run")
	case len(f.effects()) == 0:
		return errors.New("no effect set: want one or more of latencyMs, latencySpreadMs, error, null, httpStatus, loseAnswer, " +
			"dropConnection, truncate, silent, behind, behindMs and branch")
	}
	return cmp.Or(f.Behind.validate(), f.validateTimes())
}

// forNotifications are the effects on notifications, by their names in fakenode_setFault.
const forNotifications = "one of drop, latencyMs, latencySpreadMs, duplicate, stray, reorder, truncate and silent"

// validateForNotifications returns an error if a fault of notifications, of these kinds, is not valid.
func (f Fault) validateForNotifications(kinds []string) error {
	switch effects := len(f.effects()); {
	case f.onAnswers() || f.Where != "":
		return errors.New("where, error, null, httpStatus, loseAnswer, dropConnection, behind, behindMs and branch are for calls: want " + forNotifications)
	case f.Kind != "" && !slices.Contains(kinds, f.Kind):
		return fmt.Errorf("unknown kind of subscription %q: want one of %s", Excerpt(f.Kind), strings.Join(kinds, ", "))
	case effects != 1:
		return fmt.Errorf("%d effects set: want %s", effects, forNotifications)
	}
	return f.validateTimes()
}

// validateTimes returns an error if the fields that decide when the fault strikes, and how long it delays, are not
// valid.
func (f Fault) validateTimes() error {
	switch {
	case f.Truncate < 0:
		return fmt.Errorf("truncate is %d, want 1 or more bytes", f.Truncate)
	case f.LatencySpread < 0:
		return fmt.Errorf("latency spread is %s, want 0 or more", f.LatencySpread)
	case f.Latency < 0:
		return fmt.Errorf("latency is %s, want 0 or more", f.Latency)
	case f.Nth < 0:
		return fmt.Errorf("nth is %d, want 1 or more", f.Nth)
	case f.Times < Forever:
		return fmt.Errorf("times is %d, want 1 or more, or -1 for ever", f.Times)
	case !(f.Share >= 0 && f.Share <= 1):
		return fmt.Errorf("share is %v, want a part of the calls above 0 and at most 1", f.Share)
	}
	return nil
}

// effects describe what the fault does, for the log.
func (f Fault) effects() (effects []string) {
	failure := cmp.Or(f.Error, new(Error))
	for _, effect := range []struct {
		is   bool
		text string
	}{
		{f.Drop, "lost"},
		{f.Duplicate, "sent twice"},
		{f.Stray, "sent behind one of no subscription"},
		{f.Reorder, "sent behind the next one"},
		{f.Latency != 0 || f.LatencySpread != 0, fmt.Sprintf("%s late", f.Latency)},
		{f.Silent, "no answer"},
		{f.Error != nil, fmt.Sprintf("error %d %s", failure.Code, Excerpt(failure.Message))},
		{f.Null, "answered null"},
		{f.LoseAnswer, fmt.Sprintf("run, the answer lost: HTTP status %d", f.status())},
		{!f.LoseAnswer && f.HTTPStatus != 0, fmt.Sprintf("not run: HTTP status %d", f.HTTPStatus)},
		{f.DropConnection, "connection dropped"},
		{f.Truncate != 0, fmt.Sprintf("cut after %d bytes", f.Truncate)},
		{f.Behind != Behind{}, f.Behind.String()},
	} {
		if effect.is {
			effects = append(effects, effect.text)
		}
	}
	return effects
}

// status returns the HTTP status that is sent in place of the answer, or 0.
func (f Fault) status() int {
	if f.LoseAnswer {
		return cmp.Or(f.HTTPStatus, http.StatusGatewayTimeout)
	}
	return f.HTTPStatus
}

// faultPlan is the faults set on a network, of calls or of notifications. Safe for concurrent use.
type faultPlan struct {
	set atomic.Bool // any at all: spares calls the lock

	mu     sync.Mutex
	faults []*plannedFault // in the order set
}

type plannedFault struct {
	Fault
	random *rand.Rand // nil without LatencySpread and Share
	wait   int        // matching calls before the first strike
	left   int        // strikes; negative: for ever
	size   int        // bytes that it takes
}

// maxFaults is how many bytes the faults of an endpoint may take, those of calls and of notifications each.
const maxFaults = 16 << 20

// size returns about how many bytes the fault takes.
func (f *Fault) size() int {
	size := 256 + len(f.Method) + len(f.Kind) + len(f.Where)
	if f.Error != nil {
		data, _ := json.Marshal(f.Error.Data) // what does not encode is left out of the answer, too
		size += len(f.Error.Message) + len(data)
	}
	return size
}

// add adds a fault, unless it would make all of them too large.
func (p *faultPlan) add(f Fault) error {
	planned := &plannedFault{Fault: f, wait: max(f.Nth, 1) - 1, left: cmp.Or(f.Times, 1), size: f.size()}
	if f.LatencySpread > 0 || f.Share > 0 {
		planned.random = rand.New(rand.NewPCG(f.Seed, 0))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	size := planned.size
	for _, set := range p.faults {
		size += set.size
	}
	if size > maxFaults {
		return fmt.Errorf("the faults would take more than %d bytes: clear those that are not needed", maxFaults)
	}
	p.faults = append(p.faults, planned)
	p.set.Store(true)
	return nil
}

// clear removes the faults with a Where, all of them for "".
func (p *faultPlan) clear(where string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = slices.DeleteFunc(p.faults, func(f *plannedFault) bool { return where == "" || f.Where == where })
	p.set.Store(len(p.faults) > 0)
}

// list returns the faults with the Nth and Times that are left.
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

// hit counts a call of method, or a notification of it to a subscription of the kind, and returns the fault, if any.
func (p *faultPlan) hit(method, kind string, params []byte) (struck Fault, ok bool) {
	if !p.set.Load() {
		return Fault{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.faults {
		switch {
		case f.Method != "" && f.Method != method, f.Kind != "" && f.Kind != kind, f.Where != "" && !bytes.Contains(bytes.ToLower(params), []byte(strings.ToLower(f.Where))):
		case f.wait > 0:
			f.wait--
		case f.Share > 0 && f.random.Float64() >= f.Share:
		case !ok:
			struck, ok = f.Fault, true
			if f.LatencySpread > 0 {
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

// disturbance describes the effects of faults on an answer as a whole, batch or not.
type disturbance struct {
	httpStatus int
	drop       bool
	silent     bool
	keep       int // bytes of the answer; 0: all
}

// cut leaves the part of the answer that is sent.
func (d disturbance) cut(answer *buffer) {
	switch {
	case d.drop, d.silent:
		answer.bytes = answer.bytes[:0]
	case d.keep > 0 && d.keep < len(answer.bytes):
		answer.bytes = answer.bytes[:d.keep]
	}
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
		r.takeTurn()
	}
	r.behind = f.Behind
	r.disturbance.drop = r.disturbance.drop || f.DropConnection
	r.disturbance.silent = r.disturbance.silent || f.Silent
	r.disturbance.httpStatus = cmp.Or(f.status(), r.disturbance.httpStatus)
	r.disturbance.keep = cmp.Or(f.Truncate, r.disturbance.keep)
	switch {
	case f.Error != nil:
		return f.Error
	case f.HTTPStatus != 0 && !f.LoseAnswer:
		return Errorf(CodeServer, "injected fault: HTTP status %d", f.HTTPStatus) // for the journal: no client gets it
	}
	return nil
}
