package bridge_test

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// reference is a block as a rollup node names it; the members of an L2 block are absent of an L1 block.
type reference struct {
	Hash, ParentHash  common.Hash
	Number, Timestamp uint64
	L1Origin          struct {
		Hash   common.Hash
		Number uint64
	}
	SequenceNumber uint64
}

// isBlock reports that a reference names a block of the L1.
func (c crossings) isBlock(want *preconf.View, is reference) {
	c.Helper()
	require.Equal(c, want.Hash(), is.Hash)
	require.Equal(c, want.Number(), is.Number)
	require.Equal(c, want.Header().ParentHash, is.ParentHash)
	require.Equal(c, want.Time(), is.Timestamp)
}

// isL2Block reports that a reference names a block of the L2, with its origin and its place among the blocks of that.
func (c crossings) isL2Block(want *preconf.View, is reference) {
	c.Helper()
	c.isBlock(want, is)
	chain := want.Chain()
	origin := chain.L1(want.Block())
	require.Equal(c, origin.Hash, is.L1Origin.Hash)
	require.Equal(c, origin.Number, is.L1Origin.Number)
	before := uint64(0)
	for n := want.Number(); n > 0 && chain.L1(chain.BlockByNumber(n-1)).Hash == origin.Hash; n-- {
		before++
	}
	require.Equal(c, before, is.SequenceNumber)
}

// ask calls a method and decodes its answer.
func (c crossings) ask(answer any, method string, params ...any) {
	c.Helper()
	require.NoError(c, c.Client().Client().Call(answer, method, params...), method)
}

// refuses calls a method and compares the code and the text of its error.
func (c crossings) refuses(code int, text, method string, params ...any) {
	c.Helper()
	err := c.Client().Client().Call(nil, method, params...)
	require.EqualError(c, err, text)
	require.Equal(c, code, err.(rpc.Error).ErrorCode(), text)
}

// Ensure the rollup node names the newest, safe and final blocks of both chains, also while they differ.
func TestSyncStatus(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	for range 3 {
		var is struct {
			CurrentL1   reference `json:"current_l1"`
			FinalL1     reference `json:"current_l1_finalized"`
			Head        reference `json:"head_l1"`
			SafeL1      reference `json:"safe_l1"`
			FinalizedL1 reference `json:"finalized_l1"`
			Unsafe      reference `json:"unsafe_l2"`
			Safe        reference `json:"safe_l2"`
			Finalized   reference `json:"finalized_l2"`
			PendingSafe reference `json:"pending_safe_l2"`
			CrossUnsafe reference `json:"cross_unsafe_l2"`
			LocalSafe   reference `json:"local_safe_l2"`
		}
		c.ask(&is, "optimism_syncStatus")
		l1, l2 := c.L1().Moment(), c.Moment()
		for _, r := range []reference{is.CurrentL1, is.Head} {
			c.isBlock(l1.Latest(), r)
		}
		c.isBlock(l1.Safe(), is.SafeL1)
		for _, r := range []reference{is.FinalL1, is.FinalizedL1} {
			c.isBlock(l1.Finalized(), r)
		}
		for _, r := range []reference{is.Unsafe, is.CrossUnsafe} {
			c.isL2Block(l2.Latest(), r)
		}
		for _, r := range []reference{is.Safe, is.PendingSafe, is.LocalSafe} {
			c.isL2Block(l2.Safe(), r)
		}
		c.isL2Block(l2.Finalized(), is.Finalized)
		c.Advance(3*time.Minute + 2*time.Second)
	}
	require.Greater(t, c.BlockNumber(), c.Moment().Safe().Number())
	require.Greater(t, c.Moment().Safe().Number(), c.Moment().Finalized().Number())
	var version string
	c.ask(&version, "optimism_version")
	require.Contains(t, version, "fakenode")
}

