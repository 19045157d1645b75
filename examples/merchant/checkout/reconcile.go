package checkout

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/fakenode/fakenode/examples/internal/behind"
)

// The time between two attempts at something that failed grows from minBackoff to maxBackoff.
const (
	minBackoff = 50 * time.Millisecond
	maxBackoff = 5 * time.Second
)

// Run sends what is recorded, follows orders on the chain, and keeps both right through failures, restarts and reorgs.
// It returns nil when ctx ends, and before only if another chain took the endpoint's place. Call it once. Errors:
// ErrOtherChain.
func (s *Shop) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.watch(ctx)
	}()
	defer func() {
		cancel()
		<-watched
	}()
	for backoff := minBackoff; ; {
		wait := s.config.Poll
		switch err := errors.Join(s.reconcile(ctx), s.wipe(ctx)); {
		case err == nil:
			backoff = minBackoff
		case errors.Is(err, ErrOtherChain):
			return err
		case errors.Is(err, errBehind):
			wait = minBackoff
		case ctx.Err() == nil:
			s.log.Warn("reconciling failed, will again", "error", err, "in", backoff)
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

// reconcile brings the database up to date with the chain, and sends to the chain what the database recorded.
func (s *Shop) reconcile(ctx context.Context) error {
	if err := s.sameChain(ctx); err != nil {
		return err
	}
	final, err := s.chain.header(ctx, finalized) // read first: what is final now stays so
	if err != nil {
		return err
	}
	if err := s.chain.branch.follow(ctx, s.chain); err != nil {
		return err
	}
	return errors.Join(s.deliver(ctx, final), s.observe(ctx, final))
}

// sameChain checks that the endpoint still serves the chain of the database: a node may come back with another.
func (s *Shop) sameChain(ctx context.Context) error {
	now := s.store.id
	var err error
	if now.chainID, now.genesis, err = s.chain.identify(ctx); err != nil {
		return err
	}
	return s.store.id.check(now)
}

// wipe ends what a reader of the database kept from being wiped when it was time.
func (s *Shop) wipe(ctx context.Context) error {
	if !s.store.unwiped.Load() {
		return nil
	}
	if err := s.store.wipe(ctx); err != nil {
		return err
	}
	if s.store.unwiped.Load() {
		return errors.New("another process reads the database: signatures that were wiped are still in its log")
	}
	s.log.Info("signatures that were wiped have left the database")
	return nil
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
	return errors.Join(append(failures, s.unblock(ctx))...)
}

// follow brings one transaction of the outbox up to date.
func (s *Shop) follow(ctx context.Context, t Transaction, final *types.Header) error {
	receipt, err := s.chain.receipt(ctx, t.Hash)
	if err != nil {
		return err
	}
	if receipt == nil || receipt.BlockHash == (common.Hash{}) {
		// A receipt that is not there any more says that another node answered, unless the block is gone.
		was, err := s.chain.sealed(ctx, t.blockNumber, t.blockHash)
		if err != nil || was != (common.Hash{}) {
			return err
		}
		t.blockNumber, t.blockHash = 0, common.Hash{}
	}
	switch {
	case receipt == nil:
		return s.push(ctx, t, final)
	case receipt.BlockHash == common.Hash{}: // pre-confirmed
		return s.setState(ctx, t, Sent, "", false)
	}
	t.blockNumber, t.blockHash = receipt.BlockNumber.Uint64(), receipt.BlockHash
	settled := receipt.BlockNumber.Cmp(final.Number) <= 0
	if receipt.Status == types.ReceiptStatusSuccessful {
		return s.setState(ctx, t, Included, "", settled)
	}
	reason := t.Reason
	if t.State != Reverted {
		reason = s.whyReverted(ctx, t, receipt.BlockNumber)
	}
	return s.setState(ctx, t, Reverted, reason, settled)
}

// whyReverted returns the token's reason in words, or "" if the node no longer has it.
func (s *Shop) whyReverted(ctx context.Context, t Transaction, block *big.Int) string {
	tx, err := t.signed()
	if err == nil {
		var reason string
		if reason, err = s.chain.whyReverted(ctx, tx, block); err == nil {
			return reason
		}
	}
	s.log.Info("why a transaction reverted is unknown", "order", t.order, "transaction", t.Hash, "error", err)
	return ""
}

// maxRefusals is how often in a row the node rejects a transaction before it is Refused.
const maxRefusals = 10

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
	used, err := s.chain.usedNonces(ctx, latest)
	if err != nil {
		return err
	}
	if used > t.Nonce {
		if _, err := behind.Again(maxTries, func() (*types.Receipt, error) { return s.chain.client.TransactionReceipt(ctx, t.Hash) }); err == nil {
			return errMoved // by this one: the node that answered first is behind
		}
		// By another transaction: this one can come back by a reorg only.
		if used, err = s.chain.usedNonces(ctx, final.Number); err != nil {
			return err
		}
		const reason = "another transaction has its account nonce"
		if used > t.Nonce {
			return s.setState(ctx, t, Replaced, reason, true)
		}
		return s.setState(ctx, t, Recorded, reason, false)
	}
	return s.try(ctx, t)
}

// try sends a transaction and records what came of it. The node's own answer alone is a refusal: after a timeout it may
// have the transaction, and a gateway's 503 leaves that open.
func (s *Shop) try(ctx context.Context, t Transaction) error {
	tx, err := t.signed()
	if err != nil {
		return err
	}
	err = s.chain.send(ctx, tx)
	switch {
	case says(err, "already known"):
		return s.setState(ctx, t, Sent, "", false)
	case says(err, "nonce too low"): // it is in a block, or another has its nonce: a later look shows which
		return nil
	}
	t.Attempts++
	if err == nil {
		return s.setState(ctx, t, Sent, "", false)
	}
	if errors.As(err, new(rpc.Error)) {
		t.Refusals++
	}
	state := Recorded
	if t.Refusals >= maxRefusals {
		state = Refused
	}
	return errors.Join(err, s.setState(ctx, t, state, "", false))
}

// says reports whether an error is the node's own answer with these words. Those of a node that has the transaction are
// no refusal: who answered before that it does not know it is behind.
func says(err error, words string) bool {
	var refused rpc.Error
	return errors.As(err, &refused) && strings.Contains(refused.Error(), words)
}

// unblock lets later transactions pass. A chain takes an account's transactions in the order of their nonces, so one
// that the node will not take, and a nonce that a foreign transaction had before it was lost, hold up all that follow.
// Then a transfer of nothing takes the nonce. It is not recorded: it moves no money, and until it is final the
// transaction whose nonce it takes counts as one that may still settle. No nonce is given away while the purse is
// short, which alone may explain the refusals.
func (s *Shop) unblock(ctx context.Context) error {
	open, err := s.store.openTransactions(ctx)
	if err != nil || !slices.ContainsFunc(open, Transaction.waits) {
		return err
	}
	next, err := s.chain.client.PendingNonceAt(ctx, s.chain.merchant)
	if err != nil {
		return unavailable("read account nonce", err)
	}
	i := slices.IndexFunc(open, func(t Transaction) bool { return t.Nonce >= next })
	if i < 0 || open[i].Nonce == next && open[i].State != Refused {
		return nil
	}
	if err := s.solvent(ctx, open); err != nil {
		return err
	}
	if open[i].Nonce == next { // once more: what was in its way may be over
		if err := s.try(ctx, open[i]); !errors.As(err, new(rpc.Error)) {
			return err
		}
	}
	nothing, err := s.chain.nothing(ctx, next)
	if err != nil {
		return err
	}
	tx, err := types.SignNewTx(s.config.Key, s.chain.signer, nothing)
	if err != nil {
		return err
	}
	s.log.Warn("an account nonce is held up, a transfer of nothing takes it", "nonce", next, "transaction", tx.Hash())
	return s.chain.send(ctx, tx)
}

// solvent checks that the merchant can pay for all that waits.
func (s *Shop) solvent(ctx context.Context, open []Transaction) error {
	costs, err := costs(open)
	if err != nil {
		return err
	}
	purse, err := s.chain.purse(ctx)
	if err != nil {
		return err
	}
	return s.chain.affordable(purse, costs)
}

func (s *Shop) setState(ctx context.Context, t Transaction, state State, reason string, final bool) error {
	t.State, t.Reason, t.Final = state, reason, final
	if state != Recorded && state != Refused {
		t.Refusals = 0 // the node took it
	}
	changed, err := s.store.setState(ctx, t)
	if changed {
		s.tell(ctx, t.order)
	}
	return err
}

// later returns the settlement to go by, of the known one and the one that is answered now: a block is taken back when
// the chain has another in its place, not when a node does not know it.
func (c *chain) later(ctx context.Context, known, answered *Settlement) (*Settlement, error) {
	if answered.Sealed() || !known.Sealed() {
		return answered, nil
	}
	still, err := c.sealed(ctx, known.BlockNumber, known.BlockHash)
	if err != nil || still == (common.Hash{}) {
		return answered, err
	}
	return known, nil
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
	var once []Order
	for _, o := range open {
		if o.Path.once() {
			once = append(once, o)
		}
	}
	settlements, err := s.chain.settlements(ctx, once, head.Number.Uint64())
	if err != nil {
		return err
	}
	for _, o := range open {
		if o.Settlement, err = s.chain.later(ctx, o.Settlement, settlements[o.replayKey()]); err != nil {
			return err
		}
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
