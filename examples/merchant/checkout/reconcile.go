package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// The time between two attempts at something that failed grows from minBackoff to maxBackoff.
const (
	minBackoff = 50 * time.Millisecond
	maxBackoff = 5 * time.Second
)

// Run sends what is recorded, follows orders on the chain, and keeps both right through failures, restarts and reorgs. It
// returns nil when ctx ends. Call it once.
func (s *Shop) Run(ctx context.Context) error {
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.watch(ctx)
	}()
	defer func() { <-watched }()
	for backoff := minBackoff; ; {
		wait := s.config.Poll
		if err := s.reconcile(ctx); err == nil {
			backoff = minBackoff
		} else if ctx.Err() == nil {
			s.log.Warn("looking at the chain failed, will again", "error", err, "in", backoff)
			wait, backoff = backoff, min(2*backoff, maxBackoff)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.awake:
		case <-time.After(wait):
		}
	}
}

// reconcile makes the database say what the chain says, and the chain have what the database recorded.
func (s *Shop) reconcile(ctx context.Context) error {
	final, err := s.chain.header(ctx, finalized) // read first: what is final now stays so
	if err != nil {
		return err
	}
	return errors.Join(s.deliver(ctx, final), s.observe(ctx, final))
}

// deliver follows the transactions of the outbox, and sends those that the node does not have.
func (s *Shop) deliver(ctx context.Context, final *types.Header) error {
	open, err := s.store.openTransactions(ctx)
	if err != nil {
		return err
	}
	var failures []error
	for _, t := range open {
		failures = append(failures, s.follow(ctx, t, final))
	}
	return errors.Join(failures...)
}

// follow brings one transaction of the outbox up to date.
func (s *Shop) follow(ctx context.Context, t Transaction, final *types.Header) error {
	receipt, err := s.chain.receipt(ctx, t.Hash)
	switch {
	case err != nil:
		return err
	case receipt == nil:
		return s.push(ctx, t, final)
	case receipt.BlockHash == common.Hash{}: // pre-confirmed
		return s.setState(ctx, t, Sent, "", false)
	}
	settled := receipt.BlockNumber.Cmp(final.Number) <= 0
	if receipt.Status == types.ReceiptStatusSuccessful {
		return s.setState(ctx, t, Included, "", settled)
	}
	reason := t.Reason
	if t.State != Reverted {
		if reason, err = s.chain.whyReverted(ctx, t.raw, receipt.BlockNumber); err != nil {
			return err
		}
	}
	return s.setState(ctx, t, Reverted, reason, settled)
}

// push sends a transaction that is in no block, unless the node has it already. The same bytes every time: whatever
// became of earlier attempts, it settles once at most.
func (s *Shop) push(ctx context.Context, t Transaction, final *types.Header) error {
	known, err := s.chain.knows(ctx, t.Hash)
	if err != nil {
		return err
	}
	if known {
		return s.setState(ctx, t, Sent, "", false)
	}
	used, err := s.chain.client.NonceAt(ctx, s.chain.merchant, final.Number)
	if err != nil {
		return unavailable("read account nonce", err)
	}
	if used > t.Nonce {
		return s.setState(ctx, t, Replaced, "another transaction has its account nonce", true)
	}
	t.Attempts++
	if err := s.setState(ctx, t, Recorded, "", false); err != nil {
		return err
	}
	if err := s.chain.send(ctx, t.raw); err != nil {
		return err
	}
	return s.setState(ctx, t, Sent, "", false)
}

func (s *Shop) setState(ctx context.Context, t Transaction, state State, reason string, final bool) error {
	t.State, t.Reason, t.Final = state, reason, final
	changed, err := s.store.setState(ctx, t)
	if changed {
		s.tell(ctx, t.order)
	}
	return err
}

// observe reads off the chain how the open orders stand.
func (s *Shop) observe(ctx context.Context, final *types.Header) error {
	open, err := s.store.openOrders(ctx)
	if err != nil || len(open) == 0 {
		return err
	}
	head, err := s.chain.header(ctx, latest)
	if err != nil {
		return err
	}
	settlements, err := s.chain.settlements(ctx, open, head.Number.Uint64())
	if err != nil {
		return err
	}
	for _, o := range open {
		o.Settlement = settlements[o.replayKey()]
		o.Expired = o.Settlement == nil && head.Time >= o.Terms.ValidBefore
		o.Final = o.Settlement == nil && final.Time >= o.Terms.ValidBefore ||
			o.Settlement.Sealed() && o.Settlement.BlockNumber <= final.Number.Uint64()
		changed, err := s.store.observe(ctx, o)
		if err != nil {
			return err
		}
		if changed {
			s.tell(ctx, o.ID)
		}
	}
	return nil
}
