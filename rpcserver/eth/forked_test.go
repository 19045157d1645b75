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

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
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

// Ensure a fork whose remote node is gone says so in each answer that needs data from there, and neither answers null,
// as for what there is not, nor with what is empty.
func TestForkCutOff(t *testing.T) {
	t.Parallel()
	under := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	under.Logs(1, "0xa", "0xb", 1)
	under.Seal(2)
	n, below := forkOf(t, under, false, api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfMegaETH}})
	filter := servertest.Fetch[string](n, "eth_newFilter", map[string]any{"fromBlock": "0x0"})
	below.Close()
	account, unknown := servertest.Bob.Address, common.Hash{9}
	call := map[string]any{"from": account, "to": servertest.Counter}
	raw := hexutil.Encode(servertest.Raw(t, servertest.Signed(t, servertest.Bob, 9)))
	for method, ways := range map[string][][]any{
		"eth_getBalance":                             {{account}, {account, "0x1"}},
		"eth_getTransactionCount":                    {{account}, {account, "pending"}},
		"eth_getStorageAt":                           {{account, "0x0"}},
		"eth_getStorageValues":                       {{map[common.Address]any{account: []common.Hash{{}}}}},
		"eth_getProof":                               {{account, []string{"0x0"}, "0x1"}},
		"eth_getAccount":                             {{account, "latest"}},
		"eth_getAccountInfo":                         {{account, "latest"}},
		"eth_getCode":                                {{account}},
		"eth_getHeaderByNumber":                      {{"0x1"}},
		"eth_getBlockByNumber":                       {{"0x1", false}},
		"eth_getBlockReceipts":                       {{"0x1"}},
		"eth_getUncleCountByBlockNumber":             {{"0x1"}},
		"eth_getUncleByBlockNumberAndIndex":          {{"0x1", "0x0"}},
		"eth_getTransactionByBlockNumberAndIndex":    {{"0x1", "0x0"}},
		"eth_getRawTransactionByBlockNumberAndIndex": {{"0x1", "0x0"}},
		"eth_getTransactionByHash":                   {{unknown}},
		"eth_getRawTransactionByHash":                {{unknown}},
		"eth_getTransactionReceipt":                  {{unknown}},
		"base_transactionStatus":                     {{unknown}},
		"eth_getTransactionBySenderAndNonce":         {{account, "0x0"}},
		"debug_getRawTransaction":                    {{unknown}},
		"debug_getRawBlock":                          {{"0x1"}},
		"debug_getRawHeader":                         {{"0x1"}},
		"debug_getRawReceipts":                       {{"0x1"}},
		"debug_getRawBlockAccessList":                {{"0x1"}},
		"eth_getBlockAccessList":                     {{"0x1"}},
		"eth_feeHistory":                             {{2, "0x2", []int{50}}},
		"eth_call":                                   {{call}},
		"eth_estimateGas":                            {{call}},
		"eth_createAccessList":                       {{call}},
		"eth_simulateV1":                             {{map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{call}}}}, "latest"}},
		"eth_getLogs":                                {{map[string]any{"fromBlock": "0x0"}}},
		"eth_getLogsWithCursor":                      {{map[string]any{"fromBlock": "0x0"}}},
		"eth_getFilterLogs":                          {{filter}},
		"eth_sendTransaction":                        {{call}},
		"eth_fillTransaction":                        {{call}},
		"eth_signTransaction":                        {{call}},
		"eth_sendRawTransaction":                     {{raw}},
		"eth_sendRawTransactionSync":                 {{raw}},
		"eth_config":                                 {{}},
		"admin_nodeInfo":                             {{}},
		"eth_callAfter":                              {{call, map[string]any{"account": account, "nonce": 1}}},
	} {
		for _, params := range ways {
			result, failure := n.Try(method, params...)
			require.NotNil(t, failure, "%s%v answered %s", method, params, result)
			require.Contains(t, failure.Message, "cannot be reached", "%s%v", method, params)
		}
	}
}
