package evmstate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"sync"
	"weak"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/lru"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// Code is the code of a contract, or the delegation designator of an account (EIP-7702), with its hash. States share
// it, so it must not be modified.
type Code struct {
	Hash  common.Hash // Keccak-256 of Bytes
	Bytes []byte
}

// codes holds the codes in use by their hash, weakly: test suites deploy the same contracts thousands of times, and
// each takes its memory once.
var codes = struct {
	sync.Mutex
	held map[common.Hash]weak.Pointer[Code]
}{held: make(map[common.Hash]weak.Pointer[Code])}

// newCode returns a Code of the bytes b, which may be shared, or nil if b is empty.
func newCode(b []byte) *Code {
	if len(b) == 0 {
		return nil
	}
	hash := crypto.Keccak256Hash(b)
	codes.Lock()
	defer codes.Unlock()
	if code := codes.held[hash].Value(); code != nil {
		return code
	}
	code := &Code{Hash: hash, Bytes: bytes.Clone(b)}
	codes.held[hash] = weak.Make(code)
	runtime.AddCleanup(code, forgetCode, hash)
	return code
}

// forgetCode removes a code that is no longer in use from codes, unless it has been made anew.
func forgetCode(hash common.Hash) {
	codes.Lock()
	defer codes.Unlock()
	if codes.held[hash].Value() == nil {
		delete(codes.held, hash)
	}
}

// hash returns the hash of the code: types.EmptyCodeHash if c is nil.
func (c *Code) hash() common.Hash {
	if c == nil {
		return types.EmptyCodeHash
	}
	return c.Hash
}

func (c *Code) bytes() []byte {
	if c == nil {
		return nil
	}
	return c.Bytes
}

// CodeLimit is how many bytes the code of a contract may have, in place of EIP-170's 24,576. A creation transaction may
// have twice as many bytes of init code, in place of EIP-3860's 49,152. Zero leaves both EIPs' limits, and NoCodeLimit
// lifts them. It has effect where these EIPs have: from Amsterdam on the limits are EIP-7954's.
type CodeLimit uint64

// NoCodeLimit allows code and init code of any size.
const NoCodeLimit CodeLimit = math.MaxUint64

// Validate returns an error for limits below EIP-170's.
func (l CodeLimit) Validate() error {
	if l != 0 && l < params.MaxCodeSize {
		return fmt.Errorf("code size limit of %d bytes is below %d, that of EIP-170", uint64(l), params.MaxCodeSize)
	}
	return nil
}

// Bytes returns the largest size of code.
func (l CodeLimit) Bytes() uint64 { return cmp.Or(uint64(l), params.MaxCodeSize) }

// CheckCode returns an error for code of that size that no deployment creates, such as a genesis contract or code set
// by hand, if it is over the limit of Bytes, or from Amsterdam on over EIP-7954's 65,536 bytes.
func (l CodeLimit) CheckCode(amsterdam bool, size int) error {
	limit, eip := l.Bytes(), "EIP-170"
	if amsterdam {
		limit, eip = params.MaxCodeSizeAmsterdam, "EIP-7954"
	}
	if uint64(size) > limit {
		return fmt.Errorf("code of %d bytes is over the limit of %d (%s)", size, limit, eip)
	}
	return nil
}

// InitBytes returns the largest size of the init code of a transaction.
func (l CodeLimit) InitBytes() uint64 {
	if l.Bytes() > math.MaxUint64/2 {
		return math.MaxUint64
	}
	return 2 * l.Bytes()
}

// CheckInit returns the rules for a transaction of a block that creates a contract with init code of that size. They
// are config, except for a size that only l allows: go-ethereum compares sizes with EIP-3860's constant wherever
// Shanghai is active, so the rules then lack Shanghai, and each 32 bytes of the init code cost 2 gas less. The error
// wraps vm.ErrMaxInitCodeSizeExceeded.
func (l CodeLimit) CheckInit(config *params.ChainConfig, number *big.Int, time, size uint64) (*params.ChainConfig, error) {
	if l == 0 || size <= params.MaxInitCodeSize || !config.IsShanghai(number, time) || config.IsAmsterdam(number, time) {
		return config, nil
	}
	if size > l.InitBytes() {
		return nil, fmt.Errorf("%w: code size %d limit %d", vm.ErrMaxInitCodeSizeExceeded, size, l.InitBytes())
	}
	relaxed := *config
	relaxed.ShanghaiTime = nil
	return &relaxed, nil
}

