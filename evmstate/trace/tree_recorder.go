package trace

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
)

const (
	maxTreeData  = 64 << 20 // bytes of inputs and outputs
	maxPreimages = 100_000
)

// treeRecorder records the Tree of one message.
type treeRecorder struct {
	root      *Branch
	open      []*Branch // the branches that have not ended
	state     tracing.StateDB
	given     uint64 // gas of the root
	gasUsed   uint64
	left      int // bytes of data that may still be kept
	preimages map[common.Hash][64]byte
}

// tracer implements recorder.
func (r *treeRecorder) tracer(*params.ChainConfig) *Tracer {
	return &Tracer{
		Hooks: &tracing.Hooks{
			OnTxStart: func(at *tracing.VMContext, _ *types.Transaction, _ common.Address) { r.state = at.StateDB },
			OnTxEnd: func(receipt *types.Receipt, _ error) {
				if receipt != nil {
					r.gasUsed = receipt.GasUsed
				}
			},
			OnEnter:  r.enter,
			OnExit:   r.exit,
			OnLog:    r.log,
			OnOpcode: r.opcode,
		},
		GetResult: func() (json.RawMessage, error) { return nil, nil },
		Stop:      func(error) {}, // it never takes long
	}
}

func (r *treeRecorder) enter(_ int, typ byte, from, to common.Address, input []byte, gas uint64, value *big.Int) {
	op := vm.OpCode(typ)
	b := &Branch{Op: op.String(), From: from, To: to, Value: new(big.Int), Input: r.kept(input, 4)}
	if value != nil { // nil: of a static call
		b.Value.Set(value)
	}
	switch op {
	case vm.CREATE, vm.CREATE2, vm.SELFDESTRUCT:
	default:
		b.readCode(r.state)
	}
	if n := len(r.open); n > 0 {
		r.open[n-1].Steps = append(r.open[n-1].Steps, Step{Branch: b})
	} else {
		r.root, r.given = b, gas
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

func (r *treeRecorder) exit(_ int, output []byte, gasUsed uint64, err error, reverted bool) {
	last := len(r.open) - 1
	b := r.open[last]
	r.open = r.open[:last]
	b.GasUsed, b.Output = gasUsed, r.kept(output, 0)
	if reverted { // else before Homestead code that is too dear to store makes an account without code
		b.Err = err
	}
	if b.Err == nil && (b.Op == vm.CREATE.String() || b.Op == vm.CREATE2.String()) {
		b.Code, b.CodeHash = b.Output, crypto.Keccak256Hash(output)
	}
}

func (r *treeRecorder) log(log *types.Log) {
	if n := len(r.open); n > 0 {
		r.open[n-1].Steps = append(r.open[n-1].Steps, Step{Log: log})
	}
}

// opcode records the preimages of hashes that look like the slot of a mapping's entry.
func (r *treeRecorder) opcode(_ uint64, op byte, _, _ uint64, scope tracing.OpContext, _ []byte, _ int, err error) {
	if vm.OpCode(op) != vm.KECCAK256 || err != nil || len(r.preimages) >= maxPreimages {
		return
	}
	stack, memory := scope.StackData(), scope.MemoryData()
	if len(stack) < 2 {
		return
	}
	offset, size := stack[len(stack)-1], stack[len(stack)-2]
	if !size.IsUint64() || size.Uint64() != 64 || !offset.IsUint64() || offset.Uint64() > uint64(len(memory)) || uint64(len(memory))-offset.Uint64() < 64 {
		return
	}
	hashed := [64]byte(memory[offset.Uint64():])
	r.preimages[crypto.Keccak256Hash(hashed[:])] = hashed
}

// kept returns a copy of data, or of its beginning if the tree holds too much already.
func (r *treeRecorder) kept(data []byte, least int) []byte {
	if len(data) > r.left {
		return slices.Clone(data[:min(len(data), least)])
	}
	r.left -= len(data)
	return slices.Clone(data)
}
