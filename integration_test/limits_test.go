package integration_test

import (
	"math"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
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

// needy is the code of a contract that reverts unless it has more than 20,000,000 gas.
var needy = hexutil.MustDecode("0x6301312d005a11600d575f5ffd5b00")

// Ensure the limit of a transaction's gas is that of EIP-7825 by default and can be raised and lifted, for whatever
// sends, estimates, makes a block again and traces, and that calls and simulations, which have limits of their own, are
// the same with each.
func TestTxGasLimit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit uint64
		most  uint64 // that a transaction may ask for
	}{
		"default": {0, params.MaxTxGas},
		"raised":  {30_000_000, 30_000_000},
		"none":    {math.MaxUint64, 60_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := fakenode.Config{TxGasLimit: test.limit, Compat: fakenode.Geth, Mode: fakenode.Instant, State: filepath.Join(t.TempDir(), "state.db")}
			node := fakenode.RunConfigT(t, config)
			target := common.Address{0xcc}
			require.NoError(t, ask(t, node, nil, "anvil_setCode", target, hexutil.Bytes(needy)))
			object := func(gas uint64) map[string]any {
				return map[string]any{"from": node.Account(0).Address, "to": target, "gas": hexutil.Uint64(gas)}
			}
			raw := func(gas uint64) *types.Transaction {
				return types.MustSignNewTx(node.Account(1).Key, node.Moment().Signer(), &types.LegacyTx{
					Nonce: node.Moment().PoolNonce(node.Account(1).Address), To: &target, Gas: gas, GasPrice: big.NewInt(1e11),
				})
			}
			var hash common.Hash
			require.NoError(t, ask(t, node, &hash, "eth_sendTransaction", object(test.most)))
			require.NoError(t, node.Send(raw(test.most)))
			require.Error(t, ask(t, node, nil, "eth_sendTransaction", object(test.most+1)))
			err := node.Send(raw(test.most + 1))
			if test.most < node.Moment().Latest().Header().GasLimit {
				require.ErrorIs(t, err, core.ErrGasLimitTooHigh)
				require.ErrorContains(t, err, "cap: "+new(big.Int).SetUint64(test.most).String())
			} else {
				require.ErrorIs(t, err, txpool.ErrGasLimit)
			}

			status := map[bool]uint64{true: types.ReceiptStatusSuccessful}[test.most > 20_000_000]
			receipt, err := node.Receipt(t.Context(), hash)
			require.NoError(t, err)
			require.Equal(t, status, receipt.Status)
			require.NoError(t, ask(t, node, nil, "eth_call", object(30_000_000)))
			var simulated []struct {
				Calls []struct{ Status hexutil.Uint64 }
			}
			require.NoError(t, ask(t, node, &simulated, "eth_simulateV1", map[string]any{
				"blockStateCalls": []any{map[string]any{"calls": []any{object(30_000_000)}}},
			}, "latest"))
			require.EqualValues(t, 1, simulated[0].Calls[0].Status)
			_, err = node.Transact(node.Account(2), fakenode.Tx{To: &target})
			estimateErr := ask(t, node, nil, "eth_estimateGas", object(30_000_000))
			if status == types.ReceiptStatusSuccessful {
				require.NoError(t, err)
				require.NoError(t, estimateErr)
			} else {
				require.Error(t, err)
				require.Error(t, estimateErr)
			}

			require.NoError(t, ask(t, node, nil, "debug_traceTransaction", hash))
			_, err = node.Reorg(fakenode.ReorgOptions{Depth: 2})
			require.NoError(t, err)
			require.Equal(t, fakenode.Sealed, node.Place(hash).Where)
			head := node.Moment().Latest().Header().Hash()
			require.NoError(t, node.Close())
			node = fakenode.RunConfigT(t, config)
			require.Equal(t, head, node.Moment().Latest().Header().Hash())
			require.NoError(t, node.Send(raw(test.most)))
		})
	}
}
