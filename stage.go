package fakenode

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

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
// client must conclude. On an error nothing changed.
func (n *Network) Scenario(name string, p ScenarioParams) (Conclusion, error) {
	scenario, ok := fixtures.FindScenario(name)
	if !ok {
		var names []string
		for _, s := range fixtures.Scenarios() {
			names = append(names, s.Name)
		}
		return Conclusion{}, fmt.Errorf("unknown scenario %q, known are %s", name, strings.Join(names, ", "))
	}
	before := n.Snapshot()
	conclusion, err := scenario.Play(stage{n}, p)
	if err != nil {
		n.check(n.Revert(before))
	}
	return conclusion, err
}

// scenarios are what fakenode_scenario plays on the network.
func (n *Network) scenarios() map[string]rpcserver.Scenario {
	table := make(map[string]rpcserver.Scenario)
	for _, s := range fixtures.Scenarios() {
		table[s.Name] = func(_ context.Context, params json.RawMessage) (any, error) {
			var p ScenarioParams
			if len(params) > 0 {
				decoder := json.NewDecoder(bytes.NewReader(params))
				decoder.DisallowUnknownFields()
				if err := decoder.Decode(&p); err != nil {
					return nil, fmt.Errorf("scenario %s: params: %w", s.Name, err)
				}
			}
			return n.Scenario(s.Name, p)
		}
	}
	return table
}

// stage lets a scenario play on a network, whose own methods it has where they are the same.
type stage struct{ *Network }

func (s stage) Account(i int) (Account, error)      { return s.node.account(i) }
func (s stage) Domain() tokencontract.Domain        { return s.Token().Domain() }
func (s stage) Nonce(account common.Address) uint64 { return s.timeline.Moment().PoolNonce(account) }
func (s stage) BaseFee() *big.Int                   { return s.timeline.Moment().Pending().Header().BaseFee }

func (s stage) Preconfirm() error {
	_, err := s.timeline.Preconfirm()
	return err
}

func (s stage) Seal() (common.Hash, error) {
	hashes, err := s.timeline.Seal(1)
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

func (s stage) Reorg(depth int, blocks [][]*types.Transaction) ([]common.Hash, error) {
	result, err := s.timeline.Reorg(preconf.ReorgOptions{Depth: depth, Transactions: preconf.Drop, Blocks: blocks})
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
	_, err := s.timeline.Fault(f)
	return err
}
