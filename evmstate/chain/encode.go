package chain

import (
	"bytes"
	"io"

	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// EncodeRLP writes the block as it is in files of blocks and on the wire between nodes. On an OP-stack chain the
// deposits come first in the list of transactions.
func (b *Block) EncodeRLP(w io.Writer) error {
	if len(b.Deposits()) == 0 {
		return rlp.Encode(w, b.Body())
	}
	list := optimism.Transactions{Deposits: b.deposits, Signed: b.transactions.all()}
	fields := []any{b.Header(), make([]rlp.RawValue, list.Len()), b.uncles, b.withdrawals}
	for i := range list.Len() {
		var encoded bytes.Buffer
		list.EncodeIndex(i, &encoded)
		raw := encoded.Bytes()
		if raw[0] < 0xc0 { // all but a legacy transaction, which is a list itself
			var err error
			if raw, err = rlp.EncodeToBytes(raw); err != nil {
				return err
			}
		}
		fields[1].([]rlp.RawValue)[i] = raw
	}
	return rlp.Encode(w, fields)
}

// encodedSize returns the length of the block's RLP in bytes.
func (b *Block) encodedSize() uint64 {
	if len(b.Deposits()) == 0 {
		return b.Body().Size()
	}
	encoded, err := rlp.EncodeToBytes(b)
	if err != nil {
		panic(err) // a block of ours can be encoded
	}
	return uint64(len(encoded))
}
