package trace

import (
	"context"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

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
	// Input and Output are cut to 4 and 0 bytes if a transaction has more than 64 MiB of them in all. Of more than 65,536
	// calls and logs there is no Tree but a *SizeError.
	Input, Output []byte
	// Given is the execution gas that it got, and GasUsed the part that it used, without the intrinsic gas and before
	// refunds. AllGiven reports whether it got all that its caller may pass on (EIP-150), not an amount that code chose,
	// and ReadsGas whether its code does more with the gas left than pass it on.
	Given, GasUsed     uint64
	AllGiven, ReadsGas bool
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

// Calls returns the calls right below the branch.
func (b *Branch) Calls() (below []*Branch) {
	for _, step := range b.Steps {
		if step.Branch != nil {
			below = append(below, step.Branch)
		}
	}
	return below
}

// Creates reports whether the branch makes a contract.
func (b *Branch) Creates() bool { return b.Op == vm.CREATE.String() || b.Op == vm.CREATE2.String() }

// Self returns the gas that the branch used itself, without the calls below it.
func (b *Branch) Self() uint64 {
	gas := b.GasUsed
	for _, below := range b.Calls() {
		gas -= below.GasUsed
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
	x, err := callExecution(ctx, v, call, so, bo, gasCap)
	if err != nil {
		return nil, err
	}
	return x.tree(ctx)
}

func (x *execution) tree(ctx context.Context) (*Tree, error) {
	recorder := newTree()
	traced, err := x.run(ctx, &Config{recorder: recorder})
	if err != nil {
		return nil, err
	}
	return &Tree{
		Hash: x.about.TxHash, Root: recorder.root, GasUsed: recorder.gasUsed, Intrinsic: x.msg.GasLimit - recorder.root.Given,
		StateDiff: newStateDiff(traced.before, traced.after), Preimages: recorder.preimages,
	}, nil
}

const (
	maxTreeData  = 64 << 20 // bytes of inputs and outputs
	maxPreimages = 100_000
	branchSize   = 1 << 10 // bytes of a call or log, without its data, with its words in a profile
)

// recorder records the calls of one message, and charges their size to a budget.
type recorder struct {
	size, perByte, perLevel int  // in bytes: of a call or log, of a byte of its data, of each call around it
	onlyTop                 bool // without the calls below the transaction's own
	logs                    bool
	// detailed records the code that ran, what calls ask for, and Tree.Preimages.
	detailed bool

	root              *Branch
	open              []*Branch // the branches that have not ended
	depth             int
	state             tracing.StateDB
	precompiles       []common.Address
	gasLimit, gasUsed uint64 // of the transaction
	left              int    // bytes of data that may still be kept
	preimages         map[common.Hash][64]byte
	budget            *budget
	last              vm.OpCode   // the one before
	asked             uint256.Int // the gas that the newest call asked for
}

func newTree() *recorder { return &recorder{size: branchSize, logs: true, detailed: true} }

// tracer returns the Tracer of a message that executes by config, nil where precompiles do not matter. Its result is
// nil: the records are in the recorder.
func (r *recorder) tracer(config *params.ChainConfig, b *budget) *Tracer {
	r.budget, r.left, r.preimages = b, maxTreeData, make(map[common.Hash][64]byte)
	hooks := &tracing.Hooks{
		OnTxStart: func(at *tracing.VMContext, tx *types.Transaction, _ common.Address) {
			r.state, r.gasLimit = at.StateDB, tx.Gas()
			if config != nil {
				r.precompiles = vm.ActivePrecompiles(config.Rules(at.BlockNumber, at.Random != nil, at.Time))
			}
		},
		OnTxEnd: func(receipt *types.Receipt, _ error) {
			if receipt != nil {
				r.gasUsed = receipt.GasUsed
			}
		},
		OnEnter: r.enter,
		OnExit:  r.exit,
	}
	if r.logs {
		hooks.OnLog = r.log
	}
	if r.detailed {
		hooks.OnOpcode = r.opcode
	}
	return &Tracer{
		Hooks: hooks, GetResult: func() (json.RawMessage, error) { return nil, nil },
		Stop: func(error) {}, // it never takes long
	}
}

func (r *recorder) enter(depth int, typ byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
	if r.depth = depth; r.onlyTop && depth > 0 || !r.budget.charge(r.size+r.perLevel*len(r.open)+r.perByte*len(input)) {
		return
	}
	op := vm.OpCode(typ)
	b := &Branch{Op: op.String(), From: from, To: to, Value: new(big.Int), Input: r.kept(input, 4), Given: gas, AllGiven: true}
	if value != nil { // nil: of a static call
		b.Value.Set(value)
	}
	if r.detailed && !b.Creates() && op != vm.SELFDESTRUCT {
		b.readCode(r.state)
		b.AllGiven = len(r.open) == 0 || r.asked.GtUint64(gas)
	}
	if n := len(r.open); n > 0 {
		r.open[n-1].Steps = append(r.open[n-1].Steps, Step{Branch: b})
	} else {
		r.root = b
	}
	r.open = append(r.open, b)
}

// readCode sets the code that runs when To is called.
func (b *Branch) readCode(state tracing.StateDB) {
	b.Code, b.CodeHash = state.GetCode(b.To), state.GetCodeHash(b.To)
	if target, delegated := types.ParseDelegation(b.Code); delegated {
		b.Code, b.CodeHash, b.Delegate = state.GetCode(target), state.GetCodeHash(target), &target
	}
}

func (r *recorder) exit(depth int, output []byte, gasUsed uint64, err error, reverted bool) {
	if r.depth = depth - 1; r.onlyTop && depth > 0 || !r.budget.charge(r.perByte*len(output)) {
		return
	}
	last := len(r.open) - 1
	b := r.open[last]
	r.open = r.open[:last]
	b.GasUsed, b.Output = gasUsed, r.kept(output, 0)
	if reverted { // else before Homestead code that is too dear to store makes an account without code
		b.Err = err
	}
	if r.detailed && b.Err == nil && b.Creates() {
		b.Code, b.CodeHash = b.Output, crypto.Keccak256Hash(output)
	}
}

func (r *recorder) log(log *types.Log) {
	if n := len(r.open); n > 0 && !(r.onlyTop && r.depth > 0) && r.budget.charge(r.size+max(r.perByte, 1)*len(log.Data)) {
		r.open[n-1].Steps = append(r.open[n-1].Steps, Step{Log: log})
	}
}

// opcode records what calls ask for, the uses of the gas left, and the preimages of hashes that look like the slot of a
// mapping's entry.
func (r *recorder) opcode(_ uint64, typ byte, _, _ uint64, scope tracing.OpContext, _ []byte, _ int, err error) {
	op, stack := vm.OpCode(typ), scope.StackData()
	calls := op == vm.CALL || op == vm.STATICCALL || op == vm.DELEGATECALL || op == vm.CALLCODE
	if calls && len(stack) > 0 {
		r.asked = stack[len(stack)-1]
	}
	if n := len(r.open); r.last == vm.GAS && !calls && n > 0 {
		r.open[n-1].ReadsGas = true
	}
	if r.last = op; op != vm.KECCAK256 || err != nil || len(r.preimages) >= maxPreimages || len(stack) < 2 {
		return
	}
	memory := scope.MemoryData()
	offset, size := stack[len(stack)-1], stack[len(stack)-2]
	if !size.IsUint64() || size.Uint64() != 64 || !offset.IsUint64() || offset.Uint64() > uint64(len(memory)) || uint64(len(memory))-offset.Uint64() < 64 {
		return
	}
	hashed := [64]byte(memory[offset.Uint64():])
	r.preimages[crypto.Keccak256Hash(hashed[:])] = hashed
}

// kept returns a copy of data, or of its beginning if the tree holds too much already.
func (r *recorder) kept(data []byte, least int) []byte {
	if len(data) > r.left {
		return slices.Clone(data[:min(len(data), least)])
	}
	r.left -= len(data)
	return slices.Clone(data)
}
