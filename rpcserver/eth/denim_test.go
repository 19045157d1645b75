package eth_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// denimNetwork starts a network with the rules of Denim.
func denimNetwork(t *testing.T, settings api.Settings) *servertest.Network {
	t.Helper()
	return servertest.New(t, preconf.Config{Chain: servertest.DenimChain(t), Mode: control.Manual}, rpcserver.Config{Settings: settings})
}

// timed holds the members that objects have with times of blocks.
type timed struct {
	Number, Timestamp, TimestampMs                *hexutil.Uint64
	BlockNumber, BlockTimestamp, BlockTimestampMs *hexutil.Uint64
	Hash, BlockHash                               *common.Hash
	Removed                                       bool
	Logs                                          []timed
	Transactions                                  []timed
}

// at requires the times of a block's header.
func (h timed) at(t *testing.T, ms uint64) {
	t.Helper()
	require.EqualValues(t, ms/1000, *h.Timestamp)
	require.EqualValues(t, ms, *h.TimestampMs)
}

// within requires these times of an object in a block.
func (o timed) within(t *testing.T, ms uint64) {
	t.Helper()
	require.EqualValues(t, ms/1000, *o.BlockTimestamp)
	require.EqualValues(t, ms, *o.BlockTimestampMs)
}

// Ensure blocks have timestampMs, and transactions and logs in them blockTimestampMs, wherever they are reported:
// removed logs keep theirs, and receipts have none at their top level.
func TestMillisecondsOfBlocks(t *testing.T) {
	t.Parallel()
	n := denimNetwork(t, api.Settings{})
	s := n.Socket()
	heads, logs, receipts := s.Subscribe("newHeads"), s.Subscribe("logs", map[string]any{}), s.Subscribe("transactionReceipts")
	filter := servertest.Fetch[string](n, "eth_newFilter", map[string]any{})
	n.Seal(3)
	s.Told("eth_chainId")
	pooled := n.Logs(0, "0xa", "0xb", 1).Hash()
	require.NotContains(t, string(servertest.Fetch[json.RawMessage](n, "eth_getTransactionByHash", pooled)), "imestampMs")
	const ms = servertest.Start*1000 + 800
	told := s.Told("fakenode_seal")
	servertest.Items[timed](t, told, heads)[0].at(t, ms)
	servertest.Items[timed](t, told, logs)[0].within(t, ms)
	news := servertest.Items[[]timed](t, told, receipts)[0]
	require.Len(t, news, 3)
	news[2].Logs[0].within(t, ms)
	require.Nil(t, news[2].BlockTimestampMs)

	block := servertest.Fetch[timed](n, "eth_getBlockByNumber", "latest", true)
	for _, header := range []timed{
		block, servertest.Fetch[timed](n, "eth_getBlockByNumber", "pending", true), servertest.Fetch[timed](n, "eth_getBlockByNumber", "unsafe", true),
		servertest.Fetch[timed](n, "eth_getBlockByHash", block.Hash, true),
		servertest.Fetch[timed](n, "eth_getHeaderByNumber", "latest"), servertest.Fetch[timed](n, "eth_getHeaderByHash", block.Hash),
	} {
		header.at(t, ms)
		require.EqualValues(t, 4, *header.Number)
	}
	for _, tx := range append(block.Transactions,
		servertest.Fetch[timed](n, "eth_getTransactionByHash", pooled),
		servertest.Fetch[timed](n, "eth_getTransactionByBlockHashAndIndex", block.Hash, "0x2"),
		servertest.Fetch[timed](n, "eth_getTransactionByBlockNumberAndIndex", "0x4", "0x1"),
	) {
		tx.within(t, ms)
	}
	receipt := servertest.Fetch[timed](n, "eth_getTransactionReceipt", pooled)
	require.Nil(t, receipt.BlockTimestampMs)
	receipt.Logs[0].within(t, ms)
	servertest.Fetch[[]timed](n, "eth_getBlockReceipts", "latest")[2].Logs[0].within(t, ms)
	for _, found := range [][]timed{
		servertest.Fetch[[]timed](n, "eth_getLogs", map[string]any{"fromBlock": "0x0"}), servertest.Fetch[[]timed](n, "eth_getLogs", map[string]any{"blockHash": block.Hash}),
		servertest.Fetch[[]timed](n, "eth_getFilterChanges", filter), servertest.Fetch[[]timed](n, "eth_getFilterLogs", filter),
	} {
		require.Len(t, found, 1)
		found[0].within(t, ms)
	}

	removed := servertest.Items[timed](t, s.Told("fakenode_reorg", map[string]any{"depth": 1, "transactions": "drop"}), logs)
	require.True(t, removed[0].Removed)
	removed[0].within(t, ms)
	changes := servertest.Fetch[[]timed](n, "eth_getFilterChanges", filter)
	require.True(t, changes[0].Removed)
	changes[0].within(t, ms)
	servertest.Fetch[timed](n, "eth_getBlockByNumber", "0x0", true).at(t, servertest.Start*1000)
}

