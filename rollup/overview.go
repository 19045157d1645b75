package rollup

import (
	"errors"
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

// overview is an Overview in the making.
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

// judged returns a game with its standing.
func (o *overview) judged(g l1.Game) Game {
	judged := Game{
		Game: g, Blacklisted: o.Blacklisted(o.read, g.Address), Retired: g.Created <= o.Retired(o.read), Right: true,
	}
	output, err := OutputAt(o.l2, g.Number)
	var pruned *chain.PrunedError
	if !errors.As(err, &pruned) {
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
		var some []*types.Log
		for log := range logs {
			some = append(some, log)
		}
		for i := len(some); i > 0 && len(found) < Newest; i-- {
			found = append(found, some[i-1])
		}
		if from == base || len(found) == Newest {
			return found, nil
		}
		to = from - 1
	}
}
