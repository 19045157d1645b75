package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// outcome names what became of a mutant.
type outcome string

const (
	killed          outcome = "killed"
	killedElsewhere outcome = "killed by another package"
	endless         outcome = "does not end"
	survived        outcome = "survived"
	broken          outcome = "does not compile"
)

// try runs the tests of each suite that reach a mutant of the batch, until one notices it. The first suite is that of
// the mutant's package; control is a batch in which nothing is switched on. The text says what led to the outcome. The
// error is the machine's, or that of a test which fails without a change.
func (b *batch) try(ctx context.Context, m mutant, control *batch, suites []*suite) (outcome, string, error) {
	ran := 0
	for i, s := range suites {
		tests := s.reaching(m)
		if i > 0 && (s == m.suite || len(tests) == 0) {
			continue
		}
		with, err := b.compile(ctx, s)
		if err != nil {
			return "", "", err
		}
		if why, ok := b.broken[m.number]; ok {
			return broken, why, nil
		}
		without, err := control.compile(ctx, s)
		if err != nil {
			return "", "", err
		}
		ran += len(tests)
		t := trial{s, program{with, fmt.Sprintf("MUTANT=%d", m.number)}, program{without, "MUTANT="}}
		for len(tests) > 0 {
			n := together(tests)
			result, why, err := t.ask(ctx, tests[:n])
			if result == killed && i > 0 {
				result = killedElsewhere
			}
			if err != nil || result != survived {
				return result, why, err
			}
			tests = tests[n:]
		}
	}
	return survived, fmt.Sprintf("reached by %d tests", ran), nil
}

// together returns how many of the tests to run at once: those that take five seconds in all, or one that takes longer.
func together(tests []*test) int {
	var all time.Duration
	for n, t := range tests {
		if all += t.usual; all > 5*time.Second {
			return max(1, n)
		}
	}
	return len(tests)
}

// trial puts one mutant to the tests of one suite.
type trial struct {
	suite         *suite
	with, without program
}

// program is compiled tests and the variable of the environment that switches a mutant on.
type program struct {
	binary, mutant string
}

// ask runs some of the tests with the mutant. If they do not end soon, each is asked alone.
func (t trial) ask(ctx context.Context, tests []*test) (outcome, string, error) {
	limit := 2 * time.Second
	for _, one := range tests {
		limit += 10 * one.usual
	}
	hurry, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	failed, err := t.run(hurry, t.with, tests)
	if hurry.Err() == nil || ctx.Err() != nil {
		return t.judge(ctx, failed, err)
	}
	for _, one := range tests {
		if result, why, err := t.askAlone(ctx, one); err != nil || result != survived {
			return result, why, err
		}
	}
	return survived, "", nil
}

// askAlone runs a test with the mutant, and beside it the same test without until that has ended twenty times.
func (t trial) askAlone(ctx context.Context, one *test) (outcome, string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		failed []*test
		err    error
	}
	with, without := make(chan answer, 1), make(chan answer, 1)
	run := func(p program) (a answer) {
		a.failed, a.err = t.run(ctx, p, []*test{one})
		return a
	}
	go func() { with <- run(t.with) }()
	go func() {
		a := run(t.without)
		for turn := 1; turn < 20 && a.err == nil && a.failed == nil; turn++ {
			a = run(t.without)
		}
		without <- a
	}()
	select {
	case a := <-with:
		return t.judge(ctx, a.failed, a.err)
	case a := <-without:
		return endless, t.named(one), errors.Join(a.err, t.unfit(a.failed))
	}
}

// judge returns the outcome of the mutant with which some tests failed: they have to pass without it.
func (t trial) judge(ctx context.Context, failed []*test, err error) (outcome, string, error) {
	if err != nil || failed == nil {
		return survived, "", err
	}
	again, err := t.run(ctx, t.without, failed)
	return killed, t.named(failed...), errors.Join(err, t.unfit(again))
}

// unfit returns an error if tests failed without a change.
func (t trial) unfit(failed []*test) error {
	if failed == nil {
		return nil
	}
	return fmt.Errorf("without a change fails %s", t.named(failed...))
}

// named names a test, or several of which one failed.
func (t trial) named(tests ...*test) string {
	if len(tests) > 1 {
		return fmt.Sprintf("a panic in %d tests of %s", len(tests), t.suite.ImportPath)
	}
	return tests[0].name + " of " + t.suite.ImportPath
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: ([^/\s]+)`)

// run runs tests and returns the one that failed, all of them if that is not known, or nil if they pass.
func (t trial) run(ctx context.Context, p program, tests []*test) ([]*test, error) {
	var names []string
	for _, one := range tests {
		names = append(names, one.name)
	}
	c := t.suite.command(ctx, p.binary, "-test.failfast", "-test.timeout=0", "-test.run=^("+strings.Join(names, "|")+")$")
	c.Env = append(c.Environ(), p.mutant)
	out, err := c.CombinedOutput()
	if !refused(err) {
		return nil, err
	}
	if found := failure.FindSubmatch(out); found != nil {
		if at := slices.Index(names, string(found[1])); at >= 0 {
			return tests[at : at+1], nil
		}
	}
	return tests, nil
}

// refused reports whether a command ran and did not exit with 0.
func refused(err error) bool {
	exit := (*exec.ExitError)(nil)
	return errors.As(err, &exit)
}
