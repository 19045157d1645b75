package rpcserver

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// itemsKey names one encoding of an event. An event is encoded once, for all who subscribed.
type itemsKey int

const (
	logsKey itemsKey = iota
	headKey
	flashblockKey
	hashesKey
	transactionsKey
	receiptsKey
)

func encoded(e *preconf.Event, key itemsKey, encode func() []json.RawMessage) []json.RawMessage {
	return e.Encoded(key, func() any { return encode() }).([]json.RawMessage)
}

// one encodes a single item.
func one(item jsonAppender) []json.RawMessage { return []json.RawMessage{item.appendJSON(nil)} }

// logItems is the event's logs, one item each.
func logItems(e *preconf.Event, logs []*types.Log) []json.RawMessage {
	return encoded(e, logsKey, func() []json.RawMessage {
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
func headItems(e *preconf.Event) []json.RawMessage {
	if e.Kind != preconf.HeadAdded {
		return nil
	}
	return encoded(e, headKey, func() []json.RawMessage {
		return one(headerObject{e.View.Header(), e.View.Hash()})
	})
}

// flashblockItems is the pending block as it stands after a flashblock, with whole transactions.
func flashblockItems(e *preconf.Event) []json.RawMessage {
	if e.Kind != preconf.FlashblockAdded {
		return nil
	}
	return encoded(e, flashblockKey, func() []json.RawMessage {
		return one(blockOf(e.Flashblock.View, true))
	})
}

// flashblockHashItems is the hashes of a flashblock's transactions, one item each.
func flashblockHashItems(e *preconf.Event) []json.RawMessage {
	if e.Kind != preconf.FlashblockAdded {
		return nil
	}
	return encoded(e, hashesKey, func() []json.RawMessage {
		items := make([]json.RawMessage, len(e.Flashblock.Transactions))
		for i, tx := range e.Flashblock.Transactions {
			items[i] = hashItem(tx)
		}
		return items
	})
}

// flashblockTransactionItems is a flashblock's transactions with their logs, one item each.
func flashblockTransactionItems(e *preconf.Event) []json.RawMessage {
	if e.Kind != preconf.FlashblockAdded {
		return nil
	}
	return encoded(e, transactionsKey, func() []json.RawMessage {
		fb := e.Flashblock
		items := make([]json.RawMessage, len(fb.Transactions))
		for i, tx := range fb.Transactions {
			at := fb.First + i
			o := beginObject(nil)
			transactionObject{tx, fb.View.Sender(at), includedIn(fb.View.Header(), common.Hash{}, at)}.members(&o)
			o.key("logs")
			o.dst = logList(fb.Receipts[i].Logs).appendJSON(o.dst)
			items[i] = o.end()
		}
		return items
	})
}

// pooledHashItem is the hash of a transaction that entered the pool.
func pooledHashItem(e *preconf.Event) []json.RawMessage {
	if e.Kind != preconf.TransactionPooled {
		return nil
	}
	return encoded(e, hashesKey, func() []json.RawMessage { return []json.RawMessage{hashItem(e.Transaction)} })
}

// pooledTransactionItem is a transaction that entered the pool.
func pooledTransactionItem(e *preconf.Event) []json.RawMessage {
	if e.Kind != preconf.TransactionPooled {
		return nil
	}
	return encoded(e, transactionsKey, func() []json.RawMessage {
		return one(transactionObject{tx: e.Transaction, from: e.Sender})
	})
}

func hashItem(tx *types.Transaction) json.RawMessage {
	hash := tx.Hash()
	return appendHex(nil, hash[:])
}

// receiptItems is the receipts of a new block as one array, nothing for an empty block.
func receiptItems(e *preconf.Event) []json.RawMessage {
	if e.Kind != preconf.HeadAdded {
		return nil
	}
	return encoded(e, receiptsKey, func() []json.RawMessage {
		return receiptArray(e.View, func(*types.Transaction) bool { return true })
	})
}

// receiptArray is the receipts of the block's transactions that are wanted; nothing if none is.
func receiptArray(v *preconf.View, wanted func(*types.Transaction) bool) []json.RawMessage {
	var list receiptList
	receipts := receiptsOf(v)
	for i, tx := range v.Transactions() {
		if wanted(tx) {
			list = append(list, receipts[i])
		}
	}
	if len(list) == 0 {
		return nil
	}
	return one(list)
}
