package optimism_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// upgradeRules are the rules of each upgrade of an OP-stack chain.
var upgradeRules = []fakenode.Rules{fakenode.JovianRules, fakenode.AzulRules, fakenode.KarstRules, fakenode.DenimRules}

func newUpgraded(t *testing.T, rules fakenode.Rules) rollup {
	return rollupOf(t, fakenode.RunConfigT(t, fakenode.Config{Rules: rules}))
}

// Ensure a deposit may have more gas than a transaction (EIP-7825), which is limited from Azul on.
func TestRollupTransactionGas(t *testing.T) {
	t.Parallel()
	for _, rules := range upgradeRules {
		r := newUpgraded(t, rules)
		deposit := r.deposit(`{"from": "0x00000000000000000000000000000000000000a1", "to": "0x00000000000000000000000000000000000000a1", "gas": 20000000}`)
		r.Seal()
		require.EqualValues(t, 1, r.receipt(deposit).Status, rules)
		send := func(gas uint64) error {
			return r.rpc.Call(nil, "eth_sendTransaction", map[string]any{
				"from": r.Account(0).Address, "to": r.Account(1).Address, "gas": hexutil.Uint64(gas),
			})
		}
		require.NoError(t, send(16_777_216), rules)
		if rules == fakenode.JovianRules {
			require.NoError(t, send(16_777_217))
			continue
		}
		require.ErrorContains(t, send(16_777_217), "16777216", rules)
	}
}

// Ensure eth_config has the upgrade's precompiles, no blobs, and the system contracts of an OP-stack chain alone.
func TestRollupConfig(t *testing.T) {
	t.Parallel()
	for _, rules := range upgradeRules {
		r := newUpgraded(t, rules)
		var config struct {
			Current struct {
				BlobSchedule                 map[string]uint64
				Precompiles, SystemContracts map[string]common.Address
			}
			Next *struct{}
		}
		r.call(&config, "eth_config")
		require.Equal(t, map[string]uint64{"target": 0, "max": 0, "baseFeeUpdateFraction": 0}, config.Current.BlobSchedule)
		require.Equal(t, map[string]common.Address{
			"BEACON_ROOTS_ADDRESS":    common.HexToAddress("0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02"),
			"HISTORY_STORAGE_ADDRESS": common.HexToAddress("0x0000F90827F1C53a10cb7A02335B175320002935"),
		}, config.Current.SystemContracts)
		require.Equal(t, common.HexToAddress("0x100"), config.Current.Precompiles["P256VERIFY"], rules)
		require.Len(t, config.Current.Precompiles, 18, rules)
		require.Nil(t, config.Next)
	}
}

// Ensure the parameters of the base fee are read from whole extra data of this version, and else those of the rules
// hold.
func TestRulesInExtra(t *testing.T) {
	t.Parallel()
	fees := optimism.BaseFeeRules{Denominator: 7, Elasticity: 3, MinBaseFee: 9}
	extra := fees.ExtraData()
	require.Equal(t, "0x0100000007000000030000000000000009", hexutil.Encode(extra))
	require.Equal(t, &optimism.Rules{Upgrade: optimism.Jovian, BaseFeeRules: fees}, optimism.RulesIn(extra, optimism.Jovian))
	require.Equal(t, "0x01000000fa000000060000000000030d40", hexutil.Encode(optimism.Azul.DefaultRules().ExtraData()))
	rules := optimism.Jovian.DefaultRules()
	require.Equal(t, fees, rules.After(&types.Header{Extra: extra}))
	version := append([]byte{2}, extra[1:]...)
	for name, wrong := range map[string][]byte{
		"none": nil, "short": extra[:16], "long": append(extra[:17:17], 0), "version": version,
		"denominator": optimism.BaseFeeRules{Elasticity: 3}.ExtraData(), "elasticity": optimism.BaseFeeRules{Denominator: 7}.ExtraData(),
	} {
		require.Nil(t, optimism.RulesIn(wrong, optimism.Jovian), name)
		require.Equal(t, rules.BaseFeeRules, rules.After(&types.Header{Extra: wrong}), name)
	}
}
