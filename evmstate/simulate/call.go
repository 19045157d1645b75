package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
)

// Call is a transaction call object (contract 2.4-from to 2.4-data) with the fields of all transaction types. The zero
// value is a contract creation by the zero address.
type Call struct {
	// From is the sender; nil means the zero address.
	From *common.Address
	// To is the target; nil creates a contract.
	To *common.Address
	// Gas is the gas limit; nil means all that is available.
	Gas *uint64
	// GasPrice is the price of legacy transactions, in wei per gas. It excludes MaxFeePerGas and MaxPriorityFeePerGas.
	GasPrice *big.Int
	// MaxFeePerGas and MaxPriorityFeePerGas are the EIP-1559 fees, in wei per gas.
	MaxFeePerGas, MaxPriorityFeePerGas *big.Int
	// MaxFeePerBlobGas is the EIP-4844 fee, in wei per blob gas.
	MaxFeePerBlobGas *big.Int
	// Value is the amount transferred, in wei; nil means 0.
	Value *uint256.Int
	// Nonce is checked in validated simulations and decides the address of a created contract; nil means the sender's.
	Nonce *uint64
	// Data is the call data or init code.
	Data []byte
	// AccessList is the EIP-2930 access list.
	AccessList *types.AccessList
	// ChainID must be the chain's if it is not nil.
	ChainID *big.Int
	// BlobHashes makes the call an EIP-4844 transaction if it is not nil, even if it is empty.
	BlobHashes []common.Hash
	// Authorizations makes the call an EIP-7702 transaction if it is not nil, even if it is empty.
	Authorizations []types.SetCodeAuthorization
	// Tracer returns the hooks that Run calls while it executes the call, from OnTxStart to OnTxEnd (without a receipt),
	// but not for changes of the state. Once they call stop, Run calls only OnTxEnd, and executes frames entered later
	// faster. A simulation with TraceTransfers misses the logs of the call. Nil: no hooks.
	Tracer func(stop func()) *tracing.Hooks
}

func (c *Call) sender() common.Address { return *cmp.Or(c.From, new(common.Address)) }

func (c *Call) value() *uint256.Int { return cmp.Or(c.Value, new(uint256.Int)) }

func (c *Call) accessList() types.AccessList { return *cmp.Or(c.AccessList, new(types.AccessList)) }

// IntrinsicGas returns the gas that the call costs before it executes.
func (c *Call) IntrinsicGas(rules params.Rules) (uint64, error) {
	return core.IntrinsicGas(c.Data, c.accessList(), c.Authorizations, c.sender(), c.To, c.value(), rules)
}

// check returns an error for fields that contradict each other or the chain.
func (c *Call) check(config *params.ChainConfig) error {
	if c.GasPrice != nil && (c.MaxFeePerGas != nil || c.MaxPriorityFeePerGas != nil) {
		return ErrMixedFees
	}
	if c.To == nil && c.BlobHashes != nil {
		return core.ErrBlobTxCreate
	}
	if c.To == nil && c.Authorizations != nil {
		return core.ErrSetCodeTxCreate
	}
	if c.ChainID != nil && c.ChainID.Cmp(config.ChainID) != 0 {
		return fmt.Errorf("%w (have=%v, want=%v)", ErrChainID, c.ChainID, config.ChainID)
	}
	return nil
}

// fees holds a call's fees with the defaults filled in, in wei per gas.
type fees struct {
	price, feeCap, tipCap *uint256.Int
	blobFeeCap            *uint256.Int // nil: not given, and no blobs
}

