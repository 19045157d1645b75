package stream

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

func one(item jsonrpc.Appender) []json.RawMessage { return []json.RawMessage{item.AppendJSON(nil)} }

// Logs returns the event's logs, one item each.
func Logs(a *Announcement, logs []*types.Log) []json.RawMessage {
	return a.encoded("logs", func() []json.RawMessage {
		items, time := make([]json.RawMessage, len(logs)), shape.TimeOf(a.View)
		for i, log := range logs {
			items[i] = shape.AppendLog(nil, log, time)
		}
		return items
	})
}

// Matching returns the items of the logs that the filter lets through.
func Matching(filter chain.LogFilter, logs []*types.Log, items []json.RawMessage) []json.RawMessage {
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

// Heads returns the header of a new head.
var Heads = of(preconf.HeadAdded, "head", func(a *Announcement) []json.RawMessage {
	return one(shape.HeaderOf(a.View))
})

// Flashblocks returns the pending block after a flashblock, with whole transactions.
var Flashblocks = of(preconf.FlashblockAdded, "flashblock", func(a *Announcement) []json.RawMessage {
	return one(shape.BlockOf(a.Flashblock.View, true))
})

// FlashblockHashes returns the hashes of a flashblock's transactions, one item each.
var FlashblockHashes = of(preconf.FlashblockAdded, "hashes", func(a *Announcement) []json.RawMessage {
	var items []json.RawMessage
	for _, hash := range shape.HashesOf(a.Flashblock.Transactions) {
		items = append(items, shape.AppendHex(nil, hash[:]))
	}
	return items
})

// FlashblockTransactions returns a flashblock's transactions with their logs, one item each.
var FlashblockTransactions = of(preconf.FlashblockAdded, "transactions", func(a *Announcement) []json.RawMessage {
	fb := a.Flashblock
	var items []json.RawMessage
	for i, receipt := range fb.Receipts {
		items = append(items, shape.WithLogs(shape.TransactionOf(fb.View.At(fb.First+i)), receipt.Logs))
	}
	return items
})

// PooledHash returns the hash of a transaction that entered the pool.
var PooledHash = of(preconf.TransactionPooled, "hashes", func(a *Announcement) []json.RawMessage {
	hash := a.Transaction.Hash()
	return []json.RawMessage{shape.AppendHex(nil, hash[:])}
})

// PooledTransaction returns a transaction that entered the pool.
var PooledTransaction = of(preconf.TransactionPooled, "transactions", func(a *Announcement) []json.RawMessage {
	return one(shape.PooledOf(a.Transaction, a.Sender))
})

// Receipts returns the receipts of a new block as one array, nothing for an empty block.
var Receipts = of(preconf.HeadAdded, "allReceipts", func(a *Announcement) []json.RawMessage {
	return a.receipts(func(common.Hash) bool { return true })
})

// ReceiptsOf returns the receipts of the new block's transactions among hashes, as one array; nothing if none is.
func (a *Announcement) ReceiptsOf(hashes []common.Hash) []json.RawMessage {
	items := a.receipts(func(hash common.Hash) bool { return slices.Contains(hashes, hash) })
	a.news.Add(items)
	return items
}

// receipts returns the receipts of the new block's wanted transactions, as one array; nothing if there are none.
func (a *Announcement) receipts(wanted func(common.Hash) bool) []json.RawMessage {
	var list shape.Receipts
	for i, tx := range a.View.Transactions() {
		if wanted(tx.Hash()) {
			list = append(list, shape.ReceiptOf(a.View.At(i), a.members))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return one(list)
}

// Announcement is an event for the subscriptions, with the encodings made so far. Safe for concurrent use.
type Announcement struct {
	*preconf.Event
	members shape.ReceiptMembers
	news    *jsonrpc.News // all encodings: kept once for all subscriptions

	mu   sync.Mutex                   // held while an encoding is made
	made map[string][]json.RawMessage // by the name of the encoding
}

// encoded returns the event's items in an encoding, which is made on first use.
func (a *Announcement) encoded(name string, encode func() []json.RawMessage) []json.RawMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	items, made := a.made[name]
	if !made {
		items = encode()
		a.made[name] = items
		a.news.Add(items)
	}
	return items
}

// of returns the items of events of a kind, in an encoding with that name.
func of(kind preconf.EventKind, name string, encode func(*Announcement) []json.RawMessage) Items {
	return func(a *Announcement) []json.RawMessage {
		if a.Kind != kind {
			return nil
		}
		return a.encoded(name, func() []json.RawMessage { return encode(a) })
	}
}

// news holds the announcements that some clients have been notified of and others not yet. Safe for concurrent use.
type news struct {
	members shape.ReceiptMembers

	mu            sync.Mutex
	told          uint64 // the number of the last event that all clients have been notified of
	announcements map[uint64]*Announcement
}

// shared is the number of events by which a client may be ahead while its encodings are kept for the others.
const shared = 64

// of returns the announcement of the event with a number.
func (n *news) of(event *preconf.Event, number uint64) *Announcement {
	n.mu.Lock()
	defer n.mu.Unlock()
	a := n.announcements[number]
	if a == nil {
		a = &Announcement{Event: event, members: n.members, news: new(jsonrpc.News), made: make(map[string][]json.RawMessage)}
		if number > n.told && number-n.told <= shared {
			n.announcements[number] = a
		}
	}
	return a
}

// forget is called when all clients have been notified of the event with that number.
func (n *news) forget(last uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.told = last
	maps.DeleteFunc(n.announcements, func(number uint64, _ *Announcement) bool { return number <= last })
}
