package rpcserver

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// encoding names one encoding of an event.
type encoding int

const (
	logsEncoding encoding = iota
	headEncoding
	flashblockEncoding
	hashesEncoding
	transactionsEncoding
	receiptsEncoding
	encodings // how many there are
)

// one encodes a single item.
func one(item jsonrpc.Appender) []json.RawMessage { return []json.RawMessage{item.AppendJSON(nil)} }

// logItems is the event's logs, one item each.
func logItems(a *announcement, logs []*types.Log) []json.RawMessage {
	return a.encoded(logsEncoding, func() []json.RawMessage {
		items := make([]json.RawMessage, len(logs))
		for i, log := range logs {
			items[i] = appendLog(nil, log)
		}
		return items
	})
}

// matching returns the items of the logs that the filter lets through.
func matching(filter chain.LogFilter, logs []*types.Log, items []json.RawMessage) []json.RawMessage {
	if len(filter.Addresses) == 0 && len(filter.Topics) == 0 {
		return items
	}
	var matched []json.RawMessage
	for i, log := range logs {
		if filter.Matches(log) {
			matched = append(matched, items[i])
		}
	}
	return matched
}

// headItems is the header of a new head.
func headItems(a *announcement) []json.RawMessage {
	if a.Kind != preconf.HeadAdded {
		return nil
	}
	return a.encoded(headEncoding, func() []json.RawMessage {
		return one(headerObject{a.View.Header(), a.View.Hash()})
	})
}

// flashblockItems is the pending block as it stands after a flashblock, with whole transactions.
func flashblockItems(a *announcement) []json.RawMessage {
	if a.Kind != preconf.FlashblockAdded {
		return nil
	}
	return a.encoded(flashblockEncoding, func() []json.RawMessage {
		return one(blockOf(a.Flashblock.View, true))
	})
}

// flashblockHashItems is the hashes of a flashblock's transactions, one item each.
func flashblockHashItems(a *announcement) []json.RawMessage {
	if a.Kind != preconf.FlashblockAdded {
		return nil
	}
	return a.encoded(hashesEncoding, func() []json.RawMessage {
		var items []json.RawMessage
		for _, hash := range hashesOf(a.Flashblock.Transactions) {
			items = append(items, appendHex(nil, hash[:]))
		}
		return items
	})
}

// flashblockTransactionItems is a flashblock's transactions with their logs, one item each.
func flashblockTransactionItems(a *announcement) []json.RawMessage {
	if a.Kind != preconf.FlashblockAdded {
		return nil
	}
	return a.encoded(transactionsEncoding, func() []json.RawMessage {
		fb := a.Flashblock
		var items []json.RawMessage
		for i, receipt := range fb.Receipts {
			items = append(items, withLogs(receipt.Logs, lookedUp(fb.View.At(fb.First+i)).members))
		}
		return items
	})
}

// withLogs is a transaction, whose members are given, with its logs.
func withLogs(logs []*types.Log, members func(*object)) json.RawMessage {
	o := beginObject(nil)
	members(&o)
	o.key("logs")
	o.dst = logList(logs).AppendJSON(o.dst)
	return o.end()
}

// pooledHashItem is the hash of a transaction that entered the pool.
func pooledHashItem(a *announcement) []json.RawMessage {
	if a.Kind != preconf.TransactionPooled {
		return nil
	}
	return a.encoded(hashesEncoding, func() []json.RawMessage { return []json.RawMessage{hashItem(a.Transaction)} })
}

// pooledTransactionItem is a transaction that entered the pool.
func pooledTransactionItem(a *announcement) []json.RawMessage {
	if a.Kind != preconf.TransactionPooled {
		return nil
	}
	return a.encoded(transactionsEncoding, func() []json.RawMessage {
		return one(transactionObject{tx: a.Transaction, from: a.Sender})
	})
}

func hashItem(tx *types.Transaction) json.RawMessage {
	hash := tx.Hash()
	return appendHex(nil, hash[:])
}

// receiptItems is the receipts of a new block as one array, nothing for an empty block.
func receiptItems(a *announcement) []json.RawMessage {
	if a.Kind != preconf.HeadAdded {
		return nil
	}
	return a.encoded(receiptsEncoding, func() []json.RawMessage {
		return a.receipts(func(common.Hash) bool { return true })
	})
}

// receipts is the receipts of the new block's transactions that are wanted, as one array; nothing if none is.
func (a *announcement) receipts(wanted func(common.Hash) bool) []json.RawMessage {
	var list receiptList
	for i, tx := range a.View.Transactions() {
		if wanted(tx.Hash()) {
			list = append(list, receiptOf(a.View.At(i), a.profile))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return one(list)
}
