package chain

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/misc/eip1559"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// BlockTime returns the fixed distance of two blocks, which then have a time in milliseconds, or 0 if it is not fixed.
func (c *Chain) BlockTime() time.Duration {
	if c.Optimism == nil {
		return 0
	}
	return c.Optimism.BlockTime()
}

// Precompiles returns a copy of the precompiled contracts of a block with these rules.
func (c *Chain) Precompiles(rules params.Rules) vm.PrecompiledContracts {
	var contracts vm.PrecompiledContracts
	if c.Optimism == nil {
		contracts = vm.ActivePrecompiledContracts(rules)
	} else {
		contracts = maps.Clone(c.Optimism.Upgrade.Precompiles(rules))
	}
	if len(c.recovered) > 0 {
		ecrecover := common.BytesToAddress([]byte{1})
		contracts[ecrecover] = recoverer{contracts[ecrecover], c.recovered}
	}
	return contracts
}

// TracerConfig returns the fork rules for go-ethereum's tracers, which learn from them which addresses are precompiles.
// On an OP-stack chain it names osaka, because all upgrades have precompiles at its addresses, whichever hard fork's
// EVM they run.
func (c *Chain) TracerConfig() *params.ChainConfig {
	if c.Optimism == nil || c.config.OsakaTime != nil {
		return c.config
	}
	config := *c.config
	config.OsakaTime = config.PragueTime
	return &config
}

// SystemContracts returns the contracts that blocks call at a time in Unix seconds, by their names in EIP-7910.
func (c *Chain) SystemContracts(at uint64) map[string]common.Address {
	contracts := c.config.ActiveSystemContracts(at)
	if c.Optimism != nil {
		maps.DeleteFunc(contracts, func(name string, _ common.Address) bool { return !optimism.HasSystemContract(name) })
	}
	return contracts
}

// HasBlobs reports whether a block with that header may have transactions with blobs. OP-stack chains have none: their
// blocks have the DA footprint in the field of blob gas.
func (c *Chain) HasBlobs(h *types.Header) bool {
	return c.Optimism == nil && c.config.IsCancun(h.Number, h.Time)
}

// BlobConfig returns the limits on blobs at a time in Unix seconds, nil before Cancun.
func (c *Chain) BlobConfig(at uint64) *params.BlobConfig {
	if c.Optimism != nil {
		return new(params.BlobConfig)
	}
	return c.config.BlobConfig(c.config.LatestFork(at))
}

// MaxBlobGas returns the limit of what a block has in the field of blob gas.
func (c *Chain) MaxBlobGas(h *types.Header) uint64 {
	if c.Optimism != nil {
		return h.GasLimit
	}
	return eip4844.MaxBlobGasPerBlock(c.config, h.Time)
}

// NextExcessBlobGas returns the excess blob gas of a block at that time after parent, from Cancun on.
func (c *Chain) NextExcessBlobGas(parent *types.Header, time uint64) uint64 {
	if c.Optimism != nil {
		return 0
	}
	return eip4844.CalcExcessBlobGas(c.config, parent, time)
}

// NextBaseFee returns the base fee in wei of the block after parent, from London on.
func (c *Chain) NextBaseFee(parent *types.Header) *big.Int {
	switch {
	case c.Optimism != nil:
		return c.Optimism.NextBaseFee(parent)
	case c.SmoothedBaseFee:
		return nextSmoothedFee(parent)
	}
	return eip1559.CalcBaseFee(c.config, parent)
}

// FirstCoinbase returns the account that receives the tips until another is set, zero where the rules name none.
func (c *Chain) FirstCoinbase() common.Address {
	if c.Optimism == nil {
		return common.Address{}
	}
	return optimism.SequencerFeeVault
}

// TxGasLimit is the most gas that a transaction may ask for, in place of EIP-7825's 16,777,216 and, from Amsterdam on,
// EIP-8037's 4,294,967,295, of which 16,777,216 may be execution gas. Zero leaves the EIPs' limits, and NoTxGasLimit
// lifts them. It has effect where the EIPs have: from Osaka on.
type TxGasLimit uint64

// NoTxGasLimit lets a transaction ask for all the gas of a block.
const NoTxGasLimit TxGasLimit = math.MaxUint64

// Validate returns an error for limits below EIP-7825's.
func (l TxGasLimit) Validate() error {
	if l != 0 && l < TxGasLimit(params.MaxTxGas) {
		return fmt.Errorf("gas limit of a transaction of %d is below %d, that of EIP-7825", uint64(l), params.MaxTxGas)
	}
	return nil
}

// Gas returns the limit under these rules.
func (l TxGasLimit) Gas(rules params.Rules) uint64 {
	switch {
	case !rules.IsOsaka:
		return math.MaxUint64
	case l != 0:
		return uint64(l)
	case rules.IsAmsterdam:
		return params.MaxTxTotalGas
	}
	return params.MaxTxGas
}

// Lift returns msg without go-ethereum's caps on its gas if l replaces them.
func (l TxGasLimit) Lift(msg *core.Message) *core.Message {
	if l == 0 {
		return msg
	}
	return msg.SkipGasLimitCapCheck().SkipExecutionGasCapCheck()
}

// Check returns an error for a transaction that asks for too much gas in a block with that header, unless the limit is
// an EIP's, which go-ethereum checks. The error wraps core.ErrGasLimitTooHigh.
func (l TxGasLimit) Check(config *params.ChainConfig, header *types.Header, gas uint64) error {
	if l == 0 || gas <= uint64(l) || !config.IsOsaka(header.Number, header.Time) {
		return nil
	}
	return fmt.Errorf("%w (cap: %d, tx: %d)", core.ErrGasLimitTooHigh, uint64(l), gas)
}

// Levy returns the levy on messages by Ethereum's rules, or nil for none.
func (c *Chain) Levy() evmstate.Levy {
	if c.ChargeGasLimit {
		return wholeLimit{c.ReserveBalance}
	}
	return nil
}

// wholeLimit charges a message what is left of its gas limit, and undoes one that takes from the reserve. It implements
// evmstate.Levy.
type wholeLimit struct{ reserve *uint256.Int }

// Charge does nothing: a message pays its gas limit in advance.
func (wholeLimit) Charge(*evmstate.Overlay, *core.Message) error { return nil }

// Settle takes back what the sender was returned, and pays the tip for it.
func (l wholeLimit) Settle(o *evmstate.Overlay, msg *core.Message, gasUsed uint64, block *vm.BlockContext) (refund int64, failure error) {
	charge := func(gas *uint256.Int) {
		o.SubBalance(msg.From, new(uint256.Int).Mul(gas, msg.GasPrice), tracing.BalanceDecreaseGasBuy)
		if baseFee := uint256.MustFromBig(cmp.Or(block.BaseFee, new(big.Int))); msg.GasPrice.Gt(baseFee) {
			o.AddBalance(block.Coinbase, gas.Mul(gas, baseFee.Sub(msg.GasPrice, baseFee)), tracing.BalanceIncreaseRewardTransactionFee)
		}
	}
	charge(uint256.NewInt(msg.GasLimit - gasUsed))
	if limit := uint256.NewInt(msg.GasLimit); l.reserve != nil && o.Dips(l.reserve, msg.From, new(uint256.Int).Mul(limit, msg.GasPrice)) {
		o.RevertToSnapshot(0)
		o.SetNonce(msg.From, msg.Nonce+1, tracing.NonceChangeEoACall)
		charge(limit)
		failure = evmstate.ErrReserve
	}
	return int64(gasUsed - msg.GasLimit), failure
}
