package jsonrpc

import (
	"encoding/json"
	"strconv"
	"sync"
)

// appendResult appends the answer carrying result; an error means that result cannot be encoded, or that the client of
// a long one has left, and leaves dst as it was.
func (e *Endpoint) appendResult(r *Request, dst, id []byte, result any) ([]byte, error) {
	if sized, ok := result.(Sized); ok && sized.Size() > longAnswer {
		if err := r.ctx.Err(); err != nil {
			return dst, err
		}
		select {
		case e.server.encoding <- struct{}{}:
		case <-r.ctx.Done():
			return dst, r.ctx.Err()
		}
		defer func() { <-e.server.encoding }()
	}
	answer := append(dst, `{"jsonrpc":"2.0","id":`...)
	answer = append(answer, id...)
	answer = append(answer, `,"result":`...)
	answer, err := e.api.AppendValue(answer, result)
	if err != nil {
		return dst, err
	}
	return append(answer, '}'), nil
}

// appendError appends the answer carrying err. A nil id is written as null.
func (e *Endpoint) appendError(dst, id []byte, err *Error) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		dst = append(dst, "null"...)
	}
	dst = append(dst, id...)
	dst = append(dst, `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(err.Code), 10)
	dst = append(dst, `,"message":`...)
	dst = AppendString(dst, err.Message)
	if err.Data != nil {
		if with, failed := e.api.AppendValue(append(dst, `,"data":`...), err.Data); failed == nil {
			dst = with
		}
	}
	return append(dst, "}}"...)
}

// AppendValue encodes v, without reflection for what most methods return.
func AppendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case Appender:
		return v.AppendJSON(dst), nil
	case json.RawMessage:
		if v == nil {
			return append(dst, "null"...), nil
		}
		return append(dst, v...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return AppendString(dst, v), nil
	}
	encoded, err := json.Marshal(v)
	return append(dst, encoded...), err
}

// AppendString appends a quoted JSON string.
func AppendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string always encodes
			return append(dst, quoted...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// buffers holds request and answer bytes between requests, so that not each of them pays for its memory.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

// buffer is the bytes of a request or an answer.
type buffer struct{ bytes []byte }

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// release gives the buffer back for reuse.
func (b *buffer) release() {
	b.bytes = b.bytes[:0]
	buffers.Put(b)
}

// memory returns the bytes of memory that count for the answer: at most one and a half times its size, because a reused
// buffer may be much larger than its contents, and a batch that took half of the room while it was made must not exceed
// it.
func (b *buffer) memory() int { return min(cap(b.bytes), len(b.bytes)*3/2) }
