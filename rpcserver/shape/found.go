package shape

import (
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Found shapes a transaction that was looked up.
func Found(found preconf.TxLookup) Transaction {
	object := PooledOf(found.Transaction, found.Sender)
	if found.View != nil {
		object.in = placeOf(found.View, found.Index)
	}
	return object
}

// Transactions is transactions that were looked up.
type Transactions []preconf.TxLookup

func (l Transactions) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, found := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = Found(found).AppendJSON(dst)
	}
	return append(dst, ']')
}

// TransactionOf returns the block's transaction at that position, deposits counted; null if there is none.
func TransactionOf(v *preconf.View, position hexutil.Uint64) any {
	if uint64(position) >= uint64(v.Count()) {
		return nil
	}
	return TransactionAt(v, int(position))
}

// TransactionAt returns the block's transaction at a position that it has, deposits counted.
func TransactionAt(v *preconf.View, position int) jsonrpc.Appender {
	i, signed := v.Signed(position)
	if !signed {
		return DepositOf(v, position)
	}
	return transactionAnswer(SignedOf(v, i), RemoteTransaction(v, i))
}
