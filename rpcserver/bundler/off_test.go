package bundler_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// asked are parameters of each method of the bundler and of the paymaster service.
func asked() map[string][]any {
	op := map[string]any{"sender": common.Address{1}, "nonce": "0x0", "callData": "0x", "callGasLimit": "0x1", "verificationGasLimit": "0x1",
		"preVerificationGas": "0x1", "maxFeePerGas": "0x10", "maxPriorityFeePerGas": "0x1", "signature": "0x"}
	at, id := entrypoint.V07Address, hexutil.Uint64(servertest.ChainID)
	return map[string][]any{
		"eth_supportedEntryPoints": nil, "eth_sendUserOperation": {op, at}, "eth_estimateUserOperationGas": {op, at},
		"eth_getUserOperationByHash": {common.Hash{1}}, "eth_getUserOperationReceipt": {common.Hash{1}},
		"pimlico_getUserOperationGasPrice": nil, "pimlico_getUserOperationStatus": {common.Hash{1}},
		"pm_getPaymasterStubData": {op, at, id, nil}, "pm_getPaymasterData": {op, at, id, nil},
		"debug_bundler_dumpMempool": {at}, "debug_bundler_clearState": nil, "fakenode_operation": {common.Hash{1}},
	}
}

// Ensure each method says how to start the node for it, where the bundler is off or has no account to send from.
func TestBundlerThatIsOff(t *testing.T) {
	t.Parallel()
	off := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{NoBundler: true}})
	bare := *off
	bare.Server = servertest.Listen(t, rpcserver.Config{Main: off.Timeline})
	for method, params := range asked() {
		off.Refuses(api.CodeMethodNotFound, []string{method + ": the bundler is off: start the node without --no-bundler"}, method, params...)
		bare.Refuses(api.CodeMethodNotFound, []string{method + ": the bundler has no account to send from: start the node with --accounts 1 or more"}, method, params...)
	}
}

// Ensure a bundler that nobody has sent anything knows no operation, proposes the node's fees, and refuses what is not
// for its chain.
func TestBundlerAtRest(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for method, want := range map[string]string{
		"eth_getUserOperationByHash": `null`, "eth_getUserOperationReceipt": `null`, "debug_bundler_clearState": `"ok"`,
		"pimlico_getUserOperationStatus": `{"status":"not_found","transactionHash":null}`, "fakenode_operation": `{"where":"unknown"}`,
	} {
		require.JSONEq(t, want, string(servertest.Fetch[json.RawMessage](n, method, asked()[method]...)), method)
	}
	type price struct{ MaxFeePerGas, MaxPriorityFeePerGas hexutil.Big }
	prices := servertest.Fetch[map[string]price](n, "pimlico_getUserOperationGasPrice")
	require.Len(t, prices, 3)
	for _, speed := range []string{"slow", "standard", "fast"} {
		limit := prices[speed].MaxFeePerGas
		require.Equal(t, servertest.Fetch[hexutil.Big](n, "eth_maxPriorityFeePerGas"), prices[speed].MaxPriorityFeePerGas)
		base, gas := servertest.Fetch[hexutil.Big](n, "eth_baseFee"), servertest.Fetch[hexutil.Big](n, "eth_gasPrice")
		require.Equal(t, base.ToInt().Int64()+gas.ToInt().Int64(), limit.ToInt().Int64(), "twice the base fee, and the tip")
	}
	supported := servertest.Fetch[[]common.Address](n, "eth_supportedEntryPoints")
	for _, method := range []string{"pm_getPaymasterStubData", "pm_getPaymasterData"} {
		params := asked()[method]
		for _, id := range []string{"0x1", "0x10000000000007a69"} {
			params[2] = id
			if len(supported) > 0 {
				n.Refuses(api.CodeInvalidParams, []string{"chain id " + id + " is not that of this chain, 0x7a69"}, method, params...)
			}
		}
	}
	n.Fails(api.CodeInvalidParams, "debug_bundler_dumpMempool", common.Address{9})
	for _, at := range supported {
		require.Equal(t, "[]", string(servertest.Fetch[json.RawMessage](n, "debug_bundler_dumpMempool", at)))
	}
}
