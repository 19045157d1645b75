package integration_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// deploying returns init code, length bytes long, of a contract whose code is size zero bytes.
func deploying(size, length int) []byte {
	code := []byte{byte(vm.PUSH3), byte(size >> 16), byte(size >> 8), byte(size), byte(vm.PUSH0), byte(vm.RETURN)}
	return append(code, make([]byte, length-len(code))...)
}

// factory is the code of a contract that creates another one from the call's data and returns its address.
var factory = []byte{
	byte(vm.CALLDATASIZE), byte(vm.PUSH0), byte(vm.PUSH0), byte(vm.CALLDATACOPY),
	byte(vm.CALLDATASIZE), byte(vm.PUSH0), byte(vm.PUSH0), byte(vm.CREATE),
	byte(vm.PUSH0), byte(vm.MSTORE), byte(vm.PUSH1), 32, byte(vm.PUSH0), byte(vm.RETURN),
}

// Ensure that every way of executing code has the same limit of code and init code, by default and with one of its own.
func TestCodeSizeLimit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit      uint64
		code, init int // the largest that are allowed
	}{
		"default": {0, params.MaxCodeSize, params.MaxInitCodeSize},
		"raised":  {30_000, 30_000, 60_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{CodeSizeLimit: test.limit, Compat: fakenode.Geth, Mode: fakenode.Instant})
			tooLarge := func(data []byte) {
				t.Helper()
				for _, method := range []string{"eth_call", "eth_estimateGas"} {
					err := ask(t, node, nil, method, map[string]any{"data": hexutil.Bytes(data)})
					require.ErrorContains(t, err, "max code size exceeded", method)
				}
			}

			allowed, large := deploying(test.code, 6), deploying(test.code+1, 6)
			checkDeployed(t, node, allowed, test.code)
			tooLarge(large)
			_, err := node.Deploy(node.Account(0), large)
			require.ErrorContains(t, err, "max code size exceeded")
			receipt := create(t, node, large)
			require.Zero(t, receipt.Status)
			require.Equal(t, receipt.GasUsed, uint64(createGas))

			checkDeployed(t, node, deploying(1, test.init), 1)
			for _, method := range []string{"eth_call", "eth_estimateGas"} {
				err := ask(t, node, nil, method, map[string]any{"data": hexutil.Bytes(deploying(1, test.init+1))})
				require.ErrorContains(t, err, vm.ErrMaxInitCodeSizeExceeded.Error(), method)
			}
			before := node.BlockNumber()
			err = node.Send(createTransaction(t, node, deploying(1, test.init+1)))
			require.ErrorIs(t, err, vm.ErrMaxInitCodeSizeExceeded)
			require.Equal(t, before, node.BlockNumber())

			// A contract that creates contracts.
			maker := crypto.CreateAddress(node.Account(1).Address, 0)
			require.NoError(t, ask(t, node, nil, "anvil_setCode", maker, hexutil.Bytes(factory)))
			client := node.Client()
			made, err := client.CallContract(t.Context(), ethereum.CallMsg{To: &maker, Data: allowed, Gas: createGas}, nil)
			require.NoError(t, err)
			require.NotEqual(t, make([]byte, 32), made)
			made, err = client.CallContract(t.Context(), ethereum.CallMsg{To: &maker, Data: large, Gas: createGas}, nil)
			require.NoError(t, err)
			require.Equal(t, make([]byte, 32), made, "CREATE pushes zero")
		})
	}
}

const createGas = 16_000_000

// checkDeployed ensures that the same gas is estimated, simulated and used for a creation, and what is there then.
func checkDeployed(t *testing.T, node *fakenode.Node, data []byte, size int) {
	t.Helper()
	client, from := node.Client(), node.Account(0).Address
	estimate, err := client.EstimateGas(t.Context(), ethereum.CallMsg{From: from, Data: data})
	require.NoError(t, err)
	var called hexutil.Bytes
	require.NoError(t, ask(t, node, &called, "eth_call", map[string]any{"from": from, "data": hexutil.Bytes(data)}))
	require.Len(t, called, size)
	var simulated []struct {
		Calls []struct{ GasUsed, Status hexutil.Uint64 }
	}
	require.NoError(t, ask(t, node, &simulated, "eth_simulateV1", map[string]any{"blockStateCalls": []any{
		map[string]any{"calls": []any{map[string]any{"from": from, "data": hexutil.Bytes(data)}}},
	}}, "latest"))
	require.EqualValues(t, 1, simulated[0].Calls[0].Status)

	receipt := create(t, node, data)
	require.EqualValues(t, 1, receipt.Status)
	require.Equal(t, receipt.GasUsed, uint64(simulated[0].Calls[0].GasUsed))
	require.GreaterOrEqual(t, estimate, receipt.GasUsed)
	require.Len(t, codeAt(t, node.Network, receipt.ContractAddress), size)

	var trace struct{ Output hexutil.Bytes }
	require.NoError(t, ask(t, node, &trace, "debug_traceTransaction", receipt.TxHash, map[string]any{"tracer": "callTracer"}))
	require.Len(t, trace.Output, size)
}

func createTransaction(t *testing.T, node *fakenode.Node, data []byte) *types.Transaction {
	t.Helper()
	from := node.Account(0)
	nonce, err := node.Client().PendingNonceAt(t.Context(), from.Address)
	require.NoError(t, err)
	signer := types.LatestSignerForChainID(new(big.Int).SetUint64(node.ChainID()))
	return types.MustSignNewTx(from.Key, signer, &types.DynamicFeeTx{
		ChainID: signer.ChainID(), Nonce: nonce, Gas: createGas, GasFeeCap: big.NewInt(10_000_000_000), GasTipCap: big.NewInt(1), Data: data,
	})
}

