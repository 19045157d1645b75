package chain

import (
	"fmt"
	"math"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
)

// TxGasLimit is the most gas that a transaction may ask for, in place of EIP-7825's 16,777,216. Zero leaves the EIP's
// limit, and NoTxGasLimit lifts it. It has effect where the EIP has: from Osaka on.
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

// Gas returns the limit from Osaka on.
func (l TxGasLimit) Gas() uint64 {
	if l == 0 {
		return params.MaxTxGas
	}
	return uint64(l)
}

// Check returns an error for a transaction that asks for too much gas in a block with that header, unless the limit is
// EIP-7825's: that is go-ethereum's to check. The error wraps core.ErrGasLimitTooHigh.
func (l TxGasLimit) Check(config *params.ChainConfig, header *types.Header, gas uint64) error {
	if l == 0 || gas <= l.Gas() || !config.IsOsaka(header.Number, header.Time) {
		return nil
	}
	return fmt.Errorf("%w (cap: %d, tx: %d)", core.ErrGasLimitTooHigh, l.Gas(), gas)
}
