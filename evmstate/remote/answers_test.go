package remote_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/remote"
)

// answers are the results of a node by method, or by method and first parameter. A text that begins with a code and a
// colon is an error; a method without an answer is unknown.
type answers map[string]string

// ServeHTTP answers a call or a batch.
func (a answers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	type call struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	var raw json.RawMessage
	var calls []call
	_ = json.NewDecoder(r.Body).Decode(&raw)
	isBatch := json.Unmarshal(raw, &calls) == nil
	if !isBatch {
		calls = make([]call, 1)
		_ = json.Unmarshal(raw, &calls[0])
	}
	var texts []string
	for _, c := range calls {
		result, known := "", false
		if len(c.Params) > 0 {
			result, known = a[c.Method+" "+strings.Trim(string(c.Params[0]), `"`)]
		}
		if !known {
			if result, known = a[c.Method]; !known {
				result = "-32601:unknown"
			}
		}
		var code int
		var message string
		if n, _ := fmt.Sscanf(result, "%d:%s", &code, &message); n == 2 {
			texts = append(texts, fmt.Sprintf(`{"id":%s,"error":{"code":%d,"message":%q}}`, c.ID, code, message))
		} else {
			texts = append(texts, fmt.Sprintf(`{"id":%s,"result":%s}`, c.ID, result))
		}
	}
	if text := strings.Join(texts, ","); isBatch {
		fmt.Fprintf(w, "[%s]", text)
	} else {
		fmt.Fprint(w, text)
	}
}

// headerJSON returns the header of a block of the scripted chain, with changes of its JSON in pairs.
func headerJSON(t *testing.T, number int64, changes ...string) string {
	t.Helper()
	text, err := json.Marshal(scripted(number))
	require.NoError(t, err)
	return strings.NewReplacer(changes...).Replace(string(text))
}

// scripted returns the header of a block of the scripted chain.
func scripted(number int64) *types.Header {
	return &types.Header{Number: big.NewInt(number), Difficulty: new(big.Int), Time: uint64(1000 + number), UncleHash: types.EmptyUncleHash, GasLimit: 30_000_000}
}

// scriptedNode returns the answers of a node with the blocks 3 to 6, changed by others.
func scriptedNode(t *testing.T, others answers) answers {
	t.Helper()
	a := answers{"eth_chainId": `"0x7a69"`, "eth_getBlockByNumber latest": headerJSON(t, 5), "eth_getBlockByNumber": "null"}
	for number := range int64(4) {
		a[fmt.Sprintf("eth_getBlockByNumber %#x", 3+number)] = headerJSON(t, 3+number)
	}
	for key, value := range others {
		a[key] = value
	}
	return a
}

// openFork forks a node with those answers. NODE in an error stands for the node.
func openFork(t *testing.T, a answers, config remote.Config) (*remote.Fork, error) {
	t.Helper()
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	config.URL, config.Retries, config.Logger = server.URL+"/v3/secret-key", -1, slog.New(slog.DiscardHandler)
	f, err := remote.Open(t.Context(), config)
	if f != nil {
		t.Cleanup(func() { require.NoError(t, f.Save()) })
	}
	return f, err
}

