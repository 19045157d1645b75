package remote_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/remote"
)

// receiptJSON returns the receipt of a transaction, with one log.
func receiptJSON(hash common.Hash) string {
	log := `{"address":"` + common.Address{1}.Hex() + `","topics":[],"data":"0x","transactionHash":"` + hash.Hex() + `"}`
	return `{"status":"0x1","cumulativeGasUsed":"0x1","logsBloom":"0x` + strings.Repeat("00", 256) + `","logs":[` + log +
		`],"transactionHash":"` + hash.Hex() + `","gasUsed":"0x1"}`
}

// Ensure a transaction of a type that is not known here has what the node says of it, and what it leaves out is zero;
// it has no encoding, and its error names it.
func TestTransactionOfUnknownType(t *testing.T) {
	t.Parallel()
	hash, from, to := common.Hash{7}, common.Address{0xaa}, common.Address{0xbb}
	place := `{"hash":"` + hash.Hex() + `","from":"` + from.Hex() + `","transactionIndex":"0x2","blockNumber":"0x4"`
	ask := func(object string) *remote.Transaction {
		t.Helper()
		a := scriptedNode(t, answers{"eth_getTransactionByHash": object, "eth_getTransactionReceipt": receiptJSON(hash)})
		f, err := openFork(t, a, remote.Config{})
		require.NoError(t, err)
		tx, err := f.TransactionByHash(hash)
		require.NoError(t, err)
		return tx
	}
	whole := ask(place + `,"type":"0x55","to":"` + to.Hex() + `","nonce":"0x9","value":"0x5","gas":"0x6","input":"0x0102"}`)
	require.Equal(t, hash, whole.Hash())
	require.Equal(t, from, whole.From)
	require.EqualValues(t, 4, whole.Block)
	require.Equal(t, 2, whole.Index)
	require.EqualValues(t, 0x55, whole.Type())
	require.Equal(t, &to, whole.To())
	require.EqualValues(t, 9, whole.Nonce())
	require.EqualValues(t, 5, whole.Value().Int64())
	require.EqualValues(t, 6, whole.Gas())
	require.Equal(t, []byte{1, 2}, whole.Data())
	require.Equal(t, scripted(4).Time, whole.Receipt.Logs[0].BlockTimestamp)
	for _, bare := range []*remote.Transaction{
		ask(place + `}`), ask(place + `,"type":null,"to":null,"nonce":null,"value":null,"gas":null,"input":null}`),
	} {
		require.Zero(t, bare.Type())
		require.Nil(t, bare.To())
		require.Zero(t, bare.Nonce())
		require.Zero(t, bare.Value().Sign())
		require.Zero(t, bare.Gas())
		require.Empty(t, bare.Data())
		require.Nil(t, bare.Signed())
		require.Nil(t, bare.Deposit())
		const want = "transaction 0x0700000000000000000000000000000000000000000000000000000000000000 " +
			"is of a type of the forked chain that cannot be encoded here"
		_, err := bare.MarshalBinary()
		require.EqualError(t, err, want)
		_, err = bare.EncodeReceipt(bare.Receipt)
		require.EqualError(t, err, want)
	}
	require.Nil(t, ask(strings.Replace(place, `"0x4"`, `"0x6"`, 1)+`}`), "above the fork block")
	require.NotNil(t, ask(strings.Replace(place, `"0x4"`, `"0x5"`, 1)+`}`), "in the fork block")
	require.Nil(t, ask(strings.Replace(place, `"0x4"`, `null`, 1)+`}`), "in no block yet")
}

// Ensure another node answers once a fork is given its URL, that a URL that is none changes nothing, and that a fork
// without a node takes none.
func TestSetURL(t *testing.T) {
	t.Parallel()
	f, err := openFork(t, scriptedNode(t, answers{"eth_getLogs": "[]"}), remote.Config{})
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("chain id 31337 at block 5, %s", scripted(5).Hash()), f.Point().String())
	before := f.Config().URL
	require.EqualError(t, f.SetURL("ftp://host"), "fork: the URL is not one such as https://host/path")
	require.Equal(t, before, f.Config().URL)
	log := `[{"address":"` + common.Address{1}.Hex() + `","topics":[],"data":"0x","blockNumber":"0x4","transactionHash":"` +
		common.Hash{1}.Hex() + `","transactionIndex":"0x0","blockHash":"` + common.Hash{2}.Hex() + `","logIndex":"0x0"}]`
	other := httptest.NewServer(scriptedNode(t, answers{"eth_getLogs": log}))
	t.Cleanup(other.Close)
	require.NoError(t, f.SetURL(other.URL+"/key"))
	require.Equal(t, other.URL+"/key", f.Config().URL)
	require.Equal(t, other.URL, f.URL())
	logs, err := f.Logs(remote.LogQuery{From: 3, To: 4})
	require.NoError(t, err)
	require.Len(t, logs, 1)
	require.Equal(t, scripted(4).Time, logs[0].BlockTimestamp, "an older node leaves it out")

	file, err := remote.Open(t.Context(), remote.Config{CacheFile: cacheFile(t, 1)})
	require.NoError(t, err)
	require.EqualError(t, file.SetURL(other.URL), "the fork is offline")
	require.Empty(t, file.URL())
}

