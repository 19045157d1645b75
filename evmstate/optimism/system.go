package optimism

import (
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate"
)

// System holds the values from which a block's first deposits, which no user asked for, can be made again: the L1
// attributes and, where BlockTime is fixed, BaseTime. Neither failed nor left a log.
type System struct {
	L1       *L1
	Sequence uint64
	Nonce    uint64    // of the sender, before the first
	Gas      [2]uint64 // used by each
	Millis   uint16
	HasTime  bool // there is a BaseTime deposit
}

// SystemOf returns the System from which the transactions of block number can be made again; ok is false if one of them
// is not the system's.
func SystemOf(number uint64, transactions evmstate.Transactions, receipts types.Receipts) (s System, ok bool) {
	if n := len(transactions); n == 0 || n > 2 || IncludedOf(transactions[0]) == nil {
		return System{}, false
	}
	first := IncludedOf(transactions[0])
	l1, sequence, err := ReadAttributes(first.deposit)
	if err != nil {
		return System{}, false
	}
	s = System{L1: &l1, Sequence: sequence, Nonce: first.nonce, HasTime: len(transactions) == 2}
	if s.HasTime {
		if s.Millis, ok = ReadMillis(transactions[1]); !ok {
			return System{}, false
		}
	}
	var cumulative uint64
	for i, d := range s.deposits(number) {
		r := receipts[i]
		cumulative += r.GasUsed
		if !d.equal(IncludedOf(transactions[i]).deposit) || transactions[i].Nonce() != s.Nonce+uint64(i) || r.Status != types.ReceiptStatusSuccessful ||
			len(r.Logs) > 0 || r.CumulativeGasUsed != cumulative {
			return System{}, false
		}
		s.Gas[i] = r.GasUsed
	}
	return s, true
}

// Count returns the number of the deposits.
func (s *System) Count() int {
	if s.HasTime {
		return 2
	}
	return 1
}

// Transactions returns the deposits of block number.
func (s *System) Transactions(number uint64) []*Included {
	var transactions []*Included
	for i, d := range s.deposits(number) {
		transactions = append(transactions, NewIncluded(d, s.Nonce+uint64(i)))
	}
	return transactions
}

func (s *System) deposits(number uint64) []*Deposit {
	deposits := append(make([]*Deposit, 0, 2), s.L1.Attributes(s.Sequence))
	if s.HasTime {
		deposits = append(deposits, BaseTimeDeposit(number, s.Millis))
	}
	return deposits
}

// Receipts returns the receipts of the deposits of block number, without the block's hash.
func (s *System) Receipts(number uint64, transactions []*Included) types.Receipts {
	var receipts types.Receipts
	var cumulative uint64
	for i, tx := range transactions {
		cumulative += s.Gas[i]
		receipts = append(receipts, tx.receipt(new(big.Int).SetUint64(number), i, s.Gas[i], cumulative))
	}
	return receipts
}

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
		if word := data[wordSize:]; word[0] == 1 { // the version of Ecotone: before it there was one scalar
			c.L1.BlobBaseFeeScalar, c.L1.BaseFeeScalar = binary.BigEndian.Uint32(word[24:]), binary.BigEndian.Uint32(word[28:])
		}
	case len(data) == wordSize:
		c.set(kind.Uint64(), data)
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
