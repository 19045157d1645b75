package bundler_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// ask calls a method that must succeed.
func (p *payingAccount) ask(t *testing.T, into any, method string, params ...any) {
	t.Helper()
	require.NoError(t, p.Client().Client().Call(into, method, params...), method)
}

// raw calls a method that must succeed, and returns its answer as text.
func (p *payingAccount) raw(t *testing.T, method string, params ...any) string {
	t.Helper()
	var answer json.RawMessage
	p.ask(t, &answer, method, params...)
	return string(answer)
}

// told is an answer of eth_getUserOperationByHash.
type told struct {
	UserOperation   map[string]any
	EntryPoint      common.Address
	BlockNumber     *hexutil.Uint64
	BlockHash       *common.Hash
	TransactionHash common.Hash
}

// paid is the receipt of an operation.
type paid struct {
	UserOpHash                   string
	Sender, EntryPoint           common.Address
	Nonce                        string
	ActualGasCost, ActualGasUsed hexutil.Big
	Paymaster, Reason            *string
	Success                      bool
	Logs                         []struct{ Address common.Address }
	Receipt                      struct {
		TransactionHash common.Hash
		Status          string
		Logs            []any
	}
}

// Ensure an operation is told of in each of its places as it goes from the pool into a block, by every method alike.
func TestOperationOnItsWay(t *testing.T) {
	t.Parallel()
	p := newPayer(t, fakenode.Config{Mode: fakenode.Manual})
	p.Seal()
	op, object := p.operation()
	hash := op.Hash(p.ChainID())
	var sent common.Hash
	p.ask(t, &sent, "eth_sendUserOperation", object, entrypoint.V07Address)
	require.Equal(t, hash, sent)

	var found told
	p.ask(t, &found, "eth_getUserOperationByHash", hash)
	require.Equal(t, entrypoint.V07Address, found.EntryPoint)
	require.Nil(t, found.BlockNumber)
	require.Nil(t, found.BlockHash)
	bundle := found.TransactionHash
	require.NotZero(t, bundle)
	for name, value := range object {
		have, err := json.Marshal(found.UserOperation[name])
		require.NoError(t, err)
		want, err := json.Marshal(value)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(have), name)
	}
	require.Equal(t, "null", p.raw(t, "eth_getUserOperationReceipt", hash))
	require.JSONEq(t, `{"status":"submitted","transactionHash":"`+bundle.Hex()+`"}`, p.raw(t, "pimlico_getUserOperationStatus", hash))
	require.JSONEq(t, `{"where":"pool","transactionHash":"`+bundle.Hex()+`"}`, p.raw(t, "fakenode_operation", hash))
	var pooled []map[string]any
	p.ask(t, &pooled, "debug_bundler_dumpMempool", entrypoint.V07Address)
	require.Len(t, pooled, 1)
	require.Equal(t, found.UserOperation, pooled[0])
	require.Equal(t, "[]", p.raw(t, "debug_bundler_dumpMempool", entrypoint.V08Address), "of another EntryPoint")

	p.Preconfirm()
	included := `{"status":"included","transactionHash":"` + bundle.Hex() + `"}`
	require.JSONEq(t, included, p.raw(t, "pimlico_getUserOperationStatus", hash))
	p.ask(t, &found, "eth_getUserOperationByHash", hash)
	require.EqualValues(t, p.Moment().Latest().Number()+1, *found.BlockNumber)
	require.Equal(t, common.Hash{}, *found.BlockHash)
	require.JSONEq(t, `{"where":"preconfirmed","transactionHash":"`+bundle.Hex()+`"}`, p.raw(t, "fakenode_operation", hash))
	p.Seal()
	block := p.Moment().Latest().Hash()
	p.ask(t, &found, "eth_getUserOperationByHash", hash)
	require.Equal(t, block, *found.BlockHash)
	require.Equal(t, bundle, found.TransactionHash)
	require.JSONEq(t, included, p.raw(t, "pimlico_getUserOperationStatus", hash))
	require.JSONEq(t, `{"where":"sealed","blockHash":"`+block.Hex()+`","transactionHash":"`+bundle.Hex()+`"}`, p.raw(t, "fakenode_operation", hash))
	require.Equal(t, "[]", p.raw(t, "debug_bundler_dumpMempool", entrypoint.V07Address))

	var receipt paid
	p.ask(t, &receipt, "eth_getUserOperationReceipt", hash)
	require.Equal(t, hash.Hex(), receipt.UserOpHash)
	require.True(t, receipt.Success)
	require.Nil(t, receipt.Paymaster)
	require.Nil(t, receipt.Reason)
	require.Equal(t, "0x0", receipt.Nonce)
	require.Equal(t, []common.Address{p.account, entrypoint.V07Address}, []common.Address{receipt.Sender, receipt.EntryPoint})
	require.Positive(t, receipt.ActualGasUsed.ToInt().Sign())
	require.Greater(t, receipt.ActualGasCost.ToInt().Cmp(receipt.ActualGasUsed.ToInt()), 0)
	require.Len(t, receipt.Logs, 1, "its own: the token's")
	require.Equal(t, p.Token().Address(), receipt.Logs[0].Address)
	require.Equal(t, bundle, receipt.Receipt.TransactionHash)
	require.Equal(t, "0x1", receipt.Receipt.Status)
	require.Greater(t, len(receipt.Receipt.Logs), len(receipt.Logs))
}