func create(t *testing.T, node *fakenode.Node, data []byte) *types.Receipt {
	t.Helper()
	tx := createTransaction(t, node, data)
	require.NoError(t, node.Send(tx))
	receipt, err := node.Client().TransactionReceipt(t.Context(), tx.Hash())
	require.NoError(t, err)
	return receipt
}

func codeAt(t *testing.T, network *fakenode.Network, address common.Address) []byte {
	t.Helper()
	code, err := network.Client().CodeAt(t.Context(), address, nil)
	require.NoError(t, err)
	return code
}

func ask(t *testing.T, node *fakenode.Node, result any, method string, params ...any) error {
	t.Helper()
	return node.Client().Client().CallContext(t.Context(), result, method, params...)
}

// Ensure that without a limit gas alone bounds code and init code, and that a creation over EIP-3860's limit still
// begins with a warm coinbase (EIP-3651).
func TestNoCodeSizeLimit(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{CodeSizeLimit: math.MaxUint64, Mode: fakenode.Instant, Compat: fakenode.Geth})
	checkDeployed(t, node, deploying(70_000, 6), 70_000)
	checkDeployed(t, node, deploying(70_000, 140_000), 70_000) // more bytes than any transaction may have otherwise

	asking := append([]byte{byte(vm.COINBASE), byte(vm.BALANCE), byte(vm.POP)}, deploying(3000, 6)...)
	usual := create(t, node, asking)
	large := create(t, node, append(asking, make([]byte, 50_000)...))
	require.EqualValues(t, 1, large.Status)
	const word = params.InitCodeWordGas // which the large one does not pay
	require.Equal(t, usual.GasUsed+50_000*params.TxDataZeroGas-word, large.GasUsed)

	require.EqualError(t, node.Importable(), "contracts may be larger than EIP-170 allows")
}

// Ensure that a limit of code changes nothing for code that is within EIP-170's, whatever the rules.
func TestCodeSizeLimitChangesNothingElse(t *testing.T) {
	t.Parallel()
	for _, hardfork := range []string{"homestead", "spuriousdragon", "london", "shanghai", "cancun", "osaka"} {
		t.Run(hardfork, func(t *testing.T) {
			t.Parallel()
			var heads []common.Hash
			for _, limit := range []uint64{0, 50_000, math.MaxUint64} {
				node := fakenode.RunConfigT(t, fakenode.Config{
					CodeSizeLimit: limit, Hardfork: hardfork, StartTime: time.Unix(1_700_000_000, 0), Contracts: fakenode.NoContracts,
				})
				from := node.Account(0)
				maker := crypto.CreateAddress(from.Address, 0)
				for _, tx := range []fakenode.Tx{
					{Data: returning(creator), Gas: 200_000},
					{To: &maker, Data: returning(make([]byte, 24_576)), Gas: 8_000_000},
					{To: &maker, Data: returning(make([]byte, 8_000)), Gas: 1_000_000}, // too little
					{To: &common.Address{1, 2}, Gas: 50_000},                           // an empty account
					{To: &common.Address{1, 3}, Gas: 50_000, Value: uint256.NewInt(1)}, // and one that is not
				} {
					_, err := node.Transact(from, tx)
					require.NoError(t, err)
				}
				heads = append(heads, node.Seal())
				require.Len(t, node.Moment().Latest().Block().Transactions(), 5)
			}
			require.Equal(t, heads[0], heads[1])
			require.Equal(t, heads[0], heads[2])
		})
	}
}

// creator is factory for all rules.
var creator = []byte{
	byte(vm.CALLDATASIZE), byte(vm.PUSH1), 0, byte(vm.PUSH1), 0, byte(vm.CALLDATACOPY),
	byte(vm.CALLDATASIZE), byte(vm.PUSH1), 0, byte(vm.PUSH1), 0, byte(vm.CREATE), byte(vm.STOP),
}

// returning returns init code for all rules that deploys code.
func returning(code []byte) []byte {
	size := []byte{byte(len(code) >> 16), byte(len(code) >> 8), byte(len(code))}
	return slices.Concat([]byte{byte(vm.PUSH3)}, size, []byte{byte(vm.DUP1), byte(vm.PUSH1), 13, byte(vm.PUSH1), 0, byte(vm.CODECOPY),
		byte(vm.PUSH1), 0, byte(vm.RETURN)}, code)
}

// Ensure that a limit of one's own is named where code is over it.
func TestCodeSizeLimitIsNamed(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{CodeSizeLimit: 30_000, Compat: fakenode.Geth, Mode: fakenode.Instant})
	large := deploying(30_001, 6)
	err := ask(t, node, nil, "eth_call", map[string]any{"data": hexutil.Bytes(large)})
	require.EqualError(t, err, "max code size exceeded: code size 30001 limit 30000")
	var trace json.RawMessage
	require.NoError(t, ask(t, node, &trace, "debug_traceTransaction", create(t, node, large).TxHash, map[string]any{"tracer": "callTracer"}))
	require.True(t, bytes.Contains(trace, []byte("code size 30001 limit 30000")), string(trace))
	err = ask(t, node, nil, "eth_call", map[string]any{"data": hexutil.Bytes(deploying(1, 60_001))})
	require.ErrorContains(t, err, "max initcode size exceeded: code size 60001 limit 60000")
	err = node.Send(createTransaction(t, node, deploying(1, 60_001)))
	require.EqualError(t, err, "max initcode size exceeded: code size 60001 limit 60000")
}