// Ensure other chains have none of it.
func TestNoMillisecondsBeforeDenim(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	tx := n.Logs(0, "0xa", "0xb", 1).Hash()
	n.Seal(1)
	for method, params := range map[string][]any{
		"eth_getBlockByNumber": {"latest", true}, "eth_getHeaderByNumber": {"latest"}, "eth_getTransactionReceipt": {tx},
		"eth_getTransactionByHash": {tx}, "eth_getLogs": {map[string]any{"fromBlock": "0x0"}},
	} {
		require.NotContains(t, string(servertest.Fetch[json.RawMessage](n, method, params...)), "imestampMs", method)
	}
}

// Ensure that under Denim pending blocks are the latest ones, that subscriptions to flashblocks and the pool are
// silent, and that a transaction is known only once it is in a block.
func TestDenimDoor(t *testing.T) {
	t.Parallel()
	n := denimNetwork(t, api.Settings{})
	s := n.Socket()
	for _, kind := range []string{"newFlashblocks", "newFlashblockTransactions", "pendingLogs", "newPendingTransactions"} {
		s.Subscribe(kind)
	}
	filter := servertest.Fetch[string](n, "eth_newPendingTransactionFilter")
	n.Seal(2)
	tx := n.Logs(0, "0xa", "0xb", 1).Hash()
	for _, method := range []string{"eth_getBlockByNumber", "eth_getHeaderByNumber", "eth_getBlockTransactionCountByNumber", "eth_getBlockReceipts"} {
		params := []any{"latest"}
		if method == "eth_getBlockByNumber" {
			params = append(params, true)
		}
		latest := servertest.Fetch[json.RawMessage](n, method, params...)
		params[0] = "pending"
		require.JSONEq(t, string(latest), string(servertest.Fetch[json.RawMessage](n, method, params...)), method)
	}
	require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, "eth_getTransactionReceipt", tx)))
	require.Equal(t, "Known", servertest.Fetch[map[string]string](n, "base_transactionStatus", tx)["status"])
	require.Equal(t, "0x0", servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(0).Address, "latest"))
	require.Equal(t, "0x1", servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(0).Address, "pending"))
	require.Equal(t, "[]", string(servertest.Fetch[json.RawMessage](n, "eth_getLogs", map[string]any{"fromBlock": "pending"})))
	require.Empty(t, s.Told("fakenode_seal", 2))
	require.Equal(t, "[]", string(servertest.Fetch[json.RawMessage](n, "eth_getFilterChanges", filter)))
	require.Equal(t, "Unknown", servertest.Fetch[map[string]string](n, "base_transactionStatus", tx)["status"])
	require.Equal(t, "0x3", servertest.Fetch[timed](n, "eth_getTransactionReceipt", tx).BlockNumber.String())
}

// Ensure eth_sendRawTransactionSync answers with the receipt of the next block, or is unknown where the network says
// so.
func TestDenimSendSync(t *testing.T) {
	t.Parallel()
	n := denimNetwork(t, api.Settings{})
	waiting := n.Sign(0, &servertest.Logger, common.Big0, servertest.LoggerCall("0x1", "0x2", 1))
	answered, _ := sending(n, n.Eth.Client(), "eth_sendRawTransactionSync", hexutil.Encode(servertest.Raw(t, waiting)))
	n.Seal(1)
	require.EqualValues(t, 1, servertest.Await(t, answered).BlockNumber.Int64())

	without := denimNetwork(t, api.Settings{Behaviour: api.Behaviour{NoSendSync: true}})
	e := without.Fails(-32601, "eth_sendRawTransactionSync", hexutil.Encode(servertest.Raw(t, waiting)))
	require.Equal(t, "method not found", e.Message)
}

