package eth_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// gateway is the way of a fork to its remote node.
type gateway struct {
	*httptest.Server
	open sync.RWMutex
}

// hold keeps back answers until the function that it returns is called.
func (g *gateway) hold() (release func()) {
	g.open.Lock()
	return g.open.Unlock
}

// forkOf returns a network on the head of another's chain, and its way there. Answers to eth_feeHistory come without
// their fees of blobs, as from older nodes, where plain is true.
func forkOf(t *testing.T, under *servertest.Network, plain bool, settings api.Settings) (*servertest.Network, *gateway) {
	t.Helper()
	below := new(gateway)
	below.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		below.open.RLock()
		defer below.open.RUnlock()
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		answer := string(under.Server.Call(r.Context(), world.Main, body))
		if plain && strings.Contains(string(body), "eth_feeHistory") {
			answer = strings.NewReplacer("BlobGas", "Blob", "blobGas", "blob").Replace(answer)
		}
		_, _ = io.WriteString(w, answer) // to nobody where the fork was closed
	}))
	t.Cleanup(below.Close)
	return under.Fork(below.URL, rpcserver.Config{Settings: settings}), below
}

// feeHistory is an answer of eth_feeHistory.
type feeHistory struct {
	OldestBlock                      hexutil.Uint64
	Reward                           [][]hexutil.Uint64
	BaseFeePerGas, BaseFeePerBlobGas []hexutil.Uint64
	GasUsedRatio, BlobGasUsedRatio   []float64
}

// Ensure a fee history goes on from the remote chain's blocks to those above the fork block as if all were of one
// chain, and that the remote chain's fees of blobs are zero where its node has none.
func TestFeeHistoryAcrossForkBlock(t *testing.T) {
	t.Parallel()
	under := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for range 3 {
		under.Pay(1, 2, 7)
		under.Seal(1)
	}
	for _, plain := range []bool{false, true} {
		n, _ := forkOf(t, under, plain, api.Settings{})
		n.Pay(3, 4, 1)
		n.Seal(1)
		history := func(count int, newest string) feeHistory {
			return servertest.Fetch[feeHistory](n, "eth_feeHistory", count, newest, []float64{50})
		}
		below := servertest.Fetch[feeHistory](under, "eth_feeHistory", 3, "0x3", []float64{50})
		if plain {
			below.BaseFeePerBlobGas, below.BlobGasUsedRatio = []hexutil.Uint64{0, 0, 0, 1}, make([]float64, 3)
		}
		require.Equal(t, below, history(3, "0x3"), "the blocks up to the fork block alone")
		require.Equal(t, servertest.Fetch[feeHistory](under, "eth_feeHistory", 1, "0x1").BaseFeePerGas, history(1, "0x1").BaseFeePerGas)
		one := history(1, "0x3")
		require.Equal(t, below.BaseFeePerBlobGas[2:], one.BaseFeePerBlobGas)
		require.Equal(t, below.BlobGasUsedRatio[2:], one.BlobGasUsedRatio)
		above := history(1, "0x4")
		require.Equal(t, feeHistory{
			OldestBlock:       2,
			Reward:            append(below.Reward[1:], above.Reward[0]),
			BaseFeePerGas:     append(below.BaseFeePerGas[1:3], above.BaseFeePerGas...),
			BaseFeePerBlobGas: append(below.BaseFeePerBlobGas[1:3], above.BaseFeePerBlobGas...),
			GasUsedRatio:      append(below.GasUsedRatio[1:], above.GasUsedRatio[0]),
			BlobGasUsedRatio:  append(below.BlobGasUsedRatio[1:], 0),
		}, history(3, "latest"))
	}
}

