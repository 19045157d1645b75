package checkout

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/fakenode/fakenode/tokencontract"
)

// pendingPoll is how often the merchant looks at the pending block of a node that has no pendingLogs, as OP Mainnet's.
const pendingPoll = 250 * time.Millisecond

// watch wakes Run whenever the chain may have changed for the merchant, over one WebSocket connection after another,
// until ctx ends.
func (s *Shop) watch(ctx context.Context) {
	for backoff := minBackoff; ctx.Err() == nil; {
		began := time.Now()
		err := s.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > maxBackoff {
			backoff = minBackoff
		}
		s.log.Warn("subscriptions ended, will reconnect", "error", err, "in", backoff)
		select {
		case <-ctx.Done():
		case <-time.After(backoff):
		}
		backoff = min(2*backoff, maxBackoff)
	}
}

// listen subscribes and wakes Run at every event, until the connection ends. It wakes it once more at the start, for
// what was missed before, and every pendingPoll if nothing announces pre-confirmed payments. Events are not read: they
// may be lost, repeated or taken back.
func (s *Shop) listen(ctx context.Context) error {
	dial, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	client, err := rpc.DialOptions(dial, s.config.WebSocketURL)
	if err != nil {
		return err
	}
	defer client.Close()
	payments := map[string]any{ // Transfers to the merchant
		"address": s.config.Token,
		"topics":  []any{tokencontract.TransferTopic, nil, common.BytesToHash(s.chain.merchant[:])},
	}
	events := make(chan json.RawMessage, 16)
	heads, err := client.EthSubscribe(dial, events, "newHeads")
	if err != nil {
		return err
	}
	logs, err := client.EthSubscribe(dial, events, "logs", payments) // removed ones above all
	if err != nil {
		return err
	}
	var early <-chan error
	var look <-chan time.Time
	switch sub, err := client.EthSubscribe(dial, events, "pendingLogs", payments); {
	case err == nil:
		early = sub.Err()
	case errors.As(err, new(rpc.Error)):
		s.log.Warn("the node has no pendingLogs, will look at its pending block", "error", err, "every", pendingPoll)
		ticker := time.NewTicker(pendingPoll)
		defer ticker.Stop()
		look = ticker.C
	default:
		return err
	}
	s.log.Info("watching the chain")
	for {
		s.wake()
		select {
		case <-ctx.Done():
			return nil
		case <-events:
		case <-look:
		case err := <-heads.Err():
			return err
		case err := <-logs.Err():
			return err
		case err := <-early:
			return err
		}
	}
}
