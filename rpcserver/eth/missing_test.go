package eth_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// stateMethods are the methods that read the state after a block, without the block, which is their last parameter.
func stateMethods(account common.Address) map[string][]any {
	call := map[string]any{"to": account}
	return map[string][]any{
		"eth_getBalance": {account}, "eth_getCode": {account}, "eth_getTransactionCount": {account}, "eth_getStorageAt": {account, "0x0"},
		"eth_getProof": {account, []string{"0x0"}}, "eth_getAccount": {account}, "eth_getAccountInfo": {account},
		"eth_call": {call}, "eth_estimateGas": {call}, "eth_createAccessList": {call},
		"eth_simulateV1": {map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{call}}}}},
	}
}

// Ensure every method that reads a state says that there is no such block, or that its state is no longer kept.
func TestStatesThatAreNotThere(t *testing.T) {
	t.Parallel()
	pruning, err := chain.New(servertest.Genesis(), chain.Options{History: 4})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: pruning}, rpcserver.Config{})
	n.Seal(10)
	for method, params := range stateMethods(servertest.Counter) {
		n.Refuses(api.CodeNotFound, []string{"block not found: 0xb"}, method, append(params, "0xb")...)
		n.Refuses(api.CodeServer, []string{"pruned"}, method, append(params, "0x1")...)
		for _, tag := range []string{"latest", "pending", "0x9"} {
			n.Do(method, append(params, tag)...)
		}
	}
}

// Ensure every method that reads a state says that the chain below a fork does not answer, and those that read blocks
// below it, too.
func TestStatesOfSilentChain(t *testing.T) {
	t.Parallel()
	under := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	under.Pay(1, 2, 7)
	under.Seal(3)
	n := under.Fork(under.Server.URL(), rpcserver.Config{})
	below := servertest.Fetch[map[string]any](under, "eth_feeHistory", 1, "0x1", []int{50})
	require.Equal(t, below, servertest.Fetch[map[string]any](n, "eth_feeHistory", 1, "0x1", []int{50}))
	require.NoError(t, under.Server.Close())
	methods := stateMethods(common.Address{7})
	for method, params := range methods {
		methods[method] = append(params, "latest")
	}
	methods["eth_getBlockByNumber"], methods["eth_getBlockReceipts"] = []any{"0x2", false}, []any{"0x2"}
	methods["eth_getTransactionByHash"], methods["eth_getTransactionReceipt"] = []any{common.Hash{9}}, []any{common.Hash{9}}
	methods["eth_feeHistory"] = []any{2, "0x3", []int{50}}
	for method, params := range methods {
		_, failure := n.Try(method, params...)
		require.NotNil(t, failure, method)
		require.Truef(t, strings.Contains(failure.Message, "fork") || strings.Contains(failure.Message, "refused"), "%s: %s", method, failure.Message)
	}
}

// Ensure parts of parameters that cannot be are refused by their name.
func TestPartsOfParameters(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{MaxFilters: 2}, rpcserver.Config{})
	both := map[string]any{servertest.Counter.Hex(): map[string]any{"state": map[string]any{}, "stateDiff": map[string]any{}}}
	call := map[string]any{"to": servertest.Counter}
	n.Refuses(api.CodeServer, []string{"stateDiff"}, "eth_call", call, "latest", both)
	n.Refuses(api.CodeInvalidParams, []string{"stateDiff"}, "eth_simulateV1",
		map[string]any{"blockStateCalls": []any{map[string]any{"stateOverrides": both}}}, "latest")
	for _, topics := range []any{[]any{"0x12"}, []any{[]any{"0x12"}}, []any{7}, "0x12"} {
		n.Refuses(api.CodeInvalidParams, []string{"filter"}, "eth_getLogs", map[string]any{"topics": topics})
	}
	n.Logs(0, "0xa", "0xb", 3)
	n.Seal(1)
	a, b, other := common.HexToHash("0xa"), common.HexToHash("0xb"), common.HexToHash("0xc")
	for _, c := range []struct {
		topics []any
		found  int
	}{
		{nil, 3}, {[]any{}, 3}, {[]any{nil}, 3}, {[]any{[]any{}}, 3}, {[]any{a}, 3}, {[]any{b}, 0}, {[]any{nil, b}, 3}, {[]any{[]any{other, a}}, 3},
		{[]any{[]any{other, nil}}, 3}, {[]any{[]any{nil, other}, b}, 3}, {[]any{[]any{other}}, 0}, {[]any{a, b, nil}, 0}, {[]any{a, []any{nil, other}}, 3},
	} {
		require.Len(t, servertest.Fetch[[]any](n, "eth_getLogs", map[string]any{"fromBlock": "0x0", "topics": c.topics}), c.found, "%v", c.topics)
	}
	first := servertest.Fetch[hexutil.Uint64](n, "eth_newBlockFilter")
	n.Do("eth_newPendingTransactionFilter")
	for _, method := range []string{"eth_newBlockFilter", "eth_newPendingTransactionFilter"} {
		n.Refuses(api.CodeServer, []string{"2"}, method)
	}
	n.Refuses(api.CodeServer, []string{"2"}, "eth_newFilter", map[string]any{})
	require.True(t, servertest.Fetch[bool](n, "eth_uninstallFilter", first))
	require.False(t, servertest.Fetch[bool](n, "eth_uninstallFilter", first))
	n.Do("eth_newFilter", map[string]any{})
}

