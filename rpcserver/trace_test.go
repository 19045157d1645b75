package rpcserver

import (
	"encoding/json"
	"log/slog"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
	_ "github.com/fakenode/fakenode/tracers"
)

func TestRawEncodings(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	tx := n.log(0, "0xa", "0xb", 2)
	n.do("fakenode_seal")
	head := n.timeline.Moment().Latest()

	var block types.Block
	require.NoError(t, rlp.DecodeBytes(fetch[hexutil.Bytes](n, "debug_getRawBlock", "latest"), &block))
	require.Equal(t, head.Hash(), block.Hash())
	require.Equal(t, tx.Hash(), block.Transactions()[0].Hash())
	var header types.Header
	require.NoError(t, rlp.DecodeBytes(fetch[hexutil.Bytes](n, "debug_getRawHeader", head.Hash()), &header))
	require.Equal(t, head.Hash(), header.Hash())
	receipts := fetch[[]hexutil.Bytes](n, "debug_getRawReceipts", "0x1")
	require.Len(t, receipts, 1)
	var receipt types.Receipt
	require.NoError(t, receipt.UnmarshalBinary(receipts[0]))
	require.Len(t, receipt.Logs, 2)
	require.Equal(t, "[]", string(fetch[json.RawMessage](n, "debug_getRawReceipts", "0x0")))

	pooled := n.pay(0, 1, 1)
	for _, tx := range []*types.Transaction{tx, pooled} {
		var decoded types.Transaction
		require.NoError(t, decoded.UnmarshalBinary(fetch[hexutil.Bytes](n, "debug_getRawTransaction", tx.Hash())))
		require.Equal(t, tx.Hash(), decoded.Hash())
	}
	require.Equal(t, "0x", fetch[string](n, "debug_getRawTransaction", common.Hash{1}))

	n.refuses(api.CodeNotFound, []string{"0x2"}, "debug_getRawBlock", "0x2")
	n.refuses(api.CodeServer, []string{"pending"}, "debug_getRawHeader", "pending")
	n.refuses(api.CodeInvalidParams, nil, "debug_getRawTransaction", "1000000000000000000000000000000000000000000000000000000000000001")
}

func TestTraces(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	pay, log := n.pay(0, 1, 1), n.log(0, "0xa", "0xb", 1)
	n.do("fakenode_seal")
	head := n.timeline.Moment().Latest()
	type steps struct {
		Gas        uint64
		Failed     bool
		StructLogs []struct{ Op string }
	}
	require.Equal(t, steps{Gas: 21_000, StructLogs: []struct{ Op string }{}}, fetch[steps](n, "debug_traceTransaction", pay.Hash()))
	traced := fetch[steps](n, "debug_traceTransaction", log.Hash(), map[string]any{"timeout": "10s", "disableStack": true})
	require.Equal(t, "STOP", traced.StructLogs[len(traced.StructLogs)-1].Op)

	type entry struct {
		TxHash common.Hash
		Result struct{ From, To, Type string }
	}
	calls := map[string]any{"tracer": "callTracer"}
	byNumber := fetch[[]entry](n, "debug_traceBlockByNumber", "latest", calls)
	require.Len(t, byNumber, 2)
	require.Equal(t, log.Hash(), byNumber[1].TxHash)
	require.Equal(t, "CALL", byNumber[1].Result.Type)
	require.Equal(t, byNumber, fetch[[]entry](n, "debug_traceBlockByHash", head.Hash(), calls))
	raw := fetch[string](n, "debug_getRawBlock", "latest")
	require.Equal(t, byNumber, fetch[[]entry](n, "debug_traceBlock", raw, calls))

	// A call sees the pre-confirmed state, and overrides on top of it.
	created := n.transact(1, nil, new(big.Int), common.FromHex("6001600c60003960016000f300")) // code: STOP
	n.do("fakenode_preconfirm")
	contract := n.timeline.Moment().Pending().Receipts()[0].ContractAddress
	require.NotNil(t, created)
	call := map[string]any{"to": contract}
	require.Len(t, fetch[steps](n, "debug_traceCall", call, "pending").StructLogs, 1)
	require.Empty(t, fetch[steps](n, "debug_traceCall", call, "latest").StructLogs)
	override := map[string]any{"stateOverrides": map[common.Address]any{contract: map[string]any{"code": "0x5a5a00"}}}
	require.Len(t, fetch[steps](n, "debug_traceCall", call, "latest", override).StructLogs, 3)

	// A call in the middle of a block sees the transactions before it.
	n.pay(0, 1, 1)
	n.do("fakenode_seal")
	before := func(index string) map[string]any { return map[string]any{"txIndex": index} }
	require.Empty(t, fetch[steps](n, "debug_traceCall", call, "latest", before("0x0")).StructLogs)
	require.Len(t, fetch[steps](n, "debug_traceCall", call, "latest", before("0x1")).StructLogs, 1)
	n.refuses(api.CodeServer, []string{"index 2", "2 transactions"}, "debug_traceCall", call, "latest", before("0x2"))

	n.refuses(api.CodeServer, []string{"genesis"}, "debug_traceBlockByNumber", "0x0")
	n.refuses(api.CodeNotFound, nil, "debug_traceBlockByHash", common.Hash{1})
	n.refuses(api.CodeInvalidParams, nil, "debug_traceBlockByNumber", "3")
	pooled := n.pay(0, 1, 1).Hash()
	n.refuses(api.CodeServer, []string{pooled.Hex()}, "debug_traceTransaction", pooled)
	n.refuses(api.CodeInvalidParams, []string{"5m1s", "at most 5m0s"}, "debug_traceTransaction", log.Hash(), map[string]any{"timeout": "5m1s"})
	n.do("debug_traceTransaction", log.Hash(), map[string]any{"timeout": "5m"})
	n.refuses(api.CodeServer, []string{"noSuchTracer"}, "debug_traceTransaction", log.Hash(), map[string]any{"tracer": "noSuchTracer"})
	n.refuses(api.CodeServer, []string{"tracer is empty"}, "debug_traceTransaction", log.Hash(), map[string]any{"tracer": ""})
	n.refuses(api.CodeInvalidParams, []string{"RLP"}, "debug_traceBlock", "0x01")
}

