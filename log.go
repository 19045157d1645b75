package fakenode

import (
	"context"
	"log/slog"
	"sync"

	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/eventlog"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// eventLog writes what happens on the networks of a node and of its worlds to where a Config wants it.
type eventLog struct {
	logger  *slog.Logger      // nil: nobody wants it at info
	console func(line string) // called once at a time; nil: nobody wants it
	names   *artifacts.Set
	traces  *printer // nil: nobody wants them
	lines   *printer // what calls wrote by console.log; nil: nobody wants it
}

func newEventLog(c Config) *eventLog {
	l := &eventLog{names: c.names, traces: newPrinter(c.Traces)}
	if c.Logger != nil && c.Logger.Enabled(context.Background(), slog.LevelInfo) {
		l.logger = c.Logger
	}
	if console := c.Console; console != nil {
		var mu sync.Mutex
		l.console = func(line string) { // without c, which is large, and would be copied for each node
			mu.Lock()
			defer mu.Unlock()
			console(line)
		}
		l.lines = newPrinter(l.console)
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
		writers = append(writers, eventlog.StartTraces(timeline, at.String(), l.traces.add, l.names))
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
			l.lines.add(line)
		}
		if l.logger != nil {
			l.logger.Info("console.log", "line", line, "call", "eth_call")
		}
	}
}

// close waits until everything is written. The watching has ended.
func (l *eventLog) close() {
	l.traces.close()
	l.lines.close()
}