// Ensure an operation whose call reverts is in a block with its reason, and one that was taken out of the pool is
// rejected.
func TestOperationsThatFail(t *testing.T) {
	t.Parallel()
	p := newPayer(t, fakenode.Config{Mode: fakenode.Manual})
	dropped, object := p.operation()
	hash := dropped.Hash(p.ChainID())
	p.ask(t, nil, "eth_sendUserOperation", object, entrypoint.V07Address)
	require.JSONEq(t, `"ok"`, p.raw(t, "debug_bundler_clearState"))
	require.Equal(t, "[]", p.raw(t, "debug_bundler_dumpMempool", entrypoint.V07Address))
	require.JSONEq(t, `{"status":"not_found","transactionHash":null}`, p.raw(t, "pimlico_getUserOperationStatus", hash))

	// One that a reorg has removed is not found, though its place is known.
	p.ask(t, nil, "eth_sendUserOperation", object, entrypoint.V07Address)
	p.Seal()
	var found told
	p.ask(t, &found, "eth_getUserOperationByHash", hash)
	_, err := p.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	require.JSONEq(t, `{"status":"not_found","transactionHash":null}`, p.raw(t, "pimlico_getUserOperationStatus", hash))
	require.JSONEq(t, `{"where":"orphaned","reason":"lost by a reorg","blockHash":"`+found.BlockHash.Hex()+`","transactionHash":"`+
		found.TransactionHash.Hex()+`"}`, p.raw(t, "fakenode_operation", hash))

	// One whose bundle reverts is rejected, with the bundle.
	p.ask(t, nil, "fakenode_bundlerFault", map[string]any{"kind": "revert"})
	p.ask(t, nil, "eth_sendUserOperation", object, entrypoint.V07Address)
	p.Seal()
	var status struct {
		Status          string
		TransactionHash *common.Hash
	}
	p.ask(t, &status, "pimlico_getUserOperationStatus", hash)
	require.Equal(t, "rejected", status.Status)
	require.NotNil(t, status.TransactionHash)
	var place struct{ Where, Reason, Fault string }
	p.ask(t, &place, "fakenode_operation", hash)
	require.Equal(t, []string{"dropped", "revert"}, []string{place.Where, place.Fault})
	require.NotEmpty(t, place.Reason)

	p.nonce = 0
	simple := entrypoint.NewSimpleAccount()
	p.SetCode(common.Address{7}, common.FromHex("63deadbeef5f526004601cfd"))
	p.data = simple.PackExecute(common.Address{7}, common.Big0, nil)
	failing, object := p.operation()
	p.ask(t, nil, "eth_sendUserOperation", object, entrypoint.V07Address)
	p.Seal()
	var receipt paid
	p.ask(t, &receipt, "eth_getUserOperationReceipt", failing.Hash(p.ChainID()))
	require.False(t, receipt.Success)
	require.Equal(t, "0xdeadbeef", *receipt.Reason)
	require.Len(t, receipt.Logs, 1)
	require.Equal(t, entrypoint.V07Address, receipt.Logs[0].Address, "of the reason")
	require.Equal(t, "0x1", receipt.Receipt.Status, "the bundle's")

	p.SetCode(common.Address{7}, common.FromHex("60aa5f5360015ffd"))
	failing, object = p.operation()
	p.ask(t, nil, "eth_sendUserOperation", object, entrypoint.V07Address)
	p.Seal()
	p.ask(t, &receipt, "eth_getUserOperationReceipt", failing.Hash(p.ChainID()))
	require.Equal(t, "0xaa", *receipt.Reason)
}

// Ensure an estimate has the overrides of the request, and that contradictory ones are refused.
func TestEstimatesOfOperations(t *testing.T) {
	t.Parallel()
	p := newPayer(t, fakenode.Config{Mode: fakenode.Manual})
	_, object := p.operation()
	poor := map[common.Address]any{p.Token().Address(): map[string]any{"code": "0x63deadbeef5f526004601cfd"}}
	err := p.Client().Client().Call(nil, "eth_estimateUserOperationGas", object, entrypoint.V07Address, poor)
	require.Error(t, err)
	require.Equal(t, -32521, err.(rpc.Error).ErrorCode())
	require.Equal(t, "0xdeadbeef", err.(rpc.DataError).ErrorData())
	both := map[common.Address]any{{9}: map[string]any{"storage": map[common.Hash]common.Hash{{1}: {1}}, "stateDiff": map[common.Hash]common.Hash{{1}: {2}}}}
	err = p.Client().Client().Call(nil, "eth_estimateUserOperationGas", object, entrypoint.V07Address, both)
	require.ErrorContains(t, err, "storage and stateDiff are one and the same, but not equal")
	for _, method := range []string{"eth_estimateUserOperationGas", "eth_sendUserOperation"} {
		err = p.Client().Client().Call(nil, method, object, common.Address{9})
		require.Error(t, err)
		require.Equal(t, api.CodeInvalidParams, err.(rpc.Error).ErrorCode(), method)
	}
	object["signature"] = hexutil.Bytes(make([]byte, 65))
	err = p.Client().Client().Call(nil, "eth_sendUserOperation", object, entrypoint.V07Address)
	require.Error(t, err)
	require.NotEqual(t, -32603, err.(rpc.Error).ErrorCode())
}

