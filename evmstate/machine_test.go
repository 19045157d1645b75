package evmstate_test

import (
	"context"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

func newMachine(t *testing.T, base *evmstate.State) *evmstate.Machine {
	machine := evmstate.NewMachine(base, benchBlock, benchConfig, vm.Config{})
	t.Cleanup(machine.Release)
	return machine
}

func TestMachineApply(t *testing.T) {
	t.Parallel()
	base := evmstate.StateFromAlloc(benchAlloc())
	machine := newMachine(t, base)
	for index := range 2 {
		machine.SetTxContext(common.Hash{byte(index)}, index)
		result, logs, err := machine.Apply(t.Context(), tokenTransfer, nil)
		require.NoError(t, err)
		require.Equal(t, common.Hash{31: 1}.Bytes(), result.Return())
		require.Equal(t, []*types.Log{{
			Address:        token,
			Topics:         []common.Hash{transferTopic, common.BytesToHash(alice[:]), common.BytesToHash(bob[:])},
			Data:           common.Hash{31: 1}.Bytes(),
			BlockNumber:    benchBlock.BlockNumber.Uint64(),
			BlockTimestamp: benchBlock.Time,
			TxHash:         common.Hash{byte(index)},
			TxIndex:        uint(index),
			Index:          uint(index),
		}}, logs)
		require.Equal(t, common.Hash{31: byte(2 + index)}, machine.State().Storage(token, balanceSlot(bob)))
		require.Equal(t, uint64(1+index), machine.State().Nonce(alice))
	}
	require.Zero(t, base.Nonce(alice))
}

// TestMachineInvalidMessage checks that a message rejected after it was charged for gas leaves no trace.
func TestMachineInvalidMessage(t *testing.T) {
	t.Parallel()
	machine := newMachine(t, evmstate.StateFromAlloc(benchAlloc()))
	_, _, err := machine.Apply(t.Context(), plainTransfer, nil)
	require.NoError(t, err)
	before, gp := machine.State(), core.NewGasPool(50_000)

	tooLittle := benchMessage(bob, 1).SkipNonceCheck()
	tooLittle.GasLimit = 20_000
	result, logs, err := machine.Apply(t.Context(), tooLittle, gp)
	require.ErrorIs(t, err, core.ErrIntrinsicGas)
	require.Nil(t, result)
	require.Nil(t, logs)
	require.Same(t, before, machine.State())
	require.Equal(t, core.NewGasPool(50_000), gp)

	_, _, err = machine.Apply(t.Context(), plainTransfer, gp)
	require.ErrorIs(t, err, core.ErrGasLimitReached)
	_, _, err = machine.Apply(t.Context(), benchMessage(bob, 1), nil)
	require.ErrorIs(t, err, core.ErrNonceTooLow)
	require.Same(t, before, machine.State())
}

func TestMachineCancelled(t *testing.T) {
	t.Parallel()
	loop := program.New().Op(vm.JUMPDEST).Push(0).Op(vm.JUMP).Bytes()
	base := evmstate.StateFromAlloc(benchAlloc()).WithCode(contract, loop)
	endless := benchMessage(contract, 0).SkipNonceCheck().SkipGasLimitCapCheck()
	endless.GasLimit, endless.GasPrice, endless.GasFeeCap = 1<<50, wei(7), wei(7)
	endless.GasTipCap = wei(0)
	base = base.WithBalance(alice, wei(0).Lsh(wei(1), 100))

	t.Run("while it runs", func(t *testing.T) {
		t.Parallel()
		machine := newMachine(t, base)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, _, err := machine.Apply(ctx, endless, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Same(t, base, machine.State())
	})
	t.Run("before it runs", func(t *testing.T) {
		t.Parallel()
		machine := newMachine(t, base)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := machine.Apply(ctx, endless, nil)
		require.ErrorIs(t, err, context.Canceled)
		_, _, err = machine.Apply(t.Context(), plainTransfer, nil)
		require.NoError(t, err, "nothing ran: the machine is still good")
	})
}

// TestMachineReleased checks that a Machine which reuses the memory of a released one sees nothing of its writes.
func TestMachineReleased(t *testing.T) {
	t.Parallel()
	base := evmstate.StateFromAlloc(benchAlloc())
	for range 20 {
		machine := evmstate.NewMachine(base, benchBlock, benchConfig, vm.Config{})
		_, logs, err := machine.Apply(t.Context(), tokenTransfer, nil)
		require.NoError(t, err)
		require.Zero(t, logs[0].Index)
		kept := machine.State()
		machine.Overlay().AddBalance(nobody, wei(1), tracing.BalanceChangeUnspecified) // not finalised
		machine.Release()
		require.Equal(t, common.Hash{31: 2}, kept.Storage(token, balanceSlot(bob)))
		require.False(t, kept.Exist(nobody))
	}
	require.Equal(t, common.Hash{31: 1}, base.Storage(token, balanceSlot(bob)))
}
