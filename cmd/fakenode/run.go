package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
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

// run is the program: it serves until ctx ends, and returns the exit code.
func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "check" {
		return checkForks(ctx, args[1:], environ, stdout, stderr)
	}
	o, err := parse(args, environ, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err == nil && o.forkCheck != withDefaults().forkCheck {
		err = errors.New("--baseline, --blocks, --compare-forks, --level, --report-json and --state-byte-gas go with: fakenode check")
	}
	if err != nil {
		return exitCode(stderr, exitUsage, err)
	}
	if o.exitWithStdin {
		ctx = whileOpen(ctx, os.Stdin)
	}
	switch {
	case o.version:
		fmt.Fprintln(stdout, fakenode.ClientVersion())
		return exitOK
	case o.completion != "":
		return exitCode(stderr, exitError, writeCompletion(stdout, o.completion, new(options).flagSet()))
	case o.health != "":
		return exitCode(stderr, exitError, checkHealth(ctx, o.health))
	case o.replay != "":
		return replay(ctx, &o, stdout, stderr)
	case o.check != "":
		return check(ctx, o.check, args, environ, stdout, stderr)
	}
	recorder, err := o.recorder(stderr)
	if err != nil {
		return exitCode(stderr, exitUsage, err)
	}
	defer recorder.close()
	node, err := o.newNode(stdout, stderr)
	if err == nil {
		defer node.Close()
		err = recorder.begin(node, args, environ)
	}
	if err != nil {
		return exitCode(stderr, exitUsage, err)
	}
	run := node.Run
	if recorder != nil {
		run = recorder.tap.Run
	}
	return exitCode(stderr, exitError, errors.Join(serve(ctx, node, run, o, stdout, stderr), recorder.close()))
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
	if o.printTraces {
		config.Traces = func(text string) { fmt.Fprintln(stdout, text) }
	}
	node, err := fakenode.New(config)
	if err != nil {
		return nil, err
	}
	if o.autoImpersonate {
		node.Timeline().ImpersonateAll(true)
		node.Testnet().Timeline().ImpersonateAll(true)
	}
	if err := node.Listen(); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	return node, nil
}

// exitCode reports an error on stderr and returns its exit code: failed, or exitOK without an error.
func exitCode(stderr io.Writer, failed int, err error) int {
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(stderr, "fakenode: %v\n", err)
	return failed
}

// logger returns the log that the flags ask for.
func (o *options) logger(w io.Writer) *slog.Logger {
	handling := &slog.HandlerOptions{Level: o.logLevel}
	if o.logJSON {
		return slog.New(slog.NewJSONHandler(w, handling))
	}
	return slog.New(slog.NewTextHandler(w, handling))
}

// serve announces the node, lets its real clocks run until ctx ends, and writes the files that the flags ask for.
func serve(ctx context.Context, node *fakenode.Node, run func(context.Context) error, o options, stdout, stderr io.Writer) error {
	address, err := url.Parse(node.URL())
	if err != nil {
		return err
	}
	if o.configOut != "" { // before the first line, after which scripts read it
		if err := writeConfig(o.configOut, node); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "Listening on %s\n", address.Host)
	if !o.quiet {
		banner(stdout, node, o)
	}
	warnOfHost(stdout, o)
	for _, line := range o.warnings {
		fmt.Fprintf(stdout, "warning: %s\n", line)
	}
	switch {
	case o.exam != "":
		err = examine(ctx, node, o, stdout)
	case o.config.RealClock:
		err = run(ctx)
	default:
		<-ctx.Done()
	}
	return errors.Join(err, node.Close(), export(o.export, node, stderr), dump(o.dumpState, node))
}

// healthTimeout is the time that a node has to answer.
const healthTimeout = 5 * time.Second

// checkHealth returns nil if a node serves at the URL, else the reason.
func checkHealth(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(url, "/")+"/health", nil)
	if err != nil {
		return err
	}
	response, body, err := sent(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s: %s", request.URL, response.Status, body)
	}
	return nil
}
