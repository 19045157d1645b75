// Package labcode holds the code of small contracts for tests: each has one effect that a test wants to see. It is for
// the tests of fakenode; the contracts that tests of users deploy are in package fixtures/contracts.
package labcode

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
)

// Emitter returns code that emits one log. The first two words of the call data are its topics, the rest is its data.
func Emitter() []byte {
	return program.New().
		Push(64).Op(vm.CALLDATASIZE, vm.SUB, vm.DUP1).Push(64).Push0().Op(vm.CALLDATACOPY).
		Push0().Op(vm.CALLDATALOAD).Push(32).Op(vm.CALLDATALOAD, vm.SWAP2).Push0().Op(vm.LOG2).Bytes()
}

// EmitterCall returns the call data for Emitter: two topics, each a word that ends in one byte, and the data.
func EmitterCall(topic0, topic1 byte, data ...byte) []byte {
	return append(append(common.BytesToHash([]byte{topic0}).Bytes(), common.BytesToHash([]byte{topic1}).Bytes()...), data...)
}

func Reverter() []byte {
	return program.New().
		Op(vm.CALLDATASIZE).Push0().Push0().Op(vm.CALLDATACOPY, vm.CALLDATASIZE).Push0().Op(vm.REVERT).Bytes()
}

// Counter returns code that adds one to slot 0, returns the new value and emits it as a log without topics.
func Counter() []byte {
	return program.New().
		Push0().Op(vm.SLOAD).Push(1).Op(vm.ADD, vm.DUP1).Push0().Op(vm.SSTORE).Push0().Op(vm.MSTORE).
		Push(32).Push0().Op(vm.LOG0).Return(0, 32).Bytes()
}

// Observer returns code that returns one word for each of the opcodes, which push a value that they observe, and then
// the hash of the block before.
func Observer(opcodes ...vm.OpCode) []byte {
	p := program.New()
	for i, op := range opcodes {
		p.Op(op).Push(32 * i).Op(vm.MSTORE)
	}
	size := 32 * len(opcodes)
	return p.Push(1).Op(vm.NUMBER, vm.SUB, vm.BLOCKHASH).Push(size).Op(vm.MSTORE).Return(0, size+32).Bytes()
}

func Spinner() []byte {
	p, start := program.New().Jumpdest()
	return p.Jump(start).Bytes()
}

// Deployment returns init code that deploys code.
func Deployment(code []byte) []byte { return program.New().ReturnViaCodeCopy(code).Bytes() }
