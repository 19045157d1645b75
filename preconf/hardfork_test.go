package preconf_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// under starts a timeline by the rules of a hard fork.
func under(t *testing.T, fork string, cfg preconf.Config) *preconf.Timeline {
	t.Helper()
	config, err := chain.ForkConfig(fork, 31337)
	require.NoError(t, err)
	g := *genesis
	g.Config = config
	g.Alloc = chain.SystemContracts(config)
	for _, a := range accounts {
		g.Alloc[a.address] = types.Account{Balance: ether}
	}
	if !config.IsLondon(new(big.Int)) {
		g.BaseFee = nil
	}
	if !config.IsShanghai(new(big.Int), g.Timestamp) {
		g.Difficulty = new(big.Int)
	}
	cfg.Chain, err = chain.New(&g, chain.Options{})
	require.NoError(t, err)
	return newTimeline(t, cfg)
}

// Ensure rules without a base fee or blobs, and a chain without L1, have none to set and no weather of it.
func TestQuantitiesThatRulesLack(t *testing.T) {
	t.Parallel()
	course := func(of control.Quantity) control.Weather {
		return control.Weather{Of: of, Shape: control.Ramp, To: big.NewInt(1e9), Blocks: 3}
	}
	berlin, shanghai := under(t, "berlin", preconf.Config{}), under(t, "shanghai", preconf.Config{})
	before := berlin.Moment()
	require.EqualError(t, berlin.Set(preconf.NextBaseFee(big.NewInt(1))), "a base fee is not supported before EIP-1559 is active")
	require.EqualError(t, berlin.Set(preconf.Weather(course(control.OfBaseFee))),
		"weather of baseFee: blocks have no base fee before london")
	require.Same(t, before, berlin.Moment())
	require.NoError(t, shanghai.Set(preconf.NextBaseFee(big.NewInt(1))))
	require.EqualError(t, shanghai.Set(preconf.Weather(course(control.OfBlobBaseFee))),
		"weather of blobBaseFee: blocks have no blobs: want ethereum's rules from cancun on")
	cancun := under(t, "cancun", preconf.Config{})
	for _, of := range []control.Quantity{control.OfBaseFee, control.OfBlobBaseFee, control.OfTip} {
		require.NoError(t, cancun.Set(preconf.Weather(course(of))), of)
	}
	require.Len(t, cancun.Moment().Weather(), 3)
	for _, of := range []control.Quantity{control.OfL1BaseFee, control.OfL1BlobBaseFee} {
		require.ErrorIs(t, cancun.Set(preconf.Weather(course(of))), preconf.ErrNoRollup)
	}
	_, err := newJovian(t, preconf.Config{}).Moment().Latest().AccessList()
	require.NoError(t, err)
}
