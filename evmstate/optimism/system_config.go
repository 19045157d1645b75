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

// What a ConfigUpdate changes, of what blocks tell the contract L1Block.
const (
	updateBatcher     = 0
	updateFeeScalars  = 1
	updateOperatorFee = 5
	updateFootprint   = 7
)

// Configure applies a log of the contract SystemConfig to l. What is none of its events, or changes nothing that l has,
// changes nothing.
func Configure(l *L1, log *types.Log) {
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
		scalar := data[wordSize:]
		if scalar[0] == 1 { // the version of Ecotone: before it there was one scalar
			l.BlobBaseFeeScalar = binary.BigEndian.Uint32(scalar[24:])
			l.BaseFeeScalar = binary.BigEndian.Uint32(scalar[28:])
		}
	case len(data) != wordSize:
	case kind.Uint64() == updateBatcher:
		l.BatcherHash = common.BytesToHash(data)
	case kind.Uint64() == updateOperatorFee: // the scalar before the 8 bytes of the constant
		l.OperatorFeeScalar = binary.BigEndian.Uint32(data[20:])
		l.OperatorFeeConstant = binary.BigEndian.Uint64(data[24:])
	case kind.Uint64() == updateFootprint:
		l.DAFootprintGasScalar = binary.BigEndian.Uint16(data[30:])
	}
}
