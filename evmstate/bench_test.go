package evmstate_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	gethtests "github.com/ethereum/go-ethereum/tests"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// The benchmarks run under the rules of Osaka on ten funded accounts, a token and the system contracts. Each runs the
// same work on go-ethereum's core/state for comparison.
var (
	benchConfig = gethtests.Forks["Osaka"]
	benchBlock  = testBlock(benchConfig, 1)
	benchRules  = benchConfig.Rules(benchBlock.BlockNumber, true, benchBlock.Time)
	alice, bob  = common.Address{0xa1}, common.Address{0xb0}
	token       = common.Address{0x70}
)

func benchAlloc() types.GenesisAlloc {
	alloc := core.SystemContractAllocs()
	for i := range 8 {
		alloc[common.Address{0xff, byte(i)}] = types.Account{Balance: big.NewInt(1e18)}
	}
	alloc[alice] = types.Account{Balance: big.NewInt(1e18)}
	alloc[bob] = types.Account{Balance: big.NewInt(1e18)}
	alloc[token] = types.Account{Nonce: 1, Balance: new(big.Int), Code: tokenCode(), Storage: map[common.Hash]common.Hash{
		balanceSlot(alice): common.BigToHash(big.NewInt(1e18)),
		balanceSlot(bob):   common.BigToHash(big.NewInt(1)),
	}}
	return alloc
}

func balanceSlot(holder common.Address) common.Hash {
	return crypto.Keccak256Hash(common.LeftPadBytes(holder[:], 32), make([]byte, 32))
}

var (
	transferSelector  = crypto.Keccak256([]byte("transfer(address,uint256)"))[:4]
	balanceOfSelector = crypto.Keccak256([]byte("balanceOf(address)"))[:4]
	transferTopic     = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
)

// tokenCode returns the code of ERC-20's balanceOf and transfer as a compiler would write it.
func tokenCode() []byte {
	mapping := func(p *program.Program) *program.Program { // slot of the holder in memory
		return p.Push(64).Push(0).Op(vm.KECCAK256)
	}
	transfer := program.New().Op(vm.CALLER).Push(0).Op(vm.MSTORE)
	mapping(transfer).Op(vm.DUP1, vm.SLOAD).Push(36).Op(vm.CALLDATALOAD)
	transfer.Op(vm.DUP1, vm.DUP3, vm.LT).Push(0).Op(vm.JUMPI) // no destination: fails
	transfer.Op(vm.SWAP1, vm.SUB, vm.SWAP1, vm.SSTORE)
	mapping(transfer.Push(4).Op(vm.CALLDATALOAD).Push(0).Op(vm.MSTORE)).Op(vm.DUP1, vm.SLOAD)
	transfer.Push(36).Op(vm.CALLDATALOAD, vm.ADD, vm.SWAP1, vm.SSTORE)
	transfer.Push(36).Op(vm.CALLDATALOAD).Push(0).Op(vm.MSTORE)
	transfer.Push(4).Op(vm.CALLDATALOAD, vm.CALLER).Push(transferTopic).Push(32).Push(0).Op(vm.LOG3)
	transfer.Push(1).Push(0).Op(vm.MSTORE).Return(0, 32)

	balanceOf := program.New().Op(vm.JUMPDEST).Push(4).Op(vm.CALLDATALOAD).Push(0).Op(vm.MSTORE)
	mapping(balanceOf).Op(vm.SLOAD).Push(0).Op(vm.MSTORE).Return(0, 32)

	dispatch := program.New().Push(0).Op(vm.CALLDATALOAD).Push(224).Op(vm.SHR).Push(balanceOfSelector).Op(vm.EQ)
	destination := dispatch.Size() + 3 + transfer.Size()
	dispatch.Push(destination).Op(vm.JUMPI)
	return dispatch.Append(transfer.Bytes()).Append(balanceOf.Bytes()).Bytes()
}

func benchMessage(to common.Address, value uint64, data ...[]byte) *core.Message {
	msg := &core.Message{
		From: alice, To: &to, Value: uint256.NewInt(value), GasLimit: 100_000,
		GasPrice: uint256.NewInt(8), GasFeeCap: uint256.NewInt(8), GasTipCap: uint256.NewInt(1),
	}
	for i, word := range data {
		if i > 0 {
			word = common.LeftPadBytes(word, 32)
		}
		msg.Data = append(msg.Data, word...)
	}
	return msg
}

var (
	plainTransfer = benchMessage(bob, 1).SkipNonceCheck()
	tokenTransfer = benchMessage(token, 0, transferSelector, bob[:], []byte{1}).SkipNonceCheck()
)

