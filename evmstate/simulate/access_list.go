package simulate

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth/tracers/logger"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// CreateAccessList returns the EIP-2930 access list of everything the call
// touches, and the gas that the call uses with it. The sender, the target,
// precompiles and the authorities of EIP-7702 are left out unless their storage
// is touched. vmErr is the failure of a call that reverts or runs out of gas, an
// error of go-ethereum's vm package; such a call has an access list all the same.
func CreateAccessList(ctx context.Context, v chain.View, c Call, so StateOverrides, bo *BlockOverrides, l Limits) (list types.AccessList, gasUsed uint64, vmErr error, err error) {
	ctx, cancel := l.start(ctx)
	defer cancel()
	e, err := NewEnvironment(v, so, bo)
	if err != nil {
		return nil, 0, nil, err
	}
	if c.MaxFeePerBlobGas != nil && c.MaxFeePerBlobGas.Sign() == 0 {
		return nil, 0, nil, ErrZeroBlobFee
	}
	c.fillFeeCap(e.Block.BaseFee)
	excluded, err := e.warmAddresses(&c)
	if err != nil {
		return nil, 0, nil, err
	}
	tracer := logger.NewAccessListTracer(c.accessList(), excluded)
	// A longer list changes gas costs, so the call may take another way: repeat
	// until the list no longer grows.
	for {
		list = tracer.AccessList()
		c.AccessList = &list
		result, err := e.traceAccess(ctx, &c, l, tracer, excluded)
		if err != nil {
			return nil, 0, nil, err
		}
		if result.tracer.Equal(tracer) {
			return list, result.UsedGas, result.Err, nil
		}
		tracer = result.tracer
	}
}

// accessResult is a call's result with the accesses it made.
type accessResult struct {
	*core.ExecutionResult
	tracer *logger.AccessListTracer
}

// traceAccess runs the call with the list collected so far.
func (e *Environment) traceAccess(ctx context.Context, c *Call, l Limits, sofar *logger.AccessListTracer, excluded map[common.Address]struct{}) (*accessResult, error) {
	msg, err := e.Message(c, l.gasCap())
	if err != nil {
		return nil, err
	}
	tracer := logger.NewAccessListTracer(sofar.AccessList(), excluded)
	m := e.Machine(msg, tracer.Hooks())
	defer m.Release()
	m.SetTxContext(common.Hash{}, 0)
	r, _, err := m.Apply(ctx, msg, nil)
	if err != nil {
		return nil, applyError(ctx, m, err, &InvalidCallError{Gas: msg.GasLimit})
	}
	return &accessResult{ExecutionResult: r, tracer: tracer}, nil
}

// warmAddresses are the addresses that need no entry, being warm from the start.
func (e *Environment) warmAddresses(c *Call) (map[common.Address]struct{}, error) {
	nonce, err := e.nonce(c)
	if err != nil {
		return nil, err
	}
	to := crypto.CreateAddress(c.sender(), nonce)
	if c.To != nil {
		to = *c.To
	}
	warm := map[common.Address]struct{}{c.sender(): {}, to: {}}
	for _, address := range vm.ActivePrecompiles(e.rules()) {
		warm[address] = struct{}{}
	}
	for address := range e.Precompiles {
		warm[address] = struct{}{}
	}
	for _, auth := range c.Authorizations {
		if !auth.ChainID.IsZero() && auth.ChainID.CmpBig(e.Config.ChainID) != 0 || auth.Nonce+1 == 0 {
			continue
		}
		if authority, err := auth.Authority(); err == nil {
			warm[authority] = struct{}{}
		}
	}
	return warm, nil
}

// fillFeeCap lets a call that gives only a tip pay the base fee, doubled to
// leave room for its rise.
func (c *Call) fillFeeCap(baseFee *big.Int) {
	if baseFee == nil || c.MaxPriorityFeePerGas == nil || c.MaxFeePerGas != nil {
		return
	}
	c.MaxFeePerGas = new(big.Int).Add(c.MaxPriorityFeePerGas, new(big.Int).Lsh(baseFee, 1))
}
