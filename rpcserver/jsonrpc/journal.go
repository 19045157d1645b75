package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// maxJournalParams is the size of parameters, in bytes, beyond which the journal does not keep them.
const maxJournalParams = 16 << 10

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
	// Message is that of the error, empty for a result.
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

// Calls returns the last Limits.JournalSize calls, oldest first. A method other than "" returns its calls only.
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

// journal keeps the last calls of a network in a ring. Safe for concurrent use.
type journal struct {
	limit int // entries; negative: none are kept

	mu    sync.Mutex
	ring  []Call
	start int           // of the oldest, once the ring is full
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
		call.Code, call.Message = failure.Code, failure.Message
	}
	e.journal.add(call)
}

func (j *journal) add(call Call) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.grown != nil {
		close(j.grown)
		j.grown = nil
	}
	if len(j.ring) < j.limit {
		j.ring = append(j.ring, call)
		return
	}
	j.ring[j.start] = call
	j.start = (j.start + 1) % len(j.ring)
}

func (j *journal) calls(method string) []Call {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := []Call{}
	for i := range j.ring {
		if call := j.ring[(j.start+i)%len(j.ring)]; method == "" || call.Method == method {
			found = append(found, call)
		}
	}
	return found
}
