// Package eventlog writes what happens on a timeline to a structured log: at info one line for each transaction that is
// executed and each deposit of a user, each flashblock with any, each block, each reorg and each fault of flashblocks;
// at debug also the transactions that enter the pool, the empty flashblocks, and the deposit that every block of an
// OP-stack chain begins with. A failed transaction is logged with its decoded reason.
package eventlog

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
)

// Writer logs the events of one timeline until Close.
type Writer struct {
	timeline *preconf.Timeline
	log      *slog.Logger
	cancel   context.CancelFunc
	done     sync.WaitGroup

	head  *preconf.View
	known map[common.Hash]bool // transactions of the block being built that have been logged
}

// Start logs what happens on the timeline from now on, or returns nil if the log does not take info.
func Start(timeline *preconf.Timeline, log *slog.Logger) *Writer {
	ctx, cancel := context.WithCancel(context.Background())
	if !log.Enabled(ctx, slog.LevelInfo) {
		cancel()
		return nil
	}
	w := &Writer{timeline: timeline, log: log, cancel: cancel, head: timeline.Moment().Latest(), known: make(map[common.Hash]bool)}
	feed := timeline.Subscribe()
	w.done.Go(func() { w.run(ctx, feed) })
	return w
}

// Close logs what has happened so far and ends the writer. Closing a nil Writer does nothing.
func (w *Writer) Close() {
	if w != nil {
		w.cancel()
		w.done.Wait()
	}
}

func (w *Writer) run(ctx context.Context, feed *preconf.Feed) {
	defer func() { feed.Close() }()
	for {
		event, err := feed.Next(ctx)
		if ctx.Err() != nil {
			if event != nil {
				w.write(event)
			}
			w.finish(feed)
			return
		}
		if err != nil { // too many events at once: the log goes on behind the gap
			w.log.Warn("events are missing in the log", "err", err)
			feed.Close()
			feed = w.timeline.Subscribe()
			continue
		}
		w.write(event)
	}
}

// finish logs the events that are already there.
func (w *Writer) finish(feed *preconf.Feed) {
	for event, _ := feed.Poll(); event != nil; event, _ = feed.Poll() {
		w.write(event)
	}
}

// write logs an event. Close waits for it rather than end it, so that the reason of a failed transaction is not lost.
func (w *Writer) write(event *preconf.Event) {
	ctx := context.Background()
	switch event.Kind {
	case preconf.TransactionPooled:
		w.log.Debug("pooled", "transaction", event.Transaction.Hash(), "from", event.Sender, "nonce", event.Transaction.Nonce())
	case preconf.FlashblockAdded:
		w.flashblock(ctx, event.Flashblock)
	case preconf.HeadAdded:
		w.block(ctx, event.View)
	case preconf.FlashblockDisturbed:
		w.fault(event.Fault, event.FaultResult)
	case preconf.LogsRetracted:
		w.log.Info("pre-confirmed logs retracted", "logs", len(event.Logs))
	}
}

func (w *Writer) fault(f preconf.FlashblockFault, result preconf.FaultResult) {
	w.log.Info("flashblock fault", "kind", f.Kind, "count", f.Count, "transactions", len(result.Transactions), "armed", result.Armed)
}

func (w *Writer) flashblock(ctx context.Context, f *preconf.Flashblock) {
	index := slog.Int("flashblock", f.Index)
	for i := range f.Deposits() {
		w.deposit(ctx, f.View, i, index)
	}
	for i := range f.Transactions {
		w.transaction(ctx, f.View, f.First+i, index)
	}
	level, transactions := slog.LevelInfo, len(f.Deposits())+len(f.Transactions)
	if len(f.Deposits()) <= 1 && len(f.Transactions) == 0 { // nothing but what every block begins with
		level = slog.LevelDebug
	}
	w.log.Log(ctx, level, "flashblock", "block", f.Number, "index", f.Index, "transactions", transactions)
}

func (w *Writer) block(ctx context.Context, v *preconf.View) {
	if v.Number() <= w.head.Number() || v.Header().ParentHash != w.head.Hash() {
		w.log.Info("reorg", "from", w.head.Number(), "fromHash", w.head.Hash(), "to", v.Number(), "toHash", v.Hash())
		clear(w.known)
	}
	w.head = v
	for i := range v.Deposits() {
		w.deposit(ctx, v, i)
	}
	for i := range v.Transactions() {
		w.transaction(ctx, v, i)
	}
	clear(w.known)
	w.log.Info("block", "number", v.Number(), "hash", v.Hash(), "transactions", v.Count(), "gasUsed", v.GasUsed())
}

// executed is a transaction or deposit in a block.
type executed struct {
	level    slog.Level
	message  string // of the log
	hash     common.Hash
	from     common.Address
	to       *common.Address
	receipt  *types.Receipt
	position int // in the block, deposits counted
}

// deposit logs deposit i of a block, at debug the one that every block begins with.
func (w *Writer) deposit(ctx context.Context, v *preconf.View, i int, more ...any) {
	level := slog.LevelInfo
	if i == 0 {
		level = slog.LevelDebug
	}
	d := &v.Deposits()[i]
	w.executed(ctx, v, executed{level, "deposit", d.Hash, d.From, d.To, d.Receipt, i}, more...)
}

// transaction logs signed transaction i of a block.
func (w *Writer) transaction(ctx context.Context, v *preconf.View, i int, more ...any) {
	tx := v.Transaction(i)
	w.executed(ctx, v, executed{slog.LevelInfo, "transaction", tx.Hash(), v.Sender(i), tx.To(), v.Receipts()[i], v.Position(i)}, more...)
}

// executed logs what was executed the first time it is for a block.
func (w *Writer) executed(ctx context.Context, v *preconf.View, e executed, more ...any) {
	if w.known[e.hash] {
		return
	}
	w.known[e.hash] = true
	attributes := []any{"hash", e.hash, "from", e.from}
	if e.to == nil {
		attributes = append(attributes, "creates", e.receipt.ContractAddress)
	} else {
		attributes = append(attributes, "to", *e.to)
	}
	attributes = append(attributes, "block", v.Number(), "gasUsed", e.receipt.GasUsed)
	if e.receipt.Status == types.ReceiptStatusFailed {
		attributes = append(attributes, "err", reason(ctx, v, e.position))
	}
	w.log.Log(ctx, e.level, e.message, append(attributes, more...)...)
}

// reason returns why a transaction failed. It executes it again, as receipts do not hold it.
func reason(ctx context.Context, v *preconf.View, position int) string {
	flat, err := trace.FlatTransaction(ctx, v.Chain(), v, position, trace.FlatConfig{})
	if err != nil || len(flat.Frames) == 0 {
		return "failed"
	}
	root := flat.Frames[0]
	if root.Result != nil && root.Error != "" {
		return shortened((&evmstate.RevertError{Data: root.Output()}).Error())
	}
	return root.Error
}

// maxReason is how many bytes of a reason are logged: whoever wrote a contract decides how long it is.
const maxReason = 500

func shortened(reason string) string {
	if len(reason) <= maxReason {
		return reason
	}
	return strings.ToValidUTF8(reason[:maxReason], "") + fmt.Sprintf("… (%d bytes)", len(reason))
}
