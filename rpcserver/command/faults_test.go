package command_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
)

// Ensure fakenode_faults tells of every fault as it was set, member by member, until all are cleared.
func TestFaultsAreToldAsSet(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	type object = map[string]any
	calls := []object{
		{"method": "eth_chainId", "nth": 3.0, "times": 4.0, "latencyMs": 5.0, "latencySpreadMs": 6.0, "seed": 7.0},
		{"method": "eth_blockNumber", "nth": 1.0, "times": -1.0, "share": 0.25, "seed": 9.0, "loseAnswer": true},
		{"method": "*", "nth": 1.0, "times": 1.0, "httpStatus": 503.0},
		{"method": "eth_gasPrice", "nth": 1.0, "times": 2147483647.0, "error": object{"code": 8.0, "message": "no", "data": "0x09"}},
		{"method": "eth_getCode", "nth": 2147483647.0, "times": 1.0, "dropConnection": true},
		{"method": "eth_getBalance", "nth": 1.0, "times": 1.0, "truncate": 12.0},
		{"method": "eth_getLogs", "nth": 1.0, "times": 1.0, "silent": true},
		{"method": "eth_call", "nth": 1.0, "times": 1.0, "behind": 13.0},
		{"method": "eth_call", "nth": 1.0, "times": 1.0, "behindMs": 1400.0},
		{"method": "eth_call", "nth": 1.0, "times": 1.0, "branch": "orphaned"},
		{"method": "eth_subscription", "nth": 1.0, "times": 1.0, "kind": "newHeads", "drop": true},
		{"method": "eth_subscription", "nth": 1.0, "times": 1.0, "kind": "logs", "duplicate": true},
		{"method": "eth_subscription", "nth": 1.0, "times": 1.0, "kind": "logs", "reorder": true},
	}
	for _, fault := range calls {
		n.Do("fakenode_setFault", fault)
	}
	sender := common.Address{0xa1}
	operations := []object{
		{"kind": "never", "count": 2.0, "sender": hexutil.Encode(sender[:])}, {"kind": "late", "count": 1.0, "blocks": 3.0},
		{"kind": "late", "count": 1.0, "milliseconds": 2500.0}, {"kind": "underestimate", "count": 1.0, "limit": "verificationGasLimit", "percent": 70.0},
	}
	for _, fault := range operations {
		n.Do("fakenode_bundlerFault", fault)
	}
	feed := []object{
		{"kind": "gap", "nth": 2.0, "count": 3.0}, {"kind": "truncate", "nth": 1.0, "count": 1.0, "bytes": 10.0},
		{"kind": "disconnect", "nth": 1.0, "count": 1.0, "code": 1013.0},
	}
	for _, fault := range feed {
		n.Do("fakenode_feedFault", fault)
	}
	n.Do("fakenode_flashblockFault", object{"kind": "lateBlock", "count": 2})
	n.Do("fakenode_flashblockFault", object{"kind": "stall"})
	n.Do("fakenode_hold", object{"senders": []any{sender}, "blocks": 2})
	n.Do("fakenode_hold", object{"hashes": []any{common.Hash{7}}, "milliseconds": 1500})
	type faults struct{ Calls, Flashblocks, Feed, Holds, Operations []object }
	none := []object{}
	require.Equal(t, faults{
		Calls: calls, Operations: operations, Feed: feed,
		Flashblocks: []object{{"kind": "stall", "count": 1.0}, {"kind": "lateBlock", "count": 2.0}},
		Holds: []object{
			{"hashes": []any{}, "senders": []any{hexutil.Encode(sender[:])}, "blocks": 2.0},
			{"hashes": []any{common.Hash{7}.Hex()}, "senders": []any{}, "milliseconds": 1500.0},
		},
	}, servertest.Fetch[faults](n, "fakenode_faults"))
	n.Do("fakenode_clearFaults")
	require.Equal(t, faults{none, none, none, none, none}, servertest.Fetch[faults](n, "fakenode_faults"))
}
