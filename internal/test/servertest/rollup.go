package servertest

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
)

// RollupGenesis returns g as a chain of an upgrade begins. It leaves g as it is.
func RollupGenesis(g *chain.Genesis, u *optimism.Upgrade) *chain.Genesis {
	changed, rules := *g, u.DefaultRules()
	changed.Alloc = maps.Clone(g.Alloc)
	maps.Copy(changed.Alloc, predeploys.Alloc(rules, g.Timestamp))
	changed.ExtraData, changed.Coinbase, changed.GasLimit = rules.ExtraData(), optimism.SequencerFeeVault, u.GasLimit
	return &changed
}

// DenimChain returns a chain with the rules of Denim.
func DenimChain(t testing.TB) *chain.Chain {
	t.Helper()
	c, err := chain.New(RollupGenesis(Genesis(), optimism.Denim), chain.Options{Optimism: optimism.Denim.DefaultRules()})
	require.NoError(t, err)
	return c
}