// Ensure an output root is the hash of what it is said to be of, at the genesis and the head, and that the super root
// of a time is about the newest block up to then.
func TestOutputRoots(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	c.Advance(30 * time.Second)
	output := func(n uint64) (root common.Hash) {
		t.Helper()
		var is struct {
			Version, OutputRoot, WithdrawalStorageRoot, StateRoot common.Hash
			BlockRef                                              reference
			SyncStatus                                            struct {
				Unsafe reference `json:"unsafe_l2"`
			}
		}
		c.ask(&is, "optimism_outputAtBlock", hexutil.Uint64(n))
		v, err := c.Moment().ByNumber(n)
		require.NoError(t, err)
		c.isL2Block(v, is.BlockRef)
		c.isL2Block(c.Moment().Latest(), is.SyncStatus.Unsafe)
		proof, err := v.Proof(optimism.MessagePasser, nil)
		require.NoError(t, err)
		require.Equal(t, proof.StorageHash, is.WithdrawalStorageRoot)
		require.Equal(t, v.Header().Root, is.StateRoot)
		require.Zero(t, is.Version)
		hash := v.Hash()
		require.Equal(t, crypto.Keccak256Hash(make([]byte, 32), is.StateRoot[:], proof.StorageHash[:], hash[:]), is.OutputRoot)
		return is.OutputRoot
	}
	head, genesis := c.Moment().Latest(), c.Moment().Chain().BlockByNumber(0)
	id := c.Moment().Chain().Config().ChainID.Uint64()
	type block struct {
		Hash   common.Hash
		Number uint64
	}
	for _, at := range []struct{ time, number uint64 }{
		{genesis.Time(), 0}, {genesis.Time() + 1, 0}, {genesis.Time() + 2, 1}, {head.Time() - 1, head.Number() - 1}, {head.Time(), head.Number()},
	} {
		root := output(at.number)
		var is struct {
			Current  block    `json:"current_l1"`
			Safe     uint64   `json:"safe_timestamp"`
			Local    uint64   `json:"local_safe_timestamp"`
			Final    uint64   `json:"finalized_timestamp"`
			ChainIDs []string `json:"chain_ids"`
			Chains   map[string]struct {
				Output struct {
					StateRoot, MessagePasserStorageRoot, BlockHash common.Hash
				}
				Root     common.Hash `json:"output_root"`
				Required block       `json:"required_l1"`
			} `json:"optimistic_at_timestamp"`
			Data *struct {
				Required block       `json:"verified_required_l1"`
				Root     common.Hash `json:"super_root"`
				Super    struct {
					Timestamp hexutil.Uint64
					Chains    []struct {
						ChainID string
						Output  common.Hash
					}
				}
			}
		}
		c.ask(&is, "superroot_atTimestamp", hexutil.Uint64(at.time))
		l1 := c.L1().Moment().Latest()
		require.Equal(t, block{l1.Hash(), l1.Number()}, is.Current)
		require.Equal(t, c.Moment().Safe().Time(), is.Safe)
		require.Equal(t, is.Safe, is.Local)
		require.Equal(t, c.Moment().Finalized().Time(), is.Final)
		name := strconv.FormatUint(id, 10)
		require.Equal(t, []string{name}, is.ChainIDs)
		v, err := c.Moment().ByNumber(at.number)
		require.NoError(t, err)
		origin := v.Chain().L1(v.Block())
		of := is.Chains[name]
		require.Equal(t, root, of.Root)
		require.Equal(t, v.Hash(), of.Output.BlockHash)
		require.Equal(t, v.Header().Root, of.Output.StateRoot)
		require.Equal(t, block{origin.Hash, origin.Number}, of.Required)
		require.Equal(t, of.Required, is.Data.Required)
		require.EqualValues(t, at.time, is.Data.Super.Timestamp)
		require.Len(t, is.Data.Super.Chains, 1)
		require.Equal(t, name, is.Data.Super.Chains[0].ChainID)
		require.Equal(t, root, is.Data.Super.Chains[0].Output)
		encoded := binary.BigEndian.AppendUint64([]byte{1}, at.time)
		chain := common.BigToHash(c.Moment().Chain().Config().ChainID)
		require.Equal(t, crypto.Keccak256Hash(encoded, chain[:], root[:]), is.Data.Root)
	}
	for _, none := range []uint64{genesis.Time() - 1, head.Time() + 1} {
		var is map[string]any
		c.ask(&is, "superroot_atTimestamp", hexutil.Uint64(none))
		require.NotContains(t, is, "data")
		require.Empty(t, is["optimistic_at_timestamp"])
	}
}

