package remote_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure an answer that does not fit the proof that comes with it is an error, and is not kept.
func TestForkOfLiar(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	g := newGateway(t, u.url)
	s := runFork(t, fakenode.Fork{URL: g.URL})
	holder := common.Address{0xaa}
	balanceOf := map[string]any{"to": u.token, "data": pack(t, "balanceOf", holder)}
	s.ask(nil, "eth_getCode", u.token, "latest")
	g.mu.Lock()
	g.alter = func(answer string) string {
		return strings.ReplaceAll(answer, `"value":"0x2dc6c0"`, `"value":"0x2dc6c1"`)
	}
	g.mu.Unlock()
	err := s.client.Call(nil, "eth_call", balanceOf, "latest")
	require.ErrorContains(t, err, "the proof of "+g.URL+" does not fit the state root of the block")
	g.mu.Lock()
	g.alter = nil
	g.mu.Unlock()
	var held common.Hash
	s.ask(&held, "eth_call", balanceOf, "latest")
	require.Equal(t, common.Hash(fixtures.USD("3").Bytes32()), held)
}

// Ensure a node without proofs and batches can be forked.
func TestForkOfPlainNode(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	g := newGateway(t, u.url)
	g.mu.Lock()
	g.refuse = []string{"eth_getProof", "eth_getBlockReceipts", "eth_config", "["}
	g.mu.Unlock()
	s := runFork(t, fakenode.Fork{URL: g.URL})
	s.readBlocks(u)
	s.pay(u, true)
	s.readLogs(u)
}

// Ensure transactions of a type that only the other chain has are answered as it answers them, are in the way of
// nothing, and cannot be encoded or traced.
func TestForkOfRollup(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	g := newGateway(t, u.url)
	g.mu.Lock()
	g.alter = func(answer string) string {
		return strings.ReplaceAll(answer, `"type":"0x2"`, `"type":"0x7e","sourceHash":"0x5"`)
	}
	g.mu.Unlock()
	s := runFork(t, fakenode.Fork{URL: g.URL})
	type deposit struct {
		Hash, TransactionHash common.Hash
		BlockNumber           hexutil.Uint64
		Type, SourceHash      string
	}
	var tx, receipt deposit
	s.ask(&tx, "eth_getTransactionByHash", u.mint)
	s.ask(&receipt, "eth_getTransactionReceipt", u.mint)
	require.Equal(t, deposit{Hash: u.mint, BlockNumber: tx.BlockNumber, Type: "0x7e", SourceHash: "0x5"}, tx)
	require.Equal(t, deposit{TransactionHash: u.mint, BlockNumber: tx.BlockNumber, Type: "0x7e", SourceHash: "0x5"}, receipt)
	var whole struct{ Transactions []deposit }
	s.ask(&whole, "eth_getBlockByNumber", tx.BlockNumber, true)
	require.Equal(t, []deposit{tx}, whole.Transactions)
	var hashes struct{ Transactions []common.Hash }
	s.ask(&hashes, "eth_getBlockByNumber", tx.BlockNumber, false)
	require.Equal(t, []common.Hash{u.mint}, hashes.Transactions)
	for method, want := range map[string]string{
		"debug_traceTransaction": "the fork knows its effects, not how to execute it", "eth_getRawTransactionByHash": "cannot be encoded",
	} {
		require.ErrorContains(t, s.client.Call(nil, method, u.mint), want)
	}
	s.pay(u, false)
}