// fees returns the call's fees, with defaults under the block's base fee (nil before London). Without any fee the price
// is zero, not the base fee.
func (c *Call) fees(baseFee *big.Int) (fees, error) {
	var f fees
	var err error
	if c.MaxFeePerBlobGas != nil || c.BlobHashes != nil {
		if f.blobFeeCap, err = fee("maxFeePerBlobGas", c.MaxFeePerBlobGas); err != nil {
			return fees{}, err
		}
	}
	if c.GasPrice != nil || baseFee == nil {
		f.price, err = fee("gasPrice", c.GasPrice)
		f.feeCap, f.tipCap = f.price, f.price
		return f, err
	}
	if f.feeCap, err = fee("maxFeePerGas", c.MaxFeePerGas); err != nil {
		return fees{}, err
	}
	if f.tipCap, err = fee("maxPriorityFeePerGas", c.MaxPriorityFeePerGas); err != nil {
		return fees{}, err
	}
	base, err := fee("baseFeePerGas", baseFee)
	if err != nil {
		return fees{}, err
	}
	f.price = new(uint256.Int)
	if f.feeCap.IsZero() && f.tipCap.IsZero() {
		return f, nil
	}
	if _, overflow := f.price.AddOverflow(base, f.tipCap); overflow || f.price.Gt(f.feeCap) {
		f.price.Set(f.feeCap)
	}
	return f, nil
}

func fee(name string, wei *big.Int) (*uint256.Int, error) {
	if wei == nil {
		return new(uint256.Int), nil
	}
	n, overflow := uint256.FromBig(wei)
	if overflow || wei.Sign() < 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrFeeRange)
	}
	return n, nil
}

// message returns the call as the EVM executes it. The sender may have code, and the gas may exceed the protocol's
// limit of one transaction.
func (c *Call) message(f fees, gas, nonce uint64) *core.Message {
	m := &core.Message{
		From:                  c.sender(),
		To:                    c.To,
		Nonce:                 nonce,
		Value:                 c.value(),
		GasLimit:              gas,
		GasPrice:              f.price,
		GasFeeCap:             f.feeCap,
		GasTipCap:             f.tipCap,
		Data:                  c.Data,
		AccessList:            c.accessList(),
		BlobGasFeeCap:         f.blobFeeCap,
		BlobHashes:            c.BlobHashes,
		SetCodeAuthorizations: c.Authorizations,
	}
	return m.SkipEOACheck().SkipGasLimitCapCheck()
}

// kind returns the transaction type that the call's fields need, by default EIP-1559's. If priceDecides, blobs and
// authorizations do not count where there is a gas price.
func (c *Call) kind(london, priceDecides bool) uint8 {
	priced := c.GasPrice != nil || !london
	switch {
	case c.Authorizations != nil && !(priced && priceDecides):
		return types.SetCodeTxType
	case c.BlobHashes != nil && !(priced && priceDecides):
		return types.BlobTxType
	case !priced:
		return types.DynamicFeeTxType
	case c.AccessList != nil:
		return types.AccessListTxType
	}
	return types.LegacyTxType
}

// transaction returns the call as a transaction of the given type, with an empty signature.
func (c *Call) transaction(kind uint8, f fees, gas, nonce uint64, config *params.ChainConfig) *types.Transaction {
	chainID := config.ChainID
	switch kind {
	case types.SetCodeTxType:
		return types.NewTx(&types.SetCodeTx{
			ChainID: uint256.MustFromBig(chainID), Nonce: nonce, GasTipCap: f.tipCap, GasFeeCap: f.feeCap, Gas: gas,
			To: *c.To, Value: c.value(), Data: c.Data, AccessList: c.accessList(), AuthList: c.Authorizations,
		})
	case types.BlobTxType:
		return types.NewTx(&types.BlobTx{
			ChainID: uint256.MustFromBig(chainID), Nonce: nonce, GasTipCap: f.tipCap, GasFeeCap: f.feeCap, Gas: gas,
			To: *c.To, Value: c.value(), Data: c.Data, AccessList: c.accessList(),
			BlobFeeCap: f.blobFeeCap, BlobHashes: c.BlobHashes,
		})
	case types.DynamicFeeTxType:
		return types.NewTx(&types.DynamicFeeTx{
			ChainID: chainID, Nonce: nonce, GasTipCap: f.tipCap.ToBig(), GasFeeCap: f.feeCap.ToBig(), Gas: gas,
			To: c.To, Value: c.value().ToBig(), Data: c.Data, AccessList: c.accessList(),
		})
	case types.AccessListTxType:
		return types.NewTx(&types.AccessListTx{
			ChainID: chainID, Nonce: nonce, GasPrice: f.price.ToBig(), Gas: gas,
			To: c.To, Value: c.value().ToBig(), Data: c.Data, AccessList: c.accessList(),
		})
	default:
		return types.NewTx(&types.LegacyTx{
			Nonce: nonce, GasPrice: f.price.ToBig(), Gas: gas,
			To: c.To, Value: c.value().ToBig(), Data: c.Data,
		})
	}
}

