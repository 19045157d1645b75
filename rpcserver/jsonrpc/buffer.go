package jsonrpc

import (
	"slices"
	"sync"
)

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

// size returns the bytes of all pieces.
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
