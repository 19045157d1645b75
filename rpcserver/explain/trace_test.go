package explain_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

func TestRawEncodings(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	tx := n.Logs(0, "0xa", "0xb", 2)
	n.Do("fakenode_seal")
	head := n.Timeline.Moment().Latest()

	var block types.Block
	require.NoError(t, rlp.DecodeBytes(servertest.Fetch[hexutil.Bytes](n, "debug_getRawBlock", "latest"), &block))
	require.Equal(t, head.Hash(), block.Hash())
	require.Equal(t, tx.Hash(), block.Transactions()[0].Hash())
	var header types.Header
	require.NoError(t, rlp.DecodeBytes(servertest.Fetch[hexutil.Bytes](n, "debug_getRawHeader", head.Hash()), &header))
	require.Equal(t, head.Hash(), header.Hash())
	receipts := servertest.Fetch[[]hexutil.Bytes](n, "debug_getRawReceipts", "0x1")
	require.Len(t, receipts, 1)
	var receipt types.Receipt
	require.NoError(t, receipt.UnmarshalBinary(receipts[0]))
	require.Len(t, receipt.Logs, 2)
	require.Equal(t, "[]", string(servertest.Fetch[json.RawMessage](n, "debug_getRawReceipts", "0x0")))

	pooled := n.Pay(0, 1, 1)
	for _, tx := range []*types.Transaction{tx, pooled} {
		var decoded types.Transaction
		require.NoError(t, decoded.UnmarshalBinary(servertest.Fetch[hexutil.Bytes](n, "debug_getRawTransaction", tx.Hash())))
		require.Equal(t, tx.Hash(), decoded.Hash())
	}
	require.Equal(t, "0x", servertest.Fetch[string](n, "debug_getRawTransaction", common.Hash{1}))

	n.Refuses(api.CodeNotFound, []string{"0x2"}, "debug_getRawBlock", "0x2")
	n.Refuses(api.CodeServer, []string{"pending"}, "debug_getRawHeader", "pending")
	n.Refuses(api.CodeInvalidParams, nil, "debug_getRawTransaction", "1000000000000000000000000000000000000000000000000000000000000001")
}

func TestTraces(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	pay, log := n.Pay(0, 1, 1), n.Logs(0, "0xa", "0xb", 1)
	n.Do("fakenode_seal")
	head := n.Timeline.Moment().Latest()
	type steps struct {
		Gas        uint64
		Failed     bool
		StructLogs []struct{ Op string }
	}
	require.Equal(t, steps{Gas: 21_000, StructLogs: []struct{ Op string }{}}, servertest.Fetch[steps](n, "debug_traceTransaction", pay.Hash()))
	traced := servertest.Fetch[steps](n, "debug_traceTransaction", log.Hash(), map[string]any{"timeout": "10s", "disableStack": true})
	require.Equal(t, "STOP", traced.StructLogs[len(traced.StructLogs)-1].Op)

	type entry struct {
		TxHash common.Hash
		Result struct{ From, To, Type string }
	}
	calls := map[string]any{"tracer": "callTracer"}
	byNumber := servertest.Fetch[[]entry](n, "debug_traceBlockByNumber", "latest", calls)
	require.Len(t, byNumber, 2)
	require.Equal(t, log.Hash(), byNumber[1].TxHash)
	require.Equal(t, "CALL", byNumber[1].Result.Type)
	require.Equal(t, byNumber, servertest.Fetch[[]entry](n, "debug_traceBlockByHash", head.Hash(), calls))
	raw := servertest.Fetch[string](n, "debug_getRawBlock", "latest")
	require.Equal(t, byNumber, servertest.Fetch[[]entry](n, "debug_traceBlock", raw, calls))

	// A call sees the pre-confirmed state, and overrides on top of it.
	created := n.Transact(1, nil, new(big.Int), common.FromHex("6001600c60003960016000f300")) // code: STOP
	n.Do("fakenode_preconfirm")
	contract := n.Timeline.Moment().Pending().Receipts()[0].ContractAddress
	require.NotNil(t, created)
	call := map[string]any{"to": contract}
	require.Len(t, servertest.Fetch[steps](n, "debug_traceCall", call, "pending").StructLogs, 1)
	require.Empty(t, servertest.Fetch[steps](n, "debug_traceCall", call, "latest").StructLogs)
	override := map[string]any{"stateOverrides": map[common.Address]any{contract: map[string]any{"code": "0x5a5a00"}}}
	require.Len(t, servertest.Fetch[steps](n, "debug_traceCall", call, "latest", override).StructLogs, 3)

	// A call in the middle of a block sees the transactions before it.
	n.Pay(0, 1, 1)
	n.Do("fakenode_seal")
	before := func(index string) map[string]any { return map[string]any{"txIndex": index} }
	require.Empty(t, servertest.Fetch[steps](n, "debug_traceCall", call, "latest", before("0x0")).StructLogs)
	require.Len(t, servertest.Fetch[steps](n, "debug_traceCall", call, "latest", before("0x1")).StructLogs, 1)
	n.Refuses(api.CodeServer, []string{"index 2", "2 transactions"}, "debug_traceCall", call, "latest", before("0x2"))

	n.Refuses(api.CodeServer, []string{"genesis"}, "debug_traceBlockByNumber", "0x0")
	n.Refuses(api.CodeInvalidParams, nil, "debug_traceBlockByNumber", "3")
	pooled := n.Pay(0, 1, 1).Hash()
	n.Refuses(api.CodeServer, []string{pooled.Hex()}, "debug_traceTransaction", pooled)
	n.Refuses(api.CodeServer, []string{"noSuchTracer"}, "debug_traceTransaction", log.Hash(), map[string]any{"tracer": "noSuchTracer", "timeout": "5m"})
}

