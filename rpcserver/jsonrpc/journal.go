package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

const (
	// maxJournalParams is the size of parameters, in bytes, beyond which the journal does not keep them.
	maxJournalParams = 16 << 10
	// maxJournalMessage is the size of an error message, in bytes, beyond which the journal keeps its beginning only.
	maxJournalMessage = 1 << 10
	// maxJournalBytes is the size of all entries of a journal, in bytes; with more the oldest are dropped.
	maxJournalBytes = 32 << 20
	// callSize is the number of bytes that an entry counts besides its texts.
	callSize = 128
)

// Call is an entry of the journal: one call of a client, and its result. It does not show whether the client got the
// answer: a notification has none, and a fault may have kept it back. Control calls (fakenode_…) are not recorded.
type Call struct {
	// Number counts the calls of the network, from 1.
	Number uint64
	// Method is the wire name; only its beginning if it is too long for any method.
	Method string
	// Params are the parameters as sent; nil when there were none or they were over 16 KiB.
	Params json.RawMessage
	// At is the time on the network's clock at which the answer was ready.
	At time.Time
	// Code is the code of the error, 0 for a result.
	Code int
	// Message is the message of the error, empty for a result; only its beginning if it is over 1 KiB.
	Message string
	// Duration is the wall time that the call took.
	Duration time.Duration
	// View says which replica, and from how far behind, answered; empty for the node as it is now.
	View string
}

// MarshalJSON encodes the call as fakenode_calls returns it.
func (c Call) MarshalJSON() ([]byte, error) {
	type failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	entry := struct {
		Number      uint64          `json:"number"`
		Method      string          `json:"method"`
		Params      json.RawMessage `json:"params"`
		TimestampMs int64           `json:"timestampMs"` // Unix time
		DurationUs  int64           `json:"durationUs"`
		Error       *failure        `json:"error,omitempty"`
		View        string          `json:"view,omitempty"`
	}{c.Number, c.Method, c.Params, c.At.UnixMilli(), c.Duration.Microseconds(), nil, c.View}
	if c.Code != 0 {
		entry.Error = &failure{c.Code, c.Message}
	}
	return json.Marshal(entry)
}

func (c *Call) size() int {
	return callSize + len(c.Method) + len(c.Params) + len(c.Message) + len(c.View)
}

// CallsSince returns the calls with numbers above since among the last Limits.JournalSize, or fewer if they take more
// than 32 MiB, oldest first. A method other than "" returns its calls only.
func (e *Endpoint) CallsSince(since uint64, method string) []Call {
	return e.journal.calls(since, method)
}

// LastCall returns the number of the newest call, 0 if there was none.
func (e *Endpoint) LastCall() uint64 {
	e.journal.mu.Lock()
	defer e.journal.mu.Unlock()
	return e.journal.total
}

// WaitForCalls waits until the journal holds n calls of method ("" means any) with numbers above since, and returns
// them, oldest first. The error is ctx.Err(), or reports that the journal can never hold so many.
func (e *Endpoint) WaitForCalls(ctx context.Context, since uint64, method string, n int) ([]Call, error) {
	if n > e.journal.limit {
		return nil, fmt.Errorf("%d calls are more than the journal keeps: %d", n, max(e.journal.limit, 0))
	}
	for {
		grown := e.journal.next()
		if found := e.journal.calls(since, method); len(found) >= n {
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
	bytes int           // of all entries
	total uint64        // calls recorded so far
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

func (e *Endpoint) record(m *message, view string, failure *Error, took time.Duration) {
	if e.journal.limit < 0 {
		return
	}
	call := Call{Method: Excerpt(m.method), At: e.api.Now(), Duration: took, View: view}
	if len(m.params) <= maxJournalParams {
		call.Params = bytes.Clone(m.params)
	}
	if failure != nil {
		call.Code, call.Message = failure.Code, beginning(failure.Message, maxJournalMessage)
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
	j.total++
	call.Number = j.total
	size := call.size()
	for len(j.kept) > 0 && (len(j.kept) == j.limit || j.bytes+size > maxJournalBytes) {
		j.bytes -= j.kept[0].size()
		j.kept[0] = Call{} // append moves the rest to other memory only now and then
		j.kept = j.kept[1:]
	}
	j.kept = append(j.kept, call)
	j.bytes += size
}

// calls returns the entries with numbers above since, of one method or, with "", of all.
func (j *journal) calls(since uint64, method string) []Call {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := []Call{}
	for _, call := range j.kept {
		if call.Number > since && (method == "" || call.Method == method) {
			found = append(found, call)
		}
	}
	return found
}
