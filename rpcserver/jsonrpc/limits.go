package jsonrpc

import (
	"cmp"
	"fmt"
	"time"
)

// Limits bound the bytes that a client may send and leave unread. The zero value works; no limit may be negative
// (JournalSize excepted).
type Limits struct {
	// MaxBody is the size of an HTTP body, in bytes; beyond it the answer is 413. Zero means 32 MiB.
	MaxBody int64
	// BodyTimeout is the wall time that a client may take to send an HTTP body; beyond it the answer is 408. Zero means 30
	// s.
	BodyTimeout time.Duration
	// MaxMessage is the size of a WebSocket message, in bytes; beyond it the connection is closed with 1009.
	// Zero means 32 MiB.
	MaxMessage int64
	// MaxBatch is the number of calls that a batch may hold; beyond it the batch is rejected with -32600. Zero means
	// 1,000.
	MaxBatch int
	// MaxAnswer is the size of the answer to a message or batch, in bytes; a call whose result would make it larger is
	// answered with -32000. After 8 such calls a batch runs no further ones. Zero means 256 MiB.
	MaxAnswer int
	// SubscriberBuffer is the number of bytes that may wait for a WebSocket client to read them. A notification beyond it
	// closes the connection with 1013. Zero means 64 MiB.
	SubscriberBuffer int
	// SubscribersMemory is the number of bytes that may wait for all clients of the server together, over HTTP and
	// WebSocket; news that several wait for counts once, plus 64 bytes for each notification or run of them. Beyond it the
	// clients with the most unread are cut off. Answers to batches may take half of it while they are made. Zero means 512
	// MiB.
	SubscribersMemory int
	// JournalSize is the number of calls that the journal of an endpoint keeps. Zero means 10,000; negative, none.
	JournalSize int
}

// Validate returns an error that names a negative limit, or nil if there is none.
func (l Limits) Validate() error {
	for _, limit := range []struct {
		name  string
		value int64
	}{
		{"HTTP body", l.MaxBody},
		{"WebSocket message", l.MaxMessage},
		{"batch", int64(l.MaxBatch)},
		{"answer", int64(l.MaxAnswer)},
		{"subscriber buffer", int64(l.SubscriberBuffer)},
		{"memory of all subscribers", int64(l.SubscribersMemory)},
	} {
		if limit.value < 0 {
			return fmt.Errorf("limit of the %s is %d, want 1 or more, or 0 for the default", limit.name, limit.value)
		}
	}
	if l.BodyTimeout < 0 {
		return fmt.Errorf("time limit of an HTTP body is %s, want more than 0, or 0 for the default", l.BodyTimeout)
	}
	return nil
}

// Filled returns the limits with the defaults in place of zeros.
func (l Limits) Filled() Limits {
	return Limits{
		MaxBody:           cmp.Or(l.MaxBody, 32<<20),
		BodyTimeout:       cmp.Or(l.BodyTimeout, 30*time.Second),
		MaxMessage:        cmp.Or(l.MaxMessage, 32<<20),
		MaxBatch:          cmp.Or(l.MaxBatch, 1000),
		MaxAnswer:         cmp.Or(l.MaxAnswer, 256<<20),
		SubscriberBuffer:  cmp.Or(l.SubscriberBuffer, 64<<20),
		SubscribersMemory: cmp.Or(l.SubscribersMemory, 512<<20),
		JournalSize:       cmp.Or(l.JournalSize, 10_000),
	}
}
