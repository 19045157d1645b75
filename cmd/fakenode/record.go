package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/recording"
)

// recorder writes the recording that --record asks for. A nil one writes nothing.
type recorder struct {
	file   *os.File
	writer *recording.Writer
	tap    *recording.Tap
}

// recorder opens the file of --record, and returns nil without the flag. A recording is never written over another
// file.
func (o *options) recorder(stderr io.Writer) (*recorder, error) {
	if o.record == "" {
		return nil, nil
	}
	if o.state != "" {
		return nil, errors.New("--record does not go with --state: a recording begins with a fresh node")
	}
	mode := os.O_EXCL
	if info, err := os.Stat(o.record); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		mode = 0 // a pipe or a device
	}
	file, err := os.OpenFile(o.record, os.O_WRONLY|os.O_CREATE|mode, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	r := &recorder{file: file}
	r.writer = recording.NewWriter(file, func(err error) {
		fmt.Fprintf(stderr, "fakenode: the recording ends here: %v\n", err)
	})
	r.tap = recording.NewTap(r.writer.Note, o.logger(stderr))
	o.config.Tap = r.tap.Network
	return r, nil
}

// begin writes the first line, with the node's flags, and lets the node answer.
func (r *recorder) begin(node *fakenode.Node, in *invocation) error {
	if r == nil {
		return nil
	}
	defer r.tap.Start()
	head := recording.Head{Host: strings.TrimPrefix(node.URL(), "http://")}
	head.Flags, head.Withheld = in.flagsGiven(in.args, in.environ)
	if node.Fork() == nil {
		head.Flags = append(head.Flags, "--start-time="+node.Now().Format(time.RFC3339Nano))
	}
	return r.writer.Begin(head)
}

// close closes the file and returns the first error of writing it. Closing again does nothing.
func (r *recorder) close() error {
	if r == nil || r.file == nil {
		return nil
	}
	err := errors.Join(r.writer.Err(), r.file.Close())
	if err != nil {
		err = fmt.Errorf("record %s: %w", r.file.Name(), err)
	}
	r.file = nil
	return err
}

// unrecorded are the flags that do not affect a node's answers. A recording does not name them.
var unrecorded = []string{
	"chain-out", "config-out", "dump-state", "export", "host", "log-format", "log-level", "port", "pprof", "prune-unused", "quiet", "record",
	"start-time", "version",
}

// withheld are the flags that may hold secrets. A recording holds their names, not their values.
var withheld = []string{"fork-header", "fork-url", "mnemonic"}

// flagsGiven returns the flags that the arguments, the variables and the preset set, as they would be typed, and the
// names of those that may hold secrets.
func (c *command) flagsGiven(args, environ []string) (flags, secret []string) {
	c.eachFlag(args, environ, func(f *flag.Flag, value string) {
		switch {
		case slices.Contains(unrecorded, f.Name):
		case slices.Contains(withheld, f.Name):
			secret = append(secret, f.Name)
		default:
			flags = append(flags, "--"+f.Name+"="+value)
		}
	})
	return flags, slices.Compact(secret)
}
