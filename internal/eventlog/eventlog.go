// Package eventlog writes what happens on a timeline to a structured log: at info one line for each transaction that is
// executed and each deposit of a user, each flashblock with any, each block, each reorg and each fault of flashblocks;
// at debug also the transactions that enter the pool, the empty flashblocks, and the deposit that every block of an
// OP-stack chain begins with. A failed transaction is logged with its decoded reason, and lines of console.log with
// their transaction; calls and events of contracts whose artifacts are known are decoded. At warn there is a line where
// the outcome of a transaction depends on the variant of the payment token.
package eventlog

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/console"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/internal/profile"
	"github.com/fakenode/fakenode/preconf"
)

// writer writes the events of one timeline until close.
type writer struct {
	*Log
	timeline *preconf.Timeline
	path     string       // of the network's URL
	log      *slog.Logger // of the network; it drops everything where nobody wants lines
	cancel   context.CancelFunc
	done     sync.WaitGroup

	head *preconf.View
	seen map[common.Hash]bool // transactions of the block being built that have been logged
}

// start writes the events from now on.
func (w *writer) start() {
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	feed := w.overhear(ctx)
	w.done.Go(func() { w.run(ctx, feed) })
}

// overhear opens a feed, which need not have the flashblocks that are logged at debug alone. What there is by now is
// not logged.
func (w *writer) overhear(ctx context.Context) *preconf.Feed {
	reader, moment := preconf.Reader{Idle: true, Sparse: !w.log.Enabled(ctx, slog.LevelDebug)}, w.timeline.Moment()
	feed, _ := w.timeline.SubscribeAs(reader)
	for now := w.timeline.Moment(); now != moment; now = w.timeline.Moment() { // the feed began somewhere between both
		feed.Close()
		feed, _ = w.timeline.SubscribeAs(reader)
		moment = now
	}
	w.head, w.seen = moment.Latest(), make(map[common.Hash]bool)
	for _, pending := range moment.PendingBlocks() {
		for i := range pending.Count() {
			w.seen[pending.Transaction(i).Hash()] = true
		}
	}
	return feed
}

// close writes the events so far and ends the writer.
func (w *writer) close() {
	w.cancel()
	w.done.Wait()
}

func (w *writer) run(ctx context.Context, feed *preconf.Feed) {
	defer func() { feed.Close() }()
	for {
		event, err := feed.Next(ctx)
		if ctx.Err() != nil {
			if event != nil {
				w.write(event)
			}
			for event, _ = feed.Poll(); event != nil; event, _ = feed.Poll() {
				w.write(event)
			}
			return
		}
		if err != nil { // too many events at once: the log goes on behind the gap
			w.log.Warn("events are missing in the log", "err", err)
			feed.Close()
			feed = w.overhear(ctx)
			continue
		}
		w.write(event)
	}
}

// write logs an event. close waits until it is done, so that the reason of a failed transaction is not lost.
func (w *writer) write(event *preconf.Event) {
	ctx := context.Background()
	switch event.Kind {
	case preconf.TransactionPooled:
		w.log.Debug("pooled", "transaction", event.Transaction.Hash(), "from", event.Sender.Hex(), "nonce", event.Transaction.Nonce())
	case preconf.FlashblockAdded:
		w.flashblock(ctx, event.Flashblock)
	case preconf.HeadAdded:
		w.block(ctx, event.View)
	case preconf.FlashblockDisturbed:
		f, result := event.Fault, event.FaultResult
		w.log.Info("flashblock fault", "kind", f.Kind, "count", f.Count, "transactions", len(result.Transactions), "armed", result.Armed)
	case preconf.LogsRetracted:
		w.log.Info("pre-confirmed logs retracted", "logs", len(event.Logs))
	}
}

func (w *writer) flashblock(ctx context.Context, f *preconf.Flashblock) {
	level := slog.LevelDebug
	for i := range f.Transactions {
		w.transaction(ctx, f.View, f.First+i, slog.Int("flashblock", f.Index))
		level = max(level, levelOf(f.View, f.First+i))
	}
	w.log.Log(ctx, level, "flashblock", "block", f.Number, "index", f.Index, "transactions", len(f.Transactions))
}

func (w *writer) block(ctx context.Context, v *preconf.View) {
	if v.Number() <= w.head.Number() || v.Header().ParentHash != w.head.Hash() {
		w.log.Info("reorg", "from", w.head.Number(), "fromHash", w.head.Hash(), "to", v.Number(), "toHash", v.Hash())
		clear(w.seen)
	}
	w.head = v
	for i := range v.Count() {
		w.transaction(ctx, v, i)
	}
	clear(w.seen)
	w.log.Info("block", "number", v.Number(), "hash", v.Hash(), "transactions", v.Count(), "gasUsed", v.GasUsed())
}

