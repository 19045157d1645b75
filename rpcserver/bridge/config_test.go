package bridge_test

import (
	"encoding/binary"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure the configuration of the rollup has the values of both chains and of the protocol.
func TestRollupConfig(t *testing.T) {
	t.Parallel()
	least := uint64(7_000_000)
	c := crossings{t, fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: true, Fees: fakenode.FeeRules{MinBaseFee: &least}})}
	var config struct {
		Genesis struct {
			L1, L2 struct {
				Hash   common.Hash
				Number uint64
			}
			L2Time       uint64 `json:"l2_time"`
			SystemConfig struct {
				BatcherAddr               common.Address
				MinBaseFee                uint64
				Scalar, OperatorFeeParams common.Hash
				GasLimit                  uint64
				EIP1559Params             hexutil.Bytes
				DAFootprintGasScalar      uint16
			} `json:"system_config"`
		}
		BlockTime         uint64         `json:"block_time"`
		MaxSequencerDrift uint64         `json:"max_sequencer_drift"`
		SequencingWindow  uint64         `json:"seq_window_size"`
		ChannelTimeout    uint64         `json:"channel_timeout"`
		L1ChainID         uint64         `json:"l1_chain_id"`
		L2ChainID         uint64         `json:"l2_chain_id"`
		KarstTime         *uint64        `json:"karst_time"`
		BatchInbox        common.Address `json:"batch_inbox_address"`
		DepositContract   common.Address `json:"deposit_contract_address"`
		L1SystemConfig    common.Address `json:"l1_system_config_address"`
	}
	c.ask(&config, "optimism_rollupConfig")
	chain := c.Moment().Chain()
	genesis := chain.BlockByNumber(0)
	origin := chain.L1(genesis)
	require.Equal(t, []uint64{2, 1800, 3600, 300}, []uint64{config.BlockTime, config.MaxSequencerDrift, config.SequencingWindow, config.ChannelTimeout})
	require.Equal(t, []uint64{c.L1().Moment().Chain().Config().ChainID.Uint64(), chain.Config().ChainID.Uint64()}, []uint64{config.L1ChainID, config.L2ChainID})
	require.Equal(t, []common.Hash{c.L1().Moment().Chain().BlockByNumber(0).Hash(), genesis.Hash()}, []common.Hash{config.Genesis.L1.Hash, config.Genesis.L2.Hash})
	require.Equal(t, []uint64{origin.Number, 0, genesis.Time()}, []uint64{config.Genesis.L1.Number, config.Genesis.L2.Number, config.Genesis.L2Time})
	require.Equal(t, []common.Address{l1.BatchInbox(config.L2ChainID), l1.Optimism.Portal}, []common.Address{config.BatchInbox, config.DepositContract})
	require.NotZero(t, config.L1SystemConfig)
	require.Equal(t, chain.Optimism().Upgrade == optimism.Karst, config.KarstTime != nil)
	system := config.Genesis.SystemConfig
	require.Equal(t, fakenode.L1Operator.Address, system.BatcherAddr)
	require.Equal(t, least, system.MinBaseFee)
	require.EqualValues(t, 1, system.Scalar[0])
	require.Equal(t, []uint32{0, origin.BlobBaseFeeScalar, origin.BaseFeeScalar}, []uint32{
		binary.BigEndian.Uint32(system.Scalar[20:]), binary.BigEndian.Uint32(system.Scalar[24:]), binary.BigEndian.Uint32(system.Scalar[28:]),
	})
	require.Equal(t, genesis.Header().GasLimit, system.GasLimit)
	rules := optimism.RulesIn(genesis.Header().Extra, chain.Optimism().Upgrade)
	require.Equal(t, []uint32{uint32(rules.Denominator), uint32(rules.Elasticity)}, []uint32{binary.BigEndian.Uint32(system.EIP1559Params), binary.BigEndian.Uint32(system.EIP1559Params[4:])})
	require.Len(t, system.EIP1559Params, 8)
	require.Equal(t, []uint64{0, 0}, []uint64{uint64(origin.OperatorFeeScalar), origin.OperatorFeeConstant})
	require.Zero(t, system.OperatorFeeParams)
	require.Equal(t, origin.DAFootprintGasScalar, system.DAFootprintGasScalar)
}

// Ensure the configuration names the upgrades that have a time of their own, and whole seconds between blocks.
func TestRollupConfigOfUpgrades(t *testing.T) {
	t.Parallel()
	for preset, seconds := range map[fakenode.Preset]uint64{fakenode.Base: 0, fakenode.BaseFlashblocks: 2} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: true})
		var is struct {
			BlockTime uint64  `json:"block_time"`
			Karst     *uint64 `json:"karst_time"`
			Jovian    *uint64 `json:"jovian_time"`
		}
		require.NoError(t, node.Client().Client().Call(&is, "optimism_rollupConfig"))
		require.Equal(t, seconds, is.BlockTime, preset)
		require.Zero(t, *is.Jovian)
		require.Equal(t, node.Moment().Chain().Optimism().Upgrade == optimism.Karst, is.Karst != nil, preset)
	}
}

// Ensure each method of the bridge and of the rollup node is unknown, with the way to have it, on a node without an L1.
func TestNoBridge(t *testing.T) {
	t.Parallel()
	client := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism}).Client().Client()
	for method, params := range map[string][]any{
		"fakenode_bridge": nil, "fakenode_propose": nil, "fakenode_resolveGame": {map[string]any{"index": 0}}, "fakenode_blacklistGame": {0},
		"fakenode_pausePortal": {true}, "optimism_syncStatus": nil, "optimism_outputAtBlock": {"0x0"}, "optimism_rollupConfig": nil,
		"optimism_version": nil, "superroot_atTimestamp": {"0x1"},
	} {
		err := client.Call(nil, method, params...)
		require.ErrorContains(t, err, method+": ")
		require.ErrorContains(t, err, "--l1", method)
		require.Equal(t, api.CodeMethodNotFound, err.(rpc.Error).ErrorCode(), method)
	}
}
