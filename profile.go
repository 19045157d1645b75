package fakenode

import (
	"context"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/forkcheck"
	"github.com/fakenode/fakenode/internal/profile"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/explain"
)

// Profile returns the profile of a sealed or pre-confirmed transaction; it executes the transaction again. The error is
// a *NoReceiptError for a transaction that is in no block, or one of package trace.
func (n *Network) Profile(transaction common.Hash) (*CallProfile, error) {
	found, err := executed(n.Timeline().Moment(), transaction)
	if err != nil {
		return nil, err
	}
	tree, err := trace.TreeTransaction(context.Background(), found.View.Chain(), found.View, found.Index)
	if err != nil {
		return nil, err
	}
	return profile.New(tree, found.View.Chain(), n.node.config.names), nil
}

// ProfileCall returns the profile of a call on pre-confirmed state. From need not have a key. A call that fails has a
// profile; the error reports why it cannot be executed at all.
func (n *Network) ProfileCall(from common.Address, tx Tx) (*CallProfile, error) {
	view, err := n.Timeline().Moment().Pending().CallView()
	if err != nil {
		return nil, err
	}
	call := simulate.Call{From: &from, To: tx.To, Value: tx.Value, Data: tx.Data}
	if tx.Gas != 0 {
		call.Gas = &tx.Gas
	}
	tree, err := trace.TreeCall(context.Background(), view, call, nil, nil, n.node.config.row.Limits.GasCap)
	if err != nil {
		return nil, err
	}
	return profile.New(tree, view.Chain, n.node.config.names), nil
}

// ForkRules names the two hard forks of a comparison, and the gas for a byte of state from amsterdam on; 0:
// go-ethereum's.
type ForkRules struct {
	Forks        [2]string
	StateByteGas uint64
}

// CompareForks executes a sealed or pre-confirmed transaction again under osaka and under amsterdam, each on the state
// that it had in its block, and returns both outcomes with Findings: the assumptions of its contracts and its sender
// that no longer hold, none if all do. Gas is in gas; contracts have the names of Config.Artifacts. The error is a
// *NoReceiptError for a transaction that is in no block, one for an OP-stack chain, which has no such forks, or one of
// package trace.
func (n *Network) CompareForks(transaction common.Hash) (*ForkComparison, error) {
	found, err := executed(n.Timeline().Moment(), transaction)
	if err != nil {
		return nil, err
	}
	list, err := n.compareForks(context.Background(), ForkRules{Forks: [2]string{"osaka", "amsterdam"}}, found.View, found.Index)
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// CompareForksInBlock is CompareForks for all transactions of a sealed block under any two hard forks.
func (n *Network) CompareForksInBlock(ctx context.Context, rules ForkRules, number uint64) ([]ForkComparison, error) {
	view, err := n.Moment().ByNumber(number)
	if err != nil {
		return nil, err
	}
	return n.compareForks(ctx, rules, view, -1)
}

func (n *Network) compareForks(ctx context.Context, rules ForkRules, view *preconf.View, index int) ([]ForkComparison, error) {
	both, err := forkcheck.Under(view.Chain(), rules.Forks, rules.StateByteGas)
	if err != nil {
		return nil, err
	}
	return forkcheck.Compare(ctx, view.Chain(), view, index, both, n.node.config.names)
}

// CompareForksOfCall is CompareForksInBlock for a call, given by the parameters of eth_call.
func (n *Network) CompareForksOfCall(ctx context.Context, rules ForkRules, params []json.RawMessage) (*ForkComparison, error) {
	both, err := forkcheck.Under(n.Moment().Chain(), rules.Forks, rules.StateByteGas)
	if err != nil {
		return nil, err
	}
	return explain.CompareCall(ctx, &n.node.world.Network(n.name).Network, params, both)
}
