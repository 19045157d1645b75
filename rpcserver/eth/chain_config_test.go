package eth_test

import (
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// Ensure eth_config has the hard fork in force, the next one and the last one, with the times from which they are.
func TestConfigOfScheduledHardforks(t *testing.T) {
	t.Parallel()
	genesis := *servertest.Genesis()
	config := *genesis.Config
	config.OsakaTime = new(genesis.Timestamp) // in force from the first block on, so its time is 0
	config.BPO1Time, config.BPO2Time, config.AmsterdamTime = new(uint64(servertest.Start+4)), new(uint64(servertest.Start+4)), new(uint64(servertest.Start+8))
	schedule := *config.BlobScheduleConfig
	schedule.BPO1, schedule.BPO2 = params.DefaultBPO1BlobConfig, params.DefaultBPO2BlobConfig
	config.BlobScheduleConfig, genesis.Config = &schedule, &config
	genesis.Alloc = maps.Clone(genesis.Alloc)
	maps.Copy(genesis.Alloc, chain.SystemContracts(&config))
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: c}, rpcserver.Config{})
	type fork struct {
		ActivationTime uint64
		BlobSchedule   struct{ Max int }
	}
	type forks struct{ Current, Next, Last *fork }
	of := func(at uint64, blobs int) *fork { return &fork{at, struct{ Max int }{blobs}} }
	require.Equal(t, forks{of(0, 9), of(servertest.Start+4, 21), of(servertest.Start+8, 21)}, servertest.Fetch[forks](n, "eth_config"))
	n.Seal(2)
	require.Equal(t, forks{of(servertest.Start+4, 21), of(servertest.Start+8, 21), of(servertest.Start+8, 21)}, servertest.Fetch[forks](n, "eth_config"))
	n.Seal(2)
	require.Equal(t, forks{of(servertest.Start+8, 21), nil, nil}, servertest.Fetch[forks](n, "eth_config"))
}
