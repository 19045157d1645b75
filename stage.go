package fakenode

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/tokencontract"
)

// The names of fixtures that Scenario takes and returns.
type (
	ScenarioParams = fixtures.ScenarioParams // accounts, amount, depth and times
	Conclusion     = fixtures.Conclusion     // what a correct client must conclude
)

// Scenario plays a named course of events around one capture: a reorg that moves it, a pre-confirmation
// that is lost, and so on (fixtures.Scenarios lists them). It returns when all is over, with what a correct
// client must conclude. What waits is sealed first, faults that are armed wait, and nobody else's change
// comes in between. On an error all is as before.
func (n *Network) Scenario(name string, p ScenarioParams) (Conclusion, error) {
	return n.play(context.Background(), name, p)
}

// serveScenario is what fakenode_scenario plays on the network. It ends with ctx.
func (n *Network) serveScenario(ctx context.Context, name string, p rpcserver.ScenarioParams) (any, error) {
	number := func(n rpcserver.Number) int { return int(min(n, math.MaxInt32)) } // more than any bound of it
	return n.play(ctx, name, ScenarioParams{
		Payer: number(p.Payer), Merchant: number(p.Merchant), Amount: p.Amount, Depth: number(p.Depth), Times: number(p.Times),
	})
}

func (n *Network) play(ctx context.Context, name string, p ScenarioParams) (conclusion Conclusion, err error) {
	scenario, err := fixtures.FindScenario(name)
	if err != nil {
		return Conclusion{}, err
	}
	err = n.timeline.Atomically(func(own *preconf.Timeline) error {
		s := stage{&Network{node: n.node, name: n.name, timeline: own, token: n.token}, ctx}
		return own.Undisturbed(func() error {
			conclusion, err = s.play(scenario, p)
			return err
		})
	})
	return conclusion, err
}

// stage lets a scenario play on a network, whose own methods it has where they are the same, until ctx ends.
type stage struct {
	*Network
	ctx context.Context
}

// play clears the stage, plays, and makes sure that the conclusion is true.
func (s stage) play(scenario fixtures.Scenario, p ScenarioParams) (Conclusion, error) {
	before := s.Moment()
	if before.Mode() == Instant {
		if err := s.timeline.SetMode(Manual); err != nil {
			return Conclusion{}, err
		}
	}
	if before.Late() || before.PoolSize() > 0 || len(before.Pending().Transactions()) > 0 {
		if _, err := s.Seal(); err != nil {
			return Conclusion{}, err
		}
	}
	conclusion, err := scenario.Play(s, p)
	if err != nil {
		return Conclusion{}, err
	}
	if !s.holds(conclusion) {
		return Conclusion{}, fmt.Errorf("scenario %s: the payment went otherwise than it should", scenario.Name)
	}
	if before.Mode() == Instant {
		err = s.timeline.SetMode(Instant)
	}
	return conclusion, err
}

// holds tells whether what is at latest is what the conclusion says.
func (s stage) holds(c Conclusion) bool {
	if s.Token().AuthorizationState(c.Payer, c.Nonce) != c.Settled {
		return false
	}
	for _, orphan := range c.Orphans {
		if view, err := s.Moment().ByHash(orphan); err != nil || !view.Orphan() {
			return false
		}
	}
	found, known := s.Moment().Transaction(c.Transaction)
	if !known || !c.Settled {
		return known == c.Settled
	}
	return found.View != nil && found.View.Hash() == c.BlockHash && found.Receipt.Status == types.ReceiptStatusSuccessful
}

func (s stage) Account(i int) (Account, error)      { return s.node.account(i) }
func (s stage) Domain() tokencontract.Domain        { return s.Token().Domain() }
func (s stage) Nonce(account common.Address) uint64 { return s.Moment().PoolNonce(account) }

func (s stage) GasPrice() *big.Int {
	baseFee := s.Moment().Pending().Header().BaseFee
	if baseFee == nil { // before London
		baseFee = big.NewInt(params.GWei)
	}
	return new(big.Int).Mul(baseFee, big.NewInt(10))
}

func (s stage) Try(tx *types.Transaction) error {
	trial := s.timeline.Clone()
	if err := trial.Send(tx); err != nil {
		return err
	}
	if _, err := trial.Seal(1); err != nil {
		return err
	}
	switch found, known := trial.Moment().Receipt(tx.Hash()); {
	case !known:
		return errors.New("it does not get into the next block")
	case found.Receipt.Status != types.ReceiptStatusSuccessful:
		return errors.New("the token refuses it: not enough balance, paused, or an account on its blacklist")
	case len(found.Receipt.Logs) == 0:
		return fmt.Errorf("there is no token at %s", s.Token().Address())
	}
	return nil
}

func (s stage) Preconfirm() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	_, err := s.timeline.Preconfirm()
	return err
}

func (s stage) Seal() (common.Hash, error) {
	hashes, err := s.timeline.SealContext(s.ctx, 1)
	if err != nil {
		return common.Hash{}, err
	}
	return hashes[0], nil
}

func (s stage) Number(block common.Hash) uint64 {
	view, err := s.timeline.Moment().ByHash(block)
	if err != nil {
		return 0
	}
	return view.Number()
}

func (s stage) Reorg(depth int, blocks [][]*types.Transaction, lost ...common.Hash) ([]common.Hash, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	result, err := s.timeline.Reorg(preconf.ReorgOptions{Depth: depth, Drop: lost, Blocks: blocks, Force: true})
	return result.Added, err
}

func (s stage) DropFlashblock() error {
	return s.disturb(preconf.FlashblockFault{Kind: preconf.DropFlashblocks, Count: 1, Gone: true})
}

func (s stage) AlterLogs(transaction common.Hash) error {
	return s.disturb(preconf.FlashblockFault{Kind: preconf.AlterLogs, Hashes: []common.Hash{transaction}})
}

func (s stage) StallFlashblocks(n int) error {
	return s.disturb(preconf.FlashblockFault{Kind: preconf.StallFlashblocks, Count: n})
}

func (s stage) DelayBlock() error {
	return s.disturb(preconf.FlashblockFault{Kind: preconf.LateBlock, Count: 1})
}

func (s stage) disturb(f preconf.FlashblockFault) error {
	_, err := s.timeline.FlashblockFault(f)
	return err
}
