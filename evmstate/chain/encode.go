package chain

import (
	"io"

	"github.com/ethereum/go-ethereum/rlp"
)

// EncodeRLP writes the block in the form of block files and of the network protocol. The error names a transaction of
// another chain that cannot be encoded here.
func (b *Block) EncodeRLP(w io.Writer) error {
	if body := b.Body(); len(body.Transactions()) == b.Count() {
		return rlp.Encode(w, body)
	}
	transactions := make([]rlp.RawValue, b.Count())
	for i, tx := range b.Transactions() {
		raw, err := tx.MarshalBinary()
		if err == nil && raw[0] < 0xc0 { // all but a legacy transaction, which is a list itself
			raw, err = rlp.EncodeToBytes(raw)
		}
		if err != nil {
			return err
		}
		transactions[i] = raw
	}
	return rlp.Encode(w, []any{b.Header(), transactions, b.Uncles(), b.Withdrawals()})
}

// encodedSize returns the length of the block's RLP in bytes, or 0 if it has transactions of another chain that cannot
// be encoded here.
func (b *Block) encodedSize() uint64 {
	if body := b.Body(); len(body.Transactions()) == b.Count() {
		return body.Size()
	}
	encoded, err := rlp.EncodeToBytes(b)
	if err != nil {
		return 0
	}
	return uint64(len(encoded))
}
