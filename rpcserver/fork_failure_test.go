package rpcserver_test

import (
	"log/slog"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
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