// Ensure a filter of pooled transactions is silent where the pool is private, and has them elsewhere, as hashes or in
// full.
func TestFiltersOfPrivatePool(t *testing.T) {
	t.Parallel()
	for _, way := range api.Preconfs() {
		n := realtimeNetwork(t, way, api.Limits{})
		hashes := servertest.Fetch[string](n, "eth_newPendingTransactionFilter")
		full := servertest.Fetch[string](n, "eth_newPendingTransactionFilter", true)
		blocks := servertest.Fetch[string](n, "eth_newBlockFilter")
		tx := n.Pay(0, 1, 1)
		private := way == api.PreconfPending
		is, objects := servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", hashes), servertest.Fetch[[]any](n, "eth_getFilterChanges", full)
		if private {
			require.Equal(t, []common.Hash{}, is, way)
			require.Empty(t, objects, way)
		} else {
			require.Equal(t, []common.Hash{tx.Hash()}, is, way)
			require.Len(t, objects, 1, way)
		}
		require.Equal(t, n.Seal(1), servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", blocks), way)
	}
}

// Ensure realtime_sendRawTransaction answers with the receipt of a transaction that is pre-confirmed already, and with
// an error where it cannot be sent.
func TestRealtimeSending(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Settings: api.Settings{Preconf: api.PreconfMegaETH}})
	raw := hexutil.Bytes(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 0)))
	receipt := servertest.Fetch[struct{ TransactionHash common.Hash }](n, "realtime_sendRawTransaction", raw, 1000)
	require.Equal(t, servertest.Signed(t, servertest.Alice, 0).Hash(), receipt.TransactionHash)
	n.Refuses(api.CodeServer, []string{"nonce too low"}, "realtime_sendRawTransaction", raw)
	require.EqualValues(t, 1, n.Timeline.Moment().Latest().Number())
}

// Ensure the rewards in a history of fees are those of transactions that pay: a deposit has none.
func TestRewardsBesideDeposits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Chain: servertest.DenimChain(t)}, rpcserver.Config{})
	n.Seal(1)
	n.Pay(0, 1, 1)
	n.Seal(1)
	require.Greater(t, n.Timeline.Moment().Latest().Count(), 1)
	history := servertest.Fetch[struct{ Reward [][]hexutil.Uint64 }](n, "eth_feeHistory", 2, "latest", []int{0, 1, 50, 100})
	const tip = 1_000_000_000
	require.Equal(t, [][]hexutil.Uint64{{0, 0, 0, 0}, {tip, tip, tip, tip}}, history.Reward)
}

// Ensure logs that are taken back before their block is sealed come again as removed, to who watches pending logs, and
// none of the other addresses; and that a subscription ends once.
func TestPendingLogsTakenBack(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	ask := func(text string) string { return servertest.Ask(t, s.Conn, text) }
	id := `"0x1"`
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":`+id+`}`, ask(`{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["pendingLogs",{"address":"`+servertest.Logger.Hex()+`"}]}`))
	n.Logs(0, "0xa", "0xb", 2)
	n.Transact(1, &servertest.Counter, new(big.Int), []byte{1})
	n.Preconfirm()
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "drop", "retract": true, "transactions": "gone"})
	var removed []bool
	for range 4 {
		var told struct {
			Params struct {
				Result struct {
					Address common.Address
					Removed bool
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(servertest.Receive(t, s.Conn)), &told))
		require.Equal(t, servertest.Logger, told.Params.Result.Address)
		removed = append(removed, told.Params.Result.Removed)
	}
	require.Equal(t, []bool{false, false, true, true}, removed)
	require.Equal(t, `{"jsonrpc":"2.0","id":2,"result":true}`, ask(`{"jsonrpc":"2.0","id":2,"method":"eth_unsubscribe","params":[`+id+`]}`))
	require.NotContains(t, ask(`{"jsonrpc":"2.0","id":3,"method":"eth_unsubscribe","params":[`+id+`]}`), `"result":true`)
}

// Ensure a simulation names its block, and typed data in a string is one value of JSON with the members of typed data.
func TestParametersThatMustBeWhole(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Refuses(api.CodeInvalidParams, []string{"missing argument 1 (block) of eth_simulateV1: want ", `"pending" for pre-confirmed state`},
		"eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{}}})
	const whole = `{"types":{"EIP712Domain":[]},"primaryType":"EIP712Domain","domain":{},"message":{}}`
	sign := func(text string) (any, *jsonrpc.Error) {
		return n.Try("eth_signTypedData_v4", servertest.Alice.Address, text)
	}
	_, failure := sign(" " + whole + " ")
	require.Nil(t, failure)
	for text, want := range map[string]string{
		whole + whole: "not JSON", whole + "]": "not JSON", "": "not JSON", whole[1:]: "not JSON",
		`{"Types":{},` + whole[1:]: "Types", `{"types":{},` + whole[1:]: "types", "7": "want EIP-712 typed data",
	} {
		_, failure := sign(text)
		require.NotNil(t, failure, text)
		require.Equal(t, api.CodeInvalidParams, failure.Code, text)
		require.Contains(t, failure.Message, want, text)
	}
}