// Ensure the error of a fork that cannot be opened names the field or the answer that is wrong.
func TestOpenErrors(t *testing.T) {
	t.Parallel()
	const node, file = "http://127.0.0.1:1/key", "cache"
	for want, config := range map[string]remote.Config{
		"fork: neither a URL nor a cache file is given":                                                                {},
		"fork: offline without a cache file":                                                                           {URL: node, Offline: true},
		"fork: offline leaves the cache file as it is, so unused items cannot be pruned":                               {URL: node, CacheFile: file, Offline: true, PruneUnused: true},
		"fork: no cache file to prune":                                                                                 {URL: node, PruneUnused: true},
		"fork: timeout -1ns is negative":                                                                               {URL: node, Timeout: -1},
		"fork: -1 requests per second is negative":                                                                     {URL: node, RequestsPerSecond: -1},
		"fork: the URL is not one such as https://host/path":                                                           {URL: node, Fallbacks: []string{"secret"}},
		"fork: header 2 is not of the form \"Name: value\"":                                                            {URL: node, Headers: []string{"a: b", "a b: c"}},
		"fork: header 1 is not of the form \"Name: value\"":                                                            {URL: node, Headers: []string{"secret"}},
		"fork cache " + file + " does not exist, and no URL is given to fill it from":                                  {CacheFile: file, PruneUnused: true},
		"fork cache " + file + " does not exist, and offline nothing can fill it":                                      {URL: node, CacheFile: file, Offline: true},
		"fork block \"x\" is not a number, a block hash or one of latest, safe, finalized, earliest":                   {URL: node, Block: "x"},
		"fork block \"9223372036854775808\" is not a number, a block hash or one of latest, safe, finalized, earliest": {URL: node, Block: "9223372036854775808"},
	} {
		_, err := remote.Open(t.Context(), config)
		require.EqualError(t, err, want)
	}

	hash := common.Hash{1}
	for _, c := range []struct {
		block   string
		answers answers
		want    string
	}{
		{"", nil, ""},
		{"0x3", nil, ""},
		{"4", nil, ""},
		{"", answers{"eth_chainId": `"0x0"`}, `fork: NODE answered a chain id of "0x0"`},
		{"", answers{"eth_chainId": `7`}, `fork: NODE answered a chain id of 7`},
		{"", answers{"eth_chainId": "-32000:down"}, `fork: NODE answered: down (code -32000)`},
		{"", answers{"eth_getBlockByNumber latest": "-32000:down"}, `fork: NODE answered: down (code -32000)`},
		{"safe", nil, "fork: NODE has no block safe"},
		{"7", nil, "fork: NODE has no block 7"},
		{"3", answers{"eth_getBlockByNumber 0x3": headerJSON(t, 4)}, "fork: NODE answered block 4, " + scripted(4).Hash().Hex() + ", for block 3"},
		{hash.Hex(), answers{"eth_getBlockByHash": headerJSON(t, 4)}, "fork: NODE answered block 4, " + scripted(4).Hash().Hex() + ", for block " + hash.Hex()},
		{scripted(4).Hash().Hex(), answers{"eth_getBlockByHash": headerJSON(t, 4)}, ""},
		{"", answers{"eth_getBlockByNumber latest": headerJSON(t, 5, `"hash":`, `"other":`)}, "fork: NODE answered a block that is none: block without a hash"},
		{"", answers{"eth_getBlockByNumber latest": headerJSON(t, 5, `"number":"0x5"`, `"number":"0x10000000000000000"`)}, "fork: NODE answered a block that is none: block number 18446744073709551616 is above 2^64-1"},
		{"", answers{"eth_getBlockByNumber latest": "7"}, "fork: NODE answered a block that is none: json: cannot unmarshal number into Go value of type types.Header json: cannot unmarshal number into Go value of type struct { remote.hashed; Milliseconds *hexutil.Uint64 \"json:\\\"timestampMs\\\"\" }"},
	} {
		f, err := openFork(t, scriptedNode(t, c.answers), remote.Config{Block: c.block})
		requireAnswer(t, c.want, err)
		if err == nil {
			require.Equal(t, uint64(31337), f.ChainID())
			require.Equal(t, scripted(int64(f.Number())).Hash(), f.Hash())
		}
	}
}

// Ensure a node that hangs is an error that says so.
func TestNodeThatHangs(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	_, err := remote.Open(t.Context(), remote.Config{URL: server.URL, Timeout: time.Millisecond, Retries: -1})
	require.ErrorContains(t, err, server.URL+" did not answer in time")
}

// requireAnswer requires an error whose node is called NODE, none for "".
func requireAnswer(t *testing.T, want string, err error) {
	t.Helper()
	if want == "" {
		require.NoError(t, err)
		return
	}
	require.Error(t, err, want)
	text := err.Error()
	if at := strings.Index(text, "http://127.0.0.1:"); at >= 0 {
		address, _, _ := strings.Cut(text[at:], " ")
		text = strings.ReplaceAll(text, address, "NODE")
	}
	require.Equal(t, want, text)
}

