package optimism

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// ReceiptVersion is the depositReceiptVersion of every deposit's receipt since the Canyon upgrade.
const ReceiptVersion = 1

// Included is a deposit in a block, with what came of it. It is shared by all readers: do not modify.
type Included struct {
	*Deposit
	Hash    common.Hash
	Nonce   uint64 // of the sender before the deposit
	Receipt *types.Receipt
}

// EncodeReceipt returns the consensus encoding of the receipt, which says the nonce too.
func (d *Included) EncodeReceipt() ([]byte, error) {
	r := d.Receipt
	status := []byte{}
	if r.Status == types.ReceiptStatusSuccessful {
		status = []byte{1}
	}
	fields, err := rlp.EncodeToBytes(&struct {
		Status            []byte
		CumulativeGasUsed uint64
		Bloom             types.Bloom
		Logs              []*types.Log
		Nonce             uint64
		Version           uint64
	}{status, r.CumulativeGasUsed, r.Bloom, r.Logs, d.Nonce, ReceiptVersion})
	return append([]byte{DepositType}, fields...), err
}

// Transactions is the list of all transactions of a block, deposits first, for the root in the header.
type Transactions struct {
	Deposits []Included
	Signed   types.Transactions
}

// Len returns the number of transactions.
func (l Transactions) Len() int { return len(l.Deposits) + l.Signed.Len() }

// EncodeIndex writes the encoding of transaction i.
func (l Transactions) EncodeIndex(i int, w *bytes.Buffer) {
	if i >= len(l.Deposits) {
		l.Signed.EncodeIndex(i-len(l.Deposits), w)
		return
	}
	encoded, err := l.Deposits[i].MarshalBinary()
	if err != nil {
		panic(err) // it has a hash, so it can be encoded
	}
	w.Write(encoded)
}

// Receipts is the list of all receipts of a block, those of deposits first, for the root in the header.
type Receipts struct {
	Deposits []Included
	Signed   types.Receipts
}

// Len returns the number of receipts.
func (l Receipts) Len() int { return len(l.Deposits) + l.Signed.Len() }

// EncodeIndex writes the encoding of receipt i.
func (l Receipts) EncodeIndex(i int, w *bytes.Buffer) {
	if i >= len(l.Deposits) {
		l.Signed.EncodeIndex(i-len(l.Deposits), w)
		return
	}
	encoded, err := l.Deposits[i].EncodeReceipt()
	if err != nil {
		panic(err) // every field can be encoded
	}
	w.Write(encoded)
}

// Bloom returns the bloom filter of the whole block.
func (l Receipts) Bloom() types.Bloom {
	bloom := types.MergeBloom(l.Signed)
	for _, d := range l.Deposits {
		for i, b := range d.Receipt.Bloom {
			bloom[i] |= b
		}
	}
	return bloom
}
