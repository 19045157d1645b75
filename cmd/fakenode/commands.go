package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fakenode/fakenode"
)

// command is one of the programs in this binary.
type command struct {
	name     string // empty: the program without a command, which serves a node
	argument string // what follows the name, in brackets if it may be left out; empty: nothing
	about    string
	groups   func(*options) []flagGroup // nil: it has no flags
	run      func(context.Context, *invocation) error
}

// invocation is a command with what it was given.
type invocation struct {
	*command
	options
	args           []string
	environ        []string
	stdout, stderr io.Writer
}

// serving returns the command without a name, which serves a node.
func serving() *command { return &command{groups: (*options).groups, run: serveNode} }

// otherCommands returns the commands with a name, sorted by it.
func otherCommands() []*command {
	exam, exploration, forks := new(examination), new(exploration), new(forkOptions)
	return []*command{
		{"check", "FILE", "run the recording in FILE against a fresh node, and exit with 0, or with 1 and the first difference; flags win over those of the recording", (*options).nodeGroups, check},
		{"completion", "SHELL", "print the script that completes commands and flags in " + strings.Join(shells, ", "), nil, complete},
		{"exam", "URL", "play stories against the back end at URL on a node of its own, print which it passed, and exit with 0, or with 1", withNode("Exam", exam.flags), exam.run},
		{"explore", "URL", "search for accidents that fool the back end at URL, print the shortest course of them, and exit with 0, or with 1", withNode("Exploration", exploration.flags), exploration.run},
		{"forkcheck", "[FILE]", "print what the next hard fork breaks in the recording in FILE, or with --fork-url and --blocks in a live chain's last blocks", withNode("Assumptions that the next hard fork breaks", forks.flags), forks.run},
		{"health", "URL", "check that a node serves at URL, and exit with 0, or with 1 and why not", nil, health},
		{"help", "[COMMAND]", "print the commands and the flags of a node, or those of COMMAND", nil, help},
		{"replay", "FILE", "serve the recording in FILE again, without a chain", (*options).replayGroups, replay},
		{"version", "", "print the version", nil, version},
	}
}

// commandNamed returns the command of that name, or nil.
func commandNamed(name string) *command {
	all := otherCommands()
	if i := slices.IndexFunc(all, func(c *command) bool { return c.name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// flagSet returns the flags of the command, which set the fields of o.
func (c *command) flagSet(o *options) *flag.FlagSet {
	*o = withDefaults()
	f := flag.NewFlagSet("fakenode", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	if c.groups != nil {
		for _, group := range c.groups(o) {
			group.define(f)
		}
	}
	return f
}

// flagged returns an error about a file that a flag names, or about the address to listen on, with the flag.
func (in *invocation) flagged(err error) error {
	var socket *net.OpError
	named := ""
	switch {
	case err == nil, in.command.groups == nil:
		return err
	case errors.As(err, &socket) && socket.Op == "listen":
		named = "port"
	default:
		flags := in.flagSet(new(options))
		for _, s := range in.set {
			if takesPath(flags.Lookup(s.name)) && s.value != "" && strings.Contains(err.Error(), s.value) {
				named = s.name
			}
		}
	}
	if named == "" || strings.Contains(err.Error(), "--"+named) {
		return err
	}
	return fmt.Errorf("--%s: %w", named, err)
}

// named returns the arguments of the program of that name: one that is called anvil has the preset of that name.
func named(program string, args []string) []string {
	is := strings.TrimSuffix(filepath.Base(program), ".exe") == string(fakenode.Anvil)
	if is && (len(args) == 0 || strings.HasPrefix(args[0], "-")) {
		return append([]string{"--preset=anvil"}, args...)
	}
	return args
}

// run is the program: it runs the command that args begin with until ctx ends, and returns the exit code.
func run(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	in := invocation{command: serving(), environ: environ, stdout: stdout, stderr: stderr}
	if len(args) > 0 {
		if c := commandNamed(args[0]); c != nil {
			in.command, args = c, args[1:]
		}
	}
	var err error
	in.args = args
	in.options, err = in.parse(args, environ)
	switch {
	case errors.Is(err, flag.ErrHelp):
		in.usage(stdout)
		return exitOK
	case err == nil && in.given == "" && in.argument != "" && in.argument[0] != '[':
		err = fmt.Errorf("%s: want fakenode %[1]s %s", in.name, in.argument)
	}
	if err != nil {
		return exitCode(stderr, usageError{err})
	}
	if in.exitWithStdin {
		ctx = whileOpen(ctx, os.Stdin)
	}
	return exitCode(stderr, in.flagged(in.run(ctx, &in)))
}

func help(_ context.Context, in *invocation) error {
	c := serving()
	if in.given != "" {
		if c = commandNamed(in.given); c == nil {
			return usageError{fmt.Errorf("help: there is no command %q: fakenode help lists them", in.given)}
		}
	}
	c.usage(in.stdout)
	return nil
}

func version(_ context.Context, in *invocation) error {
	if in.config.Preset == fakenode.Anvil {
		fmt.Fprintf(in.stdout, "anvil Version: %s\n", strings.TrimPrefix(fakenode.Anvil.Chain().Wire.ClientVersion, "anvil/v"))
	}
	fmt.Fprintln(in.stdout, fakenode.ClientVersion())
	return nil
}
