package index

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

const (
	minRetry  = 100 * time.Millisecond // after a first failure
	maxRetry  = 5 * time.Second        // after many
	reconnect = 2 * time.Second        // after the subscriptions ended; until then Run polls
)

// Run keeps the index in step with the chain until ctx ends, and returns nil then. It rides out a chain that fails.
// Errors: ErrOtherChain.
func (ix *Indexer) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		ix.watch(ctx)
	}()
	defer func() {
		cancel()
		<-watched
	}()
	backoff := minRetry
	for {
		pause := ix.config.Poll
		switch err := ix.Sync(ctx); {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrOtherChain):
			return err
		case errors.Is(err, ErrBehind): // it answers: the next one asked is perhaps not behind
			pause, backoff = minRetry, minRetry
		case err != nil:
			ix.log.Warn("not in step with the chain, will retry", "error", err, "in", backoff)
			pause, backoff = backoff, min(2*backoff, maxRetry)
		default:
			backoff = minRetry
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ix.awake:
		case <-time.After(pause):
		}
	}
}

// watch wakes Run when the chain may have changed, over one WebSocket connection after another, until ctx ends.
func (ix *Indexer) watch(ctx context.Context) {
	for ctx.Err() == nil {
		err := ix.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		ix.log.Warn("subscriptions ended, will reconnect", "error", err, "in", reconnect)
		select {
		case <-ctx.Done():
		case <-time.After(reconnect):
		}
	}
}

// listen subscribes and wakes Run at every event, and once at the start for what was missed, until the connection ends.
// Events are not read: they may be lost, repeated or taken back.
func (ix *Indexer) listen(ctx context.Context) error {
	dial, cancel := context.WithTimeout(ctx, ix.config.Timeout)
	defer cancel()
	client, err := rpc.DialOptions(dial, ix.config.WebSocketURL)
	if err != nil {
		return err
	}
	defer client.Close()
	events := make(chan json.RawMessage, 16)
	heads, err := client.EthSubscribe(dial, events, "newHeads")
	if err != nil {
		return err
	}
	var early <-chan error
	switch sub, err := client.EthSubscribe(dial, events, "pendingLogs", ix.chain.filter()); {
	case err == nil:
		early = sub.Err()
	case errors.As(err, new(rpc.Error)): // without pre-confirmations blocks come soon enough
		ix.log.Info("the node has no pendingLogs, transfers are seen when sealed")
	default:
		return err
	}
	for {
		select {
		case ix.awake <- struct{}{}:
		default: // it is awake already
		}
		select {
		case <-ctx.Done():
			return nil
		case <-events:
		case err := <-heads.Err():
			return err
		case err := <-early:
			return err
		}
	}
}
