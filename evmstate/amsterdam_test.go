package evmstate_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	gethtests "github.com/ethereum/go-ethereum/tests"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// TestOracleOfAmsterdam compares random messages of every type with go-ethereum's processing: both kinds of gas,
// results, logs, access lists and roots.
func TestOracleOfAmsterdam(t *testing.T) {
	t.Parallel()
	want, compared := laboratory.Budget(t, 500, 20_000), 0
	for seed := uint64(1_000_000); compared < want; seed++ {
		compared += runOracle(t, "Amsterdam", randomChoices(255, seed))
	}
}

// TestDeepStackOperands tries every operand of the opcodes that reach deep into the stack (EIP-8024): which are
// allowed, and which items they mean.
func TestDeepStackOperands(t *testing.T) {
	t.Parallel()
	const depth = 235 // the deepest item that DUPN can mean
	for operand := range 256 {
		n := (operand + 145) % 256
		single := operand <= 90 || operand >= 128
		got, ok := topAfter(t, depth, vm.DUPN, byte(operand))
		require.Equal(t, single, ok, "DUPN %#x", operand)
		if single {
			require.Equal(t, uint64(depth-n), got, "DUPN %#x means item %d", operand, n)
		}
		_, short := topAfter(t, n-1, vm.DUPN, byte(operand))
		require.False(t, short, "DUPN %#x on a stack that is too short", operand)

		got, ok = topAfter(t, depth+1, vm.SWAPN, byte(operand))
		require.Equal(t, single, ok, "SWAPN %#x", operand)
		if single {
			require.Equal(t, uint64(depth-n), got, "SWAPN %#x means item %d", operand, n+1)
		}
		_, ok = topAfter(t, depth, vm.EXCHANGE, byte(operand))
		require.Equal(t, operand <= 81 || operand >= 128, ok, "EXCHANGE %#x", operand)
	}
}

// topAfter executes an opcode on a stack of the numbers from 0 to depth-1 and returns the number on its top; ok is
// false if the execution failed.
func topAfter(t *testing.T, depth int, op vm.OpCode, operand byte) (top uint64, ok bool) {
	t.Helper()
	p := program.New()
	for i := range depth {
		p.Push(i)
	}
	p.Op(op).Append([]byte{operand}).Push(0).Op(vm.MSTORE).Return(0, 32)
	contract, from := common.Address{0xc0}, common.Address{0xaa}
	base := evmstate.StateFromAlloc(types.GenesisAlloc{contract: {Balance: common.Big0, Code: p.Bytes()}})
	config := gethtests.Forks["Amsterdam"]
	machine := evmstate.NewMachine(base, testBlock(config, 1), config, vm.Config{NoBaseFee: true})
	defer machine.Release()
	zero := new(uint256.Int)
	msg := &core.Message{From: from, To: &contract, Value: zero, GasLimit: 100_000, GasPrice: zero, GasFeeCap: zero, GasTipCap: zero}
	result, _, err := machine.Apply(t.Context(), msg.SkipNonceCheck(), nil)
	require.NoError(t, err)
	return new(uint256.Int).SetBytes(result.Return()).Uint64(), !result.Failed()
}