// SetCodeLimit makes l the limit of the code that messages deploy. It must be called before the first Apply. The init
// code of a contract that another contract creates is bounded by its gas alone.
//
// go-ethereum compares sizes with constants wherever the rules of the EVM have the EIP. Two of its hooks are called
// around that comparison for code, for the gas of storing it and when it is stored, and Transfer is handed the rules.
func (m *Machine) SetCodeLimit(l CodeLimit) {
	if rules := m.evm.GetRules(); l == 0 || !rules.IsEIP158 || rules.IsAmsterdam {
		return
	}
	m.limit = l
	transfer := m.evm.Context.Transfer
	var rules *params.Rules
	m.evm.Context.Transfer = func(db vm.StateDB, from, to common.Address, wei *uint256.Int, of *params.Rules) {
		rules = of
		rules.IsShanghai = false // nothing but the comparison for init code asks for it once the EVM is made
		transfer(db, from, to, wei, of)
	}
	var hooks tracing.Hooks
	if given := m.evm.Config.Tracer; given != nil {
		hooks = *given
	}
	given := hooks
	hooks.OnGasChange, hooks.OnGasChangeV2 = nil, func(before, after tracing.Gas, reason tracing.GasChangeReason) {
		if reason == tracing.GasChangeCallCodeStorage {
			m.stored = (before.Execution - after.Execution) / params.CreateDataGas
			rules.IsEIP158 = m.stored <= params.MaxCodeSize || m.stored > uint64(l)
		}
		given.EmitGasChange(before, after, reason)
	}
	hooks.OnCodeChange = nil
	hooks.OnCodeChangeV2 = func(address common.Address, hash common.Hash, code []byte, newHash common.Hash, newCode []byte, reason tracing.CodeChangeReason) {
		if rules != nil { // else it is a delegation (EIP-7702), which comes before the first transfer
			rules.IsEIP158 = true
		}
		if given.OnCodeChangeV2 != nil {
			given.OnCodeChangeV2(address, hash, code, newHash, newCode, reason)
		} else if given.OnCodeChange != nil {
			given.OnCodeChange(address, hash, code, newHash, newCode)
		}
	}
	if exit := given.OnExit; exit != nil {
		hooks.OnExit = func(depth int, output []byte, gas uint64, err error, reverted bool) {
			exit(depth, output, gas, m.explain(err), reverted)
		}
	}
	m.evm.Config.Tracer, m.overlay.hooks = &hooks, &hooks
}

// explain returns err with the limit in force in the place of go-ethereum's.
func (m *Machine) explain(err error) error {
	if m.limit == 0 || !errors.Is(err, vm.ErrMaxCodeSizeExceeded) {
		return err
	}
	return fmt.Errorf("%w: code size %d limit %d", vm.ErrMaxCodeSizeExceeded, m.stored, m.limit.Bytes())
}

// jumpDests caches the valid jump destinations of code, because finding them takes longer than most calls. They depend
// on the code alone, so all Machines share one cache. It is safe for concurrent use.
type jumpDests struct {
	lru *lru.Cache[common.Hash, vm.BitVec]
}

// 1,024 contracts of the largest size (24 KiB) take 3 MiB.
var sharedJumpDests = jumpDests{lru.NewCache[common.Hash, vm.BitVec](1024)}

func (j jumpDests) Load(code common.Hash) (vm.BitVec, bool) { return j.lru.Get(code) }
func (j jumpDests) Store(code common.Hash, dests vm.BitVec) { j.lru.Add(code, dests) }