// Ensure the games of a bridge are made, ended and blacklisted by commands, and the portal is paused, each with the
// next block of the L1; and that what cannot be is refused with the number that is wrong.
func TestBridgeCommands(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	c.Seal()
	c.Seal()
	var made struct {
		Number                hexutil.Uint64
		Root, TransactionHash common.Hash
	}
	c.ask(&made, "fakenode_propose")
	require.EqualValues(t, 2, made.Number)
	succeeds := func(hash common.Hash) {
		t.Helper()
		c.L1().Seal()
		receipt, err := c.L1().Client().TransactionReceipt(t.Context(), hash)
		require.NoError(t, err)
		require.EqualValues(t, 1, receipt.Status)
	}
	succeeds(made.TransactionHash)
	first := made
	c.ask(&made, "fakenode_propose", map[string]any{"number": 1, "root": common.Hash{7}})
	require.EqualValues(t, 1, made.Number)
	succeeds(made.TransactionHash)
	games := c.overview().Games
	require.Len(t, games, 2)
	require.Equal(t, []any{made.Root, first.Root}, []any{games[0].RootClaim, games[1].RootClaim})
	require.Equal(t, []bool{false, true}, []bool{games[0].Right, games[1].Right})

	var sent common.Hash
	c.ask(&sent, "fakenode_resolveGame", map[string]any{"index": 1, "status": "challenger"})
	succeeds(sent)
	c.ask(&sent, "fakenode_resolveGame", map[string]any{"index": 0})
	succeeds(sent)
	c.ask(&sent, "fakenode_blacklistGame", 1)
	succeeds(sent)
	games = c.overview().Games
	require.Equal(t, []string{"challenger", "defender"}, []string{games[0].Status, games[1].Status})
	require.Equal(t, []bool{true, false}, []bool{games[0].Blacklisted, games[1].Blacklisted})
	for _, paused := range []bool{true, false} {
		c.ask(&sent, "fakenode_pausePortal", paused)
		succeeds(sent)
		require.Equal(t, paused, c.overview().Paused)
	}

	c.refuses(-32602, "fakenode_resolveGame: index is missing", "fakenode_resolveGame", map[string]any{"status": "defender"})
	c.refuses(-32602, `fakenode_resolveGame: status "draw" is neither "defender" nor "challenger"`, "fakenode_resolveGame", map[string]any{"index": 0, "status": "draw"})
	c.refuses(-32602, "fakenode_resolveGame: there is no game 2: the factory has made 2", "fakenode_resolveGame", map[string]any{"index": 2})
	c.refuses(-32602, "fakenode_blacklistGame: there is no game 7: the factory has made 2", "fakenode_blacklistGame", 7)
	above := fmt.Sprintf("block not found: %#x is above head %#x", c.BlockNumber()+1, c.BlockNumber())
	c.refuses(-32000, above, "fakenode_propose", map[string]any{"number": c.BlockNumber() + 1})
	c.refuses(-32000, above, "optimism_outputAtBlock", c.BlockNumber()+1)
	old := "a game about block 0 (1800000000) would not be newer than the anchor of the games (1800000000)"
	c.refuses(-32000, old, "fakenode_propose", map[string]any{"number": 0})
}

// Ensure the configuration of the rollup has the values of both chains and of the protocol.
func TestRollupConfig(t *testing.T) {
	t.Parallel()
	least := uint64(7_000_000)
	c := crossings{t, fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, Fees: fakenode.FeeRules{MinBaseFee: &least}})}
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
	require.Equal(t, chain.Optimism.Upgrade == optimism.Karst, config.KarstTime != nil)
	system := config.Genesis.SystemConfig
	require.Equal(t, fakenode.L1Operator.Address, system.BatcherAddr)
	require.Equal(t, least, system.MinBaseFee)
	require.EqualValues(t, 1, system.Scalar[0])
	require.Equal(t, []uint32{0, origin.BlobBaseFeeScalar, origin.BaseFeeScalar}, []uint32{
		binary.BigEndian.Uint32(system.Scalar[20:]), binary.BigEndian.Uint32(system.Scalar[24:]), binary.BigEndian.Uint32(system.Scalar[28:]),
	})
	require.Equal(t, genesis.Header().GasLimit, system.GasLimit)
	rules := optimism.RulesIn(genesis.Header().Extra, chain.Optimism.Upgrade)
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
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: &fakenode.L1Config{}})
		var is struct {
			BlockTime uint64  `json:"block_time"`
			Karst     *uint64 `json:"karst_time"`
			Jovian    *uint64 `json:"jovian_time"`
		}
		require.NoError(t, node.Client().Client().Call(&is, "optimism_rollupConfig"))
		require.Equal(t, seconds, is.BlockTime, preset)
		require.Zero(t, *is.Jovian)
		require.Equal(t, node.Moment().Chain().Optimism.Upgrade == optimism.Karst, is.Karst != nil, preset)
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
