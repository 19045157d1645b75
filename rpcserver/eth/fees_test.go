package eth_test

import (
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure the fees of blobs in a history are those of each block's header and of the block after the last, that the
// ratio is of the block's most blobs, and that eth_blobBaseFee is the head's.
func TestBlobFees(t *testing.T) {
	t.Parallel()
	genesis := *servertest.Genesis()
	genesis.ExcessBlobGas, genesis.BlobGasUsed = new(uint64(150_000_000)), new(uint64(3<<17))
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: c}, rpcserver.Config{})
	n.Seal(2)
	m := n.Timeline.Moment()
	want := []hexutil.Uint64{}
	for number := range uint64(3) {
		v, err := m.ByNumber(number)
		require.NoError(t, err)
		want = append(want, hexutil.Uint64(eip4844.CalcBlobFee(m.Chain().Config(), v.Header()).Uint64()))
	}
	want = append(want, hexutil.Uint64(eip4844.CalcBlobFee(m.Chain().Config(), m.NextHeader()).Uint64()))
	require.Greater(t, want[0], want[1], "the fee falls from block to block")
	require.Greater(t, want[2], want[3])
	all := servertest.Fetch[feeHistory](n, "eth_feeHistory", 3, "latest")
	require.Equal(t, want, all.BaseFeePerBlobGas)
	most := eip4844.MaxBlobGasPerBlock(m.Chain().Config(), genesis.Timestamp)
	require.Equal(t, []float64{float64(3<<17) / float64(most), 0, 0}, all.BlobGasUsedRatio)
	require.Equal(t, want[1:3], servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "0x1").BaseFeePerBlobGas)
	require.Equal(t, want[2], servertest.Fetch[hexutil.Uint64](n, "eth_blobBaseFee"))
	require.Equal(t, want[2:], servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "latest").BaseFeePerBlobGas)
}

// Ensure there is a base fee from the block before London on, and a history has zeros before, and for fees of blobs.
func TestFeeHistoryBeforeLondon(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("berlin", servertest.ChainID)
	require.NoError(t, err)
	config.LondonBlock = big.NewInt(3)
	genesis := *servertest.Genesis()
	genesis.Config, genesis.BaseFee, genesis.Difficulty = config, nil, big.NewInt(1)
	c, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: c, NoPreconf: true}, rpcserver.Config{})
	n.Seal(1)
	require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, "eth_blobBaseFee")))
	history := servertest.Fetch[feeHistory](n, "eth_feeHistory", 2, "latest", []float64{50})
	require.Equal(t, feeHistory{
		Reward: [][]hexutil.Uint64{{0}, {0}}, GasUsedRatio: make([]float64, 2), BlobGasUsedRatio: make([]float64, 2),
		BaseFeePerGas: make([]hexutil.Uint64, 3), BaseFeePerBlobGas: make([]hexutil.Uint64, 3),
	}, history)
	require.Nil(t, servertest.Fetch[*string](n, "eth_baseFee"), "block 2 has none")
	require.Equal(t, "0x3b9aca00", servertest.Fetch[string](n, "eth_gasPrice"))
	n.Seal(1)
	history = servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "latest")
	require.Equal(t, []hexutil.Uint64{0, 1e9}, history.BaseFeePerGas, "London is the next block")
	require.Equal(t, "0x3b9aca00", servertest.Fetch[string](n, "eth_baseFee"))
	require.Equal(t, "0x77359400", servertest.Fetch[string](n, "eth_gasPrice"))
	n.Seal(1)
	history = servertest.Fetch[feeHistory](n, "eth_feeHistory", 2, "latest")
	require.Equal(t, []hexutil.Uint64{0, 1e9, 875e6}, history.BaseFeePerGas)
	require.Equal(t, []hexutil.Uint64{0, 1e9}, servertest.Fetch[feeHistory](n, "eth_feeHistory", 1, "0x2").BaseFeePerGas)
}

