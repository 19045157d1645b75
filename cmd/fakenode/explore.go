package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
)

// exploration is "fakenode explore".
type exploration struct {
	scenario.Exploration
	start, out, replay, found string
}

func (e *exploration) flags(f *flag.FlagSet) {
	*e = exploration{Exploration: scenario.Exploration{Patience: 5 * time.Second}}
	f.IntVar(&e.Runs, "runs", 0, "how many schedules are drawn (default 400, or as many as --for lasts)")
	f.Func("for", "how long schedules are drawn, such as 10m", setDuration(&e.For, false))
	f.Uint64Var(&e.Seed, "seed", 0, "draws the schedules: the same for a back end that asks and answers the same")
	f.IntVar(&e.Depth, "depth", 3, "depth of the deepest reorg that the back end means to survive, in blocks")
	f.BoolVar(&e.Indexer, "indexer", false, "ask for the token's transfers, which in the end are those of the chain, in place of payments")
	f.BoolVar(&e.Captures, "captures", false, "hand over authorizations to capture, of which each order takes one")
	f.Func("without", "accidents that do not happen, with commas: "+strings.Join(scenario.AccidentNames(), ", "), func(s string) error {
		e.Without = strings.Split(s, ",")
		return e.Check()
	})
	f.Func("wait", "how long after each move the back end is asked, for one that looks at the chain now and then (default 0s)", setDuration(&e.Wait, true))
	f.Func("patience", "how long a wrong answer that can be taken back may be corrected (default 5s)", setDuration(&e.Patience, true))
	f.StringVar(&e.start, "start", "", "`command` that starts the back end, for each schedule anew, with the node's URL in FAKENODE_URL")
	f.StringVar(&e.out, "out", "", "write the schedule that was found to this `file`, in place of one in --found")
	f.StringVar(&e.replay, "replay", "", "play the schedule in this `file` alone")
	f.StringVar(&e.found, "found", "", "play the schedules in this `directory` first, and keep there what is found")
}

// run serves a node, searches for a schedule of accidents that fools the back end, and prints it.
func (e *exploration) run(ctx context.Context, in *invocation) error {
	if err := cmp.Or(checkURL(in.given, "http://127.0.0.1:3000/exam"), e.Check(), e.read()); err != nil {
		return usageError{fmt.Errorf("explore %s: %w", in.given, err)}
	}
	return serveFor(ctx, in, func(ctx context.Context, node *fakenode.Node) error { return e.search(ctx, node, in) })
}

// read reads the schedules that are played first, and checks that there is a place for what is found.
func (e *exploration) read() error {
	var files []string
	for _, dir := range []string{cmp.Or(e.found, "."), filepath.Dir(e.out)} {
		if at, err := os.Stat(dir); err != nil || !at.IsDir() {
			return fmt.Errorf("there is no directory %s", dir)
		}
	}
	if e.found != "" {
		files, _ = filepath.Glob(filepath.Join(e.found, "*.json"))
	}
	if e.replay != "" {
		files, e.Runs = []string{e.replay}, -1
	}
	for _, file := range files {
		found, err := readFile(file, scenario.ReadSchedule)
		if err != nil {
			return err
		}
		if e.replay != "" {
			e.Depth, e.Seed = found.Depth, found.Seed
		}
		e.Found = append(e.Found, found)
	}
	return nil
}

// search searches, and prints and writes what is found. The error says that something is, or why there is no search.
func (e *exploration) search(ctx context.Context, node *fakenode.Node, in *invocation) error {
	if e.start == "" {
		if err := awaitBackEnd(ctx, in.given); err != nil {
			return usageError{err}
		}
	}
	ctx, ask := listening(ctx, in.given)
	finding, err := e.Explore(ctx, func(ctx context.Context) (*scenario.World, error) { return e.world(ctx, node, ask, in) })
	if err != nil {
		return usageError{err}
	}
	fmt.Fprint(in.stdout, finding)
	if finding.Failed == "" {
		return nil
	}
	return errors.Join(errors.New("a schedule fools the back end"), e.keep(finding, in))
}

// keep writes the schedule that was found, and prints the command that plays it again.
func (e *exploration) keep(finding scenario.Finding, in *invocation) error {
	raw, err := json.MarshalIndent(finding.Schedule, "", "  ")
	if err != nil {
		return err
	}
	file := e.out
	switch {
	case file == "" && e.found == "":
		fmt.Fprintf(in.stdout, "%s\n", raw)
		return nil
	case file == "":
		file = filepath.Join(e.found, fmt.Sprintf("seed-%d-%d.json", finding.Seed, finding.Runs))
	}
	fmt.Fprintf(in.stdout, "To play it again: fakenode explore %s --replay %s\n", in.given, file)
	return os.WriteFile(file, append(raw, '\n'), 0o600)
}

// world returns a chain for one schedule: with --start one of its own, with a back end of its own, else the node's.
func (e *exploration) world(ctx context.Context, node *fakenode.Node, ask fakenode.BackEnd, in *invocation) (*scenario.World, error) {
	if e.start == "" {
		return node.ExploredWorld(ask, func() {}), nil
	}
	world, err := node.NewWorld(fakenode.WorldOptions{})
	if err != nil {
		return nil, err
	}
	stop, err := startBackEnd(ctx, in, e.start, world.URL())
	if err != nil {
		_ = world.Close()
		return nil, err
	}
	return world.ExploredWorld(backEnd(in.given), func() {
		stop()
		_ = world.Close()
	}), nil
}

// startBackEnd runs a command that starts the back end on a node, until it is stopped with all processes that it
// started, and waits until it listens.
func startBackEnd(ctx context.Context, in *invocation, start, node string) (stop func(), err error) {
	for begun := time.Now(); listens(ctx, in.given) == nil; time.Sleep(10 * time.Millisecond) { // the one before ends
		if time.Since(begun) > time.Second {
			return func() {}, fmt.Errorf("--start %s: something listens at %s before it is started", start, in.given)
		}
	}
	command := exec.Command("sh", "-c", "exec "+start)
	command.SysProcAttr, command.WaitDelay = ownGroup, time.Second
	command.Env, command.Stderr = append(os.Environ(), "FAKENODE_URL="+node), in.stderr
	if err = command.Start(); err == nil {
		running, end := context.WithCancel(ctx)
		go func() {
			_ = command.Wait() // killed as it may be
			end()
		}()
		stop = func() {
			killGroup(command)
			<-running.Done()
		}
		if err = awaitBackEnd(running, in.given); err == nil {
			return stop, nil
		}
		stop()
	}
	return func() {}, fmt.Errorf("--start %s: %w", start, cmp.Or(context.Cause(ctx), err))
}