// Ensure the tag of a fork block becomes the number that it stood for, and anything else stays.
func TestPinned(t *testing.T) {
	t.Parallel()
	hash := common.Hash{1}.Hex()
	for block, want := range map[string]string{
		"": "77", "latest": "77", "safe": "77", "finalized": "77", "earliest": "77", "5": "5", "0x5": "0x5", hash: hash, "x": "x",
	} {
		require.Equal(t, want, remote.Config{Block: block}.Pinned(77).Block, block)
	}
}

// Ensure the fork block's number needs no question, a block above it has none, and precompiles are those of eth_config,
// or none where the node does not know it.
func TestQuestionsOfForks(t *testing.T) {
	t.Parallel()
	a := scriptedNode(t, answers{"eth_config": `{"current":{"precompiles":{"SHA256":"0x2","ECREC":"0x1"}}}`})
	f, err := openFork(t, a, remote.Config{})
	require.NoError(t, err)
	requests := f.Requests()
	number, err := f.NumberOf(f.Hash())
	require.NoError(t, err)
	require.Equal(t, uint64(5), *number)
	require.Equal(t, requests, f.Requests())
	a["eth_getBlockByHash"] = headerJSON(t, 6)
	number, err = f.NumberOf(scripted(6).Hash())
	require.NoError(t, err)
	require.Nil(t, number)
	names, err := f.Precompiles()
	require.NoError(t, err)
	require.Equal(t, []string{"ECREC", "SHA256"}, names)
	for _, none := range []string{"-32601:unknown", "null", "7", `{"current":{}}`} {
		f, err := openFork(t, scriptedNode(t, answers{"eth_config": none}), remote.Config{})
		require.NoError(t, err)
		names, err := f.Precompiles()
		require.NoError(t, err, none)
		require.Empty(t, names, none)
	}
}

// Ensure a file whose items are of the wrong form is an error that names the item, for items of every kind.
func TestCacheOfOtherForm(t *testing.T) {
	t.Parallel()
	hash, account, slot := scripted(4).Hash(), common.Address{0xaa}, common.Hash{31: 7}
	path := filepath.Join(t.TempDir(), "fork.jsonl")
	transaction := `{"hash":"` + common.Hash{7}.Hex() + `","from":"` + account.Hex() + `","transactionIndex":"0x0","blockNumber":"0x4"}`
	f, err := openFork(t, scriptedNode(t, answers{
		"eth_getBlockByHash": headerJSON(t, 4), "eth_getLogs": "[]", "eth_getBalance": `"0x1"`, "eth_getTransactionCount": `"0x2"`,
		"eth_getCode": `"0x"`, "eth_getStorageAt": `"` + slot.Hex() + `"`, "eth_getBlockReceipts": "[]",
		"eth_feeHistory":           `{"oldestBlock":"0x4","baseFeePerGas":["0x1","0x2","0x3"],"gasUsedRatio":[0.5,1]}`,
		"eth_getProof":             `{"balance":"0x1","storageProof":[]}`,
		"eth_getTransactionByHash": transaction, "eth_getTransactionReceipt": receiptJSON(common.Hash{7}),
		"eth_getBlockByNumber 0x3": headerJSON(t, 3, "{", `{"size":"0x7","uncles":[],"transactions":[],`), "eth_config": "null",
	}), remote.Config{CacheFile: path})
	require.NoError(t, err)
	kinds := map[string]func(*remote.Fork) error{
		"header 0x4":   func(f *remote.Fork) error { _, err := f.HeaderByNumber(4); return err },
		"blockHash ":   func(f *remote.Fork) error { _, err := f.NumberOf(hash); return err },
		"block 0x3":    func(f *remote.Fork) error { _, err := f.BlockByNumber(3); return err },
		"logs ":        func(f *remote.Fork) error { _, err := f.Logs(remote.LogQuery{From: 3, To: 4}); return err },
		"feeHistory ":  func(f *remote.Fork) error { _, err := f.FeeHistory(2, 5, nil); return err },
		"proof ":       func(f *remote.Fork) error { _, err := f.Proof(4, account, nil); return err },
		"account ":     func(f *remote.Fork) error { _, err := f.At(4).Account(account); return err },
		"storage ":     func(f *remote.Fork) error { _, err := f.At(4).Slot(account, slot); return err },
		"transaction ": func(f *remote.Fork) error { _, err := f.TransactionByHash(common.Hash{7}); return err },
		"precompiles":  func(f *remote.Fork) error { _, err := f.Precompiles(); return err },
	}
	for kind, ask := range kinds {
		require.NoError(t, ask(f), kind)
	}
	require.NoError(t, f.Save())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for kind, ask := range kinds {
		line := regexp.MustCompile(`(\{"key":"` + kind + `[^"]*(?:\\.[^"]*)*","value":).*\}`)
		require.Regexp(t, line, string(text), kind)
		other := filepath.Join(t.TempDir(), "other.jsonl")
		require.NoError(t, os.WriteFile(other, line.ReplaceAll(text, []byte(`${1}"x"}`)), 0o600))
		f, err := remote.Open(t.Context(), remote.Config{CacheFile: other})
		require.NoError(t, err, kind)
		require.Error(t, ask(f), kind)
		same, err := remote.Open(t.Context(), remote.Config{CacheFile: path})
		require.NoError(t, err)
		require.NoError(t, ask(same), kind)
		require.Empty(t, same.Misses())
	}
}