// view returns a message as eth_call makes it.
func view() *core.Message {
	msg := benchMessage(token, 0, balanceOfSelector, alice[:])
	msg.GasPrice, msg.GasFeeCap, msg.GasTipCap = new(uint256.Int), new(uint256.Int), new(uint256.Int)
	return msg.SkipNonceCheck().SkipEOACheck()
}

// blockSize is the number of messages after which BenchmarkExecute starts from the base again, as a chain commits after
// each block.
const blockSize = 200

// BenchmarkExecute executes one message after another and, on our side, asks for the State after each.
func BenchmarkExecute(b *testing.B) {
	for name, msg := range map[string]*core.Message{"transfer": plainTransfer, "token": tokenTransfer} {
		b.Run(name+"/fakenode", func(b *testing.B) {
			base := evmstate.StateFromAlloc(benchAlloc())
			b.ReportAllocs()
			var machine *evmstate.Machine
			for i := 0; b.Loop(); i++ {
				if i%blockSize == 0 {
					if machine != nil {
						machine.Release()
					}
					machine = evmstate.NewMachine(base, benchBlock, benchConfig, vm.Config{})
				}
				result, _, err := machine.Apply(context.Background(), msg, nil)
				requireSuccess(b, result, err)
				machine.State()
			}
		})
		b.Run(name+"/geth", func(b *testing.B) {
			db := newReference(b, benchAlloc()).db
			evm := vm.NewEVM(benchBlock, db, benchConfig, vm.Config{})
			defer evm.Release()
			b.ReportAllocs()
			for b.Loop() {
				result, err := core.ApplyMessage(evm, msg, nil)
				requireSuccess(b, result, err)
				db.Finalise(benchRules)
			}
		})
	}
}

// BenchmarkCall calls balanceOf, each time on a fresh machine, on a committed State and on one with a thousand
// uncommitted transactions.
func BenchmarkCall(b *testing.B) {
	msg, cfg := view(), vm.Config{NoBaseFee: true}
	for _, pending := range []int{0, 1_000} {
		name := fmt.Sprintf("pending=%d", pending)
		b.Run(name+"/fakenode", func(b *testing.B) {
			base := evmstate.StateFromAlloc(benchAlloc())
			for range pending {
				base = applyOurs(b, base, tokenTransfer)
			}
			b.ReportAllocs()
			for b.Loop() {
				machine := evmstate.NewMachine(base, benchBlock, benchConfig, cfg)
				result, _, err := machine.Apply(context.Background(), msg, nil)
				requireSuccess(b, result, err)
				machine.Release()
			}
		})
		b.Run(name+"/geth", func(b *testing.B) {
			reference := newReference(b, benchAlloc())
			for i := range pending {
				reference.db.SetTxContext(common.BigToHash(big.NewInt(int64(i))), i, 0)
				applyTheirs(b, reference.db, tokenTransfer)
			}
			b.ReportAllocs()
			for b.Loop() {
				db := reference.db
				if pending > 0 {
					db = db.Copy()
				} else {
					db, _ = state.New(reference.root, db.Database())
				}
				evm := vm.NewEVM(benchBlock, db, benchConfig, cfg)
				result, err := core.ApplyMessage(evm, msg, nil)
				requireSuccess(b, result, err)
				evm.Release()
			}
		})
	}
}

// BenchmarkCommit executes one message and computes the root after it.
func BenchmarkCommit(b *testing.B) {
	for name, msg := range map[string]*core.Message{"transfer": plainTransfer, "token": tokenTransfer} {
		b.Run(name+"/fakenode", func(b *testing.B) {
			base := evmstate.StateFromAlloc(benchAlloc())
			b.ReportAllocs()
			for b.Loop() {
				base = applyOurs(b, base, msg).Commit()
			}
		})
		b.Run(name+"/geth", func(b *testing.B) {
			reference := newReference(b, benchAlloc())
			b.ReportAllocs()
			for b.Loop() {
				applyTheirs(b, reference.db, msg)
				reference.commit(b, benchRules)
			}
		})
	}
}

func applyOurs(b *testing.B, base *evmstate.State, msg *core.Message) *evmstate.State {
	machine := evmstate.NewMachine(base, benchBlock, benchConfig, vm.Config{})
	defer machine.Release()
	result, _, err := machine.Apply(context.Background(), msg, nil)
	requireSuccess(b, result, err)
	return machine.State()
}

func applyTheirs(b *testing.B, db *state.StateDB, msg *core.Message) {
	evm := vm.NewEVM(benchBlock, db, benchConfig, vm.Config{})
	defer evm.Release()
	result, err := core.ApplyMessage(evm, msg, nil)
	requireSuccess(b, result, err)
	db.Finalise(benchRules)
}

func requireSuccess(b *testing.B, result *core.ExecutionResult, err error) {
	if err != nil || result.Failed() {
		require.NoError(b, err)
		require.NoError(b, result.Err)
	}
}

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
