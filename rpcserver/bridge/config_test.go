package bridge_test

import (
	"encoding/binary"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
)

// Ensure the configuration of the rollup has the values of both chains and of the protocol.
func TestValuesOfRollupConfig(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	var config struct {
		Genesis struct {
			L1, L2 struct {
				Hash   common.Hash
				Number uint64
			}
			L2Time       uint64 `json:"l2_time"`
			SystemConfig struct {
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
	require.Equal(t, genesis.Hash(), config.Genesis.L2.Hash)
	require.Equal(t, []uint64{origin.Number, 0, genesis.Time()}, []uint64{config.Genesis.L1.Number, config.Genesis.L2.Number, config.Genesis.L2Time})
	require.Equal(t, []common.Address{l1.BatchInbox(config.L2ChainID), l1.Optimism.Portal}, []common.Address{config.BatchInbox, config.DepositContract})
	require.NotZero(t, config.L1SystemConfig)
	require.Equal(t, chain.Optimism().Upgrade == optimism.Karst, config.KarstTime != nil)
	system := config.Genesis.SystemConfig
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

// Ensure there is a super root at each time from the first block to the newest, and none a second beside them.
func TestTimesOfSuperRoots(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	c.Seal()
	c.Seal()
	first, last := c.Moment().Chain().BlockByNumber(0).Time(), c.Moment().Latest().Time()
	type roots struct {
		CurrentL1 struct{ Number uint64 } `json:"current_l1"`
		ChainIDs  []string                `json:"chain_ids"`
		Chains    map[string]struct {
			OutputRoot common.Hash `json:"output_root"`
			Output     struct{ StateRoot, BlockHash common.Hash }
		} `json:"optimistic_at_timestamp"`
		Data *struct {
			Super struct{ Timestamp hexutil.Uint64 }
		}
	}
	id := c.Moment().Chain().Config().ChainID.String()
	for at, there := range map[uint64]bool{first - 1: false, first: true, first + 1: true, last: true, last + 1: false} {
		var is roots
		c.ask(&is, "superroot_atTimestamp", hexutil.Uint64(at))
		require.Equal(t, there, is.Data != nil, "%d after the first block", int64(at-first))
		require.Equal(t, []string{id}, is.ChainIDs)
		require.Equal(t, c.L1().BlockNumber(), is.CurrentL1.Number)
		require.Len(t, is.Chains, map[bool]int{true: 1}[there])
		if !there {
			continue
		}
		require.EqualValues(t, at, is.Data.Super.Timestamp)
		block := c.Moment().Chain().BlockByNumber((at - first) / 2)
		require.Equal(t, block.Hash(), is.Chains[id].Output.BlockHash)
		require.Equal(t, block.Header().Root, is.Chains[id].Output.StateRoot)
		var output struct{ OutputRoot common.Hash }
		c.ask(&output, "optimism_outputAtBlock", hexutil.Uint64(block.Number()))
		require.Equal(t, output.OutputRoot, is.Chains[id].OutputRoot)
	}
}

// Ensure the overview has what each deposit and withdrawal is about, and the hashes of both heads.
func TestMembersOfOverview(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	c.deposit(7)
	c.send(c.Network, optimism.MessagePasser, 5, l1.Withdraw(common.Address{9}, 21_000))
	type head struct {
		Hash              common.Hash
		Number, Timestamp uint64
	}
	var is struct {
		L1, L2   head
		Deposits []struct {
			From        common.Address
			To          *common.Address
			Mint, Value hexutil.Big
			L1BlockHash common.Hash
			BlockNumber *uint64
		}
		Withdrawals []struct {
			WithdrawalHash, BlockHash common.Hash
			BlockNumber               uint64
			Sender, Target            common.Address
			Value                     hexutil.Big
			ProvenAt                  *uint64
			Prover                    *common.Address
		}
		Games []struct{ ResolvedAt *uint64 }
	}
	c.ask(&is, "fakenode_bridge")
	upper, lower := c.Moment().Latest(), c.L1().Moment().Latest()
	require.Equal(t, head{lower.Hash(), lower.Number(), lower.Time()}, is.L1)
	require.Equal(t, head{upper.Hash(), upper.Number(), upper.Time()}, is.L2)
	d, w := is.Deposits[0], is.Withdrawals[0]
	require.Equal(t, c.Account(0).Address, d.From)
	require.Equal(t, common.Address{1, 2, 3}, *d.To)
	require.Equal(t, []int64{7, 7}, []int64{d.Mint.ToInt().Int64(), d.Value.ToInt().Int64()})
	require.NotZero(t, d.L1BlockHash)
	require.Equal(t, []common.Address{c.Account(0).Address, {9}}, []common.Address{w.Sender, w.Target})
	require.EqualValues(t, 5, w.Value.ToInt().Int64())
	require.Equal(t, upper.Hash(), w.BlockHash)
	require.Equal(t, upper.Number(), w.BlockNumber)
	require.NotZero(t, w.WithdrawalHash)
	require.Nil(t, w.ProvenAt)
	require.Nil(t, w.Prover)
	at := c.BlockNumber()
	_, err := c.Bridge().Propose(&at, nil)
	require.NoError(t, err)
	c.L1().Seal()
	c.ask(&is, "fakenode_bridge")
	require.Nil(t, is.Games[0].ResolvedAt)
	var hash common.Hash
	c.ask(&hash, "fakenode_resolveGame", map[string]any{"index": 0})
	c.L1().Seal()
	c.ask(&is, "fakenode_bridge")
	require.Equal(t, c.L1().Moment().Latest().Time(), *is.Games[0].ResolvedAt)
}
