package rpcserver_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/rpcserver"
)

// startedFork returns the settings of a fork of a node whose file holds only the answers needed to start it.
func startedFork(t *testing.T, under *fakenode.Node) fakenode.Config {
	t.Helper()
	config := fakenode.Config{Mnemonic: ownKeys, Fork: &fakenode.Fork{
		URL: under.URL(), CacheFile: filepath.Join(t.TempDir(), "fork.jsonl"), Logger: slog.New(slog.DiscardHandler),
	}}
	online, err := fakenode.New(config)
	require.NoError(t, err)
	require.NoError(t, online.Close())
	return config
}

// offlineFork runs startedFork without the network.
func offlineFork(t *testing.T, under *fakenode.Node) *fakenode.Node {
	t.Helper()
	config := startedFork(t, under)
	config.Fork.Offline = true
	return fakenode.RunConfigT(t, config)
}

// Ensure a fork without the network either answers like the chain under it or, if the answer is missing, with the fork
// cache's error, in every method.
func TestForkOfflineNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	under := rollupChain(t)
	fork := offlineFork(t, under)
	asked := subjectOf(t, under)
	missing := make(map[string]bool)
	for _, method := range rpcserver.ReadMethods() {
		if questions[method] == nil || otherwise["op "+method] != "" {
			continue
		}
		for _, parameters := range questions[method](asked) {
			got := answerOf(fork, method, parameters)
			if strings.HasPrefix(got, "error -32000: not in the fork cache: ") {
				missing[method] = true
				continue
			}
			require.Equal(t, answerOf(under, method, parameters), got, "%s %v", method, parameters)
		}
	}
	for _, method := range []string{"ots_getContractCreator", "ots_searchTransactionsBefore", "trace_filter", "eth_getUncleCountByBlockNumber"} {
		require.True(t, missing[method], method)
	}
	require.NotEmpty(t, fork.Fork().Misses())
}

// Ensure a command that needs an account of a chain under a fork that does not answer returns an error with that reason
// and changes nothing.
func TestForkOfflineCommands(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	fork := offlineFork(t, under)
	unknown, other := common.Address{0xaa}, common.Address{0xbb}
	stranger, err := crypto.GenerateKey()
	require.NoError(t, err)
	raw, err := types.MustSignNewTx(stranger, fork.Moment().Signer(), &types.LegacyTx{To: &other, Gas: 21_000, GasPrice: big.NewInt(params.GWei)}).MarshalBinary()
	require.NoError(t, err)
	picture := func() string {
		return answerOf(fork, "fakenode_info", nil) + answerOf(fork, "txpool_content", nil) + answerOf(fork, "eth_getBlockByNumber", []any{"pending", true})
	}
	before := picture()
	for method, parameters := range map[string][]any{
		"anvil_setBalance": {unknown, "0x1"}, "anvil_addBalance": {unknown, "0x1"}, "anvil_setCode": {unknown, "0x00"}, "anvil_setNonce": {unknown, "0x5"},
		"anvil_setStorageAt": {unknown, "0x0", common.Hash{31: 1}}, "anvil_dealERC20": {other, unknown, "0x5"},
		"anvil_setERC20Allowance": {other, other, unknown, "0x5"}, "eth_sendRawTransaction": {hexutil.Bytes(raw)},
		"eth_sendUnsignedTransaction": {map[string]any{"from": unknown, "to": other}}, "eth_estimateGas": {map[string]any{"from": unknown, "to": other}},
		"eth_call": {map[string]any{"from": unknown, "to": other}}, "eth_createAccessList": {map[string]any{"from": unknown, "to": other}},
		"debug_traceCall":         {map[string]any{"from": unknown, "to": other}, "latest"},
		"trace_call":              {map[string]any{"from": unknown, "to": other}, []string{"trace"}},
		"eth_simulateV1":          {map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{map[string]any{"from": unknown, "to": other}}}}}, "latest"},
		"anvil_loadState":         {hexutil.Bytes(`{"accounts":{"` + unknown.Hex() + `":{"balance":"0x1"}}}`)},
		"eth_getTransactionCount": {unknown, "pending"}, "eth_getProof": {unknown, []string{}, "latest"},
	} {
		require.Contains(t, answerOf(fork, method, parameters), "error -32000: not in the fork cache: ", method)
		require.Equal(t, before, picture(), method)
	}
}

