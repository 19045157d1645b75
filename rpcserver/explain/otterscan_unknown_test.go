package explain_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure Otterscan's methods answer null for what is not there, and refuse a block that is no number or tag.
func TestOtterscanUnknown(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	waiting := n.Pay(0, 1, 1).Hash()
	for method, params := range map[string][]any{
		"ots_traceTransaction": {waiting}, "ots_getTransactionError": {waiting}, "ots_getBlockDetails": {9},
		"ots_getBlockDetailsByHash": {common.Hash{1}}, "ots_getTransactionBySenderAndNonce": {servertest.Alice.Address, 0},
		"trace_get": {waiting, []any{}}, "trace_replayBlockTransactions": {common.Hash{1}, []string{"trace"}},
	} {
		require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, method, params...)), method)
	}
	wanted := []string{`want a block number, plain or in hex, "latest", "pending", "safe", "finalized" or "earliest"`}
	for _, tag := range []any{true, "newest", -1, 1.5, common.Hash{1}} {
		n.Refuses(api.CodeInvalidParams, wanted, "ots_hasCode", servertest.Counter, tag)
	}
	n.Refuses(api.CodeInvalidParams, []string{`want an array of indices such as ["0x0"]`}, "trace_get", waiting, "0x0")
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "ots_hasCode", servertest.Counter, 9)
	n.Refuses(api.CodeInvalidParams, []string{"page size of ots_searchTransactionsAfter: have 0"}, "ots_searchTransactionsAfter", servertest.Counter, 0, 0)
	n.Refuses(api.CodeInvalidParams, []string{"page size of ots_searchTransactionsBefore: have 1001"}, "ots_searchTransactionsBefore", servertest.Counter, 0, 1001)
}

// Ensure an account of a single byte of code has code, at the block asked for, by default the latest.
func TestOtterscanHasCode(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	short := common.HexToAddress("0x51")
	n.Seal(1)
	n.Do("anvil_setCode", short, "0x00")
	for tag, has := range map[any]bool{"latest": true, 1: true, 0: false, "earliest": false, "pending": true} {
		require.Equal(t, has, servertest.Fetch[bool](n, "ots_hasCode", short, tag), tag)
	}
	require.True(t, servertest.Fetch[bool](n, "ots_hasCode", short))
	require.False(t, servertest.Fetch[bool](n, "ots_hasCode", servertest.Bob.Address))
}

// Ensure a call that cannot carry ether has no value, and that of code which moves ether has input, output and value.
func TestOtterscanTraceOfCallTypes(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	caller := common.HexToAddress("0xca11")
	n.Do("anvil_setBalance", caller, "0x64")
	n.Do("anvil_setCode", caller, hexutil.Bytes(program.New().Mstore([]byte{byte(vm.JUMPDEST)}, 0).
		StaticCall(nil, servertest.Reverter, 0, 1, 0, 0).DelegateCall(nil, servertest.Bob.Address, 0, 1, 0, 0).
		CallCode(nil, servertest.Bob.Address, big.NewInt(3), 0, 0, 0, 0).Call(nil, servertest.Counter, 0, 0, 0, 0, 0).
		Push(1).Push(0).Push(0).Op(vm.CREATE, vm.POP).Return(0, 1).Bytes()))
	tx := n.Transact(0, &caller, big.NewInt(1), []byte{9})
	n.Seal(1)
	type entry struct {
		Type          string
		Value         *string
		Input, Output string
	}
	none, one, three := "0x0", "0x1", "0x3"
	require.Equal(t, []entry{
		{"CALL", &one, "0x09", "0x5b"}, {"STATICCALL", nil, "0x5b", "0x5b"}, {"DELEGATECALL", nil, "0x5b", "0x"},
		{"CALLCODE", &three, "0x", "0x"}, {"CALL", &none, "0x", "0x" + servertest.Padded("1")}, {"CREATE", &none, "0x5b", "0x"},
	}, servertest.Fetch[[]entry](n, "ots_traceTransaction", tx.Hash()))
	type operation struct {
		Type  int
		Value string
	}
	require.Equal(t, []operation{{2, "0x0"}}, servertest.Fetch[[]operation](n, "ots_getInternalOperations", tx.Hash()), "no call here moved ether to another account")
}

// Ensure trace_filter combines senders and recipients as its mode says, and takes the pending block.
func TestTraceFilterAddresses(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Pay(0, 1, 1)
	n.Pay(1, 2, 2)
	n.Seal(1)
	n.Pay(0, 2, 3)
	n.Preconfirm()
	alice, bob := []any{servertest.Alice.Address}, []any{servertest.Bob.Address}
	for _, c := range []struct {
		filter map[string]any
		values []int64
	}{
		{map[string]any{}, []int64{1, 2}},
		{map[string]any{"toBlock": "pending"}, []int64{1, 2, 3}},
		{map[string]any{"fromBlock": "pending", "toBlock": "pending"}, []int64{3}},
		{map[string]any{"fromBlock": "0x1", "toBlock": "0x1"}, []int64{1, 2}},
		{map[string]any{"toBlock": "earliest"}, nil},
		{map[string]any{"fromAddress": alice}, []int64{1}},
		{map[string]any{"toAddress": bob}, []int64{1}},
		{map[string]any{"fromAddress": bob, "toAddress": bob}, []int64{1, 2}},
		{map[string]any{"fromAddress": bob, "toAddress": bob, "mode": "union"}, []int64{1, 2}},
		{map[string]any{"fromAddress": bob, "toAddress": bob, "mode": "intersection"}, nil},
		{map[string]any{"fromAddress": alice, "toAddress": bob, "mode": "intersection"}, []int64{1}},
		{map[string]any{"fromAddress": alice, "mode": "intersection"}, []int64{1}},
		{map[string]any{"after": 1}, []int64{2}},
		{map[string]any{"after": 2}, nil},
		{map[string]any{"count": 0}, nil},
	} {
		var values []int64
		for _, found := range servertest.Fetch[[]frame](n, "trace_filter", c.filter) {
			values = append(values, found.Action.Value.ToInt().Int64())
		}
		require.Equal(t, c.values, values, "%v", c.filter)
	}
	n.Refuses(api.CodeInvalidParams, []string{`mode of trace_filter: have "both", want "union" or "intersection"`}, "trace_filter", map[string]any{"mode": "both"})
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x2 is above head 0x1"}, "trace_filter", map[string]any{"fromBlock": "0x2", "toBlock": "0x1"})
	n.Refuses(api.CodeInvalidParams, []string{"0x1", "0x0"}, "trace_filter", map[string]any{"fromBlock": "0x1", "toBlock": "0x0"})
	for _, end := range []string{"fromBlock", "toBlock"} {
		n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "trace_filter", map[string]any{end: "0x9"})
	}
	n.Refuses(api.CodeInvalidParams, []string{"want a filter object"}, "trace_filter", "latest")
}
