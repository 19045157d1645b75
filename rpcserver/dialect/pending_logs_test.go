package dialect_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// Ensure a filter up to pending brings the log of a mined block once, with the hash of the block, under the presets
// where pending is what would be mined, and that logs at pending are those of the newest block and of flashblocks that
// were asked for.
func TestPendingBoundsOfFilters(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Anvil, fakenode.Hardhat} {
		n := newDevNode(t, fakenode.Config{Preset: preset, Mode: fakenode.Manual})
		emitter := common.HexToAddress("0xe1")
		answer[any](n, "hardhat_setCode", emitter, hexutil.Bytes(labcode.Emitter()))
		emit := func() {
			answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": emitter, "data": hexutil.Bytes(labcode.EmitterCall(1, 2)), "gas": "0x186a0"}))
		}
		atPending := map[string]any{"fromBlock": "pending"}
		var filters []string
		for _, bounds := range []map[string]any{atPending, {"toBlock": "pending"}, {"fromBlock": "pending", "toBlock": "pending"}} {
			filters = append(filters, answer[string](n, "eth_newFilter", bounds))
		}
		emit()
		require.Empty(t, answer[[]types.Log](n, "eth_getLogs", atPending), "it waits")
		head := n.Seal()
		for _, filter := range filters {
			logs := answer[[]types.Log](n, "eth_getFilterChanges", filter)
			require.Len(t, logs, 1, preset)
			require.Equal(t, head, logs[0].BlockHash, preset)
			require.Len(t, answer[[]types.Log](n, "eth_getFilterLogs", filter), 1, preset)
		}
		emit()
		n.Preconfirm()
		logs := answer[[]types.Log](n, "eth_getLogs", atPending)
		require.Len(t, logs, 1)
		require.Equal(t, uint64(2), logs[0].BlockNumber, "pre-confirmed")
	}
}
