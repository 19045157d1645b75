package jsonrpc

import (
	"bytes"
	"encoding/json"
	"iter"
	"log/slog"
	"maps"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/fakenode/fakenode/internal/spelling"
)

// Table has the methods of an API. R is the type of the request that their functions get. All fields must be set.
type Table[R any] struct {
	// Methods is the method table, by wire name. Endpoints may share one; it must not change.
	Methods map[string]Method[R]
	// New returns the R for the calls of a message or batch, and a new Request, which may be a part of it.
	New func() (R, *Request)
	// Begin prepares the R from New for the next call.
	Begin func(R)
}

// table is a Table that hides the type of its requests.
type table interface {
	find(method string) (m traits, known bool)
	names() iter.Seq[string]
	newRequest() *Request
	// run runs the method of r.call, which is known.
	run(r *Request) (any, error)
}

func (t Table[R]) find(method string) (m traits, known bool) {
	found, known := t.Methods[method]
	return found.traits, known
}

func (t Table[R]) names() iter.Seq[string] { return maps.Keys(t.Methods) }

func (t Table[R]) newRequest() *Request {
	bound, r := t.New()
	r.bound = bound
	return r
}

func (t Table[R]) run(r *Request) (any, error) {
	bound := r.bound.(R)
	t.Begin(bound)
	return t.Methods[r.call.method].run(r, bound)
}

// hint returns the end of an error about the name of no method: which one was probably meant, "" if none is near.
func (e *Endpoint) hint(mistyped string) string {
	meant := spelling.Nearest(mistyped, e.api.Methods.names())
	if meant == "" {
		return ""
	}
	return "; did you mean " + meant + "?"
}

// unknown is the error of a call to a method that there is not.
func (e *Endpoint) unknown(method string) *Error {
	if e.api.Unknown != nil {
		return e.api.Unknown(method)
	}
	err := Errorf(CodeMethodNotFound, "the method %s does not exist/is not available", Excerpt(method))
	if !e.api.Lenient {
		err.Message += e.hint(method)
	}
	return err
}

// call runs the method of r.call and sets r.known and r.exempt.
func (e *Endpoint) call(r *Request) (result any, err error) {
	m := &r.call
	method, known := e.api.Methods.find(m.method)
	if r.known, r.exempt = known, method.exempt; !known {
		return nil, e.unknown(m.method)
	}
	var wrong *Error
	if r.args, wrong = m.splitParams(method.names, r.params[:0]); wrong != nil {
		return nil, wrong
	}
	r.calls++
	r.behind, r.view = Behind{}, ""
	if !method.exempt && !r.observer {
		if behind := e.behind.Load(); behind != nil {
			r.behind = *behind
		}
		if refusal := e.api.Admit(); refusal != nil {
			return nil, refusal
		}
		if fault, ok := e.faults.hit(m.method, "", m.params); ok {
			e.server.events.Info("fault", "method", m.method, "effect", strings.Join(fault.effects(), ", "))
			if err := r.suffer(fault); err != nil {
				return nil, err
			}
			if fault.Null {
				return nil, nil
			}
		}
	}
	defer func() {
		crash := recover()
		if failure, ok := crash.(error); ok {
			if wire := e.api.ToWire(r, failure); wire != nil { // an error of a function that has none in its results
				result, err = nil, wire
				return
			}
		}
		if crash != nil {
			e.server.log.Error("method panicked", "method", m.method, "params", Excerpt(m.params), "panic", crash, "stack", string(debug.Stack()))
			result, err = nil, &Error{Code: CodeInternal, Message: errInternal.Message} // logged already
		}
	}()
	return e.api.Methods.run(r)
}

// answer writes the answer to body, a message or a batch, to out, which is empty: nothing for notifications.
func (e *Endpoint) answer(r *Request, body []byte, out *buffer) {
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	switch {
	case len(trimmed) == 0 || !utf8.Valid(body):
		out.bytes = e.appendError(out.bytes, nil, e.malformed(parseError(body), -1))
	case trimmed[0] != '[':
		out.bytes = e.answerOne(r, trimmed, out.bytes, 0)
	default:
		e.answerBatch(r, trimmed, out)
	}
}

// parseError returns the error of a body that is not JSON.
func parseError(body []byte) *Error {
	if len(body) == 0 {
		return Errorf(CodeParse, "invalid JSON: empty body")
	}
	var discard json.RawMessage
	if err := json.Unmarshal(body, &discard); err != nil {
		return Errorf(CodeParse, "invalid JSON: %s", err)
	}
	return Errorf(CodeParse, "invalid JSON: not UTF-8")
}

// splitBatch returns the calls of a batch, or the error of one that is not JSON, or has no calls or too many.
func (e *Endpoint) splitBatch(body []byte) ([][]byte, *Error) {
	calls, valid := splitArray(body, nil)
	limit := e.server.limits.MaxBatch
	switch {
	case !valid:
		return nil, e.malformed(parseError(body), -1)
	case len(calls) == 0:
		return nil, e.malformed(Errorf(CodeInvalidRequest, "empty batch"), 0)
	case len(calls) > limit:
		return nil, e.malformed(Errorf(CodeInvalidRequest, "batch too large: %d calls, the limit is %d", len(calls), limit), len(calls))
	}
	return calls, nil
}