// Ensure the paymaster service is paid in tokens if the client asks for that, takes this chain and its EntryPoints
// alone, and is unknown where no paymaster is.
func TestSponsorships(t *testing.T) {
	t.Parallel()
	p, bare := newPayer(t, fakenode.Config{Mode: fakenode.Manual}), newPayer(t, fakenode.Config{Mode: fakenode.Manual})
	bare.SetCode(entrypoint.PaymasterAddress, nil)
	_, object := p.operation()
	refused := func(on *payingAccount, code int, words, method string, params ...any) {
		t.Helper()
		err := on.Client().Client().Call(nil, method, params...)
		require.ErrorContains(t, err, words)
		require.Equal(t, code, err.(rpc.Error).ErrorCode())
	}
	for _, method := range []string{"pm_getPaymasterStubData", "pm_getPaymasterData"} {
		var plain sponsorship
		p.ask(t, &plain, method, object, entrypoint.V07Address, "0x7a69", nil)
		require.Equal(t, entrypoint.PaymasterAddress, plain.Paymaster)
		for _, name := range []string{"token", "erc20"} {
			var by sponsorship
			p.ask(t, &by, method, object, entrypoint.V07Address, "0x7a69", map[string]any{name: p.Token().Address()})
			require.Greater(t, len(by.PaymasterData), len(plain.PaymasterData), "paid with tokens, by %s", name)
		}
		for _, context := range []map[string]any{{"token": "USDC"}, {"erc20": 5}, {"token": common.Address{7}}} {
			refused(p, api.CodeInvalidParams, "context", method, object, entrypoint.V07Address, "0x7a69", context)
		}
		for _, id := range []string{"0x7a68", "0x10000000000007a69"} {
			refused(p, api.CodeInvalidParams, "chain id "+id+" is not that of this chain, 0x7a69", method, object, entrypoint.V07Address, id, nil)
		}
		refused(p, api.CodeInvalidParams, "", method, object, common.Address{9}, "0x7a69", nil)
		refused(bare, api.CodeMethodNotFound, method+": the chain has no paymaster of the node", method, object, entrypoint.V07Address, "0x7a69", nil)
	}
}

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
	off := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Bundler: api.Bundler{Off: true}}})
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
		p := newPayer(t, fakenode.Config{Bundler: fakenode.Bundler{Rules: rules}})
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

// payingAccount is an account of EntryPoint 0.7 that pays with tokens.
type payingAccount struct {
	*fakenode.Node
	account common.Address
	nonce   uint64
	data    []byte // of its call
}

func newPayer(t testing.TB, config fakenode.Config) *payingAccount {
	node := fakenode.RunConfigT(t, config)
	simple := entrypoint.NewSimpleAccount()
	code := append(common.FromHex(entrypoint.SimpleAccountMetaData.Bin), simple.PackConstructor(node.Account(0).Address)...)
	account, err := node.Deploy(node.Account(0), code)
	require.NoError(t, err)
	node.SetBalance(account, fixtures.Ether("1000000"))
	node.Token().Mint(account, fixtures.USD("1000000"))
	transfer := tokencontract.PackTransfer(node.Account(1).Address, fixtures.USD("0.01"))
	return &payingAccount{Node: node, account: account, data: simple.PackExecute(node.Token().Address(), new(big.Int), transfer)}
}

// operation returns the next operation, signed, in the EntryPoint's form and in the bundler's.
func (p *payingAccount) operation() (entrypoint.PackedUserOperation, map[string]any) {
	op := entrypoint.PackedUserOperation{
		Sender: p.account, Nonce: new(big.Int).SetUint64(p.nonce), CallData: p.data, AccountGasLimits: entrypoint.PackUint128s(100_000, 100_000),
		PreVerificationGas: big.NewInt(60_000), GasFees: entrypoint.PackUint128s(1_000_000_000, 10_000_000_000),
	}
	op.Signature = p.Account(0).SignDigest(common.Hash(accounts.TextHash(op.Hash(p.ChainID()).Bytes()))).Bytes()
	p.nonce++
	return op, map[string]any{
		"sender": p.account, "nonce": (*hexutil.Big)(op.Nonce), "callData": hexutil.Bytes(p.data), "callGasLimit": hexutil.Uint64(100_000),
		"verificationGasLimit": hexutil.Uint64(100_000), "preVerificationGas": hexutil.Uint64(60_000), "maxFeePerGas": hexutil.Uint64(10_000_000_000),
		"maxPriorityFeePerGas": hexutil.Uint64(1_000_000_000), "signature": hexutil.Bytes(op.Signature),
	}
}
