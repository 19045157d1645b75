package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/fakenode/fakenode"
)

// Exit codes.
const (
	exitOK    = 0
	exitError = 1 // the node failed
	exitUsage = 2 // a flag, a variable or a file is wrong
)

// serveNode serves a node until ctx ends.
func serveNode(ctx context.Context, in *invocation) error {
	if in.options.version {
		return version(ctx, in)
	}
	return serveFor(ctx, in, nil)
}

// serveFor announces a node and serves it while f runs, or without f until ctx ends. Then it writes the files that the
// flags ask for.
func serveFor(ctx context.Context, in *invocation, f func(context.Context, *fakenode.Node) error) error {
	o := &in.options
	recorder, err := o.recorder(in.stderr)
	if err != nil {
		return usageError{err}
	}
	defer recorder.close()
	node, err := o.newNode(in.stdout, in.stderr)
	if err == nil {
		defer node.Close()
		err = recorder.begin(node, in)
	}
	if err != nil {
		return usageError{err}
	}
	run := node.Run
	switch {
	case f != nil:
		run = func(ctx context.Context) error {
			if err := f(ctx, node); err != nil {
				return fmt.Errorf("%s: %w", in.name, err)
			}
			return nil
		}
	case !o.config.RealClock:
		run = func(ctx context.Context) error {
			<-ctx.Done()
			return nil
		}
	case recorder != nil:
		run = recorder.tap.Run
	}
	// Before the first line, after which scripts read the files.
	err = cmp.Or(writeConfig(o.configOut, node), writeFile(o.chainOut, 0o644, node.WriteChain))
	if err == nil {
		announce(node, *o, in.stdout, in.stderr)
		ended := make(chan error, 1)
		go func() { ended <- run(ctx) }()
		select {
		case err = <-ended:
		case <-ctx.Done(): // also while a transaction of much gas keeps the clocks from ending
			if f != nil {
				err = <-ended // which ends what it has started
			}
		}
		err = errors.Join(err, node.Close(), export(o.export, node, in.stderr), writeFile(o.dumpState, 0o644, node.Dump))
	}
	return errors.Join(err, recorder.close())
}

// whileOpen returns a context that ends with ctx, or when r does: the process that writes there has ended.
func whileOpen(ctx context.Context, r io.Reader) context.Context {
	ctx, end := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, r)
		end()
	}()
	return ctx
}

// newNode returns the node that the flags describe. It listens already.
func (o *options) newNode(stdout, stderr io.Writer) (*fakenode.Node, error) {
	config, closeFiles, err := o.open()
	defer closeFiles()
	if err != nil {
		return nil, err
	}
	config.Logger = o.logger(stderr)
	if o.consoleLog {
		config.Console = func(line string) { fmt.Fprintln(stdout, line) }
	}
	if o.print.traces {
		config.Traces = func(text string) { fmt.Fprintln(stdout, text) }
	}
	node, err := fakenode.New(config)
	if err != nil {
		return nil, err
	}
	if o.autoImpersonate {
		node.ImpersonateAll(true)
		node.Testnet().ImpersonateAll(true)
	}
	if err := node.Listen(); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	return node, nil
}

// usageError is the error of a flag, a variable or a file.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// exitCode reports an error on stderr and returns its exit code.
func exitCode(stderr io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "fakenode: %v\n", err)
	if errors.As(err, new(usageError)) {
		return exitUsage
	}
	return exitError
}

// logging describes the log.
type logging struct {
	level  slog.Level
	format string // empty: text
}

// logger returns the log that the flags ask for.
func (l logging) logger(w io.Writer) *slog.Logger {
	handling := &slog.HandlerOptions{Level: l.level}
	if l.format == "json" {
		return slog.New(slog.NewJSONHandler(w, handling))
	}
	return slog.New(slog.NewTextHandler(w, handling))
}

// healthTimeout is the time that a node has to answer.
const healthTimeout = 5 * time.Second

// health returns nil if a node serves at the URL, else the reason.
func health(ctx context.Context, in *invocation) error {
	if err := checkURL(in.given, "http://127.0.0.1:8545"); err != nil {
		return usageError{fmt.Errorf("health %s: %w", in.given, err)}
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(in.given, "/")+"/health", nil)
	if err != nil {
		return err
	}
	response, body, err := sent(http.DefaultClient, request)
	if err != nil {
		return fmt.Errorf("no node answers at %s: %w", in.given, cmp.Or(errors.Unwrap(err), err))
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s: %.1000s", request.URL, response.Status, body)
	}
	return nil
}
