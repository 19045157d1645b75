// Package evmstate holds the accounts of a chain and runs messages on them.
//
// A State is an immutable value: a change gives a new State that shares what did
// not change with the old one, so that a snapshot, a revert or a copy for a call
// is a pointer. A Machine runs messages on a State with go-ethereum's EVM by the
// rules of any fork from Frontier to Osaka, and hands back the State that results.
// There is no block, block tag, clock or JSON here.
//
//	state := evmstate.StateFromAlloc(genesis.Alloc)
//	machine := evmstate.NewMachine(state, block, config, vm.Config{})
//	defer machine.Release()
//	result, logs, err := machine.Apply(ctx, msg, nil)
//	root := machine.State().Root() // state itself is as it was
package evmstate
