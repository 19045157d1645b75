package trace

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Tree describes the whole execution of a transaction or call, call by call.
type Tree struct {
	// Hash is zero for a call.
	Hash common.Hash
	Root *Branch
	// GasUsed is the gas paid for, after refunds, as in the receipt.
	GasUsed uint64
	// Intrinsic is the gas that was paid before any code ran.
	Intrinsic uint64
	StateDiff StateDiff
	// Preimages maps the hashes that contracts computed of 64 bytes, such as the slots of a mapping's entries, to those
	// bytes.
	Preimages map[common.Hash][64]byte
}

// Branch is a call, creation or self-destruction with everything below it.
type Branch struct {
	Op string // as the EVM names it, such as "CALL", "DELEGATECALL", "CREATE2"
	// From is the caller. To is the account called, in a DELEGATECALL the account whose code runs, or the created one.
	From, To common.Address
	Value    *big.Int // wei; not nil
	// Input and Output are cut to 4 and 0 bytes if a transaction has more than 64 MiB of them in all.
	Input, Output []byte
	// GasUsed is without the intrinsic gas, and before refunds.
	GasUsed uint64
	// Err is the reason why it failed, nil if it did not: an error of go-ethereum's package vm.
	Err error
	// Code is the code that ran, empty if there was none; CodeHash is its hash. Delegate is the account whose code it is
	// if To delegates (EIP-7702), else nil.
	Code     []byte
	CodeHash common.Hash
	Delegate *common.Address
	// Steps are the calls below and the logs, in order.
	Steps []Step
}

// Step is a call or a log.
type Step struct {
	Branch *Branch    // nil for a log
	Log    *types.Log // nil for a call
}

// Self returns the gas that the branch used itself, without the calls below it.
func (b *Branch) Self() uint64 {
	gas := b.GasUsed
	for _, step := range b.Steps {
		if step.Branch != nil {
			gas -= step.Branch.GasUsed
		}
	}
	return gas
}

// TreeTransaction traces the transaction at index of a block like Transaction, with the same errors.
func TreeTransaction(ctx context.Context, c *chain.Chain, b Executed, index int) (*Tree, error) {
	x, err := transaction(ctx, c, b, index)
	if err != nil {
		return nil, err
	}
	return x.tree(ctx)
}

// TreeCall traces a call on any View. Its errors are Call's.
func TreeCall(ctx context.Context, v chain.View, call simulate.Call, so simulate.StateOverrides, bo *simulate.BlockOverrides, gasCap uint64) (*Tree, error) {
	x, err := callExecution(v, call, so, bo, gasCap)
	if err != nil {
		return nil, err
	}
	return x.tree(ctx)
}

// tree executes the message and returns its Tree.
func (x *execution) tree(ctx context.Context) (*Tree, error) {
	recorder := &treeRecorder{left: maxTreeData, preimages: map[common.Hash][64]byte{}}
	traced, err := x.run(ctx, &Config{recorder: recorder})
	if err != nil {
		return nil, err
	}
	return &Tree{
		Hash: x.about.TxHash, Root: recorder.root, GasUsed: recorder.gasUsed, Intrinsic: x.msg.GasLimit - recorder.given,
		StateDiff: newStateDiff(traced.before, traced.after), Preimages: recorder.preimages,
	}, nil
}