// Ensure a fork whose remote node is gone says so in each answer that needs data from there, and neither answers null
// nor with what is empty: the methods that questions about the chain under a fork (TestForkStopsHalfway) leave out.
func TestForkCutOff(t *testing.T) {
	t.Parallel()
	under := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	under.Logs(1, "0xa", "0xb", 1)
	under.Seal(2)
	n, below := forkOf(t, under, false, api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfMegaETH}})
	filter := servertest.Fetch[string](n, "eth_newFilter", map[string]any{"fromBlock": "0x0"})
	below.Close()
	account := servertest.Bob.Address
	call := map[string]any{"from": account, "to": servertest.Counter}
	raw := hexutil.Encode(servertest.Raw(t, servertest.Signed(t, servertest.Bob, 9)))
	for method, params := range map[string][]any{
		"eth_getBalance":              {account},
		"eth_getTransactionCount":     {account, "pending"},
		"eth_getLogsWithCursor":       {map[string]any{"fromBlock": "0x0"}},
		"eth_getFilterLogs":           {filter},
		"eth_callAfter":               {call, map[string]any{"account": account, "nonce": 1}},
		"eth_sendTransaction":         {call},
		"eth_fillTransaction":         {call},
		"eth_signTransaction":         {call},
		"eth_sendRawTransaction":      {raw},
		"eth_sendRawTransactionSync":  {raw},
		"debug_getRawBlockAccessList": {"0x1"},
		"eth_getBlockAccessList":      {"0x1"},
	} {
		n.Refuses(api.CodeServer, []string{"cannot be reached"}, method, params...)
	}
}

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

// Ensure parts of parameters that cannot be are refused by their name.
func TestPartsOfParameters(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Filters: filter.Limits{Count: 2}}, rpcserver.Config{})
	both := map[string]any{servertest.Counter.Hex(): map[string]any{"state": map[string]any{}, "stateDiff": map[string]any{}}}
	call := map[string]any{"to": servertest.Counter}
	n.Refuses(api.CodeServer, []string{"stateDiff"}, "eth_call", call, "latest", both)
	n.Refuses(api.CodeInvalidParams, []string{"stateDiff"}, "eth_simulateV1",
		map[string]any{"blockStateCalls": []any{map[string]any{"stateOverrides": both}}}, "latest")
	for _, topics := range []any{[]any{"0x12"}, []any{[]any{"0x12"}}, []any{7}, "0x12"} {
		n.Refuses(api.CodeInvalidParams, []string{"filter"}, "eth_getLogs", map[string]any{"topics": topics})
	}
	first := servertest.Fetch[hexutil.Uint64](n, "eth_newBlockFilter")
	n.Do("eth_newPendingTransactionFilter")
	for _, method := range []string{"eth_newBlockFilter", "eth_newPendingTransactionFilter"} {
		n.Refuses(api.CodeServer, []string{"2"}, method)
	}
	n.Refuses(api.CodeServer, []string{"2"}, "eth_newFilter", map[string]any{})
	require.True(t, servertest.Fetch[bool](n, "eth_uninstallFilter", first))
	require.False(t, servertest.Fetch[bool](n, "eth_uninstallFilter", first))
	n.Refuses(api.CodeServer, []string{"filter not found: " + first.String()}, "eth_getFilterChanges", first)
	n.Refuses(api.CodeServer, []string{"0x2"}, "eth_getFilterLogs", "0x2") // a filter of transactions has none
	n.Do("eth_newFilter", map[string]any{})
}

// Ensure realtime_sendRawTransaction answers with the receipt of a transaction that is pre-confirmed already, and with
// an error where it cannot be sent.
func TestRealtimeSending(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfMegaETH}}})
	raw := hexutil.Bytes(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 0)))
	receipt := servertest.Fetch[struct{ TransactionHash common.Hash }](n, "realtime_sendRawTransaction", raw, 1000)
	require.Equal(t, servertest.Signed(t, servertest.Alice, 0).Hash(), receipt.TransactionHash)
	n.Refuses(api.CodeServer, []string{"nonce too low"}, "realtime_sendRawTransaction", raw)
	require.EqualValues(t, 1, n.Timeline.Moment().Latest().Number())
}