// Ensure anvil_setRpcUrl sends further requests to another node of the chain, and is rejected if the fork sends none.
func TestForkAsksAnotherNode(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	fork := fakenode.RunConfigT(t, fakenode.Config{Mnemonic: ownKeys, Fork: &fakenode.Fork{
		URL: under.URL(), Logger: slog.New(slog.DiscardHandler),
	}})
	other := under.CloneT(t)
	client := fork.Client().Client()
	require.NoError(t, client.Call(nil, "anvil_setRpcUrl", other.URL()))
	before := len(under.Calls(""))
	require.NoError(t, client.Call(nil, "eth_getCode", "0x00000000000000000000000000000000000000dd", "latest"))
	require.NotEmpty(t, other.Calls(""))
	require.Len(t, under.Calls(""), before)
	require.Equal(t, other.URL(), fork.Fork().URL())

	require.ErrorContains(t, client.Call(nil, "anvil_setRpcUrl", "file:///etc"), "the URL is not one such as")
	require.ErrorContains(t, under.Client().Client().Call(nil, "anvil_setRpcUrl", other.URL()), "not a fork")
}

// Ensure searches below the fork block end after a number of blocks that the error names, and that a page of the fork's
// own transactions does not search there.
func TestForkSearchesAreBounded(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	require.NoError(t, under.Client().Client().Call(nil, "fakenode_seal", 300))
	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: under.URL()}})
	account := common.Address{0xaa}
	const bound = "searches at most 256 blocks at or below the fork block"
	for method, parameters := range map[string][]any{
		"ots_searchTransactionsBefore": {account, 0, 25},
		"ots_searchTransactionsAfter":  {account, 0, 25},
		"trace_filter":                 {map[string]any{}},
	} {
		require.Contains(t, answerOf(fork, method, parameters), bound, method)
		require.NotContains(t, answerOf(under, method, parameters), "error", method)
	}
	require.Equal(t, "[]", answerOf(fork, "trace_filter", []any{map[string]any{"fromBlock": "0x30"}}))

	hash, err := fork.Transact(fork.Account(0), fakenode.Tx{To: &account})
	require.NoError(t, err)
	fork.Seal()
	var page struct {
		Txs                 []struct{ Hash common.Hash }
		FirstPage, LastPage bool
	}
	require.NoError(t, json.Unmarshal([]byte(answerOf(fork, "ots_searchTransactionsBefore", []any{account, 0, 25})), &page))
	require.Len(t, page.Txs, 1)
	require.Equal(t, hash, page.Txs[0].Hash)
	require.True(t, page.FirstPage)
	require.False(t, page.LastPage)
	require.Contains(t, answerOf(fork, "ots_searchTransactionsBefore", []any{account, 301, 25}), bound)
}

// Ensure a fork does not mix two chains: after a reorg below the fork block, a request for data not read before is an
// error that names both hashes.
func TestForkOfReorganizedChain(t *testing.T) {
	t.Parallel()
	under := osakaChain(t)
	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: under.URL()}, Mnemonic: ownKeys})
	known := answerOf(fork, "eth_getBlockByNumber", []any{"0x2", true})
	asked := subjectOf(t, under)
	was := fork.Fork().Hash()
	_, err := under.Reorg(fakenode.ReorgOptions{Depth: 6, Force: true})
	require.NoError(t, err)
	now := under.Moment().Chain().BlockByNumber(fork.Fork().Number()).Hash()
	require.NotEqual(t, was, now)
	for method, parameters := range map[string][]any{
		"eth_getBlockByNumber":      {"0x4", true},
		"eth_getHeaderByNumber":     {"0x3"},
		"eth_getBlockByHash":        {asked.hashes[4], false},
		"eth_getTransactionByHash":  {asked.transactions[4]},
		"eth_getTransactionReceipt": {asked.transactions[4]},
		"eth_getLogs":               {map[string]any{"fromBlock": "0x1"}},
		"eth_feeHistory":            {"0x2", "0x4", []any{}},
		"eth_getProof":              {common.Address{0xaa}, []any{}, "0x3"},
		"trace_block":               {"0x5"},
	} {
		got := answerOf(fork, method, parameters)
		require.Contains(t, got, "reorganized its chain below the fork block: block 9 had hash "+was.Hex()+", and has "+now.Hex()+" now", method)
	}
	require.Equal(t, known, answerOf(fork, "eth_getBlockByNumber", []any{"0x2", true}), "what was asked before stays")
}

