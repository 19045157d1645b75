package bundler_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
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

// Ensure a bundler refuses an account that reads the number of the block while it is validated, unless its rules are
// loose.
func TestRulesOfBundler(t *testing.T) {
	t.Parallel()
	for rules, refusal := range map[fakenode.BundlerRules]string{"": "[OP-011]", fakenode.StrictBundler: "[OP-011]", fakenode.LooseBundler: ""} {
		p := newPayer(t, fakenode.Config{BundlerRules: rules})
		code := program.New().Op(vm.NUMBER, vm.POP).Push0().Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
		p.SetCode(p.account, code)
		data := entrypoint.NewEntryPointV07().PackDepositTo(p.account)
		hash, err := p.Transact(p.Account(0), fakenode.Tx{To: &entrypoint.V07Address, Data: data, Value: fixtures.Ether("1"), Gas: 200_000})
		require.NoError(t, err)
		p.Seal()
		receipt, err := p.Receipt(t.Context(), hash)
		require.NoError(t, err)
		require.EqualValues(t, 1, receipt.Status)
		_, object := p.operation()
		var sent common.Hash
		err = p.Client().Client().Call(&sent, "eth_sendUserOperation", object, entrypoint.V07Address)
		if refusal == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, refusal, rules)
	}
}
