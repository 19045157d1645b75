package rpcserver

import (
	"fmt"
	"time"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Limits bound what a client may ask for. The zero value works; no limit may be negative (JournalSize
// excepted).
type Limits struct {
	// MaxBody is the size of an HTTP body, in bytes; beyond it the answer is 413. Zero: 32 MiB.
	MaxBody int64
	// MaxMessage is the size of a WebSocket message, in bytes; beyond it the connection is closed with 1009.
	// Zero: 32 MiB.
	MaxMessage int64
	// MaxBatch is how many calls a batch may hold; beyond it the batch is refused with -32600. Zero: 1,000.
	MaxBatch int
	// SubscriberBuffer is how much may wait for a WebSocket client to read it, in bytes. A notification
	// beyond it closes the connection with 1013. Zero: 64 MiB.
	SubscriberBuffer int
	// JournalSize is how many calls the journal of a network keeps. Zero: 10,000; negative: none.
	JournalSize int

	// LogsMaxRange is how many blocks eth_getLogs may span (contract section 8). Zero: any number.
	LogsMaxRange uint64
	// LogsMaxResults is how many logs eth_getLogs may find in more than one block. Zero: any number.
	LogsMaxResults uint64
	// LogsTimeout is how long eth_getLogs may search, in wall time. Zero: 10 s.
	LogsTimeout time.Duration
	// GasCap is the gas that calls and simulations may use. Zero: 50,000,000.
	GasCap uint64
	// CallTimeout is how long calls and simulations may run, in wall time. Zero: 5 s.
	CallTimeout time.Duration
	// FeeCap is the most that a transaction's fee may be, in wei; the node's own accounts are exempt. Nil: 1 ether in the Geth
	// profile, as geth has it, and no limit in the Spec profile. Zero: no limit.
	FeeCap *uint256.Int
}

const (
	defaultMaxBody          = 32 << 20
	defaultMaxMessage       = 32 << 20
	defaultMaxBatch         = 1000
	defaultSubscriberBuffer = 64 << 20
	defaultJournalSize      = 10_000
	defaultLogsTimeout      = 10 * time.Second
)

// Validate says which limit is negative, nil if none is.
func (l Limits) Validate() error {
	for _, limit := range []struct {
		name  string
		value int64
	}{
		{"HTTP body", l.MaxBody},
		{"WebSocket message", l.MaxMessage},
		{"batch", int64(l.MaxBatch)},
		{"subscriber buffer", int64(l.SubscriberBuffer)},
	} {
		if limit.value < 0 {
			return fmt.Errorf("limit of the %s is %d, want 1 or more, or 0 for the default", limit.name, limit.value)
		}
	}
	for _, limit := range []struct {
		name  string
		value time.Duration
	}{
		{"eth_getLogs", l.LogsTimeout},
		{"a call", l.CallTimeout},
	} {
		if limit.value < 0 {
			return fmt.Errorf("time limit of %s is %s, want more than 0, or 0 for the default", limit.name, limit.value)
		}
	}
	return nil
}

// filled returns the limits with the defaults in place of zeros.
func (l Limits) filled() Limits {
	l.MaxBody = orDefault(l.MaxBody, defaultMaxBody)
	l.MaxMessage = orDefault(l.MaxMessage, defaultMaxMessage)
	l.MaxBatch = orDefault(l.MaxBatch, defaultMaxBatch)
	l.SubscriberBuffer = orDefault(l.SubscriberBuffer, defaultSubscriberBuffer)
	l.JournalSize = orDefault(l.JournalSize, defaultJournalSize)
	l.LogsTimeout = orDefault(l.LogsTimeout, defaultLogsTimeout)
	l.GasCap = orDefault(l.GasCap, simulate.DefaultGasCap)
	l.CallTimeout = orDefault(l.CallTimeout, simulate.DefaultTimeout)
	return l
}

func orDefault[T comparable](value, fallback T) T {
	var zero T
	if value == zero {
		return fallback
	}
	return value
}

// callLimits are the limits of calls and simulations.
func (r *request) callLimits() simulate.Limits {
	limits := r.server.config.Limits
	return simulate.Limits{GasCap: limits.GasCap, Timeout: limits.CallTimeout}
}

// maxBlocks is how many blocks one request may seal.
const maxBlocks = 1_000_000

// blockCount reads how many blocks to seal, 1 unless told.
func blockCount(given *Number) (int, error) {
	switch {
	case given == nil:
		return 1, nil
	case *given > maxBlocks:
		return 0, invalidParams("%d blocks are too many for one request: the limit is %d", *given, maxBlocks)
	}
	return int(*given), nil
}
