package rollup

import (
	"errors"
	"maps"
	"slices"
	"sort"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
)

// Newest is the most deposits, withdrawals, games and origins that an Overview has.
const Newest = 50

// Overview lists the newest deposits, withdrawals, games and origins of an L2 and its L1, the last one first. It is
// computed from the two chains as they are, so a reorg of either leaves nothing behind. Its values are shared: do not
// modify.
type Overview struct {
	L1, L2      *preconf.View // the heads
	Paused      bool          // withdrawals are stopped
	Deposits    []Deposit
	Withdrawals []Withdrawal
	Games       []Game
	Origins     []Epoch
}

// Deposit is a deposit by the portal, in a block of the L1.
type Deposit struct {
	*optimism.Deposit
	Log *types.Log // of the portal
	// Found is the transaction on the L2. It is not Executed until the L2 refers to that L1 block.
	Found preconf.Found
}

// Game is a claim about the L2's state, with its standing.
type Game struct {
	l1.Game
	// Blacklisted and Retired keep withdrawals from relying on the game.
	Blacklisted, Retired bool
	// Right reports whether the claim is right for the L2 as it is. It is true, too, if the L2 no longer has the state of
	// that block.
	Right bool
}

// counts reports whether a withdrawal may rely on the game, now or once it is over.
func (g Game) counts() bool {
	return g.Respected && g.Status != l1.ChallengerWins && !g.Blacklisted && !g.Retired
}

// Epoch is the run of blocks of the L2 that refer to the same L1 block.
type Epoch struct {
	Origin      optimism.L1
	First, Last uint64 // numbers of L2 blocks
}

type overview struct {
	Overview
	*Proposer
	l1, l2 *preconf.Moment
	read   l1.Storage
}

// Overview returns the newest events between the chains. The error is a *chain.PrunedError.
func (b Bridge) Overview() (*Overview, error) {
	l2 := b.L2.Moment()
	o := &overview{Proposer: b.Proposer, l1: l2.Below(), l2: l2}
	o.L1, o.L2 = o.l1.Latest(), l2.Latest()
	state, err := o.L1.State()
	if err != nil {
		return nil, err
	}
	o.read = state.Storage
	o.Paused = b.Proposer.Paused(o.read)
	o.Origins = epochs(l2.Chain())
	if o.Deposits, err = o.deposits(); err != nil {
		return nil, err
	}
	count := b.Count(o.read)
	for i := count; i > count-min(count, Newest); i-- {
		o.Games = append(o.Games, o.judged(b.Game(o.read, i-1, l2.Chain())))
	}
	if o.Withdrawals, err = o.withdrawals(); err != nil {
		return nil, err
	}
	return &o.Overview, nil
}

func (o *overview) deposits() (found []Deposit, err error) {
	logs, err := newest(o.l1.Chain(), chain.LogFilter{
		Addresses: []common.Address{o.Portal}, Topics: [][]common.Hash{{optimism.DepositTopic}},
	})
	if err != nil {
		return nil, err
	}
	for _, log := range logs {
		made, err := optimism.DepositOf(log, log.BlockHash)
		if err != nil {
			continue // of a version that the L2 does not know
		}
		on, err := o.l2.Find(made.Hash())
		if err != nil {
			return nil, err
		}
		found = append(found, Deposit{made, log, on})
	}
	return found, nil
}

func (o *overview) judged(g l1.Game) Game {
	judged := Game{
		Game: g, Blacklisted: o.Blacklisted(o.read, g.Address), Retired: g.Created <= o.Retired(o.read), Right: true,
	}
	output, err := OutputAt(o.l2, g.Number)
	if !errors.As(err, new(*chain.PrunedError)) {
		judged.Right = err == nil && output.Root() == g.Output()
	}
	return judged
}

func epochs(l2 *chain.Chain) (found []Epoch) {
	base := l2.Base()
	for last := l2.Head().Number(); len(found) < Newest; last-- {
		origin := l2.L1(l2.BlockByNumber(last))
		first := base + uint64(sort.Search(int(last-base), func(i int) bool {
			return l2.L1(l2.BlockByNumber(base+uint64(i))).Number >= origin.Number
		}))
		found = append(found, Epoch{origin, first, last})
		if first == base {
			break
		}
		last = first
	}
	return found
}

// newest returns the newest logs that a filter selects, the last one first.
func newest(c *chain.Chain, f chain.LogFilter) (found []*types.Log, err error) {
	to, base := c.Head().Number(), c.Base()
	for width := uint64(64); ; width *= 2 {
		from := to - min(width, to-base)
		logs, err := c.Logs(f, from, to)
		if err != nil {
			return nil, err
		}
		some := slices.Collect(logs)
		slices.Reverse(some)
		found = append(found, some[:min(len(some), Newest-len(found))]...)
		if from == base || len(found) == Newest {
			return found, nil
		}
		to = from - 1
	}
}

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
	hashes := slices.Collect(maps.Keys(paid))
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
