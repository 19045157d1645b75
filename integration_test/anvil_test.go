package integration_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// sameAsAnvil are the methods of anvil that docs/anvil.md does not name, as they answer alike.
var sameAsAnvil = strings.Fields(`
	anvil_addBalance anvil_autoImpersonateAccount anvil_dealERC20 anvil_dropAllTransactions anvil_dropTransaction
	anvil_getAutomine anvil_getGenesisTime anvil_getIntervalMining anvil_impersonateAccount anvil_impersonateSignature anvil_increaseTime
	anvil_metadata
	anvil_mine anvil_mine_detailed anvil_nodeInfo anvil_removeBlockTimestampInterval anvil_removePoolTransactions anvil_revert
	anvil_setAutomine anvil_setBalance anvil_setBlockGasLimit anvil_setBlockTimestampInterval anvil_setCode anvil_setCoinbase
	anvil_setERC20Allowance anvil_setERC20Balance anvil_setIntervalMining anvil_setMinGasPrice
	anvil_setNextBlockBaseFeePerGas anvil_setNextBlockTimestamp anvil_setNonce anvil_setRpcUrl anvil_setStorageAt
	anvil_snapshot anvil_stopImpersonatingAccount evm_increaseTime evm_mine evm_mine_detailed evm_revert evm_setAccountNonce
	evm_setAutomine evm_setBlockGasLimit evm_setIntervalMining evm_setNextBlockTimestamp evm_snapshot
	erigon_getHeaderByNumber ots_getApiLevel ots_getBlockDetails ots_getBlockDetailsByHash ots_getBlockTransactions
	ots_getContractCreator ots_getInternalOperations ots_getTransactionBySenderAndNonce ots_getTransactionError ots_hasCode
	ots_searchTransactionsAfter ots_searchTransactionsBefore ots_traceTransaction trace_block trace_filter
	trace_replayBlockTransactions trace_transaction`)

// anvilMethods returns the difference that docs/anvil.md names for each method of anvil: "different" or "left out"; of
// those that it does not name it is "same".
func anvilMethods(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../docs/anvil.md")
	require.NoError(t, err)
	methods := map[string]string{}
	for _, name := range sameAsAnvil {
		methods[name] = "same"
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\| (different|left out) \\|").FindAllStringSubmatch(string(text), -1) {
		for _, name := range regexp.MustCompile("`([a-z]+_\\w+)`").FindAllStringSubmatch(row[1], -1) {
			methods[name[1]] = row[2]
		}
	}
	require.Greater(t, len(methods), 50)
	return methods
}

// serves reports whether a node has a method. The parameters are ones that no method takes.
func serves(t *testing.T, client *rpc.Client, method string) bool {
	t.Helper()
	const few = "-"
	err := client.CallContext(t.Context(), nil, method, few, few, few, few, few, few)
	if err == nil {
		return true
	}
	// anvil answers an unknown method with -32602 and "unknown variant".
	return err.(rpc.Error).ErrorCode() != -32601 && !strings.Contains(err.Error(), "unknown variant")
}

// Ensure docs/anvil.md is right about which of anvil's methods the node has.
func TestAnvilMethods(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	for method, status := range anvilMethods(t) {
		require.Equal(t, status != "left out", serves(t, client, method), "%s is %q in docs/anvil.md", method, status)
	}
}

// Ensure docs/anvil.md lists methods that anvil has, and every control method that both have.
func TestAnvilHasTheMethods(t *testing.T) {
	t.Parallel()
	url, stop := startAnvil(t)
	defer stop()
	theirs, err := rpc.Dial(url)
	require.NoError(t, err)
	defer theirs.Close()
	documented := anvilMethods(t)
	for method := range documented {
		require.True(t, serves(t, theirs, method), "anvil has no %s", method)
	}
	reference, err := os.ReadFile("../docs/rpc.md")
	require.NoError(t, err)
	for _, method := range regexp.MustCompile("`(?:anvil|evm)_[a-zA-Z0-9_]+`").FindAllString(string(reference), -1) {
		if method = strings.Trim(method, "`"); serves(t, theirs, method) {
			require.Contains(t, documented, method)
		}
	}
}

// Ensure docs/anvil.md names the anvil that the tests here run.
func TestMeasuredAnvil(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/anvil.md")
	require.NoError(t, err)
	measured := firstGroups(`This page measures anvil (\d+\.\d+\.\d+)`, string(page))
	require.Len(t, measured, 1)
	manifest, err := os.ReadFile(filepath.Join(foundryProject, "package.json"))
	require.NoError(t, err)
	require.Contains(t, string(manifest), `"@foundry-rs/anvil": "`+measured[0]+`"`)
}
