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

// replay serves a recording until ctx ends.
func replay(ctx context.Context, in *invocation) error {
	o, stdout, stderr := &in.options, in.stdout, in.stderr
	r, err := readFile(in.given, recording.Read)
	if err != nil {
		return usageError{err}
	}
	server := jsonrpc.New(jsonrpc.Config{
		Route: recording.NewPlayer(r).Route, Allow: o.config.Allow, Log: o.logger(stderr),
	})
	if err := server.Listen(net.JoinHostPort(o.config.Host, strconv.Itoa(o.config.Port))); err != nil {
		return usageError{errors.Join(err, server.Close())}
	}
	fmt.Fprintf(stdout, "Listening on %s\n", strings.TrimPrefix(server.URL("http"), "http://"))
	if !o.quiet {
		fmt.Fprintf(stdout, "\nreplays %s: %s, without a chain\n", in.given, counted(len(r.Events)))
	}
	<-ctx.Done()
	return server.Close()
}

// counted returns a number of events as text.
func counted(n int) string {
	if n == 1 {
		return "1 event"
	}
	return fmt.Sprintf("%d events", n)
}

// check runs a recording against a fresh node.
func check(ctx context.Context, in *invocation) error {
	events, err := in.runRecording(ctx, func(*fakenode.Node, *recording.Event) error { return nil })
	if err == nil {
		fmt.Fprintf(in.stdout, "%s: %s, no difference\n", in.given, counted(events))
	}
	return err
}

// runRecording runs the recording that the command was given against a fresh node with the flags of the recording, and
// returns the number of its events. before is recording.Checker's.
func (in *invocation) runRecording(ctx context.Context, before func(*fakenode.Node, *recording.Event) error) (events int, err error) {
	path, stderr := in.given, in.stderr
	r, err := readFile(path, recording.Read)
	if err != nil {
		return 0, usageError{err}
	}
	o, err := in.checkedOptions(r.Head)
	if err != nil {
		return 0, usageError{fmt.Errorf("%s: %w", path, err)}
	}
	checker := recording.NewChecker(o.logger(stderr))
	o.config.Tap = checker.Network
	node, err := o.newNode(io.Discard, stderr)
	if err != nil {
		return 0, usageError{fmt.Errorf("%s: %w", path, err)}
	}
	defer node.Close()
	checker.Before = func(e *recording.Event) error { return before(node, e) }
	if err := checker.Check(ctx, strings.TrimPrefix(node.URL(), "http://"), r); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return len(r.Events), nil
}

// checkedOptions returns the options of a recording's node, on a free port of loopback.
func (in *invocation) checkedOptions(head recording.Head) (options, error) {
	var secrets []string
	for _, name := range head.Withheld {
		for _, setting := range in.environ {
			if strings.HasPrefix(setting, variableOf(name)+"=") {
				secrets = append(secrets, setting)
			}
		}
	}
	args := append(slices.Clone(head.Flags), in.args...)
	o, err := in.parse(args, secrets)
	if err != nil {
		return o, err
	}
	_, again := o.recorded()
	for _, name := range head.Withheld {
		if !slices.Contains(again, name) {
			return o, fmt.Errorf("the recording was made with --%s, which it does not hold: give it again", name)
		}
	}
	return privateOptions(o), nil
}

// privateOptions returns options for an in-process node, which has a free port of loopback and no profiles.
func privateOptions(o options) options {
	o.config.Host, o.config.Port, o.config.Profiling = "127.0.0.1", 0, false
	return o
}