// A pre-confirmed transaction is traced behind those before it in the pending block, with what the sealed one
// then gives.
func TestTracesOfPendingBlock(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	require.Equal(t, "[]", string(fetch[json.RawMessage](n, "debug_traceBlockByNumber", "pending")), "nothing pre-confirmed")
	n.send(alice, &counter, nil)
	n.seal(1)
	var hashes []common.Hash
	for i := range byte(2) {
		hashes = append(hashes, n.emit(i, i), n.send(bob, &counter, nil))
		n.preconfirm() // a flashblock each
	}
	type entry struct {
		TxHash common.Hash
		Result struct {
			Output string
			Logs   []struct{ Index string }
		}
	}
	withLogs := map[string]any{"tracer": "callTracer", "tracerConfig": map[string]any{"withLog": true}}
	pending := fetch[[]entry](n, "debug_traceBlockByNumber", "pending", withLogs)
	require.Len(t, pending, 4)
	require.Equal(t, topic(3).Hex(), pending[3].Result.Output)
	require.Equal(t, "0x3", pending[3].Result.Logs[0].Index)
	for i, hash := range hashes {
		require.Equal(t, hash, pending[i].TxHash)
		one := entry{TxHash: hash}
		require.NoError(t, json.Unmarshal(fetch[json.RawMessage](n, "debug_traceTransaction", hash, withLogs), &one.Result))
		require.Equal(t, pending[i], one)
	}
	n.seal(1)
	require.Equal(t, pending, fetch[[]entry](n, "debug_traceBlockByNumber", "latest", withLogs))
}

// Without pre-confirmation the pending block is the latest one.
func TestTracesWithoutPreconfirmation(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{NoPreconf: true}, Config{})
	n.send(alice, &counter, nil)
	n.seal(1)
	latest := fetch[json.RawMessage](n, "debug_traceBlockByNumber", "latest")
	require.JSONEq(t, string(latest), string(fetch[json.RawMessage](n, "debug_traceBlockByNumber", "pending")))
	waiting := n.send(alice, &counter, nil)
	n.refuses(api.CodeServer, []string{waiting.Hex()}, "debug_traceTransaction", waiting)
}

// Ensure a trace of a block ends, without a word in the log, when the client leaves its WebSocket.
func TestTraceOfClientThatLeaves(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{
		Limits: api.Limits{GasCap: 1 << 30}, Log: slog.New(slog.NewTextHandler(failingWriter{t}, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	for i := range 3 {
		n.transact(i, &spinner, new(big.Int), []byte{1})
	}
	n.seal(1)
	s := n.socket()
	// A tracer that runs at each step makes the trace last for seconds.
	slow := map[string]any{"tracer": "{step: function() {for (var i = 0; i < 1e4; i++) {}}, fault: function() {}, result: function() {return 0}}"}
	require.NoError(t, s.ws.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "debug_traceBlockByNumber", "params": []any{"0x1", slow}}))
	require.NoError(t, s.ws.Close())
	calls, err := n.server.WaitForCalls(t.Context(), world.Main, 0, "debug_traceBlockByNumber", 1)
	require.NoError(t, err)
	require.Contains(t, calls[0].Message, "request cancelled")
	require.Less(t, calls[0].Duration, time.Minute, "the whole trace takes longer")
}
