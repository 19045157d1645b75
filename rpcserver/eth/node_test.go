package eth_test

import (
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
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

// Ensure eth_config names the chain, the precompiles and the contracts of a fork, skips forks that the schedule leaves
// out, and is null before forks went by time.
func TestConfigNamesContracts(t *testing.T) {
	t.Parallel()
	of := func(fork string, change func(*params.ChainConfig)) *servertest.Network {
		genesis := *servertest.Genesis()
		config, err := chain.ForkConfig(fork, servertest.ChainID)
		require.NoError(t, err)
		change(config)
		genesis.Config, genesis.Alloc = config, maps.Clone(genesis.Alloc)
		maps.Copy(genesis.Alloc, chain.SystemContracts(config))
		if fork == "berlin" {
			genesis.BaseFee, genesis.Difficulty = nil, common.Big1
		}
		c, err := chain.New(&genesis, chain.Options{})
		require.NoError(t, err)
		return servertest.New(t, preconf.Config{Chain: c, NoPreconf: fork == "berlin"}, rpcserver.Config{})
	}
	type fork struct {
		ActivationTime               uint64
		ChainID, ForkID              string
		Precompiles, SystemContracts map[string]common.Address
		BlobSchedule                 *params.BlobConfig
	}
	type forks struct{ Current, Next, Last *fork }
	n := of("prague", func(c *params.ChainConfig) { c.OsakaTime = new(uint64(servertest.Start + 4)) })
	answer := servertest.Fetch[forks](n, "eth_config")
	require.Equal(t, "0x7a69", answer.Current.ChainID)
	require.Equal(t, common.BytesToAddress([]byte{1}), answer.Current.Precompiles["ECREC"])
	require.Equal(t, common.BytesToAddress([]byte{0x11}), answer.Current.Precompiles["BLS12_MAP_FP2_TO_G2"])
	require.Len(t, answer.Current.Precompiles, 17)
	require.Len(t, answer.Next.Precompiles, 18, "Osaka brings P256VERIFY")
	require.Equal(t, common.BytesToAddress([]byte{1, 0}), answer.Next.Precompiles["P256VERIFY"])
	require.Equal(t, params.BeaconRootsAddress, answer.Current.SystemContracts["BEACON_ROOTS_ADDRESS"])
	require.Equal(t, answer.Next, answer.Last)
	require.EqualValues(t, servertest.Start+4, answer.Next.ActivationTime)
	require.Len(t, answer.Current.ForkID, len("0x01020304"))
	require.NotEqual(t, answer.Current.ForkID, answer.Next.ForkID)
	require.Equal(t, *params.DefaultPragueBlobConfig, *answer.Current.BlobSchedule)

	skipping := of("osaka", func(c *params.ChainConfig) { c.AmsterdamTime = new(uint64(servertest.Start + 8)) })
	answer = servertest.Fetch[forks](skipping, "eth_config")
	require.EqualValues(t, servertest.Start+8, answer.Next.ActivationTime)
	require.Equal(t, answer.Next, answer.Last)

	none := of("berlin", func(*params.ChainConfig) {})
	require.Equal(t, forks{}, servertest.Fetch[forks](none, "eth_config"))
}

// Ensure eth_capabilities names the oldest block whose state can be read.
func TestCapabilitiesOfPrunedChain(t *testing.T) {
	t.Parallel()
	pruning, err := chain.New(servertest.Genesis(), chain.Options{History: 4})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: pruning}, rpcserver.Config{})
	n.Seal(9)
	type oldest struct{ OldestBlock hexutil.Uint64 }
	answer := servertest.Fetch[struct{ State, StateProofs, Blocks oldest }](n, "eth_capabilities")
	first := answer.State.OldestBlock
	require.NotZero(t, first)
	require.Equal(t, first, answer.StateProofs.OldestBlock)
	require.Zero(t, answer.Blocks.OldestBlock)
	n.Do("eth_getBalance", servertest.Alice.Address, first)
	n.Refuses(api.CodeServer, []string{"pruned"}, "eth_getBalance", servertest.Alice.Address, first-1)
}
