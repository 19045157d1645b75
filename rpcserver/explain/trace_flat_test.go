package explain_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// frame holds the members of an answer of trace_* that the tests look at.
type frame struct {
	Action struct {
		From, To common.Address
		Value    hexutil.Big
		CallType string
	}
	Error  string
	Result *struct {
		Output  hexutil.Bytes
		GasUsed hexutil.Uint64
	}
	TraceAddress        []int
	Type                string
	BlockHash           *common.Hash
	BlockNumber         uint64
	TransactionHash     common.Hash
	TransactionPosition int
}

// deployCaller seals a contract that calls the counter and then sends bob 5 wei.
func deployCaller(n *servertest.Network) common.Address {
	n.Helper()
	code := program.New().Call(nil, servertest.Counter, 0, 0, 0, 0, 32).Call(nil, servertest.Bob.Address, 5, 0, 0, 0, 0).Bytes()
	tx := n.Transact(0, nil, big.NewInt(100), program.New().ReturnViaCodeCopy(code).Bytes())
	n.Seal(1)
	return servertest.Fetch[struct{ ContractAddress common.Address }](n, "eth_getTransactionReceipt", tx.Hash()).ContractAddress
}

func TestTraceModule(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	caller := deployCaller(n)
	pay := n.Pay(1, 2, 7)
	tx := n.Transact(0, &caller, new(big.Int), []byte{1})
	n.Preconfirm()

	pending := servertest.Fetch[[]frame](n, "trace_transaction", tx.Hash())
	require.Len(t, pending, 3)
	require.Nil(t, pending[0].BlockHash, "pre-confirmed")
	n.Seal(1)
	frames := servertest.Fetch[[]frame](n, "trace_transaction", tx.Hash())
	require.Equal(t, n.Timeline.Moment().Latest().Hash(), *frames[0].BlockHash)
	require.Equal(t, uint64(2), frames[0].BlockNumber)
	require.Equal(t, tx.Hash(), frames[2].TransactionHash)
	require.Equal(t, 1, frames[2].TransactionPosition)
	require.Equal(t, servertest.Bob.Address, frames[2].Action.To)
	require.Equal(t, []int{1}, frames[2].TraceAddress)

	block := servertest.Fetch[[]frame](n, "trace_block", "latest")
	require.Len(t, block, 4)
	require.Equal(t, pay.Hash(), block[0].TransactionHash)
	require.Equal(t, frames, block[1:])
	require.Equal(t, frames[2:], servertest.Fetch[[]frame](n, "trace_filter", map[string]any{"toAddress": []any{servertest.Bob.Address}}))
	require.Equal(t, frames[2], servertest.Fetch[frame](n, "trace_get", tx.Hash(), []any{"0x1"}))
	require.Equal(t, frames[0], servertest.Fetch[frame](n, "trace_get", tx.Hash(), []any{}))
	require.Nil(t, servertest.Fetch[*frame](n, "trace_get", tx.Hash(), []any{1, 0}))

	for _, unknown := range []string{"trace_transaction", "trace_block"} {
		require.Nil(t, servertest.Fetch[[]frame](n, unknown, common.Hash{1}), unknown)
	}
	require.Empty(t, servertest.Fetch[[]frame](n, "trace_block", "earliest"))
}

// replayAnswer holds the members of an answer of trace_replay* and trace_call* that the tests look at.
type replayAnswer struct {
	Output          hexutil.Bytes
	StateDiff       map[common.Address]struct{ Balance, Nonce json.RawMessage }
	Trace           []frame
	VMTrace         json.RawMessage
	TransactionHash *common.Hash
}

