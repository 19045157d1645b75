package simulate_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// TestEstimatesOfAmsterdam checks the gas of transfers and of new slots from Amsterdam on (EIP-2780, EIP-8037).
func TestEstimatesOfAmsterdam(t *testing.T) {
	t.Parallel()
	v := newView(t, "amsterdam", map[common.Address][]byte{
		target:  program.New().Sstore(1, 1).Bytes(),
		another: program.New().Op(vm.STOP).Bytes(),
	})
	seven := uint256.NewInt(7)
	for name, test := range map[string]struct {
		call simulate.Call
		want uint64
	}{
		"nothing moved":                  {simulate.Call{From: &rich, To: &nobody}, 15_000},
		"to oneself":                     {simulate.Call{From: &rich, To: &rich, Value: seven}, 12_000},
		"to an account that exists":      {simulate.Call{From: &rich, To: &another, Value: seven}, 21_000},
		"to one that does not":           {simulate.Call{From: &rich, To: &nobody, Value: seven}, 21_000 + 120*1_530},
		"a new slot":                     {simulate.Call{From: &rich, To: &target}, 15_000 + 6 + 2_100 + 10_000 + 64*1_530},
		"with an unused access list":     {simulate.Call{From: &rich, To: &nobody, AccessList: &types.AccessList{{Address: another}}}, 15_000 + 2_900 + 1_280},
		"by a sender who can pay 13,000": {simulate.Call{From: &poor, To: &poor, GasPrice: big.NewInt(params.GWei)}, 12_000},
	} {
		so := simulate.StateOverrides{poor: {Balance: uint256.NewInt(13_000 * params.GWei)}}
		got, err := simulate.EstimateGas(t.Context(), v, test.call, so, nil, simulate.Limits{})
		require.NoError(t, err, name)
		require.Equal(t, test.want, got, name)
	}
}

// TestCallAboveTheExecutionCap checks that a call may use all of its gas for execution, as in go-ethereum, while an
// estimate and a validated simulation hold on to the cap of transactions.
func TestCallAboveTheExecutionCap(t *testing.T) {
	t.Parallel()
	// Burns 20,000,000 gas of execution by expanding memory.
	v := newView(t, "amsterdam", map[common.Address][]byte{target: program.New().Push(0).Push(3_180_000).Op(vm.MSTORE).Bytes()})
	call := simulate.Call{From: &rich, To: &target, Gas: ptr(uint64(29_000_000)), GasPrice: big.NewInt(params.GWei)}
	result, err := simulate.RunCall(t.Context(), v, call, nil, nil, simulate.Limits{})
	require.NoError(t, err)
	require.NoError(t, result.Err)
	require.Greater(t, result.GasUsed, uint64(params.MaxTxGas))

	_, err = simulate.EstimateGas(t.Context(), v, call, nil, nil, simulate.Limits{})
	require.ErrorIs(t, err, simulate.ErrGasAllowance)

	for _, validation := range []bool{false, true} {
		blocks := run(t, v, simulate.Payload{Validation: validation, Blocks: []simulate.Block{{Calls: []simulate.Call{call}}}})
		require.Equal(t, validation, blocks[0].Calls[0].Err != nil, "validation %t", validation)
	}
}

// TestTransfersAreTracedOnce checks that traceTransfers adds nothing to the logs that transfers have from Amsterdam on
// (EIP-7708).
func TestTransfersAreTracedOnce(t *testing.T) {
	t.Parallel()
	v := newView(t, "amsterdam", nil)
	for _, trace := range []bool{false, true} {
		blocks := run(t, v, simulate.Payload{
			TraceTransfers: trace, Blocks: []simulate.Block{{Calls: []simulate.Call{transfer(nobody, 5)}}},
		})
		logs := blocks[0].Calls[0].Logs
		require.Len(t, logs, 1, "traceTransfers %t", trace)
		require.Equal(t, params.SystemAddress, logs[0].Address)
		require.Equal(t, common.BytesToHash(nobody[:]), logs[0].Topics[2])
		require.Equal(t, common.BigToHash(big.NewInt(5)).Bytes(), logs[0].Data)
		require.Equal(t, blocks[0].Block.Hash(), logs[0].BlockHash)
	}
}
