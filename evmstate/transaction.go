package evmstate

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Transaction is a transaction of a block, of any kind: go-ethereum's *types.Transaction, or another that go-ethereum
// cannot represent, such as a deposit of an OP-stack chain. It is immutable and safe for concurrent use; the caller
// must not modify the values its methods return.
type Transaction interface {
	Hash() common.Hash
	Type() uint8
	To() *common.Address // nil creates a contract
	Nonce() uint64
	Value() *big.Int // wei
	Gas() uint64     // limit
	Data() []byte
	// MarshalBinary returns the encoding from which the block's transactions root is computed.
	MarshalBinary() ([]byte, error)
}

// Signed returns tx as go-ethereum's type, or nil if that cannot represent it.
func Signed(tx Transaction) *types.Transaction {
	switch tx := tx.(type) {
	case *types.Transaction:
		return tx
	case interface{ Signed() *types.Transaction }:
		return tx.Signed()
	}
	return nil
}

// Transactions is the list of a block's transactions. It implements types.DerivableList.
type Transactions []Transaction

// ListOf returns go-ethereum's list as one of any kind.
func ListOf(signed types.Transactions) Transactions {
	list := make(Transactions, len(signed))
	for i, tx := range signed {
		list[i] = tx
	}
	return list
}

// Len returns the number of transactions.
func (l Transactions) Len() int { return len(l) }

// EncodeIndex writes the encoding of transaction i.
func (l Transactions) EncodeIndex(i int, w *bytes.Buffer) {
	if signed, ok := l[i].(*types.Transaction); ok {
		types.Transactions{signed}.EncodeIndex(0, w) // copies nothing
		return
	}
	encoded, err := l[i].MarshalBinary()
	if err != nil {
		panic(fmt.Sprintf("transaction %s of a block cannot be encoded: %v", l[i].Hash(), err))
	}
	w.Write(encoded)
}

// Signed returns the transactions that go-ethereum's type can represent, in order.
func (l Transactions) Signed() types.Transactions {
	if len(l) == 0 {
		return nil
	}
	signed := make(types.Transactions, 0, len(l))
	for _, tx := range l {
		if tx := Signed(tx); tx != nil {
			signed = append(signed, tx)
		}
	}
	return signed
}

// receiptEncoder is a transaction whose receipt has an encoding of its own.
type receiptEncoder interface {
	EncodeReceipt(r *types.Receipt) ([]byte, error)
}

// Receipts is the list of the receipts of a block's transactions, for the root in its header. It implements
// types.DerivableList.
type Receipts struct {
	Transactions Transactions
	List         types.Receipts // one for each of Transactions
}

// Len returns the number of receipts.
func (l Receipts) Len() int { return len(l.List) }

// EncodeIndex writes the encoding of receipt i.
func (l Receipts) EncodeIndex(i int, w *bytes.Buffer) {
	own, ok := l.Transactions[i].(receiptEncoder)
	if !ok {
		l.List.EncodeIndex(i, w)
		return
	}
	encoded, err := own.EncodeReceipt(l.List[i])
	if err != nil {
		panic(fmt.Sprintf("receipt of transaction %s cannot be encoded: %v", l.Transactions[i].Hash(), err))
	}
	w.Write(encoded)
}
