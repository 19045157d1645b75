package simulate_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

// balanceOf is code that returns the slot of a Solidity mapping at slot 0 for the address in the first argument.
func balanceOf() []byte {
	return program.New().Push(4).Op(vm.CALLDATALOAD).Push0().Op(vm.MSTORE).
		Push(64).Push0().Op(vm.KECCAK256, vm.SLOAD).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
}

func BenchmarkRunCallBalanceOf(b *testing.B) {
	v := newView(b, "", map[common.Address][]byte{target: balanceOf()})
	call := callTo(target, append([]byte{0x70, 0xa0, 0x82, 0x31}, common.LeftPadBytes(rich[:], 32)...)...)
	b.ReportAllocs()
	for b.Loop() {
		r, err := simulate.RunCall(b.Context(), v, call, nil, nil, simulate.Limits{})
		require.NoError(b, err)
		require.NoError(b, r.Err)
	}
}

func benchmarkRun(b *testing.B, blocks, calls int) {
	v := newView(b, "", map[common.Address][]byte{target: counter()})
	payload := simulate.Payload{Blocks: make([]simulate.Block, blocks)}
	for i := range payload.Blocks {
		for range calls {
			payload.Blocks[i].Calls = append(payload.Blocks[i].Calls, callTo(target))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		_, err := simulate.Run(b.Context(), v, payload, simulate.Limits{})
		require.NoError(b, err)
	}
}

func BenchmarkRunOneCall(b *testing.B)             { benchmarkRun(b, 1, 1) }
func BenchmarkRunTenBlocksOfTenCalls(b *testing.B) { benchmarkRun(b, 10, 10) }

func BenchmarkEstimateGas(b *testing.B) {
	v := newView(b, "", map[common.Address][]byte{target: counter()})
	b.ReportAllocs()
	for b.Loop() {
		_, err := simulate.EstimateGas(b.Context(), v, callTo(target), nil, nil, simulate.Limits{})
		require.NoError(b, err)
	}
}

// BenchmarkRunOneCallParallel has as many clients as processors on one View.
func BenchmarkRunOneCallParallel(b *testing.B) {
	v := newView(b, "", map[common.Address][]byte{target: counter()})
	payload := simulate.Payload{Blocks: []simulate.Block{{Calls: []simulate.Call{callTo(target)}}}}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := simulate.Run(b.Context(), v, payload, simulate.Limits{}); err != nil {
				b.Error(err)
			}
		}
	})
}
