package eventlog

import (
	"context"
	"log/slog"
	"sync"

	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/preconf"
)

// Log writes what happens on the networks of a node and of its worlds to where the node's user wants it.
type Log struct {
	logger  *slog.Logger      // nil: it takes no warnings
	console func(line string) // called once at a time; nil: none
	names   *artifacts.Set
	traces  *printer // nil: no traces
	lines   *printer // the texts that calls wrote by console.log; nil: they are dropped
}

// NewLog returns a Log that writes to logger, the lines of console.log to console in its place, and the trees of calls
// of transactions to traces. Each of them may be nil. Calls and logs of the contracts in names are written by name.
func NewLog(logger *slog.Logger, console, traces func(text string), names *artifacts.Set) *Log {
	l := &Log{names: names, traces: newPrinter(traces)}
	if logger != nil && logger.Enabled(context.Background(), slog.LevelWarn) {
		l.logger = logger
	}
	if console != nil {
		var mu sync.Mutex
		l.console = func(line string) {
			mu.Lock()
			defer mu.Unlock()
			console(line)
		}
		l.lines = newPrinter(l.console)
	}
	return l
}

// Wanted reports whether anybody wants to know what happens.
func (l *Log) Wanted() bool { return l.logger != nil || l.console != nil || l.traces != nil }

// Begin writes what happens on a network from now on, until end. world is empty for the node's own networks. path is
// the URL path.
func (l *Log) Begin(timeline *preconf.Timeline, network, world, path string) (end func()) {
	w := &writer{Log: l, timeline: timeline, path: path, log: slog.New(slog.DiscardHandler)}
	if l.logger != nil {
		w.log = l.logger.With("network", network)
	}
	if world != "" {
		w.log = w.log.With("world", world)
	}
	w.start()
	return w.close
}

// Console returns a function that writes what a call wrote by console.log, or nil where nobody wants to know.
func (l *Log) Console() func(data []byte) {
	if l.logger == nil && l.lines == nil {
		return nil
	}
	return func(data []byte) {
		line := consoleLine(data)
		if l.lines != nil {
			l.lines.add(line)
		}
		if l.logger != nil {
			l.logger.Info("console.log", "line", line, "call", "eth_call")
		}
	}
}

// Traces returns a function that writes the tree of calls of a call, or nil where nobody wants to know.
func (l *Log) Traces() func(text string) {
	if l.traces == nil {
		return nil
	}
	return l.traces.add
}

// Close waits until everything is written. The networks have ended.
func (l *Log) Close() {
	l.traces.close()
	l.lines.close()
}

// maxPrinted is how many texts wait for a printer: later ones are left out.
const maxPrinted = 1_000

// printer hands texts to a function one after the other, and lets nobody wait for it: standard output may be a pipe
// that nobody reads. Its goroutine ends when there is nothing to print. A nil printer prints nothing.
type printer struct {
	print   func(text string)
	mu      sync.Mutex
	waiting []string
	busy    bool
	done    sync.WaitGroup
}

func newPrinter(print func(text string)) *printer {
	if print == nil {
		return nil
	}
	return &printer{print: print}
}

func (p *printer) add(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) >= maxPrinted {
		return
	}
	p.waiting = append(p.waiting, text)
	if !p.busy {
		p.busy = true
		p.done.Go(p.run)
	}
}

func (p *printer) run() {
	for {
		p.mu.Lock()
		if len(p.waiting) == 0 {
			p.busy = false
			p.mu.Unlock()
			return
		}
		text := p.waiting[0]
		p.waiting = p.waiting[1:]
		p.mu.Unlock()
		p.print(text)
	}
}

func (p *printer) close() {
	if p != nil {
		p.done.Wait()
	}
}
