package explain_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure an answer that would be larger than --max-answer is refused with the limit, and one that fits is given.
func TestTracesWithinMaxAnswer(t *testing.T) {
	t.Parallel()
	const most = 8000
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{MaxAnswer: most}})
	n.Pay(0, 1, 1)
	kinds := []string{"trace"}
	bob := servertest.Bob.Address
	requests := map[string][]any{
		"trace_filter": {map[string]any{}}, "trace_block": {"0x2"}, "trace_replayBlockTransactions": {"0x2", kinds},
		"ots_searchTransactionsBefore": {bob, 0, 1000}, "ots_searchTransactionsAfter": {bob, 1, 1000},
		"fakenode_compareForks": {map[string]any{"fromBlock": "0x2"}}, "debug_traceBlockByNumber": {"0x2", map[string]any{"tracer": "callTracer"}},
	}
	n.Seal(2)
	for method, params := range requests {
		n.Do(method, params...)
	}
	for range 40 {
		n.Pay(0, 1, 1)
	}
	n.Seal(1)
	for _, method := range []string{"trace_block", "trace_replayBlockTransactions", "debug_traceBlockByNumber"} {
		requests[method][0] = "0x3"
	}
	halves := []string{"ots_searchTransactionsBefore", "ots_searchTransactionsAfter", "fakenode_compareForks", "debug_traceBlockByNumber"}
	for method, params := range requests {
		limit := "8000 bytes (--max-answer)"
		if slices.Contains(halves, method) {
			limit = "4000 bytes (--max-answer)"
		}
		n.Refuses(api.CodeServer, []string{"too large", limit}, method, params...)
	}
	require.Len(t, servertest.Fetch[[]json.RawMessage](n, "trace_filter", map[string]any{"toBlock": "0x2"}), 1)
}

// Ensure trace_callMany takes 1,000 calls and no more, and that each mistake in a call names the argument.
func TestTracedCallsRefused(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	call := []any{map[string]any{"to": servertest.Bob.Address}, []string{}}
	require.Len(t, servertest.Fetch[[]json.RawMessage](n, "trace_callMany", slices.Repeat([]any{call}, 1000)), 1000)
	n.Refuses(api.CodeInvalidParams, []string{"1001 calls are too many for trace_callMany: the limit is 1000"}, "trace_callMany", slices.Repeat([]any{call}, 1001))
	require.Empty(t, servertest.Fetch[[]json.RawMessage](n, "trace_callMany", []any{}))
	for _, calls := range []any{[]any{7}, []any{[]any{7, []string{}}}, []any{[]any{call[0], 7}}, []any{append(slices.Clone(call), 1)}} {
		n.Refuses(api.CodeInvalidParams, []string{"argument 0", `[call, ["trace", "stateDiff"]]`}, "trace_callMany", calls)
	}
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "trace_callMany", []any{call}, "0x9")
	n.Refuses(api.CodeServer, []string{"insufficient funds"}, "trace_call", map[string]any{"from": common.Address{1}, "value": "0x1"}, []string{"trace"})
	for _, kind := range []string{"vmTrace", "all"} {
		n.Fails(api.CodeInvalidParams, "trace_replayBlockTransactions", "latest", []string{kind})
	}
}

// Ensure trace_rawTransaction executes a transaction of each type with the fees, the access list and the value that
// it has.
func TestTraceRawTransactionTypes(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	contract := common.HexToAddress("0xc0de")
	// Returns the gas price and the value, and the gas of reading slot 1.
	n.Do("anvil_setCode", contract, hexutil.Bytes(program.New().Op(vm.GASPRICE).Push(0).Op(vm.MSTORE, vm.CALLVALUE).Push(32).Op(vm.MSTORE).
		Op(vm.GAS).Push(1).Op(vm.SLOAD, vm.POP, vm.GAS, vm.SWAP1, vm.SUB).Push(64).Op(vm.MSTORE).Return(0, 96).Bytes()))
	n.Seal(1)
	const overhead = 3 + 2 + 2 // PUSH, POP, GAS
	list := types.AccessList{{Address: contract, StorageKeys: []common.Hash{{31: 1}}}}
	base := n.Timeline.Moment().NextHeader().BaseFee
	for _, c := range []struct {
		tx    types.TxData
		price *big.Int
		read  int64
	}{
		{&types.LegacyTx{To: &contract, Gas: 100_000, GasPrice: big.NewInt(3 * params.GWei), Value: big.NewInt(5)}, big.NewInt(3 * params.GWei), 2100},
		{&types.AccessListTx{To: &contract, Gas: 100_000, GasPrice: big.NewInt(4 * params.GWei), Value: big.NewInt(5), AccessList: list}, big.NewInt(4 * params.GWei), 100},
		{&types.DynamicFeeTx{To: &contract, Gas: 100_000, GasFeeCap: big.NewInt(9 * params.GWei), GasTipCap: big.NewInt(7), Value: big.NewInt(5), AccessList: list}, new(big.Int).Add(base, big.NewInt(7)), 100},
	} {
		switch tx := c.tx.(type) {
		case *types.AccessListTx:
			tx.ChainID = big.NewInt(servertest.ChainID)
		case *types.DynamicFeeTx:
			tx.ChainID = big.NewInt(servertest.ChainID)
		}
		signed := types.MustSignNewTx(servertest.Alice.Key, types.LatestSignerForChainID(big.NewInt(servertest.ChainID)), c.tx)
		answer := servertest.Fetch[replayAnswer](n, "trace_rawTransaction", hexutil.Bytes(servertest.Raw(t, signed)), []string{"trace"}, "pending")
		require.Len(t, answer.Output, 96, "type %d", signed.Type())
		require.Equal(t, c.price, new(big.Int).SetBytes(answer.Output[:32]), "type %d", signed.Type())
		require.EqualValues(t, 5, new(big.Int).SetBytes(answer.Output[32:64]).Int64())
		require.EqualValues(t, c.read+overhead, new(big.Int).SetBytes(answer.Output[64:]).Int64(), "type %d", signed.Type())
	}
	low := types.MustSignNewTx(servertest.Alice.Key, types.LatestSignerForChainID(big.NewInt(servertest.ChainID)), &types.LegacyTx{
		To: &contract, Gas: 20_000, GasPrice: big.NewInt(3 * params.GWei),
	})
	n.Refuses(api.CodeServer, []string{"intrinsic gas too low"}, "trace_rawTransaction", hexutil.Bytes(servertest.Raw(t, low)), []string{"trace"})
	other := types.MustSignNewTx(servertest.Alice.Key, types.LatestSignerForChainID(big.NewInt(9)), &types.LegacyTx{
		To: &contract, Gas: 100_000, GasPrice: big.NewInt(3 * params.GWei),
	})
	n.Refuses(api.CodeInvalidParams, []string{"invalid argument 0 (transaction) of trace_rawTransaction: invalid chain id"}, "trace_rawTransaction", hexutil.Bytes(servertest.Raw(t, other)), []string{"trace"})
}

