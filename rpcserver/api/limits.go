package api

import (
	"cmp"
	"fmt"
	"time"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Limits bound requests of clients. The zero value works; no limit may be negative (JournalSize excepted).
type Limits struct {
	// MaxBody is the size of an HTTP body, in bytes; beyond it the answer is 413. Zero: 32 MiB.
	MaxBody int64
	// BodyTimeout is the time that a client may take to send an HTTP body, in wall time; beyond it the answer is 408.
	// Zero: 30 s.
	BodyTimeout time.Duration
	// MaxMessage is the size of a WebSocket message, in bytes; beyond it the code is 1009. Zero: 32 MiB.
	MaxMessage int64
	// MaxBatch is the number of calls that a batch may hold; beyond it the batch is rejected with -32600. Zero: 1,000.
	MaxBatch int
	// MaxAnswer is the size of the answer to a message or batch, in bytes, counted while results are made; a call whose
	// result would make it larger is answered with -32000. Zero: 256 MiB.
	MaxAnswer int
	// SubscriberBuffer is the number of bytes that may wait for a WebSocket client to read them. A notification beyond it
	// closes the connection with 1013. Zero: 64 MiB.
	SubscriberBuffer int
	// SubscribersMemory is the number of bytes that may wait for all clients together, over HTTP and WebSocket; an event
	// that several wait for counts once, plus 64 bytes for each of them. Beyond it the clients with the most unread bytes
	// are cut off. Answers to batches may take half of it while they are made. Zero: 512 MiB.
	SubscribersMemory int
	// SocketIdle is the wall time after which a silent WebSocket client is closed, with 1001. Zero: never.
	SocketIdle time.Duration
	// JournalSize is the number of calls that the journal of a network keeps. Zero: 10,000; negative: none.
	JournalSize int

	// LogsMaxRange is the number of blocks that eth_getLogs may span (contract 8-range). Zero: any number.
	LogsMaxRange uint64
	// LogsMaxResults is the number of logs that eth_getLogs may find in more than one block. Zero: any number.
	LogsMaxResults uint64
	// LogsTimeout is the time that eth_getLogs may search, in wall time. Zero: 10 s.
	LogsTimeout time.Duration
	// GasCap is the gas that calls and simulations may use. Zero: 50,000,000, of the preset Anvil simulate.GasOfBlock.
	GasCap uint64
	// EstimateMargin is by how many per cent estimates of gas are above the smallest limit that is enough, at most 1,000.
	// Zero: they are exact.
	EstimateMargin uint64
	// CallTimeout is the time that calls and simulations may run, in wall time. Zero: 5 s.
	CallTimeout time.Duration
	// FeeCap is the most that a fee may be, in wei, but those of the node's own accounts. Nil or zero: no limit.
	FeeCap *uint256.Int
	// Provider names a provider whose limits are imitated, with their codes and texts. Empty: none.
	Provider Provider
}

// Transport returns the limits of the wire.
func (l Limits) Transport() jsonrpc.Limits {
	return jsonrpc.Limits{
		MaxBody:           l.MaxBody,
		BodyTimeout:       l.BodyTimeout,
		MaxMessage:        l.MaxMessage,
		MaxBatch:          l.MaxBatch,
		MaxAnswer:         l.MaxAnswer,
		SubscriberBuffer:  l.SubscriberBuffer,
		SubscribersMemory: l.SubscribersMemory,
		SocketIdle:        l.SocketIdle,
		JournalSize:       l.JournalSize,
	}
}

// Validate returns an error that names a negative limit, or nil if there is none.
func (l Limits) Validate() error {
	if err := l.Transport().Validate(); err != nil {
		return err
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
	if l.EstimateMargin > maxEstimateMargin {
		return fmt.Errorf("margin of gas estimates is %d %%, the limit is %d", l.EstimateMargin, maxEstimateMargin)
	}
	return nil
}

const maxEstimateMargin = 1_000

// Filled returns the limits with the defaults of the methods in place of zeros.
func (l Limits) Filled() Limits {
	l.MaxAnswer = l.Transport().Filled().MaxAnswer
	l.LogsTimeout = cmp.Or(l.LogsTimeout, 10*time.Second)
	l.GasCap = cmp.Or(l.GasCap, simulate.DefaultGasCap)
	l.CallTimeout = cmp.Or(l.CallTimeout, simulate.DefaultTimeout)
	return l
}

// CallLimits are the limits of calls and simulations.
func (r *Request) CallLimits() simulate.Limits {
	limits := r.Network.Limits
	return simulate.Limits{GasCap: limits.GasCap, Timeout: limits.CallTimeout, MaxResult: r.Caller.Room(), EstimateMargin: limits.EstimateMargin}
}

// SendSync names the rules of eth_sendRawTransactionSync: timeouts, codes, what it waits for. Empty: SyncSpec.
type SendSync string

// The values of SendSync.
const (
	SyncSpec      SendSync = "spec"
	SyncGeth      SendSync = "geth"
	SyncEIP       SendSync = "eip7966"
	SyncArbitrum  SendSync = "arbitrum"           // answers a receipt of a block
	SyncAnnounced SendSync = "arbitrum-announced" // as Arbitrum has announced: before there is a block
	SyncPolygon   SendSync = "polygon"
	SyncMegaETH   SendSync = "megaeth"
	SyncMonad     SendSync = "monad"
)

// SendSyncs lists the values of SendSync.
func SendSyncs() []SendSync {
	return []SendSync{SyncSpec, SyncGeth, SyncEIP, SyncArbitrum, SyncAnnounced, SyncPolygon, SyncMegaETH, SyncMonad}
}