// Ensure the content of blocks below the fork block is answered in full: transactions and receipts in our own form,
// with the other node's further members, each member once; a block as the other node encodes it; the logs of one block.
// Blocks above it have no proofs.
func TestForkKeepsMembers(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	upstreamClient, err := rpc.Dial(u.url)
	require.NoError(t, err)
	defer upstreamClient.Close()
	g := newGateway(t, u.url)
	parity := regexp.MustCompile(`,"yParity":"0x[01]"`)
	g.mu.Lock()
	g.alter = func(answer string) string {
		return strings.ReplaceAll(parity.ReplaceAllString(answer, ""), `"type":"0x2"`, `"type":"0x2","depositNonce":"0x5"`)
	}
	g.mu.Unlock()
	s := runFork(t, fakenode.Fork{URL: g.URL})
	for method, members := range map[string][]string{
		"eth_getTransactionByHash":  {"hash", "yParity", "type", "depositNonce"},
		"eth_getTransactionReceipt": {"cumulativeGasUsed", "effectiveGasPrice", "type", "depositNonce"},
	} {
		var answer json.RawMessage
		s.ask(&answer, method, u.mint)
		for _, member := range members {
			require.Equal(t, 1, strings.Count(string(answer), `"`+member+`":`), "%s of %s", member, answer)
		}
	}
	var tx struct{ BlockNumber hexutil.Uint64 }
	s.ask(&tx, "eth_getTransactionByHash", u.mint)
	var here, there hexutil.Bytes
	s.ask(&here, "debug_getRawBlock", tx.BlockNumber)
	require.NoError(t, upstreamClient.Call(&there, "debug_getRawBlock", tx.BlockNumber))
	require.Equal(t, there, here)
	var logs []types.Log
	s.ask(&logs, "eth_getLogs", map[string]any{"fromBlock": tx.BlockNumber, "toBlock": tx.BlockNumber})
	require.Equal(t, u.mint, logs[len(logs)-1].TxHash)
	s.ask(nil, "fakenode_seal")
	require.ErrorContains(t, s.client.Call(nil, "eth_getProof", u.token, []common.Hash{}, "latest"), "no proofs and storage roots above the fork block")
}

// Ensure what a run does not use leaves the file with PruneUnused, and that the file then does for what it uses.
func TestForkPrunes(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	file := filepath.Join(t.TempDir(), "fork.jsonl")
	s := runFork(t, fakenode.Fork{URL: u.url, CacheFile: file})
	s.play(u)
	require.NoError(t, s.node.Close())
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	u.stop()

	s = runFork(t, fakenode.Fork{CacheFile: file, PruneUnused: true})
	s.ask(nil, "eth_getCode", u.token, "latest")
	require.NoError(t, s.node.Close())
	pruned, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Less(t, len(pruned), len(whole))
	for line := range bytes.Lines(pruned) {
		require.Contains(t, string(whole), string(line))
	}
	require.NotContains(t, string(pruned), `"key":"logs`)
	s = runFork(t, fakenode.Fork{CacheFile: file, Offline: true})
	s.ask(nil, "eth_getCode", u.token, "latest")
}

// Ensure anvil_reset begins anew at another block or chain, and anvil_nodeInfo reports which.
func TestForkReset(t *testing.T) {
	t.Parallel()
	u, other := startUpstream(t, "fakenode"), startUpstream(t, "fakenode")
	s := runFork(t, fakenode.Fork{URL: u.url + "/?key=secret-key", Retries: -1})
	base := s.node.Fork().Number()
	s.ask(nil, "fakenode_seal", 3)
	s.ask(nil, "anvil_reset")
	require.Equal(t, base, s.node.BlockNumber())
	var snapshot hexutil.Uint64
	s.ask(&snapshot, "evm_snapshot")
	s.ask(nil, "anvil_reset", map[string]any{"forking": map[string]any{"blockNumber": 2}})
	require.Equal(t, uint64(2), s.node.BlockNumber())
	reverted := true
	s.ask(&reverted, "evm_revert", snapshot)
	require.False(t, reverted, "a snapshot of the chain before")
	var code hexutil.Bytes
	s.ask(&code, "eth_getStorageAt", u.token, fixtureSlot(u.holder), "latest")
	require.Equal(t, common.Hash{}.Bytes(), []byte(code), "the mint is later")
	s.ask(nil, "hardhat_reset", map[string]any{"forking": map[string]any{"jsonRpcUrl": other.url, "blockNumber": "0x3"}})
	var info struct {
		ForkConfig struct {
			ForkURL         string
			ForkBlockNumber uint64
		}
	}
	s.ask(&info, "anvil_nodeInfo")
	require.Equal(t, other.url, info.ForkConfig.ForkURL)
	require.Equal(t, uint64(3), info.ForkConfig.ForkBlockNumber)
	var metadata struct {
		ForkedNetwork struct {
			ChainID, ForkBlockNumber uint64
			ForkBlockHash            common.Hash
		}
	}
	s.ask(&metadata, "anvil_metadata")
	require.Equal(t, s.node.Fork().Point(), remote.Point{
		ChainID: metadata.ForkedNetwork.ChainID, Number: metadata.ForkedNetwork.ForkBlockNumber, Hash: metadata.ForkedNetwork.ForkBlockHash,
	})
	err := s.client.Call(nil, "anvil_reset", map[string]any{"forking": map[string]any{"jsonRpcUrl": "http://127.0.0.1:1/secret-key"}})
	require.ErrorContains(t, err, "cannot be reached")
	require.NotContains(t, err.Error(), "secret")
	require.Equal(t, uint64(3), s.node.BlockNumber(), "a reset that fails changes nothing")
	s.ask(nil, "eth_sendTransaction", map[string]any{"from": s.node.Account(0).Address, "to": s.node.Account(1).Address, "value": "0x1"})
	s.ask(nil, "fakenode_seal")
	require.Len(t, s.node.Moment().Latest().Transactions(), 1)
}

