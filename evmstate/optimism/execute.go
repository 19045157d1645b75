package optimism

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// Message returns the deposit as the EVM executes it, for a sender with that nonce. The EVM must run without a base fee
// (vm.Config.NoBaseFee).
func (d *Deposit) Message(nonce uint64) *core.Message {
	msg := &core.Message{
		From:      d.From,
		To:        d.To,
		Nonce:     nonce,
		Value:     uint256.MustFromBig(d.Value),
		GasLimit:  d.Gas,
		GasPrice:  new(uint256.Int),
		GasFeeCap: new(uint256.Int),
		GasTipCap: new(uint256.Int),
		Data:      d.Data,
	}
	return msg.SkipNonceCheck().SkipEOACheck().SkipGasLimitCapCheck()
}

// Execute executes the deposit as the transaction at that position of a block. A deposit that fails, even one whose
// sender cannot pay its value, stays in the block: what it mints is minted, and the sender's nonce is used up. The error
// is core.ErrGasLimitReached, or that of a Source.
func (d *Deposit) Execute(m *evmstate.Machine, position int, pool *core.GasPool) (Included, error) {
	block, overlay := m.EVM().Context, m.Overlay()
	included := Included{Deposit: d, Hash: d.Hash(), Nonce: overlay.GetNonce(d.From)}
	if pool.Available(false) < d.Gas {
		return included, fmt.Errorf("%w: deposit %s of %d gas", core.ErrGasLimitReached, included.Hash, d.Gas)
	}
	d.mint(m)
	receipt := &types.Receipt{
		Type:              DepositType,
		Status:            types.ReceiptStatusSuccessful,
		TxHash:            included.Hash,
		BlockNumber:       block.BlockNumber,
		TransactionIndex:  uint(position),
		EffectiveGasPrice: new(big.Int),
	}
	m.SetTxContext(included.Hash, position)
	result, logs, err := m.Apply(context.Background(), d.Message(included.Nonce), pool)
	switch {
	case m.Err() != nil:
		return included, m.Err()
	case err != nil: // the EVM did not even begin
		overlay.SetNonce(d.From, included.Nonce+1, tracing.NonceChangeEoACall)
		overlay.Finalise(m.EVM().GetRules())
		if err := pool.CheckGasLegacy(d.Gas); err != nil {
			return included, err
		}
		if err := pool.ChargeGasLegacy(0, d.Gas); err != nil {
			return included, err
		}
		receipt.GasUsed, receipt.Status = d.Gas, types.ReceiptStatusFailed
	default:
		receipt.GasUsed, receipt.Logs = result.UsedGas, logs
		if result.Failed() {
			receipt.Status = types.ReceiptStatusFailed
		}
	}
	if d.To == nil {
		receipt.ContractAddress = crypto.CreateAddress(d.From, included.Nonce)
	}
	receipt.CumulativeGasUsed = pool.CumulativeUsed()
	receipt.Bloom = types.CreateBloom(receipt)
	included.Receipt = receipt
	return included, nil
}

// mint creates what the deposit brings from L1, whatever becomes of the deposit.
func (d *Deposit) mint(m *evmstate.Machine) {
	if d.Mint == nil {
		return
	}
	m.Overlay().AddBalance(d.From, uint256.MustFromBig(d.Mint), tracing.BalanceChangeUnspecified)
	m.Overlay().Finalise(m.EVM().GetRules())
}