// Ensure a block whose hash is not its header's is an error that names both, and that a gas limit from which no base
// fee follows is an error of one line at the start.
func TestForkOfLyingHeaders(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	require.NoError(t, under.Client().Client().Call(nil, "fakenode_seal", 3))
	var alter func(string) string
	liar := liarBefore(t, under, func(answer string) string { return alter(answer) })
	alter = func(answer string) string { return answer }
	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: liar}})
	second := under.Moment().Chain().BlockByNumber(2)
	other := common.Hash{0xbd}
	alter = func(answer string) string {
		return strings.ReplaceAll(answer, `"hash":"`+second.Hash().Hex(), `"hash":"`+other.Hex())
	}
	for method, parameters := range map[string][]any{"eth_getBlockByNumber": {"0x2", false}, "eth_getHeaderByNumber": {"0x2"}} {
		got := answerOf(fork, method, parameters)
		require.Contains(t, got, "answered block 2 with hash "+other.Hex()+", but its header has hash "+second.Hash().Hex(), method)
	}

	alter = func(answer string) string {
		return strings.ReplaceAll(answer, `"gasLimit":"0x3938700"`, `"gasLimit":"0x0"`)
	}
	_, err := fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: liar}})
	require.EqualError(t, err, "fork block 3 has a gas limit of 0, of which no base fee follows")
}

// Ensure a fork rejects answers of a node with proofs that do not fit the state root: the code, balance or nonce of
// another account, and a slot.
func TestForkOfLyingState(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	require.NoError(t, under.Client().Client().Call(nil, "fakenode_seal", 3))
	token := under.Token().Address()
	code, err := under.Client().CodeAt(t.Context(), token, nil)
	require.NoError(t, err)
	for name, lie := range map[string][2]string{
		"code":    {hexutil.Encode(code), hexutil.Encode(append(bytes.Clone(code), 0))},
		"balance": {`"balance":"0x21e19e0c9bab2400000"`, `"balance":"0x21e19e0c9bab2400001"`},
		"nonce":   {`"nonce":"0x0","storageHash":"` + types.EmptyRootHash.Hex(), `"nonce":"0x9","storageHash":"` + types.EmptyRootHash.Hex()},
	} {
		liar := liarBefore(t, under, func(answer string) string { return strings.ReplaceAll(answer, lie[0], lie[1]) })
		_, err := fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: liar}})
		require.ErrorContains(t, err, "does not fit the state root of block 3", name)
	}
	slot := regexp.MustCompile(`"value":"0x[1-9a-f][0-9a-f]*"`)
	liar := liarBefore(t, under, func(answer string) string { return slot.ReplaceAllString(answer, `"value":"0x7777"`) })
	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: liar}})
	holder := fixtures.Dev(0).Address
	_, err = fork.Client().CallContract(t.Context(), ethereum.CallMsg{To: &token, Data: append(hexutil.MustDecode("0x70a08231000000000000000000000000"), holder[:]...)}, nil)
	require.ErrorContains(t, err, "does not fit the state root of the block")
}

// liarBefore returns the URL of a server that alters the answers of a node.
func liarBefore(t *testing.T, under *fakenode.Node, alter func(string) string) string {
	t.Helper()
	liar := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := http.Post(under.URL(), "application/json", r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		_, _ = io.WriteString(w, alter(string(body)))
	}))
	t.Cleanup(liar.Close)
	return liar.URL
}

// Ensure Go code gets the same blocks at and below the fork block as clients.
func TestForkInGo(t *testing.T) {
	t.Parallel()
	under := osakaChain(t)
	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: under.URL()}, Mnemonic: ownKeys})
	below, here := under.Moment(), fork.Moment()
	earliest, err := here.Earliest()
	require.NoError(t, err)
	require.Equal(t, below.Chain().BlockByNumber(0).Hash(), earliest.Hash())
	require.Equal(t, below.Latest().Transactions().Len(), here.Latest().Transactions().Len())
	require.Equal(t, below.Latest().Receipts()[0].GasUsed, here.Latest().Receipts()[0].GasUsed)
	from := fixtures.Dev(3).Address
	for nonce := range uint64(4) {
		want, err := below.FindNonce(from, nonce)
		require.NoError(t, err)
		got, err := here.FindNonce(from, nonce)
		require.NoError(t, err)
		require.Equal(t, want.Transaction.Hash(), got.Transaction.Hash())
		require.Equal(t, want.View.Hash(), got.View.Hash())
		receipt, err := fork.Receipt(t.Context(), want.Transaction.Hash())
		require.NoError(t, err)
		require.Equal(t, want.Receipt.CumulativeGasUsed, receipt.CumulativeGasUsed)
	}
}