// Ensure the options of a tracer do what they say, and each mistake in one is refused by name.
func TestTraceConfig(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	tx := n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Seal(1)
	type steps struct {
		StructLogs []struct {
			Stack   *[]string
			Memory  []string
			Storage map[string]string
		}
	}
	trace := func(options map[string]any) (stack, memory, storage bool) {
		for _, step := range servertest.Fetch[steps](n, "debug_traceTransaction", tx, options).StructLogs {
			stack, memory, storage = stack || step.Stack != nil, memory || len(step.Memory) > 0, storage || len(step.Storage) > 0
		}
		return stack, memory, storage
	}
	for _, c := range []struct {
		options                map[string]any
		stack, memory, storage bool
	}{
		{map[string]any{}, true, false, true},
		{map[string]any{"disableStack": true}, false, false, true},
		{map[string]any{"disableStorage": true}, true, false, false},
		{map[string]any{"enableMemory": true}, true, true, true},
		{map[string]any{"timeout": "5m", "enableReturnData": true, "more": 1}, true, false, true},
	} {
		stack, memory, storage := trace(c.options)
		require.Equal(t, []bool{c.stack, c.memory, c.storage}, []bool{stack, memory, storage}, "%v", c.options)
	}
	for _, timeout := range []string{"0s", "-1s", "5m0.000000001s", "soon", ""} {
		n.Refuses(api.CodeInvalidParams, []string{"timeout of the tracer: have " + timeout, "at most 5m0s"}, "debug_traceTransaction", tx, map[string]any{"timeout": timeout})
	}
	n.Refuses(api.CodeInvalidParams, []string{"want an object that configures the tracer"}, "debug_traceTransaction", tx, 7)
	call := map[string]any{"to": servertest.Counter}
	for member, given := range map[string]any{
		"stateOverrides": map[string]any{servertest.Counter.Hex(): map[string]any{"kode": "0x"}}, "blockOverrides": map[string]any{"times": "0x1"},
	} {
		n.Refuses(api.CodeInvalidParams, []string{"invalid " + member + ": have {"}, "debug_traceCall", call, "latest", map[string]any{member: given})
		n.Do("debug_traceCall", call, "latest", map[string]any{member: nil})
	}
	numbered := map[string]any{"blockOverrides": map[string]any{"number": "0x77"}, "tracer": "callTracer"}
	require.Contains(t, servertest.Fetch[struct{ Output string }](n, "debug_traceCall", map[string]any{"to": servertest.Observer}, "latest", numbered).Output, "0x"+servertest.Padded("77"))
	n.Do("debug_traceCall", call)
	for _, at := range []map[string]any{{}, {"txIndex": "0x0"}} {
		n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "debug_traceCall", call, "0x9", at)
	}
}

// Ensure a client of geth's profile gets the error that a contract declares as the reason in a trace, and may misspell
// overrides as there.
func TestTraceOfDeclaredError(t *testing.T) {
	t.Parallel()
	declared, err := chain.New(servertest.Genesis(), chain.Options{Errors: func(data []byte) string { return "Refused(" + hexutil.Encode(data) + ")" }})
	require.NoError(t, err)
	call := map[string]any{"to": servertest.Reverter, "data": "0x01020304"}
	for profile, reason := range map[api.Behaviour]string{persona.Geth.Wire: "Refused(0x01020304)", {}: ""} {
		n := servertest.New(t, preconf.Config{Chain: declared}, rpcserver.Config{Settings: api.Settings{Behaviour: profile}})
		traced := servertest.Fetch[struct{ RevertReason string }](n, "debug_traceCall", call, "latest", map[string]any{"tracer": "callTracer"})
		require.Equal(t, reason, traced.RevertReason)
		misspelt := map[string]any{"blockOverrides": map[string]any{"times": "0x1"}}
		if profile == persona.Geth.Wire {
			n.Do("debug_traceCall", call, "latest", misspelt)
		} else {
			n.Refuses(api.CodeInvalidParams, []string{"times"}, "debug_traceCall", call, "latest", misspelt)
		}
	}
}
