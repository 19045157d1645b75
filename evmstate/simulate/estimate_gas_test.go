package simulate_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

func TestEstimateGasIsExact(t *testing.T) {
	t.Parallel()
	refunding := common.HexToAddress("0xc3")
	nested := common.HexToAddress("0xc4")
	greedy := common.HexToAddress("0xc5")
	delegated := common.HexToAddress("0xc6")
	identity := common.BytesToAddress([]byte{4})
	// Demands at least 300,000 gas although it uses next to none.
	demanding := common.HexToAddress("0xc7")
	demand := program.New().Push(300_000).Op(vm.GAS, vm.GT)
	demand = demand.Push(demand.Size()+3+1).Op(vm.JUMPI, vm.INVALID, vm.JUMPDEST, vm.STOP)
	// Burns gas until 20,000 are left, however much it gets.
	burn, start := program.New().Jumpdest()
	burn = burn.Push(20_000).Op(vm.GAS, vm.GT).Push(start).Op(vm.JUMPI, vm.STOP)

	v := newView(t, "", map[common.Address][]byte{
		target:    counter(),
		refunding: program.New().Sstore(0, 0).Sstore(1, 0).Op(vm.STOP).Bytes(),
		greedy:    burn.Bytes(),
		delegated: types.AddressToDelegation(target),
		demanding: demand.Bytes(),
	})
	v.State = v.State.WithStorage(refunding, word(0), word(1)).WithStorage(refunding, word(1), word(1)).
		WithCode(nested, checkedCall(target))
	list := types.AccessList{{Address: another, StorageKeys: []common.Hash{{1}}}}
	listed := callTo(nobody)
	listed.AccessList = &list
	burning := callTo(greedy)
	burning.Gas = ptr(uint64(1_000_000))
	paid := callTo(target)
	paid.GasPrice = big.NewInt(2 * params.GWei)
	valued := transfer(nobody, 1)
	valued.MaxFeePerGas, valued.MaxPriorityFeePerGas = big.NewInt(2*params.GWei), big.NewInt(1)
	for _, test := range []struct {
		name string
		call simulate.Call
		want uint64 // 0: only exactness is checked
	}{
		{"transfer", transfer(nobody, 1), 21_000},
		{"transfer with a price", valued, 21_000},
		{"transfer with an access list", listed, 21_000 + 2_400 + 1_900},
		{"data to an account without code", callTo(nobody, 0, 1), 21_000 + 5*10},
		{"counter", callTo(target), 0},
		{"counter with a price", paid, 0},
		{"refunds", callTo(refunding), 0},
		{"nested call", callTo(nested), 0},
		{"burns what it gets", burning, 0},
		{"demands more than it uses", callTo(demanding), 0},
		{"delegated account", callTo(delegated), 0},
		{"precompile", callTo(identity), 21_015},
		{"creation", simulate.Call{From: &rich, Data: program.New().ReturnViaCodeCopy(counter()).Bytes()}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			gas, err := simulate.EstimateGas(t.Context(), v, test.call, nil, nil, simulate.Limits{})
			require.NoError(t, err)
			if test.want != 0 {
				require.Equal(t, test.want, gas)
			}
			require.True(t, succeeds(t, v, test.call, gas), "with %d gas", gas)
			require.False(t, succeeds(t, v, test.call, gas-1), "with %d gas", gas-1)
		})
	}
}

func TestEstimateGasFailures(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: reverting(reason(t, "no")), another: labcode.Spinner(), nobody: {byte(vm.INVALID)}})
	estimate := func(c simulate.Call, l simulate.Limits) error {
		_, err := simulate.EstimateGas(t.Context(), v, c, nil, nil, l)
		return err
	}
	var revert *evmstate.RevertError
	require.ErrorAs(t, estimate(callTo(target), simulate.Limits{}), &revert)
	require.Equal(t, reason(t, "no"), revert.Data)

	require.EqualError(t, estimate(callTo(another), simulate.Limits{GasCap: 100_000}), "gas required exceeds allowance (100000)")
	require.EqualError(t, estimate(callTo(another), simulate.Limits{Timeout: time.Minute}), "gas required exceeds allowance (16777216)", "EIP-7825")
	limited := callTo(another)
	limited.Gas = ptr(uint64(40_000))
	require.EqualError(t, estimate(limited, simulate.Limits{}), "gas required exceeds allowance (40000)")
	require.ErrorIs(t, estimate(limited, simulate.Limits{}), simulate.ErrGasAllowance)

	broke := simulate.Call{From: &poor, To: &another, Value: uint256.NewInt(1)}
	require.ErrorIs(t, estimate(broke, simulate.Limits{}), core.ErrInsufficientFunds)
	broke.GasPrice = big.NewInt(params.GWei)
	require.ErrorIs(t, estimate(broke, simulate.Limits{}), core.ErrInsufficientFundsForTransfer)

	var invalid *vm.ErrInvalidOpCode
	require.ErrorAs(t, estimate(callTo(nobody), simulate.Limits{}), &invalid)
}

