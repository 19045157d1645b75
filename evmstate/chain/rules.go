package chain

import (
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/misc/eip1559"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Rules are the rules of a chain in which Ethereum and OP-stack chains differ. A Chain has their methods.
type Rules interface {
	// Optimism returns the rules of an OP-stack chain, or nil under Ethereum's.
	Optimism() *optimism.Rules
	// BlockTime returns the fixed distance of two blocks, which then have a time in milliseconds, or 0 if it is not fixed.
	BlockTime() time.Duration
	// Precompiles returns a copy of the precompiled contracts of a block with these rules.
	Precompiles(params.Rules) vm.PrecompiledContracts
	// TracerConfig returns the fork rules for go-ethereum's tracers, which learn from them which addresses are
	// precompiles.
	TracerConfig() *params.ChainConfig
	// SystemContracts returns the contracts that blocks call at a time in Unix seconds, by their names in EIP-7910.
	SystemContracts(at uint64) map[string]common.Address
	// HasBlobs reports whether a block with that header may have transactions with blobs. OP-stack chains have none: their
	// blocks have the DA footprint in the field of blob gas.
	HasBlobs(h *types.Header) bool
	// BlobConfig returns the limits on blobs at a time in Unix seconds, nil before Cancun.
	BlobConfig(at uint64) *params.BlobConfig
	// MaxBlobGas returns the limit of what a block has in the field of blob gas.
	MaxBlobGas(h *types.Header) uint64
	// NextExcessBlobGas returns the excess blob gas of a block at that time after parent, from Cancun on.
	NextExcessBlobGas(parent *types.Header, time uint64) uint64
	// NextBaseFee returns the base fee in wei of the block after parent, from London on.
	NextBaseFee(parent *types.Header) *big.Int
	// FirstCoinbase returns the account that receives the tips until another is set, zero where the rules name none.
	FirstCoinbase() common.Address
	// MostLevied returns the most that the sender of tx pays besides gas in a block with that State, in wei.
	MostLevied(tx *types.Transaction, in *evmstate.State) (*big.Int, error)

	// install gives m the precompiled contracts if they are not the hard fork's.
	install(m *evmstate.Machine)
	// prepare checks the withdrawals of the block after parent and sets its extra data.
	prepare(h, parent *types.Header, env Env) error
	// include executes the deposits of d on m.
	include(d *Draft, m *evmstate.Machine, env Env) error
	// levy makes m charge the sender of tx the fees besides gas, and returns the DA footprint of tx. The error is
	// core.ErrGasLimitReached if the block has too little left for it.
	levy(d *Draft, m *evmstate.Machine, tx *types.Transaction) (footprint uint64, err error)
	// last returns the transaction that ends a block after those of d, or nil if there is none.
	last(d *Draft) *optimism.PostExec
	// settles reports whether the end of a block changes the State or collects requests.
	settles() bool
	// complete sets the fields of the header of a block with that State that only these rules define.
	complete(h *types.Header, state *evmstate.State)
}

// rulesOf returns Ethereum's rules, or an OP-stack chain's if it has any.
func rulesOf(config *params.ChainConfig, own *optimism.Rules) Rules {
	if own == nil {
		return ethereum{config}
	}
	return &rollup{own, config}
}

type ethereum struct{ config *params.ChainConfig }

func (ethereum) Optimism() *optimism.Rules { return nil }

func (ethereum) BlockTime() time.Duration { return 0 }

func (ethereum) install(*evmstate.Machine) {}

func (ethereum) Precompiles(rules params.Rules) vm.PrecompiledContracts {
	return vm.ActivePrecompiledContracts(rules)
}

func (e ethereum) TracerConfig() *params.ChainConfig { return e.config }

func (e ethereum) SystemContracts(at uint64) map[string]common.Address {
	return e.config.ActiveSystemContracts(at)
}

func (e ethereum) BlobConfig(at uint64) *params.BlobConfig {
	return e.config.BlobConfig(e.config.LatestFork(at))
}

func (e ethereum) HasBlobs(h *types.Header) bool { return e.config.IsCancun(h.Number, h.Time) }

func (e ethereum) MaxBlobGas(h *types.Header) uint64 {
	return eip4844.MaxBlobGasPerBlock(e.config, h.Time)
}

func (e ethereum) NextExcessBlobGas(parent *types.Header, time uint64) uint64 {
	return eip4844.CalcExcessBlobGas(e.config, parent, time)
}

func (e ethereum) NextBaseFee(parent *types.Header) *big.Int {
	return eip1559.CalcBaseFee(e.config, parent)
}

func (ethereum) FirstCoinbase() common.Address { return common.Address{} }

func (ethereum) MostLevied(*types.Transaction, *evmstate.State) (*big.Int, error) {
	return new(big.Int), nil
}

func (e ethereum) prepare(h, _ *types.Header, _ Env) error {
	if h.Extra == nil && e.config.DAOForkSupport && daoRange(e.config, h.Number) {
		h.Extra = params.DAOForkBlockExtra
	}
	return nil
}

func (ethereum) include(*Draft, *evmstate.Machine, Env) error { return nil }

func (ethereum) levy(*Draft, *evmstate.Machine, *types.Transaction) (uint64, error) { return 0, nil }

func (ethereum) last(*Draft) *optimism.PostExec { return nil }

func (ethereum) settles() bool { return true }

func (ethereum) complete(*types.Header, *evmstate.State) {}

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
