package optimism

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// ReceiptVersion is the depositReceiptVersion of every deposit's receipt since the Canyon upgrade.
const ReceiptVersion = 1

// Included is a deposit in a block, with its outcome. It is shared by all readers: do not modify.
type Included struct {
	*Deposit
	Hash    common.Hash
	Nonce   uint64 // of the sender before the deposit
	Receipt *types.Receipt
}

// EncodeReceipt returns the consensus encoding of the receipt, which includes the nonce.
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
	encodeIndex(l.Deposits, (*Included).MarshalBinary, l.Signed, i, w)
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
	encodeIndex(l.Deposits, (*Included).EncodeReceipt, l.Signed, i, w)
}

// encodeIndex writes the encoding of entry i of a list that begins with what encode makes of the deposits.
func encodeIndex(deposits []Included, encode func(*Included) ([]byte, error), signed types.DerivableList, i int, w *bytes.Buffer) {
	if i >= len(deposits) {
		signed.EncodeIndex(i-len(deposits), w)
		return
	}
	encoded, err := encode(&deposits[i])
	if err != nil {
		panic(err) // every field of a deposit in a block can be encoded
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
