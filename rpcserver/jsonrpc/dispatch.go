package jsonrpc

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"runtime/debug"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/fakenode/fakenode/internal/spelling"
)

// dispatcher is a method table that hides the type of its requests.
type dispatcher interface {
	// lookup reports whether there is a method, and whether it is Exempt.
	lookup(method string) (known, exempt bool)
	// hint returns the end of an error about the name of no method: which one was probably meant, "" if none is near.
	hint(mistyped string) string
	newRequest() *Request
	// call runs the method of r.call and sets r.known and r.exempt.
	call(r *Request) (result any, err error)
	// toWire turns any error into one that the request's client may see, and reports whether it was known.
	toWire(r *Request, err error) (wire *Error, known bool)
	appendValue(dst []byte, v any) ([]byte, error)
}

type table[R any] struct{ api API[R] }

func (t *table[R]) lookup(method string) (known, exempt bool) {
	m, known := t.api.Methods[method]
	return known, m.exempt
}

func (t *table[R]) hint(mistyped string) string {
	meant := spelling.Nearest(mistyped, maps.Keys(t.api.Methods))
	if meant == "" {
		return ""
	}
	return "; did you mean " + meant + "?"
}

// unknown is the error of a call to a method that there is not.
func (t *table[R]) unknown(method string) *Error {
	if t.api.Unknown != nil {
		return t.api.Unknown(method)
	}
	err := Errorf(CodeMethodNotFound, "the method %s does not exist/is not available", Excerpt(method))
	if !t.api.Lenient {
		err.Message += t.hint(method)
	}
	return err
}

func (t *table[R]) newRequest() *Request {
	bound, r := t.api.New()
	r.bound = bound
	return r
}

func (t *table[R]) call(r *Request) (result any, err error) {
	m := &r.call
	method, known := t.api.Methods[m.method]
	if r.known, r.exempt = known, method.exempt; !known {
		return nil, t.unknown(m.method)
	}
	var wrong *Error
	if r.args, wrong = m.splitParams(method.names, r.params[:0]); wrong != nil {
		return nil, wrong
	}
	r.calls++
	r.behind, r.view = Behind{}, ""
	if !method.exempt && !r.observer {
		if behind := r.endpoint.behind.Load(); behind != nil {
			r.behind = *behind
		}
		if refusal := r.endpoint.admit(); refusal != nil {
			r.refused, r.refusal = r.refused+1, refusal
			return nil, refusal.Error
		}
		if fault, ok := r.endpoint.faults.hit(m.method, "", m.params); ok {
			r.endpoint.server.events.Info("fault", "method", m.method, "effect", fault.effect())
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
		if failure, ok := crash.(error); ok && t.api.ToWire != nil {
			if wire := t.api.ToWire(r, failure); wire != nil { // an error of a function that has none in its results
				result, err = nil, wire
				return
			}
		}
		if crash != nil {
			r.endpoint.server.log.Error("method panicked", "method", m.method, "params", Excerpt(m.params), "panic", crash, "stack", string(debug.Stack()))
			result, err = nil, &Error{Code: CodeInternal, Message: errInternal.Message} // logged already
		}
	}()
	bound := r.bound.(R)
	if t.api.Begin != nil {
		t.api.Begin(bound)
	}
	return method.run(r, bound)
}

func (t *table[R]) toWire(r *Request, err error) (*Error, bool) {
	if t.api.ToWire != nil {
		if wire := t.api.ToWire(r, err); wire != nil {
			return wire, true
		}
	}
	return toWire(err)
}

func (t *table[R]) appendValue(dst []byte, v any) ([]byte, error) { return t.api.AppendValue(dst, v) }

// answer writes the answer to body, a message or a batch, to out, which is empty: nothing for notifications.
func (e *Endpoint) answer(r *Request, body []byte, out *buffer) {
	if !isValid(body) {
		out.bytes = e.appendError(out.bytes, nil, parseError(body))
		return
	}
	if body = bytes.TrimLeft(body, " \t\r\n"); body[0] != '[' {
		out.bytes = e.answerOne(r, body, out.bytes, 0)
		return
	}
	items := splitArray(body, nil)
	if refusal := e.checkBatch(len(items)); refusal != nil {
		out.bytes = e.appendError(out.bytes, nil, refusal)
		return
	}
	e.answerBatch(r, items, out)
}

func isValid(body []byte) bool {
	return jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) && utf8.Valid(body)
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

// checkBatch returns an error for a batch of no calls or too many.
func (e *Endpoint) checkBatch(calls int) *Error {
	switch limit := e.server.limits.MaxBatch; {
	case calls == 0:
		return Errorf(CodeInvalidRequest, "empty batch")
	case calls > limit:
		return Errorf(CodeInvalidRequest, "batch too large: %d calls, the limit is %d", calls, limit)
	}
	return nil
}

// answerBatch is answer for the calls of a batch.
func (e *Endpoint) answerBatch(r *Request, items [][]byte, out *buffer) {
	separator, made := byte('['), 0
	defer func() { e.server.backlog.addUnfinished(-made) }()
	for _, item := range items {
		before := len(out.bytes)
		r.takeTurn() // the call before may have given it away
		answered := e.answerOne(r, item, append(out.bytes, separator), out.size())
		if len(answered) == before+1 {
			out.bytes = answered[:before]
			continue
		}
		out.bytes, separator = answered, ','
		out.split()
		e.server.backlog.addUnfinished(out.size() - made)
		made = out.size()
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
	if e.done != nil {
		code := 0
		if wire != nil {
			code = wire.Code
		}
		e.done(m.method, r.known, code, took)
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
	if err := m.parse(raw, e.lenient); err != nil {
		return e.appendError(out, m.id, err)
	}
	started := time.Now()
	r.method, r.room = m.method, e.server.limits.MaxAnswer-before
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

// appendCall runs a call and appends the answer with its result. Even the result of a notification is encoded, so that
// the journal has the same of both.
func (e *Endpoint) appendCall(r *Request, out []byte, before int) ([]byte, error) {
	if refusal := e.checkRoom(r, before); refusal != nil {
		r.known, r.exempt = e.dispatcher.lookup(r.method)
		return nil, refusal
	}
	result, err := e.dispatcher.call(r)
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
		return e.answersTooLarge()
	}
	return nil
}

// appendFailure appends the answer with the error of a call, and returns that error as the client sees it.
func (e *Endpoint) appendFailure(r *Request, out []byte, failure error) ([]byte, *Error) {
	m := &r.call
	wire, known := e.dispatcher.toWire(r, failure)
	if !known {
		e.server.log.Error("internal error", "method", m.method, "params", Excerpt(m.params), "err", failure)
	}
	if wire.TooLarge {
		r.tooLarge++
	}
	if wire.HTTPStatus != 0 {
		r.refused, r.refusal = r.refused+1, &Refusal{Error: wire, HTTPStatus: wire.HTTPStatus}
	}
	answer := e.appendError(out, m.id, wire)
	if wire.Data != nil && len(answer)-len(out) > r.room {
		wire = e.answerTooLarge()
		answer = e.appendError(out, m.id, wire)
	}
	return answer, wire
}
