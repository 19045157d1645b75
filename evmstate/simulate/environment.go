package simulate

import (
	"cmp"
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Environment is a View with overrides applied, in which one call is executed. It is not safe for concurrent use.
type Environment struct {
	State  *evmstate.State
	Block  vm.BlockContext
	Config *params.ChainConfig
	// Precompiles holds the active precompiles after overrides; nil: the fork's own.
	Precompiles vm.PrecompiledContracts
	// fees holds the fees that transactions on an OP-stack chain pay besides gas; nil on others.
	fees *optimism.Fees

	chain *chain.Chain
}

// NewEnvironment returns v with the overrides applied. The error is one of state overrides, the cause of the
// context's end, or wraps ErrBlockOverride.
func NewEnvironment(ctx context.Context, v chain.View, so StateOverrides, bo *BlockOverrides) (*Environment, error) {
	e := &Environment{State: v.State, Block: v.Chain.BlockContext(v.Header), Config: v.Chain.Config(), chain: v.Chain}
	if v.Chain.CallsFree && e.Block.BaseFee != nil {
		e.Block.BaseFee = new(big.Int)
	}
	if bo != nil {
		e.Block.GetHash = ownHash(v, e.Block.GetHash)
		if err := e.override(bo); err != nil {
			return nil, err
		}
	}
	if len(so) > 0 {
		e.Precompiles = boundedPrecompiles(v.Chain, e.rules())
		state, err := so.apply(ctx, v.State, e.Precompiles, v.Chain.FixedPrecompiles)
		if err != nil {
			return nil, err
		}
		e.State = state
	}
	if v.Chain.Optimism != nil {
		e.fees = new(optimism.FeesAt(e.State))
	}
	return e, nil
}

// override applies overrides to the block that the next calls see.
func (e *Environment) override(bo *BlockOverrides) error {
	if err := bo.context(&e.Block); err != nil {
		return err
	}
	e.fillFees()
	return checkFork(e.rules())
}

// ownHash returns a function that also knows the hash of the block that a call is executed on, if it is sealed. A call
// sees that hash if an override gives its block a higher number.
func ownHash(v chain.View, next vm.GetHashFunc) vm.GetHashFunc {
	return func(number uint64) common.Hash {
		if number != v.Header.Number.Uint64() {
			return next(number)
		}
		hash, head := v.Header.Hash(), v.Chain.Head()
		if block, _ := v.Chain.BlockByHash(hash); block != nil {
			return hash
		}
		if head.Header().ParentHash == v.Header.ParentHash && head.Header().Root == v.Header.Root {
			return head.Hash() // with some fields of the next block
		}
		return common.Hash{}
	}
}

// fillFees sets the base fee and blob base fee of a block that an override moved into a later fork to the fork's first
// ones, if the block's own fork has none.
func (e *Environment) fillFees() {
	rules := e.rules()
	if rules.IsLondon && e.Block.BaseFee == nil {
		e.Block.BaseFee = big.NewInt(params.InitialBaseFee)
	}
	if rules.IsCancun && e.Block.BlobBaseFee == nil {
		e.Block.BlobBaseFee = big.NewInt(params.BlobTxMinBlobGasprice)
	}
}

func (e *Environment) rules() params.Rules {
	return e.Config.Rules(e.Block.BlockNumber, e.Block.Random != nil, e.Block.Time)
}

// checkFork returns an error for forks that package evmstate does not support. A timestamp far ahead may reach one.
func checkFork(rules params.Rules) error {
	if rules.IsBogota || rules.IsUBT {
		return errors.New("block is in a fork after osaka, which is not supported")
	}
	return nil
}

// Message returns c as the EVM executes it, with at most gasCap gas. Its nonce is not checked; a nil Nonce means the
// sender's.
func (e *Environment) Message(c *Call, gasCap uint64) (*core.Message, error) {
	if e.chain.CallsBelowBaseFee {
		if tip := c.MaxPriorityFeePerGas; tip != nil && tip.Cmp(cmp.Or(c.MaxFeePerGas, new(big.Int))) > 0 {
			return nil, &InvalidCallError{Err: core.ErrTipAboveFeeCap}
		}
		if c.MaxFeePerGas != nil || c.MaxPriorityFeePerGas != nil {
			c.GasPrice = nil
		}
	}
	if err := c.check(e.Config); err != nil {
		return nil, err
	}
	f, err := c.fees(e.Block.BaseFee)
	if err != nil {
		return nil, err
	}
	gas := gasCap
	switch {
	case c.Gas != nil:
		gas = min(*c.Gas, gasCap)
	case gasCap == GasOfBlock:
		gas = min(e.Block.GasLimit, gasCap)
	}
	nonce, err := e.nonce(c)
	if err != nil {
		return nil, err
	}
	msg := c.message(f, gas, nonce).SkipNonceCheck()
	if e.chain.CallsFree {
		e.lend(msg)
	}
	if base := e.Block.BaseFee; e.chain.CallsBelowBaseFee && base != nil {
		if c.GasPrice == nil && c.MaxPriorityFeePerGas == nil {
			msg.GasPrice = f.feeCap
		}
		if f.feeCap.CmpBig(base) < 0 { // it pays its price, but go-ethereum must not see fees to check
			msg.GasFeeCap, msg.GasTipCap = new(uint256.Int), new(uint256.Int)
		}
	}
	return msg, nil
}

// lend gives the sender of a message what it may cost, if it has less.
func (e *Environment) lend(msg *core.Message) {
	cost, overflow := new(uint256.Int).MulOverflow(uint256.NewInt(msg.GasLimit), msg.GasFeeCap)
	_, more := cost.AddOverflow(cost, msg.Value)
	if !overflow && !more && e.State.Balance(msg.From).Lt(cost) {
		e.State = e.State.WithBalance(msg.From, cost)
	}
}

// Affords returns an error for a message below the base fee whose sender cannot pay its price, which go-ethereum does
// not check. It is an *InvalidCallError.
func (e *Environment) Affords(msg *core.Message) error {
	if !msg.GasFeeCap.IsZero() || msg.GasPrice.IsZero() {
		return nil
	}
	cost := new(big.Int).SetUint64(msg.GasLimit)
	cost.Mul(cost, msg.GasPrice.ToBig()).Add(cost, msg.Value.ToBig())
	if e.State.Balance(msg.From).ToBig().Cmp(cost) < 0 {
		return &InvalidCallError{Gas: msg.GasLimit, Err: core.ErrInsufficientFunds}
	}
	return nil
}

// Transaction returns c as an unsigned transaction, for tracers. msg must be the result of Message for c.
func (e *Environment) Transaction(c *Call, msg *core.Message) *types.Transaction {
	f := fees{price: msg.GasPrice, feeCap: msg.GasFeeCap, tipCap: msg.GasTipCap, blobFeeCap: msg.BlobGasFeeCap}
	return c.transaction(c.kind(e.Block.BaseFee != nil, false), f, msg.GasLimit, msg.Nonce, e.Config)
}

// nonce returns the call's own nonce, or else the sender's, which it loads first.
func (e *Environment) nonce(c *Call) (uint64, error) {
	if err := e.State.Load(c.sender()); err != nil {
		return 0, err
	}
	if c.Nonce != nil {
		return *c.Nonce, nil
	}
	return e.State.Nonce(c.sender()), nil
}

// Machine returns a machine to execute msg; hooks may be nil. The base fee is zero for a message without a price unless
// the chain says otherwise, and the blob base fee is zero for one without a blob fee, because the EVM demands fees of
// at least these. The caller must call Release on the machine.
func (e *Environment) Machine(msg *core.Message, hooks *tracing.Hooks) *evmstate.Machine {
	block := e.Block
	if msg.GasPrice.IsZero() && !e.chain.CallsSeeBaseFee {
		block.BaseFee = new(big.Int)
	}
	if msg.BlobGasFeeCap != nil && msg.BlobGasFeeCap.IsZero() {
		block.BlobBaseFee = new(big.Int)
	}
	m := e.chain.Machine(e.State, block, vm.Config{NoBaseFee: true, Tracer: hooks})
	switch {
	case e.Precompiles != nil:
		m.OverridePrecompiles(e.Precompiles)
	case msg.GasLimit > maxPrecompileGas:
		m.OverridePrecompiles(boundedPrecompiles(e.chain, e.rules()))
	}
	return m
}
