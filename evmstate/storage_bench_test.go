package evmstate_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// rounds is how often the loops of BenchmarkStorage go round.
const rounds = 1_000

// storageLoops are pairs of loops that differ only in their use of a slot: one reads it or writes another value each
// time, the other does nothing.
var storageLoops = map[string]struct{ slot, none []vm.OpCode }{
	"read":  {[]vm.OpCode{vm.PUSH0, vm.SLOAD, vm.POP}, []vm.OpCode{vm.PUSH0, vm.POP}},
	"write": {[]vm.OpCode{vm.DUP1, vm.PUSH0, vm.SSTORE}, []vm.OpCode{vm.DUP1, vm.PUSH0, vm.POP, vm.POP}},
}

// loopCode returns code that executes a body so many times, with the rounds that are left on the stack.
func loopCode(body []vm.OpCode) []byte {
	loop, start := program.New().Push(rounds).Jumpdest()
	return loop.Op(body...).Push(1).Op(vm.SWAP1, vm.SUB, vm.DUP1).Push(start).Op(vm.JUMPI).Bytes()
}

// BenchmarkStorage runs loops over a warm slot, and the same loops without it, by turns, on our Overlay and on
// go-ethereum's core/state. ns/slot is the difference between the fastest run of each, which other work on the machine
// does not change.
func BenchmarkStorage(b *testing.B) {
	for name, loops := range storageLoops {
		alloc := benchAlloc()
		slot, none := common.Address{0x51}, common.Address{0x52}
		alloc[slot] = types.Account{Code: loopCode(loops.slot), Balance: new(big.Int), Storage: map[common.Hash]common.Hash{{}: {1}}}
		alloc[none] = types.Account{Code: loopCode(loops.none), Balance: new(big.Int)}
		run := func(b *testing.B, db vm.StateDB) {
			evm := vm.NewEVM(benchBlock, db, benchConfig, vm.Config{})
			defer evm.Release()
			fastest := map[common.Address]time.Duration{slot: math.MaxInt64, none: math.MaxInt64}
			for b.Loop() {
				for contract, least := range fastest {
					db.Prepare(benchRules, alice, common.Address{}, &contract, nil, nil)
					start := time.Now()
					_, _, err := evm.Call(alice, contract, nil, vm.NewGasBudget(math.MaxInt64, 0), new(uint256.Int))
					fastest[contract] = min(least, time.Since(start))
					require.NoError(b, err)
					db.Finalise(benchRules)
				}
			}
			b.ReportMetric(float64(fastest[slot]-fastest[none])/rounds, "ns/slot")
			b.ReportMetric(float64(fastest[none])/rounds, "ns/round")
		}
		b.Run(name+"/fakenode", func(b *testing.B) {
			machine := evmstate.NewMachine(evmstate.StateFromAlloc(alloc), benchBlock, benchConfig, vm.Config{})
			defer machine.Release()
			run(b, machine.Overlay())
		})
		b.Run(name+"/none", func(b *testing.B) {
			machine := evmstate.NewMachine(evmstate.StateFromAlloc(alloc), benchBlock, benchConfig, vm.Config{})
			defer machine.Release()
			run(b, forgetful{machine.Overlay()})
		})
		b.Run(name+"/geth", func(b *testing.B) { run(b, newReference(b, alloc).db) })
	}
}

// forgetful is a state whose slots cost nothing, so that a loop over slots measures the interpreter alone.
type forgetful struct{ vm.StateDB }

func (forgetful) GetState(common.Address, common.Hash) common.Hash { return common.Hash{1} }

func (forgetful) SetState(common.Address, common.Hash, common.Hash) common.Hash {
	return common.Hash{1}
}

func (forgetful) GetStateAndCommittedState(common.Address, common.Hash) (now, before common.Hash) {
	return common.Hash{1}, common.Hash{2}
}

func (forgetful) SlotInAccessList(common.Address, common.Hash) (address, slot bool) {
	return true, true
}

// BenchmarkLoops runs loops that call a contract, which does nothing, and that hash a word, on our Overlay and on
// go-ethereum's core/state. ns/round is of the fastest run.
func BenchmarkLoops(b *testing.B) {
	for name, body := range map[string][]vm.OpCode{
		"call":   {vm.PUSH0, vm.PUSH0, vm.PUSH0, vm.PUSH0, vm.PUSH0, vm.PUSH1, 0x53, vm.GAS, vm.CALL, vm.POP},
		"keccak": {vm.PUSH1, 0x20, vm.PUSH0, vm.KECCAK256, vm.POP},
	} {
		alloc, loop := benchAlloc(), common.Address{0x51}
		alloc[loop] = types.Account{Code: loopCode(body), Balance: new(big.Int)}
		alloc[common.BytesToAddress([]byte{0x53})] = types.Account{Code: []byte{byte(vm.STOP)}, Balance: new(big.Int)}
		run := func(b *testing.B, db vm.StateDB) {
			evm := vm.NewEVM(benchBlock, db, benchConfig, vm.Config{})
			defer evm.Release()
			fastest := time.Duration(math.MaxInt64)
			for b.Loop() {
				db.Prepare(benchRules, alice, common.Address{}, &loop, nil, nil)
				start := time.Now()
				_, _, err := evm.Call(alice, loop, nil, vm.NewGasBudget(math.MaxInt64, 0), new(uint256.Int))
				fastest = min(fastest, time.Since(start))
				require.NoError(b, err)
				db.Finalise(benchRules)
			}
			b.ReportMetric(float64(fastest)/rounds, "ns/round")
		}
		b.Run(name+"/fakenode", func(b *testing.B) {
			machine := evmstate.NewMachine(evmstate.StateFromAlloc(alloc), benchBlock, benchConfig, vm.Config{})
			defer machine.Release()
			run(b, machine.Overlay())
		})
		b.Run(name+"/geth", func(b *testing.B) { run(b, newReference(b, alloc).db) })
	}
}