// CallResult is the result of one executed call.
type CallResult struct {
	// ReturnData is nil if the call failed; the data of a revert is in Err.
	ReturnData []byte
	// GasUsed is the gas paid for, after refunds.
	GasUsed uint64
	// MaxUsedGas is the gas needed during execution, before refunds.
	MaxUsedGas uint64
	// Err is nil for a successful call, an *evmstate.RevertError for a reverted one, otherwise an error of
	// go-ethereum's vm package such as vm.ErrOutOfGas, possibly wrapped together with ErrGasCapped.
	Err error
	// Logs are the logs of a successful call.
	Logs []*types.Log
	// Console reports whether the call touched chain.ConsoleAddress: a contract may have called console.log. Only RunCall
	// sets it.
	Console bool
}

// newCallResult returns the result of an execution on a chain as a CallResult.
func newCallResult(c *chain.Chain, r *core.ExecutionResult, logs []*types.Log) CallResult {
	result := CallResult{ReturnData: r.Return(), GasUsed: r.UsedGas, MaxUsedGas: r.MaxUsedGas}
	switch {
	case r.Err == nil:
		result.Logs = logs
	case errors.Is(r.Err, vm.ErrExecutionReverted):
		result.Err = c.Reverted(r.Revert())
	default:
		result.Err = r.Err
	}
	return result
}

// logSize is about how many bytes a log takes in a result besides its data.
const logSize = 600

// size returns about how many bytes the result takes as JSON.
func (r *CallResult) size() int {
	size := 2 * len(r.ReturnData)
	if revert, ok := errors.AsType[*evmstate.RevertError](r.Err); ok {
		size += 2 * len(revert.Data)
	}
	for _, log := range r.Logs {
		size += logSize + 2*len(log.Data)
	}
	return size
}

// RunCall executes one call as eth_call does (contract 4-rule2): it does not check the nonce, accepts senders with
// code, caps the gas, and charges nothing unless the call gives fees. A call that reverts or runs out of gas has a
// result. The error reports why the call could not be executed: *InvalidCallError, an error of state overrides,
// *TimeoutError, the context's error, or one of the errors of a call's fields.
func RunCall(ctx context.Context, v chain.View, c Call, so StateOverrides, bo *BlockOverrides, l Limits) (*CallResult, error) {
	ctx, cancel := l.start(ctx)
	defer cancel()
	e, err := NewEnvironment(ctx, v, so, bo)
	if err != nil {
		return nil, err
	}
	return e.run(ctx, &c, l.gasCap(), false)
}

// run executes a call with at most gasCap gas. If keep, the next call sees what it changed.
func (e *Environment) run(ctx context.Context, c *Call, gasCap uint64, keep bool) (*CallResult, error) {
	msg, err := e.Message(c, gasCap)
	if err != nil {
		return nil, err
	}
	if err := e.Affords(msg); err != nil {
		return nil, err
	}
	m := e.Machine(msg.SkipExecutionGasCapCheck(), nil)
	defer m.Release()
	m.SetTxContext(common.Hash{}, 0)
	if e.chain.ReserveBalance != nil {
		m.SetLevy(e.chain.Levy())
	}
	r, logs, err := m.Apply(ctx, msg, nil)
	if err != nil {
		return nil, applyError(ctx, m, err, &InvalidCallError{Gas: msg.GasLimit})
	}
	result := newCallResult(e.chain, r, logs)
	result.Console = m.Touched(chain.ConsoleAddress)
	if keep {
		e.State = m.State()
	}
	return &result, nil
}

// applyError returns the error of a message that did not run on m: the error of a fork's Source, the reason why ctx
// ended, or invalid with err as its reason.
func applyError(ctx context.Context, m *evmstate.Machine, err error, invalid *InvalidCallError) error {
	if failed := m.Err(); failed != nil {
		return failed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	invalid.Err = err
	return invalid
}
