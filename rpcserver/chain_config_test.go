package rpcserver

import (
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure eth_config has the hard fork in force, the next one and the last one, with the times from which they are.
func TestConfigOfScheduledHardforks(t *testing.T) {
	t.Parallel()
	genesis := *networkGenesis()
	config := *genesis.Config
	config.BPO1Time, config.BPO2Time, config.AmsterdamTime = new(uint64(networkStart+4)), new(uint64(networkStart+4)), new(uint64(networkStart+8))
	schedule := *config.BlobScheduleConfig
	schedule.BPO1, schedule.BPO2 = params.DefaultBPO1BlobConfig, params.DefaultBPO2BlobConfig
	config.BlobScheduleConfig, genesis.Config = &schedule, &config
	genesis.Alloc = maps.Clone(genesis.Alloc)
	maps.Copy(genesis.Alloc, chain.SystemContracts(&config))
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	n := newNetwork(t, preconf.Config{Chain: c}, Config{})
	type fork struct {
		ActivationTime uint64
		BlobSchedule   struct{ Max int }
	}
	type forks struct{ Current, Next, Last *fork }
	of := func(at uint64, blobs int) *fork { return &fork{at, struct{ Max int }{blobs}} }
	require.Equal(t, forks{of(0, 9), of(networkStart+4, 21), of(networkStart+8, 21)}, fetch[forks](n, "eth_config"))
	n.seal(2)
	require.Equal(t, forks{of(networkStart+4, 21), of(networkStart+8, 21), of(networkStart+8, 21)}, fetch[forks](n, "eth_config"))
	n.seal(2)
	require.Equal(t, forks{of(networkStart+8, 21), nil, nil}, fetch[forks](n, "eth_config"))
}
