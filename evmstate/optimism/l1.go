package optimism

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// L1 is the L1 block that an L2 block refers to, with the settings of the L2's operator at that block.
type L1 struct {
	Number      uint64
	Time        uint64 // Unix seconds
	Hash        common.Hash
	BatcherHash common.Hash // who posts the L2's data
	Fees
}

// Fees of DefaultL1: Base's while L1 was at 1 gwei.
const (
	defaultL1Fee             = 1_000_000_000 // wei, for both kinds of L1 gas
	defaultBaseFeeScalar     = 2269
	defaultBlobBaseFeeScalar = 1_055_762
	defaultL1Number          = 20_000_000
)

// DefaultL1 returns the L1 of a chain until another is set: a block at the given time in Unix seconds.
func (r *Rules) DefaultL1(time uint64) L1 {
	l1 := L1{
		Number: defaultL1Number,
		Time:   time,
		Fees: Fees{
			L1BaseFee:            *uint256.NewInt(defaultL1Fee),
			BlobBaseFee:          *uint256.NewInt(defaultL1Fee),
			BaseFeeScalar:        cmp.Or(r.BaseFeeScalar, defaultBaseFeeScalar),
			BlobBaseFeeScalar:    cmp.Or(r.BlobBaseFeeScalar, defaultBlobBaseFeeScalar),
			DAFootprintGasScalar: r.Upgrade.FootprintScalar,
		},
	}
	l1.Hash = L1Hash(l1.Number)
	return l1
}

// l1BlockTime is the distance of two L1 blocks.
const l1BlockTime = 12 * time.Second

// NextL1 returns the L1 block that an L2 block refers to, and the L2 block's sequence number. The L2 block's parent
// refers to l with the given sequence number, and is older by later. If the rules fix the block time, L1 has a new
// block, with the same fees, for every 12 s since the first L2 block that refers to l. Otherwise L1 stands still.
func (r *Rules) NextL1(l L1, sequence uint64, later time.Duration) (next L1, number uint64) {
	if r.BlockTime() == 0 {
		return l, sequence + 1
	}
	passed := (time.Duration(sequence)*r.BlockTime() + later) / l1BlockTime
	if passed == 0 {
		return l, sequence + 1
	}
	return l.Later(uint64(passed)), 0
}

// Later returns the L1 block so many blocks after l, with the same fees.
func (l L1) Later(blocks uint64) L1 {
	l.Number += blocks
	l.Time += blocks * uint64(l1BlockTime/time.Second)
	l.Hash = L1Hash(l.Number)
	return l
}

// L1Hash returns the made-up hash of the L1 block of that number.
func L1Hash(number uint64) common.Hash {
	return crypto.Keccak256Hash(binary.BigEndian.AppendUint64([]byte("fakenode L1 block"), number))
}

// attributesSelector is the selector of setL1BlockValuesJovian().
const attributesSelector = 0x3db6be2b

const (
	attributesSize = 178 // bytes of calldata
	attributesGas  = 1_000_000
)

// Attributes returns the deposit that begins every L2 block: it writes the L1 block into the contract L1Block. sequence
// is the number of earlier L2 blocks that refer to the same L1 block.
func (l *L1) Attributes(sequence uint64) *Deposit {
	return &Deposit{
		SourceHash: sourceHash(attributesDomain, l.Hash, sequence),
		From:       Depositor,
		To:         &L1BlockAddress,
		Value:      noValue,
		Gas:        attributesGas,
		Data:       l.calldata(sequence),
	}
}

// calldata returns the call of setL1BlockValuesJovian, whose arguments are packed.
func (l *L1) calldata(sequence uint64) []byte {
	data := make([]byte, 0, attributesSize)
	data = binary.BigEndian.AppendUint32(data, attributesSelector)
	data = binary.BigEndian.AppendUint32(data, l.BaseFeeScalar)
	data = binary.BigEndian.AppendUint32(data, l.BlobBaseFeeScalar)
	data = binary.BigEndian.AppendUint64(data, sequence)
	data = binary.BigEndian.AppendUint64(data, l.Time)
	data = binary.BigEndian.AppendUint64(data, l.Number)
	baseFee, blobBaseFee := l.L1BaseFee.Bytes32(), l.BlobBaseFee.Bytes32()
	data = append(data, baseFee[:]...)
	data = append(data, blobBaseFee[:]...)
	data = append(data, l.Hash[:]...)
	data = append(data, l.BatcherHash[:]...)
	data = binary.BigEndian.AppendUint32(data, l.OperatorFeeScalar)
	data = binary.BigEndian.AppendUint64(data, l.OperatorFeeConstant)
	return binary.BigEndian.AppendUint16(data, l.DAFootprintGasScalar)
}

// ReadL1 returns the L1 block that a block with that first transaction refers to, and the number of L2 blocks before
// that refer to the same one.
func ReadL1(first evmstate.Transaction) (l1 L1, sequence uint64, err error) {
	deposit := IncludedOf(first)
	if deposit == nil {
		return L1{}, 0, fmt.Errorf("transaction %s is no deposit of L1 attributes", first.Hash())
	}
	return ReadAttributes(deposit.deposit)
}

// ReadAttributes returns the L1 block that the first deposit of a block writes.
func ReadAttributes(d *Deposit) (l L1, sequence uint64, err error) {
	data := d.Data
	if len(data) != attributesSize || binary.BigEndian.Uint32(data) != attributesSelector {
		return L1{}, 0, fmt.Errorf("deposit %s is no call of setL1BlockValuesJovian of %d bytes", d.Hash(), attributesSize)
	}
	l = L1{
		Time:        binary.BigEndian.Uint64(data[20:]),
		Number:      binary.BigEndian.Uint64(data[28:]),
		Hash:        common.BytesToHash(data[100:132]),
		BatcherHash: common.BytesToHash(data[132:164]),
		Fees: Fees{
			BaseFeeScalar:        binary.BigEndian.Uint32(data[4:]),
			BlobBaseFeeScalar:    binary.BigEndian.Uint32(data[8:]),
			OperatorFeeScalar:    binary.BigEndian.Uint32(data[164:]),
			OperatorFeeConstant:  binary.BigEndian.Uint64(data[168:]),
			DAFootprintGasScalar: binary.BigEndian.Uint16(data[176:]),
		},
	}
	l.L1BaseFee.SetBytes(data[36:68])
	l.BlobBaseFee.SetBytes(data[68:100])
	return l, binary.BigEndian.Uint64(data[12:]), nil
}

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
	var number, scalars, operator common.Hash
	binary.BigEndian.PutUint64(number[24:], l.Number)
	binary.BigEndian.PutUint64(number[16:], l.Time)
	binary.BigEndian.PutUint32(scalars[16:], l.BaseFeeScalar)
	binary.BigEndian.PutUint32(scalars[20:], l.BlobBaseFeeScalar)
	binary.BigEndian.PutUint16(operator[18:], l.DAFootprintGasScalar)
	binary.BigEndian.PutUint32(operator[20:], l.OperatorFeeScalar)
	binary.BigEndian.PutUint64(operator[24:], l.OperatorFeeConstant)
	slots := map[common.Hash]common.Hash{
		slotNumber: number, slotBaseFee: l.L1BaseFee.Bytes32(), slotHash: l.Hash, slotScalars: scalars, slotBatcher: l.BatcherHash,
		slotBlobBaseFee: l.BlobBaseFee.Bytes32(), slotOperator: operator,
	}
	maps.DeleteFunc(slots, func(_, value common.Hash) bool { return value == common.Hash{} })
	return slots
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
