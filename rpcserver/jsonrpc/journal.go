package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// maxJournalParams is the size of parameters, in bytes, beyond which the journal does not keep them.
	maxJournalParams = 16 << 10
	// maxJournalMessage is how much of the message of an error the journal keeps, in bytes.
	maxJournalMessage = 4 << 10
	// maxJournalBytes is what the calls of a journal take together, in bytes: the oldest give way to the newest.
	maxJournalBytes = 32 << 20
	// callCost is what a call takes beside its parameters and its message, in bytes, about.
	callCost = 256
)

// Call is an entry of the journal: one call that a client made, and what came of it. Whether the client got
// the answer is not told: a notification has none, and a fault may have kept it back. Control calls (fakenode_…) are not
// recorded.
type Call struct {
	// Method is the wire name; the beginning of one that is too long to be any.
	Method string
	// Params are the parameters as sent; nil when there were none or they were over 16 KiB.
	Params json.RawMessage
	// At is when the answer was ready, on the network's clock.
	At time.Time
	// Code is the code of the error, 0 for a result.
	Code int
	// Message is that of the error, its first 4 KiB; empty for a result.
	Message string
	// Duration is how long the call took, in wall time.
	Duration time.Duration
}

// MarshalJSON encodes the call as fakenode_calls returns it.
func (c Call) MarshalJSON() ([]byte, error) {
	type failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	entry := struct {
		Method      string          `json:"method"`
		Params      json.RawMessage `json:"params"`
		TimestampMs int64           `json:"timestampMs"` // Unix time
		DurationUs  int64           `json:"durationUs"`
		Error       *failure        `json:"error,omitempty"`
	}{c.Method, c.Params, c.At.UnixMilli(), c.Duration.Microseconds(), nil}
	if c.Code != 0 {
		entry.Error = &failure{c.Code, c.Message}
	}
	return json.Marshal(entry)
}

// cost returns what the call takes of maxJournalBytes.
func (c *Call) cost() int { return callCost + len(c.Params) + len(c.Message) }

// Calls returns the last Limits.JournalSize calls, oldest first, or fewer where they would take more than 32 MiB. A method other than "" returns its calls only.
func (e *Endpoint) Calls(method string) []Call { return e.journal.calls(method) }

// WaitForCalls waits until the journal holds n calls of method ("" means any) and returns them, oldest first. The error
// is ctx.Err(), or says why so many can never be there.
func (e *Endpoint) WaitForCalls(ctx context.Context, method string, n int) ([]Call, error) {
	if n > e.journal.limit {
		return nil, fmt.Errorf("%d calls are more than the journal keeps: %d", n, max(e.journal.limit, 0))
	}
	for {
		grown := e.journal.next()
		if found := e.journal.calls(method); len(found) >= n {
			return found, nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// journal keeps the last calls of a network. Safe for concurrent use.
type journal struct {
	limit int // entries; negative: none are kept

	mu    sync.Mutex
	kept  []Call        // oldest first
	size  int           // their cost, in bytes
	grown chan struct{} // closed by the next call; nil while nobody waits
}

// next returns a channel that the next call closes.
func (j *journal) next() <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.grown == nil {
		j.grown = make(chan struct{})
	}
	return j.grown
}

// record adds a finished call to the journal.
func (e *Endpoint) record(m *message, failure *Error, took time.Duration) {
	if e.journal.limit < 0 {
		return
	}
	call := Call{Method: Excerpt(m.method), At: e.now(), Duration: took}
	if len(m.params) <= maxJournalParams {
		call.Params = bytes.Clone(m.params)
	}
	if failure != nil {
		call.Code, call.Message = failure.Code, beginning(failure.Message)
	}
	e.journal.add(call)
}

// beginning returns the part of a message that the journal keeps, whole characters of it.
func beginning(message string) string {
	if len(message) <= maxJournalMessage {
		return message
	}
	return strings.ToValidUTF8(strings.Clone(message[:maxJournalMessage]), "")
}

func (j *journal) add(call Call) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.grown != nil {
		close(j.grown)
		j.grown = nil
	}
	j.kept = append(j.kept, call)
	j.size += call.cost()
	for len(j.kept) > j.limit || j.size > maxJournalBytes {
		j.size -= j.kept[0].cost()
		j.kept[0] = Call{}
		j.kept = j.kept[1:]
	}
}

func (j *journal) calls(method string) []Call {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := []Call{}
	for _, call := range j.kept {
		if method == "" || call.Method == method {
			found = append(found, call)
		}
	}
	return found
}
