package fakenode

import (
	"context"
	"log/slog"
	"sync"

	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/console"
	"github.com/fakenode/fakenode/internal/eventlog"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// eventLog writes what happens on the networks of a node and of its worlds to where a Config wants it.
type eventLog struct {
	logger  *slog.Logger      // nil: nobody wants it at info
	console func(line string) // called once at a time; nil: nobody wants it
	names   *artifacts.Set
	traces  *eventlog.Printer // nil: nobody wants them
	lines   *eventlog.Printer // what calls wrote by console.log; nil: nobody wants it
}

func newEventLog(c Config) *eventLog {
	l := &eventLog{names: c.names, traces: eventlog.NewPrinter(c.Traces)}
	if c.Logger != nil && c.Logger.Enabled(context.Background(), slog.LevelInfo) {
		l.logger = c.Logger
	}
	if write := c.Console; write != nil {
		var mu sync.Mutex
		l.console = func(line string) { // without c, which is large, and would be copied for each node
			mu.Lock()
			defer mu.Unlock()
			write(line)
		}
		l.lines = eventlog.NewPrinter(l.console)
	}
	return l
}

// watch returns what rpcserver.Config.Watch is to be: nil where nobody wants to know.
func (l *eventLog) watch() func(*preconf.Timeline, world.Path) (end func()) {
	if l.logger == nil && l.console == nil && l.traces == nil {
		return nil
	}
	return l.begin
}

// begin writes what happens on a network from now on, until end.
func (l *eventLog) begin(timeline *preconf.Timeline, at world.Path) (end func()) {
	var writers []*eventlog.Writer
	if l.console != nil {
		writers = append(writers, eventlog.StartConsole(timeline, l.console))
	}
	if l.traces != nil {
		writers = append(writers, eventlog.StartTraces(timeline, at.String(), l.traces.Add, l.names))
	}
	if l.logger != nil {
		log := l.logger.With("network", string(at.Network))
		if at.World != "" {
			log = log.With("world", at.World)
		}
		writers = append(writers, eventlog.Start(timeline, log, l.names))
	}
	return func() {
		for _, w := range writers {
			w.Close()
		}
	}
}

// called returns what rpcserver.Config.Console is to be: nil where nobody wants to know.
func (l *eventLog) called() func(data []byte) {
	if l.logger == nil && l.lines == nil {
		return nil
	}
	return func(data []byte) {
		line := eventlog.ConsoleLine(data)
		if l.lines != nil {
			l.lines.Add(line)
		}
		if l.logger != nil {
			l.logger.Info("console.log", "line", line, "call", "eth_call")
		}
	}
}

// close waits until everything is written. The watching has ended.
func (l *eventLog) close() {
	l.traces.Close()
	l.lines.Close()
}

// logConsole writes the lines that contracts wrote by console.log in the transactions of the newest chain to the log of
// the test, if it has one.
func (n *Network) logConsole(t Tester) {
	t.Helper()
	log, ok := t.(interface{ Log(...any) })
	if !ok || n.node.config.Console != nil {
		return
	}
	moment := n.timeline.Moment()
	c := moment.Chain()
	for number := c.Base() + 1; number <= c.Head().Number(); number++ {
		block := c.BlockByNumber(number)
		for i := range block.Count() {
			for _, data := range block.Console(i) {
				log.Log("console.log: " + console.Line(data))
			}
		}
	}
	for _, pending := range moment.PendingBlocks() {
		for i := range pending.Count() {
			for _, data := range pending.Console(i) {
				log.Log("console.log: " + console.Line(data))
			}
		}
	}
}
