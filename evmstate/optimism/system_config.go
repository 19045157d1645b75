package optimism

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// configTopic is the first topic of the event ConfigUpdate(uint256 indexed version, uint8 indexed updateType, bytes
// data) of the contract SystemConfig.
var configTopic = crypto.Keccak256Hash([]byte("ConfigUpdate(uint256,uint8,bytes)"))

// Kinds of a ConfigUpdate that change blocks of the L2.
const (
	updateBatcher     = 0
	updateFeeScalars  = 1
	updateGasLimit    = 2
	updateBaseFee     = 4 // the parameters of EIP-1559
	updateOperatorFee = 5
	updateMinBaseFee  = 6
	updateFootprint   = 7
)

// SystemConfig holds the settings of an L2's operator on L1 that apply to one block of the L2.
type SystemConfig struct {
	L1       L1     // the L1 block that the block refers to, with the values for the contract L1Block
	GasLimit uint64 // gas
	Fees     BaseFeeRules
}

// Apply applies a log of the contract SystemConfig to c. Logs of other events, and settings that c does not hold, are
// ignored.
func (c *SystemConfig) Apply(log *types.Log) {
	if len(log.Topics) != 3 || log.Topics[0] != configTopic || log.Topics[1] != (common.Hash{}) {
		return
	}
	data, err := onlyBytes(log.Data)
	if err != nil {
		return
	}
	kind := log.Topics[2].Big()
	switch {
	case !kind.IsUint64():
	case kind.Uint64() == updateFeeScalars && len(data) == 2*wordSize:
		c.setScalars(data[wordSize:])
	case len(data) == wordSize:
		c.set(kind.Uint64(), data)
	}
}

// setScalars sets the scalars of the L1 fee, if they have the version of Ecotone: before it there was one scalar.
func (c *SystemConfig) setScalars(word []byte) {
	if word[0] == 1 {
		c.L1.BlobBaseFeeScalar = binary.BigEndian.Uint32(word[24:])
		c.L1.BaseFeeScalar = binary.BigEndian.Uint32(word[28:])
	}
}

// set sets a value that an update contains in one word.
func (c *SystemConfig) set(kind uint64, word []byte) {
	number := binary.BigEndian.Uint64(word[24:])
	fits := common.BytesToHash(word[:24]) == (common.Hash{})
	switch kind {
	case updateBatcher:
		c.L1.BatcherHash = common.BytesToHash(word)
	case updateGasLimit:
		if fits {
			c.GasLimit = number
		}
	case updateBaseFee: // the denominator before the elasticity
		if denominator, elasticity := uint32(number>>32), uint32(number); fits && denominator != 0 && elasticity != 0 {
			c.Fees.Denominator, c.Fees.Elasticity = denominator, elasticity
		}
	case updateOperatorFee: // the scalar before the 8 bytes of the constant
		c.L1.OperatorFeeScalar = binary.BigEndian.Uint32(word[20:])
		c.L1.OperatorFeeConstant = number
	case updateMinBaseFee:
		if fits {
			c.Fees.MinBaseFee = number
		}
	case updateFootprint:
		c.L1.DAFootprintGasScalar = binary.BigEndian.Uint16(word[30:])
	}
}
