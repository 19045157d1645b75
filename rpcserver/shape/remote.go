package shape

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// remoteObject is what a fork's remote chain says of a transaction or receipt, in our own form as far as there is one.
// Members that we do not know, as rollups have them, follow as they were answered.
type remoteObject struct {
	own    jsonrpc.Appender // nil: go-ethereum does not know the transaction's type
	answer json.RawMessage
}

func (o remoteObject) AppendJSON(dst []byte) []byte {
	var members, known map[string]json.RawMessage
	if json.Unmarshal(o.answer, &members) != nil {
		return append(dst, o.answer...) // it was read before, so it is an object
	}
	start := len(dst)
	dst = append(dst, '{')
	if o.own != nil {
		dst = o.own.AppendJSON(dst[:start])
		if json.Unmarshal(dst[start:], &known) == nil {
			dst = dst[:len(dst)-1]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, ours := known[name]; ours {
			continue
		}
		if len(dst)-start > 1 {
			dst = append(dst, ',')
		}
		dst = jsonrpc.AppendString(dst, name)
		dst = append(dst, ':')
		dst = append(dst, members[name]...)
	}
	return append(dst, '}')
}

// transactionAnswer returns a transaction in the form of Transaction.
func transactionAnswer(own Transaction, t *remote.Transaction) jsonrpc.Appender {
	switch {
	case t == nil:
		return own
	case t.Transaction == nil:
		return remoteObject{answer: t.Object}
	}
	return remoteObject{own, t.Object}
}

// receiptAnswer returns a receipt in the form of Receipt.
func receiptAnswer(own Receipt, t *remote.Transaction) jsonrpc.Appender {
	switch {
	case t == nil:
		return own
	case t.Transaction == nil:
		return remoteObject{answer: t.Answer}
	}
	return remoteObject{own, t.Answer}
}

// AncestorOf returns a transaction at or below the fork block, which in is the block of.
func AncestorOf(t *remote.Transaction, in *preconf.View) jsonrpc.Appender {
	return transactionAnswer(Transaction{t.Transaction, t.From, ancestorPlace(t, in)}, t)
}

// AncestorReceiptOf returns the receipt of a transaction at or below the fork block, which in is the block of.
func AncestorReceiptOf(t *remote.Transaction, in *preconf.View, profile Profile) jsonrpc.Appender {
	return receiptAnswer(Receipt{receipt: t.Receipt, tx: t.Transaction, from: t.From, in: ancestorPlace(t, in), profile: profile}, t)
}

func ancestorPlace(t *remote.Transaction, in *preconf.View) *inclusion {
	return includedIn(in.Header(), in.Hash(), t.Index)
}

// RemoteTransaction returns transaction i of a View as the remote chain gave it, nil for a block of this chain.
func RemoteTransaction(v *preconf.View, i int) *remote.Transaction {
	if v.Pending() || v.Block().Remote() == nil {
		return nil
	}
	return v.Block().Remote().Transactions[i]
}
