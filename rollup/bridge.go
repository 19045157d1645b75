package rollup

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
)

// ErrNoL1 is returned if the chain has no L1.
var ErrNoL1 = errors.New("there is no L1 beside this chain: start the node with --l1")

// Bridge sends commands to the contracts between an L2 and its L1. Each command is a transaction of the operator on the
// L1, in its next block. It is safe for concurrent use.
type Bridge struct {
	*Proposer
	L2, L1 *preconf.Timeline
}

// Of returns the bridge of an L2 or of an L1. Error: ErrNoL1.
func Of(t *preconf.Timeline) (Bridge, error) {
	l2, l1 := t.Pair()
	if l2 == nil {
		return Bridge{}, ErrNoL1
	}
	p, ok := l2.Config().Operator.(*Proposer)
	if !ok {
		return Bridge{}, ErrNoL1
	}
	return Bridge{p, l2, l1}, nil
}

// Proposed is a claim that was sent to the L1.
type Proposed struct {
	Number      uint64      // of the L2 block
	Root        common.Hash // the claim of the game: an output root, or a super root
	Transaction common.Hash // on the L1
}

// Propose makes a game about a block of the L2, nil for its head, with an output root that may be wrong; nil is the
// right one. Where games are about super roots, it is in one. The error is a *preconf.UnknownBlockError, a
// *chain.PrunedError, Claim's, or preconf.Timeline.Send's.
func (b Bridge) Propose(number *uint64, root *common.Hash) (Proposed, error) {
	l2, l1Now := b.L2.Moment(), b.L1.Moment()
	if number == nil {
		number = new(l2.Latest().Number())
	}
	data, claim, err := b.Claim(l1Now, l2, *number, root)
	if err != nil {
		return Proposed{}, err
	}
	tx, err := b.send(b.Factory, data)
	return Proposed{*number, claim, tx}, err
}

// UnknownGameError is returned for a game that does not exist.
type UnknownGameError struct{ Index, Count uint64 }

func (e *UnknownGameError) Error() string {
	return fmt.Sprintf("there is no game %d: the factory has made %d", e.Index, e.Count)
}

// Resolve ends a game at once, for its claim or against it. The error is an *UnknownGameError or
// preconf.Timeline.Send's.
func (b Bridge) Resolve(index uint64, result l1.Status) (common.Hash, error) {
	game, err := b.game(index)
	if err != nil {
		return common.Hash{}, err
	}
	return b.send(game.Address, l1.Decide(result))
}

// Blacklist stops withdrawals from relying on a game. Its errors are Resolve's.
func (b Bridge) Blacklist(index uint64) (common.Hash, error) {
	game, err := b.game(index)
	if err != nil {
		return common.Hash{}, err
	}
	return b.send(b.Registry, l1.Blacklist(game.Address))
}

// Pause stops withdrawals on the L1, or resumes them. The error is preconf.Timeline.Send's.
func (b Bridge) Pause(paused bool) (common.Hash, error) {
	return b.send(b.SystemConfig, l1.Pause(paused))
}

// Games returns all games, oldest first. The error is a *chain.PrunedError.
func (b Bridge) Games() ([]l1.Game, error) {
	state, err := b.L1.Moment().Latest().State()
	if err != nil {
		return nil, err
	}
	games := make([]l1.Game, b.Count(state.Storage))
	for i := range games {
		games[i] = b.Game(state.Storage, uint64(i), b.L2.Moment().Chain())
	}
	return games, nil
}

func (b Bridge) game(index uint64) (l1.Game, error) {
	state, err := b.L1.Moment().Latest().State()
	if err != nil {
		return l1.Game{}, err
	}
	if count := b.Count(state.Storage); index >= count {
		return l1.Game{}, &UnknownGameError{index, count}
	}
	return b.Game(state.Storage, index, b.L2.Moment().Chain()), nil
}

func (b Bridge) send(to common.Address, data []byte) (common.Hash, error) {
	tx, err := b.L1.SendAs(b.address(), nil, func(nonce uint64) (*types.Transaction, error) {
		return b.Sign(b.L1.Moment(), nonce, to, proposalGas, data), nil
	})
	if err != nil {
		return common.Hash{}, err
	}
	return tx.Hash(), nil
}

// MaxSequencerDrift is the most by which the protocol lets a block with transactions be later than its origin.
const MaxSequencerDrift = 30 * time.Minute

// Derivation implements preconf.Derivation by the protocol's rules: the origin of a block is its parent's, or the next
// L1 block as soon as that is not later than the block itself. It is immutable.
type Derivation struct {
	// Portal makes deposits, and SystemConfig holds the operator's settings.
	Portal, SystemConfig common.Address
	// Distance is the number of blocks by which the newest origin is behind the L1's head, less than MaxSequencerDrift.
	// Zero: none.
	Distance uint64
}

func (d Derivation) Newest(l1 *chain.Chain) uint64 {
	head := l1.Head().Number()
	return head - min(d.Distance, head)
}

// Next implements preconf.Derivation. An origin that the L1 does not have is kept.
func (d Derivation) Next(l1, l2 *chain.Chain, time uint64) chain.Env {
	parent := l2.Head().Header()
	config := optimism.SystemConfig{L1: l2.L1(l2.Head()), GasLimit: parent.GasLimit, Fees: l2.Optimism.After(parent)}
	b := l1.BlockByNumber(config.L1.Number + 1)
	if b == nil || b.Number() > d.Newest(l1) || b.Time() > time || b.Header().ParentHash != config.L1.Hash {
		env := chain.Env{L1: &config.L1}
		if origin, _ := l1.BlockByHash(config.L1.Hash); origin != nil {
			env.PrevRandao = origin.Header().MixDigest
		}
		return env
	}
	config.L1 = Origin(l1, b, config.L1)
	env := chain.Env{L1: &config.L1, PrevRandao: b.Header().MixDigest}
	for _, log := range b.Logs() {
		switch log.Address {
		case d.SystemConfig:
			config.Apply(log)
		case d.Portal:
			if deposit, err := optimism.DepositOf(log, b.Hash()); err == nil {
				env.Deposits = append(env.Deposits, deposit)
			}
		}
	}
	env.GasLimit, env.Fees = config.GasLimit, &config.Fees
	return env
}

// Origin returns the L1 block b of a chain as an L2 refers to it, with the operator's settings from before, the origin
// of the L2's parent block.
func Origin(l1 *chain.Chain, b *chain.Block, before optimism.L1) optimism.L1 {
	header := b.Header()
	before.Number, before.Time, before.Hash = b.Number(), b.Time(), b.Hash()
	before.L1BaseFee, before.BlobBaseFee = *uint256.NewInt(0), *uint256.NewInt(1)
	if header.BaseFee != nil {
		before.L1BaseFee.SetFromBig(header.BaseFee)
	}
	if fee := l1.BlobBaseFee(header); fee != nil {
		before.BlobBaseFee.SetFromBig(fee)
	}
	return before
}