// levelOf returns the level at which transaction i of a block is logged: debug for the deposits that every block begins
// with.
func levelOf(v *preconf.View, i int) slog.Level {
	if isDeposit(v.Transaction(i)) && v.Sender(i) == optimism.Depositor {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// isDeposit reports whether tx is a deposit of an OP-stack chain.
func isDeposit(tx evmstate.Transaction) bool { return tx.Type() == optimism.DepositType }

// transaction writes transaction i of a block unless it has been written. more are attributes at the end of its line.
func (w *writer) transaction(ctx context.Context, v *preconf.View, i int, more ...any) {
	tx, level := v.Transaction(i), levelOf(v, i)
	if w.seen[tx.Hash()] {
		return
	}
	w.seen[tx.Hash()] = true
	for _, data := range v.Console(i) {
		line := consoleLine(data)
		if w.console != nil {
			w.console(line)
		}
		w.log.Info("console.log", "line", line, "transaction", tx.Hash())
	}
	if w.traces != nil {
		w.traces.add(traced(ctx, v, i, w.path, w.names))
	}
	if w.logger == nil {
		return
	}
	if w.log.Enabled(ctx, level) {
		message := "transaction"
		if isDeposit(tx) {
			message = "deposit"
		}
		w.log.Log(ctx, level, message, append(w.attributes(ctx, v, i), more...)...)
	}
	if note := paytoken.Explain(ctx, v, i); note != "" {
		w.log.Warn(note, "transaction", tx.Hash())
	}
}

func (w *writer) attributes(ctx context.Context, v *preconf.View, i int) []any {
	tx, receipt := v.Transaction(i), v.Receipts()[i]
	attributes := []any{"hash", tx.Hash(), "from", v.Sender(i).Hex()}
	if tx.To() == nil {
		attributes = append(attributes, "creates", receipt.ContractAddress.Hex())
	} else {
		attributes = append(attributes, "to", tx.To().Hex())
	}
	attributes = append(attributes, w.meaning(v, i)...)
	attributes = append(attributes, "block", v.Number(), "gasUsed", receipt.GasUsed)
	if receipt.Status == types.ReceiptStatusFailed {
		attributes = append(attributes, "err", w.reason(ctx, v, i))
	}
	return attributes
}

// consoleLine returns the line that a call of the console with this data writes, shortened as other texts in the log
// are.
func consoleLine(data []byte) string { return shortened(console.Line(data)) }

// reason returns the reason why a transaction failed. It executes it again, because receipts do not hold it.
func (w *writer) reason(ctx context.Context, v *preconf.View, i int) string {
	flat, err := trace.FlatTransaction(ctx, v.Chain(), v, i, trace.FlatConfig{})
	if err != nil || len(flat.Frames) == 0 {
		return "failed"
	}
	root := flat.Frames[0]
	if root.Result != nil && root.Error != "" {
		revert := v.Chain().Reverted(root.Output())
		revert.Declared = cmp.Or(revert.Declared, w.names.Error(revert.Data))
		return shortened(revert.Error())
	}
	return root.Error
}

// maxReason is the number of bytes of a reason that are logged: a contract can make it as long as it likes.
const maxReason = 500

func shortened(reason string) string {
	if len(reason) <= maxReason {
		return reason
	}
	return strings.ToValidUTF8(reason[:maxReason], "") + fmt.Sprintf("… (%d bytes)", len(reason))
}

// meaning returns the artifacts' names for transaction i of a block: the contract that it calls or creates, the call,
// and the events.
func (w *writer) meaning(v *preconf.View, i int) (attributes []any) {
	state, err := v.State()
	if err != nil {
		return nil
	}
	tx, receipt := v.Transaction(i), v.Receipts()[i]
	to := tx.To()
	if to == nil {
		to = &receipt.ContractAddress
	}
	if target, delegated := types.ParseDelegation(state.Code(*to)); delegated {
		attributes = append(attributes, "delegate", target.Hex())
	}
	contract := w.names.At(state, *to)
	if contract != nil {
		attributes = append(attributes, "contract", contract.Name)
	}
	if call := w.names.Call(contract, tx.Data()); call != "" && tx.To() != nil && len(state.Code(*to)) > 0 {
		attributes = append(attributes, "call", shortened(call))
	}
	if events := w.events(state, receipt.Logs); len(events) > 0 {
		attributes = append(attributes, "events", events)
	}
	return attributes
}

// maxEvents is the number of events of a transaction that are logged.
const maxEvents = 100

func (w *writer) events(state *evmstate.State, logs []*types.Log) (events []string) {
	for _, log := range logs[:min(len(logs), maxEvents)] {
		if event := w.names.Event(w.names.At(state, log.Address), log); event != "" {
			events = append(events, shortened(event))
		}
	}
	return events
}

// traced returns the tree of calls of transaction i of a block, with the path of a network that is not at /. It
// executes it again.
func traced(ctx context.Context, v *preconf.View, i int, path string, known *artifacts.Set) string {
	title := fmt.Sprintf("transaction %s in block %d", v.Transaction(i).Hash(), v.Number())
	if path != "" {
		title += " of " + path
	}
	tree, err := trace.TreeTransaction(ctx, v.Chain(), v, i)
	if err != nil {
		return title + "\n  no trace: " + err.Error() + "\n"
	}
	return title + "\n" + profile.New(tree, v.Chain(), known).Trace()
}