// malformed returns the error of what is no request.
func (e *Endpoint) malformed(wrong *Error, calls int) *Error {
	if e.api.Malformed == nil {
		return wrong
	}
	return e.api.Malformed(wrong, calls, e.server.limits.MaxBatch)
}

// answerBatch is answer for the calls of a batch.
func (e *Endpoint) answerBatch(r *Request, body []byte, out *buffer) {
	calls, wrong := e.splitBatch(body)
	if wrong != nil {
		out.bytes = e.appendError(out.bytes, nil, wrong)
		return
	}
	separator, made := byte('['), 0
	defer func() { e.server.backlog.addUnfinished(-made) }()
	for _, call := range calls {
		r.takeTurn() // the call before may have given it away
		answered := e.answerOne(r, call, append(out.bytes, separator), made)
		if len(answered) == made+1 {
			continue
		}
		out.bytes, separator = answered, ','
		e.server.backlog.addUnfinished(len(answered) - made)
		made = len(answered)
	}
	if separator == ',' {
		out.bytes = append(out.bytes, ']')
	}
}

// finished reports a finished call to the journal, the log and the API.
func (e *Endpoint) finished(r *Request, m *message, failure error, wire *Error, took time.Duration) {
	if !r.exempt && !r.observer {
		e.record(m, r.view, wire, took)
	}
	if e.api.Done != nil && !r.observer {
		code := 0
		if wire != nil {
			code = wire.Code
		}
		e.api.Done(m.method, r.known, code, took)
	}
	log := e.server.events
	if !log.Enabled(r.ctx, slog.LevelDebug) {
		return
	}
	if wire == nil {
		log.Debug("call", "method", Excerpt(m.method), "params", Excerpt(m.params), "took", took)
		return
	}
	log.Debug("call", "method", Excerpt(m.method), "params", Excerpt(m.params), "took", took, "code", wire.Code, "err", failure)
}

// maxTooLarge is the number of calls of a batch that may make a result that does not fit.
const maxTooLarge = 8

// answerOne appends the answer to one message and records the call. The answers of its batch before have so many bytes.
func (e *Endpoint) answerOne(r *Request, raw, out []byte, before int) []byte {
	m := &r.call
	*m = message{}
	if err := m.parse(raw, e.api.Lenient); err != nil {
		return e.appendError(out, m.id, e.malformed(err, -1))
	}
	started := time.Now()
	r.room = e.server.limits.MaxAnswer - before
	answer, failure := e.appendCall(r, out, before)
	var wire *Error
	if failure != nil {
		answer, wire = e.appendFailure(r, out, failure)
	}
	e.finished(r, m, failure, wire, time.Since(started))
	if m.id == nil {
		return out
	}
	return answer
}

// appendCall runs a call and appends the answer with its result, also of a notification, for the journal.
func (e *Endpoint) appendCall(r *Request, out []byte, before int) ([]byte, error) {
	if refusal := e.checkRoom(r, before); refusal != nil {
		m, known := e.api.Methods.find(r.call.method)
		r.known, r.exempt = known, m.exempt
		return nil, refusal
	}
	result, err := e.call(r)
	if err != nil {
		return nil, err
	}
	answer, err := e.appendResult(r, out, r.call.id, result)
	if err == nil && len(answer)-len(out) > r.room {
		err = e.answerTooLarge()
	}
	return answer, err
}

// checkRoom returns an error for a call that is not run: the answers before or those of other clients leave no room,
// too many results did not fit into them, or the client has left and reads no more of its batch.
func (e *Endpoint) checkRoom(r *Request, before int) error {
	switch {
	case before > 0 && r.ctx.Err() != nil:
		return r.ctx.Err()
	case r.room <= 0 || r.tooLarge >= maxTooLarge:
		return e.answerTooLarge()
	case before > 0 && e.server.backlog.full():
		return tooLarge("answers too large: what clients have not read and what is made for them take too much of %d bytes", e.server.limits.SubscribersMemory)
	}
	return nil
}

// appendFailure appends the answer with the error of a call, and returns that error as the client sees it.
func (e *Endpoint) appendFailure(r *Request, out []byte, failure error) ([]byte, *Error) {
	m := &r.call
	wire, known := e.toWire(r, failure)
	if !known {
		e.server.log.Error("internal error", "method", m.method, "params", Excerpt(m.params), "err", failure)
	}
	if wire.TooLarge {
		r.tooLarge++
	}
	if wire.HTTPStatus != 0 {
		r.refused, r.refusal = r.refused+1, wire
	}
	answer := e.appendError(out, m.id, wire)
	if wire.Data != nil && len(answer)-len(out) > r.room {
		wire = e.answerTooLarge()
		answer = e.appendError(out, m.id, wire)
	}
	return answer, wire
}
