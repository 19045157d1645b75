package eth_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

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

// Ensure a fork whose remote node is gone says so in each answer that needs data from there, and neither answers null nor
// with what is empty: the methods that questions about the chain under a fork (TestForkStopsHalfway) leave out.
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