// A pre-confirmed transaction is traced behind those before it in the pending block, with what the sealed one
// then gives.
func TestTracesOfPendingBlock(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	require.Equal(t, "[]", string(servertest.Fetch[json.RawMessage](n, "debug_traceBlockByNumber", "pending")), "nothing pre-confirmed")
	n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Seal(1)
	var hashes []common.Hash
	for i := range byte(2) {
		hashes = append(hashes, n.Emit(i, i), n.Send(servertest.Bob, &servertest.Counter, nil))
		n.Preconfirm() // a flashblock each
	}
	type entry struct {
		TxHash common.Hash
		Result struct {
			Output string
			Logs   []struct{ Index string }
		}
	}
	withLogs := map[string]any{"tracer": "callTracer", "tracerConfig": map[string]any{"withLog": true}}
	pending := servertest.Fetch[[]entry](n, "debug_traceBlockByNumber", "pending", withLogs)
	require.Len(t, pending, 4)
	require.Equal(t, servertest.Topic(3).Hex(), pending[3].Result.Output)
	require.Equal(t, "0x3", pending[3].Result.Logs[0].Index)
	for i, hash := range hashes {
		require.Equal(t, hash, pending[i].TxHash)
		one := entry{TxHash: hash}
		require.NoError(t, json.Unmarshal(servertest.Fetch[json.RawMessage](n, "debug_traceTransaction", hash, withLogs), &one.Result))
		require.Equal(t, pending[i], one)
	}
	n.Seal(1)
	require.Equal(t, pending, servertest.Fetch[[]entry](n, "debug_traceBlockByNumber", "latest", withLogs))
}

// Ensure a tracer that fails fails the trace of one transaction, and in the traces of a block the one that it fails
// for; a tracer without a name is refused by every method that takes one, as an object that is none.
func TestTracersThatFail(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	call := n.Transact(0, &servertest.Counter, new(big.Int), []byte{1}).Hash()
	pay := n.Pay(0, 1, 1).Hash()
	n.Seal(1)
	head := n.Timeline.Moment().Latest().Hash()
	tracer := map[string]any{"timeout": "5m", "tracer": `{result: function(ctx) { if (ctx.value > 0) throw "too rich"; return 7 }, fault: function() {}}`}
	type traced struct {
		TxHash common.Hash
		Result json.RawMessage
		Error  string
	}
	for method, block := range map[string]any{"debug_traceBlockByNumber": "latest", "debug_traceBlockByHash": head} {
		all := servertest.Fetch[[]traced](n, method, block, tracer)
		require.Len(t, all, 2)
		require.Equal(t, traced{TxHash: call, Result: json.RawMessage("7")}, all[0])
		require.Equal(t, pay, all[1].TxHash)
		require.Contains(t, all[1].Error, "too rich")
		require.Nil(t, all[1].Result)
	}
	n.Refuses(api.CodeServer, []string{"too rich"}, "debug_traceTransaction", pay, tracer)
	require.Equal(t, "7", string(servertest.Fetch[json.RawMessage](n, "debug_traceTransaction", call, tracer)))
	raw := servertest.Fetch[hexutil.Bytes](n, "debug_getRawBlock", "latest")
	require.Len(t, servertest.Fetch[[]traced](n, "debug_traceBlock", raw, tracer), 2)
	object, nameless := map[string]any{"to": servertest.Counter}, map[string]any{"tracer": ""}
	for method, params := range map[string][]any{
		"debug_traceTransaction": {pay, nameless}, "debug_traceCall": {object, "latest", nameless}, "debug_traceBlockByNumber": {"latest", nameless},
		"debug_traceBlockByHash": {head, nameless}, "debug_traceBlock": {raw, nameless},
	} {
		n.Refuses(api.CodeServer, []string{"tracer is empty: want a name or JavaScript, or no tracer for the struct logger"}, method, params...)
	}
	for _, timeout := range []string{"soon", "0s", "5m1ns"} {
		words := []string{timeout, "want a duration such as 10s, at most 5m0s"}
		n.Refuses(api.CodeInvalidParams, words, "debug_traceTransaction", pay, map[string]any{"timeout": timeout})
	}
	n.Refuses(api.CodeInvalidParams, []string{"invalid argument 0 (block) of debug_traceBlock: not the RLP of a block"}, "debug_traceBlock", "0x1234")
	n.Refuses(api.CodeNotFound, []string{"block not found"}, "debug_traceBlockByHash", common.Hash{1})
}

// Ensure a transaction of an impersonated contract can be traced: "sender not an eoa" is a rule of the pool.
func TestTraceOfImpersonatedContract(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{})
	n.Do("anvil_setBalance", servertest.Counter, "0xde0b6b3a7640000")
	n.Do("anvil_impersonateAccount", servertest.Counter)
	hash := servertest.Fetch[common.Hash](n, "eth_sendTransaction", map[string]any{"from": servertest.Counter, "to": servertest.Bob.Address, "gas": "0x5208"})
	trace := servertest.Fetch[map[string]any](n, "debug_traceTransaction", hash)
	require.Equal(t, false, trace["failed"])
	require.Equal(t, 21_000.0, trace["gas"])
}
