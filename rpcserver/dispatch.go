package rpcserver

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"time"
	"unicode/utf8"
)

// Call answers body, a message or a batch, as if it had been sent to the network's URL, without a socket.
// The answer is nil when there is nothing to say (notifications), and after Close. Subscriptions need a
// WebSocket connection.
func (s *Server) Call(ctx context.Context, network NetworkName, body []byte) []byte {
	e := s.endpoint(network)
	if e == nil || !s.enter() {
		return nil
	}
	defer s.running.Done()
	if ctx.Done() == nil {
		ctx = s.ctx
	} else {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ctx, cancel)()
	}
	r := &request{ctx: ctx, server: s, endpoint: e, network: e.network}
	return r.disturbance.cut(s.answer(r, body, nil))
}

// answer appends what goes back for body, a message or a batch; nothing for notifications.
func (s *Server) answer(r *request, body, out []byte) []byte {
	if !json.Valid(body) || !utf8.Valid(body) {
		return appendError(out, nil, parseError(body))
	}
	if start := skipSpace(body, 0); body[start] != '[' {
		return s.answerOne(r, body[start:], out)
	}
	return s.answerBatch(r, body, out)
}

// parseError says what is wrong with body, which is not JSON.
func parseError(body []byte) *Error {
	if len(body) == 0 {
		return errorf(codeParse, "invalid JSON: empty body")
	}
	var discard json.RawMessage
	if err := json.Unmarshal(body, &discard); err != nil {
		return errorf(codeParse, "invalid JSON: %s", err)
	}
	return errorf(codeParse, "invalid JSON: not UTF-8")
}

func (s *Server) answerBatch(r *request, body, out []byte) []byte {
	items := splitArray(body, nil)
	switch {
	case len(items) == 0:
		return appendError(out, nil, errorf(codeInvalidRequest, "empty batch"))
	case len(items) > s.config.Limits.MaxBatch:
		return appendError(out, nil, errorf(codeInvalidRequest, "batch too large: %d calls, the limit is %d", len(items), s.config.Limits.MaxBatch))
	}
	start := len(out)
	for _, item := range items {
		before := len(out)
		out = append(out, ',') // turned into the opening bracket for the first answer
		if out = s.answerOne(r, item, out); len(out) == before+1 {
			out = out[:before]
		}
	}
	if len(out) == start {
		return out
	}
	out[start] = '['
	return append(out, ']')
}

// answerOne answers one message.
func (s *Server) answerOne(r *request, raw, out []byte) []byte {
	var m message
	if err := m.parse(raw); err != nil {
		return appendError(out, m.id, err)
	}
	started := time.Now()
	r.method = m.method
	result, failure := s.call(r, &m)
	var wire *Error
	answer := out
	if failure == nil {
		// Encoded even for a notification, so that the journal tells the same of both.
		answer, failure = appendResult(out, m.id, result)
	}
	if failure != nil {
		if wire = toWire(r.network.wireError(failure)); wire == errInternal {
			s.log.Error("internal error", "method", m.method, "params", excerpt(m.params), "err", failure)
		}
		answer = appendError(out, m.id, wire)
	}
	r.endpoint.record(&m, wire, time.Since(started))
	if m.id == nil {
		return out
	}
	return answer
}

// call runs the method of one message.
func (s *Server) call(r *request, m *message) (result any, err error) {
	run, ok := s.methods[m.method]
	if !ok || s.config.Disabled != nil && s.config.Disabled(m.method) {
		return nil, methodNotFound(m.method)
	}
	params, wrong := m.splitParams(r.params[:0])
	if wrong != nil {
		return nil, wrong
	}
	if fault, ok := r.endpoint.faults.hit(m.method); ok {
		if err := r.suffer(fault); err != nil {
			return nil, err
		}
	}
	defer func() {
		if crash := recover(); crash != nil {
			s.log.Error("method panicked", "method", m.method, "params", excerpt(m.params), "panic", crash, "stack", string(debug.Stack()))
			result, err = nil, &Error{Code: codeInternal, Message: errInternal.Message} // logged already
		}
	}()
	return run(r, params)
}
