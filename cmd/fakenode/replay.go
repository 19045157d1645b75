package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/recording"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// replay serves a recording until ctx ends, and returns the exit code.
func replay(ctx context.Context, o *options, stdout, stderr io.Writer) int {
	r, err := readFile(o.replay, recording.Read)
	if err != nil {
		return exitCode(stderr, exitUsage, err)
	}
	server := jsonrpc.New(jsonrpc.Config{
		Route: recording.NewPlayer(r).Route, AllowHosts: o.config.AllowHosts, AllowOrigins: o.config.AllowOrigins, Log: o.logger(stderr),
	})
	if err := server.Listen(net.JoinHostPort(o.config.Host, strconv.Itoa(o.config.Port))); err != nil {
		return exitCode(stderr, exitUsage, errors.Join(err, server.Close()))
	}
	fmt.Fprintf(stdout, "Listening on %s\n", strings.TrimPrefix(server.URL("http"), "http://"))
	if !o.quiet {
		fmt.Fprintf(stdout, "\nreplays %s: %s, without a chain\n", o.replay, counted(len(r.Events)))
	}
	<-ctx.Done()
	return exitCode(stderr, exitError, server.Close())
}

// counted returns a number of events as text.
func counted(n int) string {
	if n == 1 {
		return "1 event"
	}
	return fmt.Sprintf("%d events", n)
}

// check runs a recording against a fresh node, and returns the exit code.
func check(ctx context.Context, path string, args, environ []string, stdout, stderr io.Writer) int {
	events, code, err := runRecording(ctx, path, args, environ, stderr, func(*fakenode.Node, *recording.Event) error { return nil })
	if err == nil {
		fmt.Fprintf(stdout, "%s: %s, no difference\n", path, counted(events))
	}
	return exitCode(stderr, code, err)
}

// runRecording runs a recording against a fresh node with the flags of the recording, and returns the number of its
// events, or the exit code of the error. Flags given here take precedence over those of the recording. before is
// recording.Checker's.
func runRecording(
	ctx context.Context, path string, args, environ []string, stderr io.Writer, before func(*fakenode.Node, *recording.Event) error,
) (events, code int, err error) {
	r, err := readFile(path, recording.Read)
	if err != nil {
		return 0, exitUsage, err
	}
	o, err := checkedOptions(r.Head, args, environ)
	if err != nil {
		return 0, exitUsage, fmt.Errorf("%s: %w", path, err)
	}
	checker := recording.NewChecker(o.logger(stderr))
	o.config.Tap = checker.Network
	node, err := o.newNode(io.Discard, stderr)
	if err != nil {
		return 0, exitUsage, fmt.Errorf("%s: %w", path, err)
	}
	defer node.Close()
	checker.Before = func(e *recording.Event) error { return before(node, e) }
	if err := checker.Check(ctx, strings.TrimPrefix(node.URL(), "http://"), r); err != nil {
		return 0, exitError, fmt.Errorf("%s: %w", path, err)
	}
	return len(r.Events), exitOK, nil
}

// checkedOptions returns the options of a recording's node, on a free port of loopback.
func checkedOptions(head recording.Head, args, environ []string) (options, error) {
	var secrets []string
	for _, name := range head.Withheld {
		for _, setting := range environ {
			if strings.HasPrefix(setting, variable(name)+"=") {
				secrets = append(secrets, setting)
			}
		}
	}
	args = append(slices.Clone(head.Flags), args...)
	o, err := parse(args, secrets, io.Discard)
	if err != nil {
		return o, err
	}
	_, again := given(args, secrets)
	for _, name := range head.Withheld {
		if !slices.Contains(again, name) {
			return o, fmt.Errorf("the recording was made with --%s, which it does not hold: give it again", name)
		}
	}
	o.serveNobody()
	return o, nil
}

// serveNobody makes the options those of a node for this process alone, which writes no file.
func (o *options) serveNobody() {
	o.config.Host, o.config.Port, o.config.Profiling = "127.0.0.1", 0, false
	o.export, o.configOut, o.dumpState, o.record, o.state = "", "", "", "", ""
}
