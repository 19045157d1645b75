package channel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/channels"
)

// maxBatch is how many channels one transaction claims of.
const maxBatch = 50

// Keeper makes the chain agree with a Till's ledger. It remembers no transaction: what the chain lacks, because it was
// never sent, was lost or was removed by a reorg, is missing from the newest sealed block, and is done again. All of it
// takes effect once at most.
type Keeper struct {
	Till *Till
	// ClaimAt is the debt of a channel, in token units, that is worth a claim; nil: any. A channel whose payer has started
	// a withdrawal is claimed of at once.
	ClaimAt *uint256.Int
	Log     *slog.Logger // nil: slog.Default()
}

// Run keeps until ctx ends, looking as often as told.
func (k Keeper) Run(ctx context.Context, every time.Duration) {
	for {
		if err := k.Keep(ctx); err != nil && ctx.Err() == nil {
			k.log().Warn("channels are not kept", "reason", err)
		}
		select {
		case <-time.After(every):
		case <-ctx.Done():
			return
		}
	}
}

func (k Keeper) log() *slog.Logger {
	if k.Log == nil {
		return slog.Default()
	}
	return k.Log
}

// Keep looks once: it makes lost deposits again, claims, and settles. What fails does not keep the rest from being
// done.
func (k Keeper) Keep(ctx context.Context) error {
	lost := k.deposits(ctx)
	claims, err := k.claims(ctx)
	if err != nil {
		return errors.Join(lost, err)
	}
	for len(claims) > 0 {
		n := min(len(claims), maxBatch)
		err = errors.Join(err, k.claim(ctx, claims[:n]))
		claims = claims[n:]
	}
	return errors.Join(lost, err, k.settle(ctx))
}

// deposits makes those again that the newest sealed block lacks: the payer's signature is unused there.
func (k Keeper) deposits(ctx context.Context) error {
	scheme := k.Till.scheme
	all, err := k.Till.ledger.deposits(ctx, uint64(scheme.now().Unix())+slack)
	for _, d := range all {
		signed, parsed := parse(d.payment.Payload)
		if parsed != nil {
			return parsed
		}
		c, unusable := scheme.collection(ctx, d.payment, signed, d.price)
		if unusable != nil || scheme.tryCollection(ctx, c) != nil {
			continue // it is there, or it is worth nothing any more
		}
		k.log().Info("a deposit is gone and is made again", "channel", signed.Voucher.ChannelID, "amount", signed.Deposit.Amount)
		if _, failed := scheme.send(ctx, c.call, errDeposit); failed != nil {
			err = errors.Join(err, fmt.Errorf("deposit again: %w", failed))
		}
	}
	return err
}

// claims returns the claims that are worth their gas now. If a debt exceeds its channel's balance, the claim is for the
// balance.
func (k Keeper) claims(ctx context.Context) ([]claim, error) {
	accounts, err := k.Till.ledger.accounts(ctx)
	if err != nil {
		return nil, err
	}
	var due []claim
	for _, a := range accounts {
		read, err := k.Till.scheme.state(ctx, a.id)
		if err != nil {
			return nil, err
		}
		total := a.charged
		if total.Gt(read.Balance) {
			k.log().Warn("vouchers are out that no deposit covers", "channel", a.id, "charged", a.charged, "balance", read.Balance)
			total = read.Balance
		}
		if k.worth(read, total) {
			due = append(due, a.newest.claim(total))
		}
	}
	return due, nil
}

// worth reports whether to claim up to a total now.
func (k Keeper) worth(read channels.State, total *uint256.Int) bool {
	if !total.Gt(read.TotalClaimed) {
		return false
	}
	debt := new(uint256.Int).Sub(total, read.TotalClaimed)
	return read.Withdrawal.InitiatedAt != 0 || k.ClaimAt == nil || !debt.Lt(k.ClaimAt)
}

// claim submits a batch. If one of it cannot be claimed, each is tried by itself.
func (k Keeper) claim(ctx context.Context, batch []claim) error {
	_, err := k.Till.scheme.claim(ctx, payload{Kind: kindClaim, Claims: batch})
	if err == nil || len(batch) == 1 {
		return err
	}
	err = nil
	for _, one := range batch {
		err = errors.Join(err, k.claim(ctx, []claim{one}))
	}
	return err
}

// settle sends receivers what was claimed for them.
func (k Keeper) settle(ctx context.Context) error {
	accounts, err := k.Till.ledger.accounts(ctx)
	if err != nil {
		return err
	}
	done := map[[2]common.Address]bool{}
	for _, a := range accounts {
		pair := [2]common.Address{a.newest.Config.Receiver, a.newest.Config.Token}
		if done[pair] {
			continue
		}
		done[pair] = true
		_, failed := k.Till.scheme.settle(ctx, payload{Kind: kindSettle, Receiver: &pair[0], Token: &pair[1]})
		if failed != nil && !errors.Is(failed, errNothingToSettle) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
