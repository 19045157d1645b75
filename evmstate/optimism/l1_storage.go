package optimism

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate"
)

// Storage of the contract L1Block: Solidity packs a slot from its end.
var (
	slotNumber      = common.BigToHash(common.Big0) // number in the last 8 bytes, time in the 8 before
	slotBaseFee     = common.BytesToHash([]byte{1})
	slotHash        = common.BytesToHash([]byte{2})
	slotScalars     = common.BytesToHash([]byte{3}) // both scalars and the sequence number
	slotBatcher     = common.BytesToHash([]byte{4})
	slotBlobBaseFee = common.BytesToHash([]byte{7})
	slotOperator    = common.BytesToHash([]byte{8}) // operator fee and the scalar of the footprint
)

// Storage returns the storage of the contract L1Block before the first block, so that it answers in the genesis too.
func (l *L1) Storage() map[common.Hash]common.Hash {
	slots := make(map[common.Hash]common.Hash)
	for _, slot := range l.slots(0) {
		if slot.Value != (common.Hash{}) {
			slots[slot.Key] = slot.Value
		}
	}
	return slots
}

// slots returns the slots of the contract L1Block with the values that Attributes writes.
func (l *L1) slots(sequence uint64) [7]evmstate.Slot {
	var number, scalars, operator common.Hash
	binary.BigEndian.PutUint64(number[24:], l.Number)
	binary.BigEndian.PutUint64(number[16:], l.Time)
	binary.BigEndian.PutUint32(scalars[16:], l.BaseFeeScalar)
	binary.BigEndian.PutUint32(scalars[20:], l.BlobBaseFeeScalar)
	binary.BigEndian.PutUint64(scalars[24:], sequence)
	binary.BigEndian.PutUint16(operator[18:], l.DAFootprintGasScalar)
	binary.BigEndian.PutUint32(operator[20:], l.OperatorFeeScalar)
	binary.BigEndian.PutUint64(operator[24:], l.OperatorFeeConstant)
	return [7]evmstate.Slot{
		{Key: slotNumber, Value: number}, {Key: slotBaseFee, Value: l.L1BaseFee.Bytes32()}, {Key: slotHash, Value: l.Hash},
		{Key: slotScalars, Value: scalars}, {Key: slotBatcher, Value: l.BatcherHash},
		{Key: slotBlobBaseFee, Value: l.BlobBaseFee.Bytes32()}, {Key: slotOperator, Value: operator},
	}
}

// FeesAt returns the fees as the contract L1Block holds them in a State, for transactions of no block yet.
func FeesAt(s *evmstate.State) Fees {
	return l1In(func(slot common.Hash) common.Hash { return s.Storage(L1BlockAddress, slot) }).Fees
}

// StoredL1 returns the L1 block in the storage of the contract L1Block, as Storage returns it.
func StoredL1(storage map[common.Hash]common.Hash) L1 {
	return l1In(func(slot common.Hash) common.Hash { return storage[slot] })
}

// l1In returns the L1 block in the words of the contract L1Block.
func l1In(word func(slot common.Hash) common.Hash) L1 {
	number, scalars, operator := word(slotNumber), word(slotScalars), word(slotOperator)
	l := L1{
		Number:      binary.BigEndian.Uint64(number[24:]),
		Time:        binary.BigEndian.Uint64(number[16:]),
		Hash:        word(slotHash),
		BatcherHash: word(slotBatcher),
		Fees: Fees{
			BaseFeeScalar:        binary.BigEndian.Uint32(scalars[16:]),
			BlobBaseFeeScalar:    binary.BigEndian.Uint32(scalars[20:]),
			DAFootprintGasScalar: binary.BigEndian.Uint16(operator[18:]),
			OperatorFeeScalar:    binary.BigEndian.Uint32(operator[20:]),
			OperatorFeeConstant:  binary.BigEndian.Uint64(operator[24:]),
		},
	}
	baseFee, blobBaseFee := word(slotBaseFee), word(slotBlobBaseFee)
	l.L1BaseFee.SetBytes(baseFee[:])
	l.BlobBaseFee.SetBytes(blobBaseFee[:])
	return l
}