func TestEstimateGasWithinBalance(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{target: counter()})
	call := simulate.Call{From: &poor, To: &target, GasPrice: big.NewInt(params.GWei)}
	funds := func(gas uint64) simulate.StateOverrides {
		return simulate.StateOverrides{poor: {Balance: new(uint256.Int).Mul(uint256.NewInt(gas), uint256.NewInt(params.GWei))}}
	}
	needed, err := simulate.EstimateGas(t.Context(), v, call, funds(1_000_000), nil, simulate.Limits{})
	require.NoError(t, err)
	exact, err := simulate.EstimateGas(t.Context(), v, call, funds(needed), nil, simulate.Limits{})
	require.NoError(t, err)
	require.Equal(t, needed, exact)
	_, err = simulate.EstimateGas(t.Context(), v, call, funds(needed-1), nil, simulate.Limits{})
	require.ErrorIs(t, err, simulate.ErrGasAllowance)
}

// Ensure what blobs cost at most is kept back before gas is bought, to the wei.
func TestEstimateGasBesideBlobs(t *testing.T) {
	t.Parallel()
	v := newView(t, "", nil)
	call := simulate.Call{From: &poor, To: &nobody, GasPrice: big.NewInt(params.GWei), BlobHashes: []common.Hash{{1}, {1, 1}}, MaxFeePerBlobGas: big.NewInt(5)}
	const cost = 21_000*params.GWei + 2*params.BlobTxBlobGasPerBlob*5
	estimate := func(wei uint64) (uint64, error) {
		overrides := simulate.StateOverrides{poor: {Balance: uint256.NewInt(wei)}}
		return simulate.EstimateGas(t.Context(), v, call, overrides, nil, simulate.Limits{})
	}
	gas, err := estimate(cost)
	require.NoError(t, err)
	require.EqualValues(t, 21_000, gas)
	_, err = estimate(cost - 1)
	require.ErrorIs(t, err, simulate.ErrGasAllowance)
	_, err = estimate(2*params.BlobTxBlobGasPerBlob*5 - 1)
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
	call.MaxFeePerBlobGas = new(big.Int).Lsh(big.NewInt(1), 250)
	_, err = estimate(math.MaxUint64)
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
}

// Ensure an estimate on an OP-stack chain leaves what the L1 takes of the balance, and names a fee that is above it.
func TestEstimateWithL1Fee(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Rules: fakenode.OptimismRules})
	fee := func(wei uint64) chain.View {
		t.Helper()
		_, err := node.Timeline().SetL1(func(l1 *optimism.L1) error { l1.L1BaseFee.SetUint64(wei); return nil })
		require.NoError(t, err)
		node.Seal()
		v, err := node.Moment().Latest().SimulateView()
		require.NoError(t, err)
		v.State = v.State.WithBalance(rich, uint256.NewInt(1e15))
		return v
	}
	call := callTo(nobody)
	call.MaxFeePerGas, call.MaxPriorityFeePerGas = big.NewInt(2e9), new(big.Int)
	gas, err := simulate.EstimateGas(t.Context(), fee(1e9), call, nil, nil, simulate.Limits{})
	require.NoError(t, err)
	require.EqualValues(t, 21_000, gas)
	gas, err = simulate.EstimateGas(t.Context(), fee(1e18), call, nil, nil, simulate.Limits{})
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
	require.ErrorContains(t, err, "the L1 fee is ")
	require.Zero(t, gas)
}
