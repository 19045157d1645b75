package rollup

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
)

// Stage is the stage of a withdrawal, named as in viem's getWithdrawalStatus.
type Stage string

// The stages of a withdrawal, in their order.
const (
	WaitingToProve    Stage = "waiting-to-prove"
	ReadyToProve      Stage = "ready-to-prove"
	WaitingToFinalize Stage = "waiting-to-finalize"
	ReadyToFinalize   Stage = "ready-to-finalize"
	Finalized         Stage = "finalized"
)

// Wait is one condition that a withdrawal waits for.
type Wait struct {
	For Cause
	// Until is the first second, in Unix time, in which the wait can be over by itself. Zero: it does not depend on time.
	Until uint64
}

// Cause is the reason of a wait.
type Cause string

// The causes of a wait.
const (
	ForGame       Cause = "game"       // a game about its block or a later one, by which it can be proven
	ForMaturity   Cause = "maturity"   // its proof must have been there for a while
	ForResolution Cause = "resolution" // the game of its proof must be over
	ForFinality   Cause = "finality"   // the game must have been over for a while: the airgap
	ForUnpause    Cause = "unpause"    // withdrawals are stopped
)

// Withdrawal is a withdrawal by the L2's message passer, in a block of the L2.
type Withdrawal struct {
	l1.Withdrawal
	Hash  common.Hash
	Log   *types.Log // of the message passer
	Stage Stage
	// Waits lists everything that keeps it from being proven or paid as of the L1's head. Empty: nothing does.
	Waits []Wait
	// Game is the game of its proof, or one by which it can be proven. Nil: there is none.
	Game *Game
	// Proof is its newest proof that may still count; if it is Finalized, its newest proof. Nil: there is none.
	Proof *l1.Proof
	// Payment is the portal's log of its payment. Nil: it is not Finalized.
	Payment *types.Log
}

func (o *overview) withdrawals() (found []Withdrawal, err error) {
	logs, err := newest(o.l2.Chain(), chain.LogFilter{
		Addresses: []common.Address{optimism.MessagePasser}, Topics: [][]common.Hash{{l1.WithdrawalTopic()}},
	})
	if err != nil {
		return nil, err
	}
	paid := map[common.Hash]*types.Log{}
	for _, log := range logs {
		w := Withdrawal{Log: log}
		if w.Withdrawal, w.Hash, err = l1.WithdrawalIn(log); err != nil {
			return nil, err
		}
		if o.Paid(o.read, w.Hash) {
			w.Stage, paid[w.Hash] = Finalized, nil
		}
		found = append(found, w)
	}
	if err := o.payments(paid); err != nil {
		return nil, err
	}
	for i := range found {
		w := &found[i]
		o.prove(w)
		switch {
		case w.Stage == Finalized:
			w.Payment = paid[w.Hash]
		case w.Proof == nil:
			o.toProve(w)
		default:
			o.toPay(w)
		}
	}
	return found, nil
}

// payments finds the logs of payments by the hashes of their withdrawals.
func (o *overview) payments(paid map[common.Hash]*types.Log) error {
	if len(paid) == 0 {
		return nil
	}
	hashes := make([]common.Hash, 0, len(paid))
	for hash := range paid {
		hashes = append(hashes, hash)
	}
	logs, err := newest(o.l1.Chain(), chain.LogFilter{
		Addresses: []common.Address{o.Portal}, Topics: [][]common.Hash{{l1.PaymentTopic()}, hashes},
	})
	for _, log := range logs {
		paid[log.Topics[1]] = log
	}
	return err
}

func (o *overview) prove(w *Withdrawal) {
	for _, proof := range o.Proofs(o.read, w.Hash) {
		if game, ok := o.gameAt(proof.Game); ok && (game.counts() || w.Stage == Finalized) {
			w.Proof, w.Game = &proof, &game
			return
		}
	}
}

// toProve sets the stage and the waits of a withdrawal without a proof.
func (o *overview) toProve(w *Withdrawal) {
	w.Stage = ReadyToProve
	if w.Game = o.gameAbout(w.Log.BlockNumber); w.Game == nil {
		w.Stage, w.Waits = WaitingToProve, append(w.Waits, Wait{For: ForGame})
	}
	if o.Paused {
		w.Stage, w.Waits = WaitingToProve, append(w.Waits, Wait{For: ForUnpause})
	}
}

// toPay sets the stage and the waits of a withdrawal with a proof.
func (o *overview) toPay(w *Withdrawal) {
	now := o.L1.Time()
	if until := w.Proof.Time + o.Maturity(o.read) + 1; now < until {
		w.Waits = append(w.Waits, Wait{ForMaturity, until})
	}
	over := w.Game.Resolved
	if w.Game.Status == l1.InProgress {
		over = w.Game.Created + o.Duration(o.read)
		w.Waits = append(w.Waits, Wait{ForResolution, over})
		over = max(over, now)
	}
	if until := over + o.Finality(o.read) + 1; now < until {
		w.Waits = append(w.Waits, Wait{ForFinality, until})
	}
	if o.Paused {
		w.Waits = append(w.Waits, Wait{For: ForUnpause})
	}
	w.Stage = WaitingToFinalize
	if len(w.Waits) == 0 {
		w.Stage = ReadyToFinalize
	}
}

// gameAt returns a game by its address.
func (o *overview) gameAt(address common.Address) (Game, bool) {
	for i := o.Count(o.read); i > 0; i-- {
		if g := o.Game(o.read, i-1, o.l2.Chain()); g.Address == address {
			return o.judged(g), true
		}
	}
	return Game{}, false
}

// gameAbout returns the oldest of the newest games by which a withdrawal in that block of the L2 can be proven, or nil.
func (o *overview) gameAbout(block uint64) (found *Game) {
	for _, g := range o.Games {
		if g.counts() && g.Right && g.Number >= block {
			found = &g
		}
	}
	return found
}
