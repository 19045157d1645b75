package eth_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure eth_config of Denim is Base's: no blobs, the precompiles with P256, and no contract for requests to the
// consensus layer (accounts of EIP-6110, EIP-7002 and EIP-7251).
func TestDenimConfig(t *testing.T) {
	t.Parallel()
	config := servertest.Fetch[struct {
		Current struct {
			BlobSchedule    map[string]uint64
			Precompiles     map[string]common.Address
			SystemContracts map[string]common.Address
		}
		Next, Last json.RawMessage
	}](denimNetwork(t, api.Settings{}), "eth_config")
	require.Equal(t, map[string]uint64{"target": 0, "max": 0, "baseFeeUpdateFraction": 0}, config.Current.BlobSchedule)
	require.Equal(t, common.BytesToAddress([]byte{1, 0}), config.Current.Precompiles["P256VERIFY"])
	require.Len(t, config.Current.Precompiles, 18)
	require.Equal(t, map[string]common.Address{
		"BEACON_ROOTS_ADDRESS":    common.HexToAddress("0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02"),
		"HISTORY_STORAGE_ADDRESS": common.HexToAddress("0x0000F90827F1C53a10cb7A02335B175320002935"),
	}, config.Current.SystemContracts)
	require.Equal(t, "null", string(config.Next))
	require.Equal(t, "null", string(config.Last))
}

// Ensure the deposits of a block of Denim are traced as they were executed, also long after the block, of which little
// is kept: BaseTime goes through its proxy and writes the milliseconds.
func TestDenimTraces(t *testing.T) {
	t.Parallel()
	n := denimNetwork(t, api.Settings{})
	n.Seal(4)
	deposit := servertest.Fetch[timed](n, "eth_getBlockByNumber", "0x3", true).Transactions[optimism.BaseTimeIndex].Hash
	n.Seal(5)
	type call struct {
		From, To common.Address
		Type     string
		Input    hexutil.Bytes
		Calls    []call
	}
	traced := servertest.Fetch[call](n, "debug_traceTransaction", deposit, map[string]any{"tracer": "callTracer"})
	require.Equal(t, optimism.Depositor, traced.From)
	require.Equal(t, optimism.BaseTimeAddress, traced.To)
	require.Equal(t, "DELEGATECALL", traced.Calls[0].Type)
	require.Equal(t, []byte{0x86, 0xbd, 0xf3, 0x94}, []byte(traced.Input[:4]))
	require.Equal(t, []byte{600 >> 8, 600 & 0xff}, []byte(traced.Input[34:]))

	blocks := servertest.Fetch[[]struct {
		TxHash common.Hash
		Result call
	}](n, "debug_traceBlockByNumber", "0x3", map[string]any{"tracer": "callTracer"})
	require.Len(t, blocks, 2)
	require.Equal(t, optimism.L1BlockAddress, blocks[0].Result.To)
	require.Equal(t, traced, blocks[1].Result)
	frames := servertest.Fetch[[]struct {
		TransactionHash common.Hash
		Action          struct{ To common.Address }
	}](n, "trace_block", "0x3")
	require.Equal(t, 2, slices.IndexFunc(frames, func(f struct {
		TransactionHash common.Hash
		Action          struct{ To common.Address }
	}) bool {
		return f.Action.To != optimism.L1BlockAddress && f.Action.To != optimism.BaseTimeAddress
	}), "L1Block, BaseTime and what that delegates to")

	changes := servertest.Fetch[struct {
		Pre, Post map[common.Address]struct{ Storage map[common.Hash]common.Hash }
	}](n, "debug_traceTransaction", deposit, map[string]any{"tracer": "prestateTracer", "tracerConfig": map[string]any{"diffMode": true}})
	require.Equal(t, common.BytesToHash([]byte{400 >> 8, 400 & 0xff}), changes.Pre[optimism.BaseTimeAddress].Storage[common.Hash{}])
	require.Equal(t, common.BytesToHash([]byte{600 >> 8, 600 & 0xff}), changes.Post[optimism.BaseTimeAddress].Storage[common.Hash{}])
}