// Ensure an answer that is none of the chain's is an error that names the item and the answer, and that the next
// question may have a better one.
func TestBadAnswers(t *testing.T) {
	t.Parallel()
	account, slot := common.Address{0xaa}, common.Hash{31: 7}
	hash := scripted(4).Hash()
	const who = "0xaa00000000000000000000000000000000000000"
	block := headerJSON(t, 4, "{", `{"size":"0x7","uncles":[],"transactions":[],`)
	transaction := `{"hash":"` + hash.Hex() + `","from":"` + who + `","transactionIndex":"0x0","type":"0x55","blockNumber":"0x4"}`
	receipt := `{"status":"0x1","cumulativeGasUsed":"0x1","logsBloom":"0x` + strings.Repeat("00", 256) + `","logs":[],"transactionHash":"` + hash.Hex() + `","gasUsed":"0x1"}`
	header := func(f *remote.Fork) error { _, err := f.HeaderByNumber(4); return err }
	blocks := func(f *remote.Fork) error { _, err := f.BlockByNumber(4); return err }
	logs := func(f *remote.Fork) error { _, err := f.Logs(remote.LogQuery{From: 3, To: 4}); return err }
	fees := func(f *remote.Fork) error { _, err := f.FeeHistory(2, 5, []float64{50}); return err }
	proofs := func(f *remote.Fork) error { _, err := f.Proof(4, account, []common.Hash{slot}); return err }
	accounts := func(f *remote.Fork) error { _, err := f.At(4).Account(account); return err }
	loads := func(f *remote.Fork) error { return f.At(4).Load(account, common.Address{0xbb}) }
	slots := func(f *remote.Fork) error { _, err := f.At(4).Slot(account, slot); return err }
	numbers := func(f *remote.Fork) error { _, err := f.NumberOf(hash); return err }
	transactions := func(f *remote.Fork) error { _, err := f.TransactionByHash(hash); return err }
	accesses := func(f *remote.Fork) error { _, err := f.AccessList(4); return err }
	precompiles := func(f *remote.Fork) error { _, err := f.Precompiles(); return err }
	good := func(more answers) answers {
		a := answers{"eth_getBalance": `"0x1"`, "eth_getTransactionCount": `"0x2"`, "eth_getCode": `"0x"`, "eth_getStorageAt": `"0x9"`}
		for key, value := range more {
			a[key] = value
		}
		return a
	}
	for _, c := range []struct {
		asks    func(*remote.Fork) error
		answers answers
		want    string
	}{
		{header, answers{}, ""},
		{header, answers{"eth_getBlockByNumber 0x4": "null"}, "fork: header of block 4: NODE does not have this block"},
		{header, answers{"eth_getBlockByNumber 0x4": headerJSON(t, 3)}, "fork: header of block 4: NODE answered block 3"},
		{header, answers{"eth_getBlockByNumber 0x4": "7:x"}, "fork: header of block 4: NODE answered: x (code 7)"},
		{header, answers{"eth_getBlockByNumber 0x4": headerJSON(t, 4, `"0x3ec"`, `"0x3ed"`)}, "fork: header of block 4: NODE answered block 4 with hash " + hash.Hex() + ", but its header has hash " + changedHash(4).Hex()},
		{header, answers{"eth_getBlockByNumber 0x4": headerJSON(t, 4, `"difficulty":"0x0"`, `"difficulty":"0x1"`)}, ""}, // before the merge others decide
		{header, answers{"eth_getBlockByNumber 0x5": "null"}, "fork: header of block 4: the fork block 5: NODE does not have this block"},
		{header, answers{"eth_getBlockByNumber 0x5": headerJSON(t, 5, `"0x3ed"`, `"0x3ee"`, scripted(5).Hash().Hex(), changedHash(5).Hex())}, "fork: header of block 4: NODE reorganized its chain below the fork block: block 5 had hash " + scripted(5).Hash().Hex() + ", and has " + changedHash(5).Hex() + " now"},

		{blocks, answers{"eth_getBlockByNumber 0x4": block, "eth_getBlockReceipts": "[]"}, ""},
		{blocks, answers{"eth_getBlockByNumber 0x4": block}, ""}, // an older node
		{blocks, answers{"eth_getBlockByNumber 0x4": block, "eth_getBlockReceipts": "[null]"}, "fork: block 4 with receipts: NODE answered nonsense: 1 receipts for 0 transactions"},
		{blocks, answers{"eth_getBlockByNumber 0x4": block, "eth_getBlockReceipts": "7"}, "fork: block 4 with receipts: NODE answered nonsense: json: cannot unmarshal number into Go value of type []json.RawMessage"},
		{blocks, answers{"eth_getBlockByNumber 0x4": "7:x"}, "fork: block 4 with receipts: NODE answered: x (code 7)"},
		{blocks, answers{"eth_getBlockByNumber 0x5": "null", "eth_getBlockByNumber 0x4": block}, "fork: block 4 with receipts: the fork block 5: NODE does not have this block"},
		{blocks, answers{"eth_getBlockByNumber 0x4": headerJSON(t, 3)}, "fork: block 4 with receipts: NODE answered block 3"},
		{blocks, answers{"eth_getBlockByNumber 0x4": strings.Replace(block, `"transactions":[]`, `"transactions":[`+transaction+`]`, 1), "eth_getTransactionReceipt": receipt}, ""},
		{blocks, answers{"eth_getBlockByNumber 0x4": strings.Replace(block, `"transactions":[]`, `"transactions":[null]`, 1), "eth_getBlockReceipts": "[" + receipt + "]"}, "fork: block 4 with receipts: NODE answered nonsense: transaction without hash, from or transactionIndex"},
		{blocks, answers{"eth_getBlockByNumber 0x4": strings.Replace(block, `"transactions":[]`, `"transactions":[`+strings.Replace(transaction, `"0x0"`, `"0x1"`, 1)+`]`, 1), "eth_getBlockReceipts": "[" + receipt + "]"}, "fork: block 4 with receipts: NODE answered nonsense: transaction 0 has index 1"},
		{blocks, answers{"eth_getBlockByNumber 0x4": strings.Replace(block, `"uncles":[]`, `"uncles":["`+hash.Hex()+`"]`, 1), "eth_getBlockReceipts": "[]", "eth_getUncleByBlockNumberAndIndex": "null"}, "fork: uncles of block 4: uncle 0 is not the one with hash " + hash.Hex()},
		{blocks, answers{"eth_getBlockByNumber 0x4": strings.Replace(block, `"uncles":[]`, `"uncles":["`+hash.Hex()+`"]`, 1), "eth_getBlockReceipts": "[]", "eth_getUncleByBlockNumberAndIndex": headerJSON(t, 3)}, "fork: uncles of block 4: uncle 0 is not the one with hash " + hash.Hex()},
		{blocks, answers{"eth_getBlockByNumber 0x4": strings.Replace(block, `"uncles":[]`, `"uncles":["`+hash.Hex()+`"]`, 1), "eth_getBlockReceipts": "[]", "eth_getUncleByBlockNumberAndIndex": headerJSON(t, 4)}, ""},
		{blocks, answers{"eth_getBlockByNumber 0x4": strings.Replace(block, `"uncles":[]`, `"uncles":["`+hash.Hex()+`"]`, 1), "eth_getBlockReceipts": "[]"}, "fork: uncles of block 4: NODE answered: unknown (code -32601)"},

		{logs, answers{"eth_getLogs": "[]"}, ""},
		{logs, answers{"eth_getLogs": "{}"}, "fork: logs of blocks 3 to 4: NODE answered nonsense: json: cannot unmarshal object into Go value of type []*types.Log"},
		{logs, answers{"eth_getLogs": "[null]"}, "fork: logs of blocks 3 to 4: NODE answered nonsense: a log that is null"},

		{fees, answers{"eth_feeHistory": `{"oldestBlock":"0x4","baseFeePerGas":["0x1","0x2","0x3"],"gasUsedRatio":[0.5,1],"reward":[["0x1"],["0x2"]]}`}, ""},
		{fees, answers{"eth_feeHistory": `{"oldestBlock":"0x4","baseFeePerGas":["0x1","0x2","0x3"],"gasUsedRatio":[0.5],"reward":[["0x1"]]}`}, "fork: fee history of 2 blocks up to block 5: NODE answered a fee history of uneven length"},
		{fees, answers{"eth_feeHistory": `{"oldestBlock":"0x4","baseFeePerGas":["0x1","0x2","0x3"],"gasUsedRatio":[0.5,1]}`}, "fork: fee history of 2 blocks up to block 5: NODE answered a fee history of uneven length"},
		{fees, answers{"eth_feeHistory": "7"}, "fork: fee history of 2 blocks up to block 5: NODE answered nonsense: json: cannot unmarshal number into Go value of type remote.FeeHistory"},
		{fees, answers{}, "fork: fee history of 2 blocks up to block 5: NODE answered: unknown (code -32601)"},

		{proofs, answers{"eth_getProof": `{"balance":"0x1","storageProof":[{"key":"0x7","value":"0x1","proof":[]}]}`}, ""},
		{proofs, answers{"eth_getProof": `{"balance":"0x1","storageProof":[]}`}, "fork: proof of account " + who + " at block 4: NODE answered nonsense: a proof that is none"},
		{proofs, answers{"eth_getProof": `{"storageProof":[{"key":"0x7","value":"0x1","proof":[]}]}`}, "fork: proof of account " + who + " at block 4: NODE answered nonsense: a proof that is none"},

		{accounts, good(nil), ""},
		{accounts, good(answers{"eth_getBalance": "null"}), "fork: account " + who + " at block 4: NODE answered nonsense: balance is null"},
		{accounts, good(answers{"eth_getTransactionCount": `"x"`}), "fork: account " + who + " at block 4: NODE answered nonsense: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Uint64"},
		{accounts, good(answers{"eth_getCode": "-32000:gone"}), "fork: account " + who + " at block 4: NODE answered: gone (code -32000)"},
		{loads, good(nil), ""},
		{loads, good(answers{"eth_getBalance": "null"}), "fork: 2 accounts at block 4: NODE answered nonsense: balance is null"},
		{slots, good(answers{"eth_getStorageAt": `"0x` + strings.Repeat("11", 32) + `"`}), ""},
		{slots, good(answers{"eth_getStorageAt": `"0x` + strings.Repeat("11", 33) + `"`}), "fork: storage " + slot.Hex() + " of " + who + ` at block 4: NODE answered nonsense: a storage slot of "0x` + strings.Repeat("11", 33) + `"`},
		{slots, good(answers{"eth_getStorageAt": `7`}), "fork: storage " + slot.Hex() + " of " + who + ` at block 4: NODE answered nonsense: a storage slot of 7`},

		{numbers, answers{"eth_getBlockByHash": headerJSON(t, 4)}, ""},
		{numbers, answers{"eth_getBlockByHash": "null"}, ""},
		{numbers, answers{"eth_getBlockByHash": headerJSON(t, 3)}, "fork: number of block " + hash.Hex() + ": NODE answered block " + scripted(3).Hash().Hex()},
		{numbers, answers{"eth_getBlockByHash": "7"}, "fork: number of block " + hash.Hex() + ": NODE answered nonsense: json: cannot unmarshal number into Go value of type types.Header json: cannot unmarshal number into Go value of type struct { remote.hashed; Milliseconds *hexutil.Uint64 \"json:\\\"timestampMs\\\"\" }"},
		{numbers, answers{"eth_getBlockByHash": headerJSON(t, 4), "eth_getBlockByNumber 0x4": "null"}, "fork: number of block " + hash.Hex() + ": fork: header of block 4: NODE does not have this block"},

		{transactions, answers{"eth_getTransactionByHash": "null", "eth_getTransactionReceipt": "null"}, ""},
		{transactions, answers{"eth_getTransactionByHash": transaction, "eth_getTransactionReceipt": receipt}, ""},
		{transactions, answers{"eth_getTransactionByHash": "7", "eth_getTransactionReceipt": "null"}, "fork: transaction " + hash.Hex() + ": NODE answered nonsense: json: cannot unmarshal number into Go value of type struct { BlockNumber *hexutil.Uint64 }"},
		{transactions, answers{"eth_getTransactionByHash": strings.Replace(transaction, `"from"`, `"by"`, 1), "eth_getTransactionReceipt": receipt}, "fork: transaction " + hash.Hex() + ": NODE answered nonsense: transaction without hash, from or transactionIndex"},
		{transactions, answers{"eth_getTransactionByHash": transaction, "eth_getTransactionReceipt": "7"}, "fork: transaction " + hash.Hex() + ": NODE answered nonsense: receipt of " + hash.Hex() + ": json: cannot unmarshal number into Go value of type types.Receipt"},
		{transactions, answers{"eth_getTransactionByHash": transaction, "eth_getTransactionReceipt": strings.Replace(receipt, `"logs":[]`, `"logs":[null]`, 1)}, "fork: transaction " + hash.Hex() + ": NODE answered nonsense: receipt of " + hash.Hex() + ": a log that is null"},

		{accesses, answers{"eth_getBlockAccessList": "[]"}, "fork: access list of block 4: its header has no hash of one"},
		{accesses, answers{"eth_getBlockAccessList": "7"}, "fork: access list of block 4: NODE answered nonsense: json: cannot unmarshal number into Go value of type []remote.accessAnswer"},
		{accesses, answers{"eth_getBlockAccessList": "-32000:old"}, "fork: access list of block 4: NODE answered: old (code -32000)"},
		{precompiles, answers{"eth_config": "<html>"}, "fork: configuration of the chain: NODE answered no JSON-RPC: invalid character '<' looking for beginning of value"},
	} {
		a := scriptedNode(t, nil)
		f, err := openFork(t, a, remote.Config{})
		require.NoError(t, err)
		for key, value := range c.answers {
			a[key] = value
		}
		requireAnswer(t, c.want, c.asks(f))
	}
}

// changedHash returns the hash of a block of the scripted chain that is a second later.
func changedHash(number int64) common.Hash {
	h := scripted(number)
	h.Time++
	return h.Hash()
}