// Ensure the dump of a fork holds what changed, and makes another fork of the same block the same, with the slots that
// nobody changed.
func TestForkDump(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	s := runFork(t, fakenode.Fork{URL: u.url})
	receiver, own := common.Address{0x77}, common.Address{0x78}
	s.ask(nil, "fakenode_mintToken", receiver, 5)
	s.ask(nil, "anvil_dealERC20", u.holder, u.token, "0x7")
	s.ask(nil, "anvil_setCode", own, "0x00")
	s.ask(nil, "anvil_setStorageAt", own, common.Hash{31: 1}, common.Hash{31: 2})
	var dump hexutil.Bytes
	s.ask(&dump, "anvil_dumpState")
	require.Less(t, len(dump), 20_000)

	other := runFork(t, fakenode.Fork{URL: u.url})
	other.ask(nil, "anvil_setStorageAt", own, common.Hash{31: 9}, common.Hash{31: 9})
	other.ask(nil, "anvil_loadState", dump)
	s.answers, other.answers = nil, nil
	for _, each := range []*session{s, other} {
		for _, holder := range []common.Address{u.holder, receiver, {0xaa}} {
			each.ask(nil, "eth_call", map[string]any{"to": u.token, "data": pack(t, "balanceOf", holder)}, "latest")
		}
		for slot := range byte(10) {
			each.ask(nil, "eth_getStorageAt", own, common.Hash{31: slot}, "latest")
		}
		each.ask(nil, "eth_getBalance", each.node.Account(3).Address, "latest")
	}
	require.Equal(t, s.answers, other.answers)
	require.Contains(t, s.answers[0], "07\"")
	var again hexutil.Bytes
	other.ask(&again, "anvil_dumpState")
	require.Equal(t, dumpedState(t, dump), dumpedState(t, again))
}

// dumpedState is a dump without the head's header.
func dumpedState(t *testing.T, dump []byte) (state struct{ Accounts, Fork json.RawMessage }) {
	t.Helper()
	archive, err := gzip.NewReader(bytes.NewReader(dump))
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(archive).Decode(&state))
	return state
}

// Ensure a reorg reaches to the fork block and not below.
func TestForkReorgs(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	s := runFork(t, fakenode.Fork{URL: u.url})
	s.ask(nil, "fakenode_seal", 3)
	for method, params := range map[string][]any{
		"fakenode_reorg": {map[string]any{"depth": 4, "force": true}}, "anvil_reorg": {4, []any{}}, "anvil_rollback": {4},
	} {
		err := s.client.Call(nil, method, params...)
		require.ErrorContains(t, err, "3", method)
		require.ErrorContains(t, err, fmt.Sprintf("block %d", s.node.Fork().Number()), method)
	}
	s.ask(nil, "fakenode_reorg", map[string]any{"depth": 3, "force": true})
	require.Equal(t, s.node.Fork().Hash(), s.node.Moment().Chain().BlockByNumber(s.node.Fork().Number()).Hash())
	require.Equal(t, s.node.Fork().Number()+4, s.node.BlockNumber())
	s.ask(nil, "anvil_rollback", 4)
	require.Equal(t, s.node.Fork().Number(), s.node.BlockNumber())
	s.ask(nil, "fakenode_seal")
}
