// Package evmstate holds the accounts of a chain and executes messages on them.
//
// It is for programs that need an EVM with a state and no chain around it; a chain of blocks is in package chain, a
// whole node in package fakenode. It has no blocks, block tags, clocks or JSON.
//
// A State is an immutable value: a change returns a new State that shares everything unchanged with the old one, so a
// snapshot, a revert or a copy for a call costs one pointer. A Machine executes messages on a State with go-ethereum's
// EVM, under the rules of any fork from Frontier to Amsterdam, and returns the resulting State.
//
//	state := evmstate.StateFromAlloc(genesis.Alloc)
//	machine := evmstate.NewMachine(state, block, config, vm.Config{})
//	defer machine.Release()
//	result, logs, err := machine.Apply(ctx, msg, nil)
//	root := machine.State().Root() // state itself has not changed
package evmstate
