package optimism

import (
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"

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
