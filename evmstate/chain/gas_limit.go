package chain

import (
	"fmt"
	"math"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
)

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
