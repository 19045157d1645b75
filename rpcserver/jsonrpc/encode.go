package jsonrpc

import (
	"encoding/json"
	"slices"
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
	answer, err := e.dispatcher.appendValue(answer, result)
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
		if with, failed := e.dispatcher.appendValue(append(dst, `,"data":`...), err.Data); failed == nil {
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

// pieceSize is the size in bytes at which a piece of the answers to a batch is full: the next answer begins a new
// piece.
const pieceSize = 1 << 20

// buffers holds request and answer bytes between requests; large ones too, so that a big answer does not pay for its
// memory each time.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

// buffer is the bytes of a request or an answer. A long answer to a batch is kept in pieces: one run of bytes would be
// in memory twice each time it grows.
type buffer struct {
	full  [][]byte // the pieces before bytes; nil but for a long batch
	bytes []byte
}

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// release gives the buffer back for reuse, without its full pieces.
func (b *buffer) release() {
	b.full, b.bytes = nil, b.bytes[:0]
	buffers.Put(b)
}

func (b *buffer) size() int {
	size := len(b.bytes)
	for _, piece := range b.full {
		size += len(piece)
	}
	return size
}

// memory returns the bytes of memory that count for the answer: at most one and a half times its size, because a reused
// buffer may be much larger than its contents, and a batch that took half of the room while it was made must not exceed
// it.
func (b *buffer) memory() int {
	held := cap(b.bytes)
	for _, piece := range b.full {
		held += cap(piece)
	}
	return min(held, b.size()*3/2)
}

// split begins a new piece if the last one is long enough.
func (b *buffer) split() {
	if len(b.bytes) >= pieceSize {
		b.full, b.bytes = append(b.full, b.bytes), nil
	}
}

// write passes each piece to write, in order, until one fails.
func (b *buffer) write(write func([]byte) (int, error)) error {
	for _, piece := range b.full {
		if _, err := write(piece); err != nil {
			return err
		}
	}
	_, err := write(b.bytes)
	return err
}

// joined returns the bytes of all pieces as one run, which is a copy if there are several.
func (b *buffer) joined() []byte {
	if b.full == nil {
		return b.bytes
	}
	return append(slices.Concat(b.full...), b.bytes...)
}
