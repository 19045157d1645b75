package dialect_test

import (
	"runtime"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a thousand sends without automatic mining cost as much each at the end as at the beginning, with the nonce at
// pending between them, as clients ask for it: the pending block was once made anew for each. The work is counted by
// what is allocated, so the test does not run in parallel with others.
func TestSendsAreFlat(t *testing.T) {
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil})
	require.NoError(t, n.rpc.Call(nil, "evm_setAutomine", false))
	from := n.Account(0).Address
	hundred := func() uint64 {
		before := allocated()
		for range 100 {
			answer[string](n, "eth_sendTransaction", map[string]any{"from": from, "to": n.Account(1).Address, "value": "0x1"})
			answer[hexutil.Uint64](n, "eth_getTransactionCount", from, "pending")
		}
		return allocated() - before
	}
	var costs []uint64
	for range 10 {
		costs = append(costs, hundred())
	}
	require.EqualValues(t, 1000, answer[hexutil.Uint64](n, "eth_getTransactionCount", from, "pending"))
	require.Less(t, costs[9], 2*costs[0], "%d", costs)
}

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}