// Ensure a fee history has one base fee more than blocks, tips by percentiles of gas, and no more than 1,024 blocks and
// 100 percentiles.
func TestFeeHistoryLimits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Pay(0, 1, 1)
	n.Pay(1, 2, 1)
	n.Seal(1)
	type history struct {
		OldestBlock   string
		Reward        [][]string
		BaseFeePerGas []string
		GasUsedRatio  []float64
	}
	is := servertest.Fetch[history](n, "eth_feeHistory", "0x9", "latest", []float64{0, 49.5, 50, 100})
	require.Equal(t, [][]string{{"0x0", "0x0", "0x0", "0x0"}, {"0x3b9aca00", "0x3b9aca00", "0x3b9aca00", "0x3b9aca00"}}, is.Reward)
	require.Equal(t, []float64{0, 42_000.0 / 60_000_000}, is.GasUsedRatio)
	require.Len(t, is.BaseFeePerGas, 3)
	require.JSONEq(t, `{"oldestBlock":"0x0","gasUsedRatio":[]}`, string(servertest.Fetch[json.RawMessage](n, "eth_feeHistory", 0, "0x99", []float64{7, 1})))
	many := make([]float64, 101)
	for i := range many {
		many[i] = float64(i)
	}
	n.Do("eth_feeHistory", 1, "latest", many[1:])
	n.Fails(api.CodeInvalidParams, "eth_feeHistory", 1, "latest", many)
	for _, percentiles := range [][]float64{{-1}, {100.5}, {50, 49}, {50, 50}} {
		n.Fails(api.CodeInvalidParams, "eth_feeHistory", 1, "latest", percentiles)
	}
	n.Refuses(api.CodeNotFound, []string{"0x99"}, "eth_feeHistory", 1, "0x99")
	n.Seal(1030)
	long := servertest.Fetch[history](n, "eth_feeHistory", 2000, "latest")
	require.Len(t, long.GasUsedRatio, 1024)
	require.Len(t, long.BaseFeePerGas, 1025)
	require.Equal(t, hexutil.EncodeUint64(1031+1-1024), long.OldestBlock)
}

// Ensure the methods that tell of fees speak of the block at pending while a block is late, and that a fee history goes
// through it.
func TestFeesWhileABlockIsLate(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	type history struct{ BaseFeePerGas []hexutil.Uint64 }
	check := func() {
		t.Helper()
		block := servertest.Fetch[struct{ BaseFeePerGas hexutil.Uint64 }](n, "eth_getBlockByNumber", "pending", false)
		require.Equal(t, block.BaseFeePerGas, servertest.Fetch[hexutil.Uint64](n, "eth_baseFee"))
		require.Equal(t, block.BaseFeePerGas+1e9, servertest.Fetch[hexutil.Uint64](n, "eth_gasPrice"))
		fees := servertest.Fetch[history](n, "eth_feeHistory", "0x9", "pending").BaseFeePerGas
		require.Equal(t, block.BaseFeePerGas, fees[len(fees)-2])
		next := servertest.Fetch[history](n, "eth_feeHistory", "0x1", "latest").BaseFeePerGas[1]
		require.Contains(t, fees, next)
	}
	n.Seal(1)
	check()
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lateBlock"})
	n.Seal(1)
	check()
	n.Preconfirm()
	check()
	n.Seal(1)
	check()
	// Late twice, as a reorg and a block come.
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lateBlock"})
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lateBlock"})
	n.Do("fakenode_reorg", map[string]any{"depth": 1})
	check()
	for range 4 {
		n.Do("evm_mine")
		check()
	}
}

// Ensure the last value of a fee history is the base fee of the next block where there is one, whatever set it.
func TestFeeHistoryEndsWithTheNextBlock(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Seal(1)
	n.Do("anvil_setNextBlockBaseFeePerGas", "0x1234")
	type history struct{ BaseFeePerGas []hexutil.Uint64 }
	want := servertest.Fetch[history](n, "eth_feeHistory", "0x1", "0x1")
	require.EqualValues(t, 0x1234, want.BaseFeePerGas[1])
	n.Seal(2)
	require.Equal(t, want, servertest.Fetch[history](n, "eth_feeHistory", "0x1", "0x1"))
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
