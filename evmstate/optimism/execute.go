package optimism

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// Message returns the deposit as the EVM executes it, for a sender with that nonce. The EVM must run without a base fee
// (vm.Config.NoBaseFee).
func (d *Deposit) Message(nonce uint64) *core.Message {
	var prices [3]uint256.Int // all 0
	msg := &core.Message{
		From:      d.From,
		To:        d.To,
		Nonce:     nonce,
		Value:     uint256.MustFromBig(d.Value),
		GasLimit:  d.Gas,
		GasPrice:  &prices[0],
		GasFeeCap: &prices[1],
		GasTipCap: &prices[2],
		Data:      d.Data,
	}
	return msg.SkipNonceCheck().SkipEOACheck().SkipGasLimitCapCheck()
}

// Apply executes the deposit as the next message of m, as evmstate.Machine.Apply does with the same pool and errors. A
// deposit that the EVM rejects, such as one whose sender cannot pay its value, is executed all the same: its wei are
// minted, the nonce and all its gas are used up, and the result has the reason. A tracer sees it as a call that fails
// at once.
func (d *Deposit) Apply(ctx context.Context, m *evmstate.Machine, pool *core.GasPool) (*core.ExecutionResult, []*types.Log, error) {
	overlay := m.Overlay()
	nonce := overlay.GetNonce(d.From)
	d.mint(m)
	result, logs, err := m.Apply(ctx, d.Message(nonce), pool)
	switch {
	case err == nil, m.Err() != nil, ctx.Err() != nil:
		return result, logs, err
	}
	if pool != nil {
		if err := pool.CheckGasLegacy(d.Gas); err != nil {
			return nil, nil, err
		}
		if err := pool.ChargeGasLegacy(0, d.Gas); err != nil {
			return nil, nil, err
		}
	}
	d.traceRejection(m.EVM().Config.Tracer, nonce, err)
	overlay.SetNonce(d.From, nonce+1, tracing.NonceChangeEoACall)
	overlay.Finalise(m.EVM().GetRules())
	return &core.ExecutionResult{UsedGas: d.Gas, MaxUsedGas: d.Gas, Err: err}, nil, nil
}

// traceRejection shows a tracer a call that fails with err.
func (d *Deposit) traceRejection(hooks *tracing.Hooks, nonce uint64, err error) {
	op, to := vm.CALL, crypto.CreateAddress(d.From, nonce)
	if d.To == nil {
		op = vm.CREATE
	} else {
		to = *d.To
	}
	gas := tracing.Gas{Execution: d.Gas}
	hooks.EmitEnter(0, byte(op), d.From, to, d.Data, gas, d.Value)
	hooks.EmitExit(0, nil, gas, tracing.Gas{}, err, true)
}

// Execute executes the deposit as the transaction at that position of a block, and returns the transaction and its
// receipt. A deposit that fails stays in the block. The error is core.ErrGasLimitReached or a Source's.
func (d *Deposit) Execute(m *evmstate.Machine, position int, pool *core.GasPool) (*Included, *types.Receipt, error) {
	tx := NewIncluded(d, m.Overlay().GetNonce(d.From))
	if pool.Available(false) < d.Gas {
		return nil, nil, fmt.Errorf("%w: deposit %s of %d gas", core.ErrGasLimitReached, tx.hash, d.Gas)
	}
	m.SetTxContext(tx.hash, position)
	result, logs, err := d.Apply(context.Background(), m, pool)
	if err != nil {
		return nil, nil, err
	}
	receipt := tx.receipt(m.EVM().Context.BlockNumber, position, result.UsedGas, pool.CumulativeUsed())
	receipt.Logs = logs
	if result.Failed() {
		receipt.Status = types.ReceiptStatusFailed
	}
	if d.To == nil {
		receipt.ContractAddress = crypto.CreateAddress(d.From, tx.nonce)
	}
	receipt.Bloom = types.CreateBloom(receipt)
	return tx, receipt, nil
}

// mint creates the wei that the deposit brings from L1, also if the deposit then fails.
func (d *Deposit) mint(m *evmstate.Machine) {
	if d.Mint == nil {
		return
	}
	m.Overlay().AddBalance(d.From, uint256.MustFromBig(d.Mint), tracing.BalanceChangeUnspecified)
	m.Overlay().Finalise(m.EVM().GetRules())
}