// Ensure simulated blocks follow the schedule of the chain: by number, in whole seconds, with equal ones where blocks
// share a second or an override is ahead of the schedule; times that go back are rejected.
func TestDenimSimulation(t *testing.T) {
	t.Parallel()
	n := denimNetwork(t, api.Settings{})
	n.Seal(3) // at 600 ms
	type overrides = map[string]any
	blocks := func(list ...overrides) []any {
		var calls []any
		for _, o := range list {
			calls = append(calls, map[string]any{"blockOverrides": o})
		}
		return []any{map[string]any{"blockStateCalls": calls}}
	}
	seconds := func(list ...overrides) (numbers, times []uint64) {
		t.Helper()
		for _, b := range servertest.Fetch[[]timed](n, "eth_simulateV1", blocks(list...)...) {
			require.Nil(t, b.TimestampMs)
			numbers, times = append(numbers, uint64(*b.Number)), append(times, uint64(*b.Timestamp)-servertest.Start)
		}
		return numbers, times
	}
	numbers, times := seconds(nil, nil, overrides{"number": "0xb"}, nil)
	require.Equal(t, []uint64{4, 5, 11, 12}, numbers)
	require.Equal(t, []uint64{0, 1, 2, 2}, times)
	_, times = seconds(overrides{"time": hexutil.Uint64(servertest.Start + 2)}, nil, overrides{"number": "0xe", "time": hexutil.Uint64(servertest.Start + 2)}, nil, nil)
	require.Equal(t, []uint64{2, 2, 2, 3, 3}, times)
	e := n.Fails(-38021, "eth_simulateV1", blocks(overrides{"time": hexutil.Uint64(servertest.Start - 1)})...)
	require.Contains(t, e.Message, "block timestamps must be in order")
	n.Fails(-38020, "eth_simulateV1", blocks(overrides{"number": "0x3"})...)
	n.Fails(-38026, "eth_simulateV1", blocks(overrides{"number": hexutil.Uint64(3 + 257)})...)
	n.Fails(-32602, "eth_simulateV1", map[string]any{"blockStateCalls": []any{}})
}

// Ensure a simulated call is checked as Base's node checks it: it may come from a contract (EIP-3607 is off) and have
// more gas than a transaction, with validation and without, and prevrandao is 0 unless overridden.
func TestDenimSimulationChecks(t *testing.T) {
	t.Parallel()
	n := denimNetwork(t, api.Settings{})
	const l1Block, reader = "0x4200000000000000000000000000000000000015", "0x00000000000000000000000000000000000000aa"
	for _, validation := range []bool{false, true} {
		simulate := func(overrides map[string]any) (status uint64, data string) {
			t.Helper()
			type call struct {
				Status     hexutil.Uint64
				ReturnData hexutil.Bytes
			}
			answer := servertest.Fetch[[]struct{ Calls []call }](n, "eth_simulateV1", map[string]any{
				"validation": validation,
				"blockStateCalls": []any{map[string]any{
					"blockOverrides": overrides,
					"stateOverrides": map[string]any{
						l1Block: map[string]any{"balance": "0xde0b6b3a7640000"},
						reader:  map[string]any{"code": "0x445f5260205ff3"}, // returns PREVRANDAO
					},
					"calls": []any{map[string]any{
						"from": l1Block, "to": reader, "gas": hexutil.Uint64(params.MaxTxGas + 1), "maxFeePerGas": "0x3b9aca00",
					}},
				}},
			})
			require.Len(t, answer[0].Calls, 1)
			return uint64(answer[0].Calls[0].Status), answer[0].Calls[0].ReturnData.String()
		}
		status, random := simulate(map[string]any{})
		require.EqualValues(t, 1, status)
		require.Equal(t, "0x"+servertest.Padded("0"), random)
		_, random = simulate(map[string]any{"prevRandao": "0x" + servertest.Padded("7")})
		require.Equal(t, "0x"+servertest.Padded("7"), random)
	}
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

	changes := servertest.Fetch[struct {
		Pre, Post map[common.Address]struct{ Storage map[common.Hash]common.Hash }
	}](n, "debug_traceTransaction", deposit, map[string]any{"tracer": "prestateTracer", "tracerConfig": map[string]any{"diffMode": true}})
	require.Equal(t, common.BytesToHash([]byte{400 >> 8, 400 & 0xff}), changes.Pre[optimism.BaseTimeAddress].Storage[common.Hash{}])
	require.Equal(t, common.BytesToHash([]byte{600 >> 8, 600 & 0xff}), changes.Post[optimism.BaseTimeAddress].Storage[common.Hash{}])
}
