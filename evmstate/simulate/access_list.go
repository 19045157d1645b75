package simulate

import (
	"bytes"
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth/tracers/logger"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// CreateAccessList returns the EIP-2930 access list of everything that the call touches, and the gas that the call uses
// with it. The list leaves out the sender, the target, precompiles and the authorities of EIP-7702 unless the call
// touches their storage. A call that reverts or runs out of gas has an access list too; vmErr is then its failure, an
// error of go-ethereum's vm package.
func CreateAccessList(ctx context.Context, v chain.View, c Call, so StateOverrides, bo *BlockOverrides, l Limits) (list types.AccessList, gasUsed uint64, vmErr error, err error) {
	ctx, cancel := l.start(ctx)
	defer cancel()
	e, err := NewEnvironment(ctx, v, so, bo)
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
	// A longer list changes gas costs, so the call may take another path. Repeat until the list no longer grows.
	for range mostExecutions {
		list = tracer.AccessList()
		c.AccessList = &list
		result, next, err := e.traceAccess(ctx, &c, l, tracer, excluded)
		if err != nil {
			return nil, 0, nil, err
		}
		if next.Equal(tracer) {
			return list, result.UsedGas, result.Err, nil
		}
		tracer = next
	}
	return nil, 0, nil, fmt.Errorf("the access list still grows after %d executions: what the call touches depends on the gas it has left", mostExecutions)
}

// mostExecutions is how often CreateAccessList executes a call.
const mostExecutions = 32

// traceAccess returns the result of a call with the accesses that it made.
func (e *Environment) traceAccess(ctx context.Context, c *Call, l Limits, sofar *logger.AccessListTracer, excluded map[common.Address]struct{}) (*core.ExecutionResult, *logger.AccessListTracer, error) {
	msg, err := e.Message(c, l.gasCap())
	if err != nil {
		return nil, nil, err
	}
	tracer := logger.NewAccessListTracer(sofar.AccessList(), excluded)
	m := e.Machine(msg, tracer.Hooks())
	defer m.Release()
	m.SetTxContext(common.Hash{}, 0)
	r, _, err := m.Apply(ctx, msg, nil)
	if err != nil {
		return nil, nil, applyError(ctx, m, err, &InvalidCallError{Gas: msg.GasLimit})
	}
	return r, tracer, nil
}

// warmAddresses returns the addresses that need no entry because they are warm from the start.
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
	for address := range e.chain.Precompiles(e.rules()) {
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

// fillFeeCap sets the fee cap of a call that gives only a tip, to twice the base fee plus the tip, so that the call
// stays valid while the base fee rises.
func (c *Call) fillFeeCap(baseFee *big.Int) {
	if baseFee == nil || c.MaxPriorityFeePerGas == nil || c.MaxFeePerGas != nil {
		return
	}
	c.MaxFeePerGas = new(big.Int).Add(c.MaxPriorityFeePerGas, new(big.Int).Lsh(baseFee, 1))
}

// DecidingSlot finds the storage slot that alone decides what a call returns, such as the balance that a token reports,
// also behind a proxy: with word in it the call returns word. found is false if there is no such slot. Its errors are
// RunCall's.
func DecidingSlot(ctx context.Context, v chain.View, c Call, word *uint256.Int, l Limits) (account common.Address, slot common.Hash, found bool, err error) {
	read, _, _, err := CreateAccessList(ctx, v, c, nil, nil, l)
	if err != nil {
		return account, slot, false, err
	}
	// The call may return the word for another reason, so another value is tried too.
	other := new(uint256.Int).AddUint64(word, 1)
	if word.GtUint64(1) {
		other.SubUint64(word, 1) // above the word may be a flag
	}
	for _, touched := range read {
		for _, key := range touched.StorageKeys {
			decides := true
			for _, value := range []*uint256.Int{word, other} {
				want := value.Bytes32()
				override := StateOverrides{touched.Address: {StateDiff: map[common.Hash]common.Hash{key: want}}}
				result, err := RunCall(ctx, v, c, override, nil, l)
				if err != nil {
					return account, slot, false, err
				}
				decides = decides && result.Err == nil && bytes.Equal(result.ReturnData, want[:])
			}
			if decides {
				return touched.Address, key, true, nil
			}
		}
	}
	return account, slot, false, nil
}