func TestTraceReplay(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	tx := n.Pay(0, 1, 7)
	n.Seal(1)
	both := []string{"trace", "stateDiff"}
	replay := servertest.Fetch[replayAnswer](n, "trace_replayTransaction", tx.Hash(), both)
	require.Len(t, replay.Trace, 1)
	require.Equal(t, tx.Hash(), *replay.TransactionHash)
	require.JSONEq(t, `{"*":{"from":"0x0","to":"0x1"}}`, string(replay.StateDiff[servertest.Alice.Address].Nonce))
	require.JSONEq(t, `"="`, string(replay.StateDiff[servertest.Bob.Address].Nonce))
	require.Equal(t, []replayAnswer{replay}, servertest.Fetch[[]replayAnswer](n, "trace_replayBlockTransactions", "latest", both))
	plain := servertest.Fetch[replayAnswer](n, "trace_replayTransaction", tx.Hash(), []string{})
	require.Empty(t, plain.Trace)
	require.Nil(t, plain.StateDiff)
	require.Nil(t, servertest.Fetch[*replayAnswer](n, "trace_replayTransaction", common.Hash{1}, both), "no such transaction")

	count := map[string]any{"to": servertest.Counter}
	require.Equal(t, common.HexToHash("0x1").Bytes(), []byte(servertest.Fetch[replayAnswer](n, "trace_call", count, []string{"trace"}).Output))
	many := servertest.Fetch[[]replayAnswer](n, "trace_callMany", []any{[]any{count, []string{}}, []any{count, both}}, "latest")
	require.Equal(t, common.HexToHash("0x2").Bytes(), []byte(many[1].Output), "sees the call before it")
	require.Contains(t, many[1].StateDiff, servertest.Counter)

	raw, err := n.Sign(0, &servertest.Counter, new(big.Int), []byte{1}).MarshalBinary()
	require.NoError(t, err)
	sent := servertest.Fetch[replayAnswer](n, "trace_rawTransaction", hexutil.Bytes(raw), both)
	require.Equal(t, common.HexToHash("0x1").Bytes(), []byte(sent.Output))
	require.Equal(t, servertest.Alice.Address, sent.Trace[0].Action.From)
	require.Contains(t, string(sent.StateDiff[servertest.Alice.Address].Balance), "from", "it pays for its gas")
	m := n.Timeline.Moment()
	require.Zero(t, m.PoolSize(), "nothing was sent")
	listed := servertest.Raw(t, types.MustSignNewTx(servertest.Alice.Key, m.Signer(), &types.AccessListTx{
		ChainID: m.Chain().Config().ChainID, Nonce: 1, GasPrice: big.NewInt(params.GWei), Gas: 100_000, To: &servertest.Counter,
		AccessList: types.AccessList{{Address: servertest.Counter, StorageKeys: []common.Hash{{}}}},
	}))
	warm := servertest.Fetch[replayAnswer](n, "trace_rawTransaction", hexutil.Bytes(listed), both)
	require.EqualValues(t, 2000, sent.Trace[0].Result.GasUsed-warm.Trace[0].Result.GasUsed, "the slot is warm")
	require.Contains(t, string(warm.StateDiff[servertest.Alice.Address].Balance), "from")

	n.Refuses(api.CodeInvalidParams, []string{"vmTrace", "debug_traceTransaction"}, "trace_replayTransaction", tx.Hash(), []string{"vmTrace"})
	n.Refuses(api.CodeInvalidParams, []string{`"all"`}, "trace_call", count, []string{"all"})
	n.Refuses(api.CodeInvalidParams, []string{"argument 0"}, "trace_rawTransaction", "0x1234", both)
	for bits, refusal := range map[uint]string{255: "insufficient funds", 256: "value above 2^256-1"} {
		huge := servertest.Raw(t, types.MustSignNewTx(servertest.Alice.Key, types.HomesteadSigner{}, &types.LegacyTx{
			Value: new(big.Int).Lsh(big.NewInt(1), bits), GasPrice: big.NewInt(params.GWei), Gas: 21_000, To: &servertest.Bob.Address,
		}))
		_, failure := n.Try("trace_rawTransaction", hexutil.Bytes(huge), both)
		require.Contains(t, failure.Message, refusal)
	}
}

// Ensure trace_filter combines senders and recipients as its mode says, and takes the pending block.
func TestTraceFilter(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
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
		{map[string]any{"toBlock": "pending", "after": "0x1", "count": 1}, []int64{2}},
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
	n.Refuses(api.CodeInvalidParams, []string{"form"}, "trace_filter", map[string]any{"form": "0x3"})

	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lateBlock"})
	n.Seal(1)
	n.Pay(0, 1, 4)
	n.Preconfirm()
	late := servertest.Fetch[[]frame](n, "trace_filter", map[string]any{"fromBlock": "latest", "toBlock": "pending"})
	require.Len(t, late, 4, "of the head, the late block and the one on top")
}
