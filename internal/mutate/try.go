package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// outcome says what became of a mutant.
type outcome string

const (
	killed          outcome = "killed"
	killedElsewhere outcome = "killed by another package"
	undecided       outcome = "not ended"
	survived        outcome = "survived"
	broken          outcome = "does not compile"
)

// try compiles the tests of each suite with the mutant and runs those that reach it, until one notices it. The first
// suite is that of the mutant's package. The text says what led to the outcome. The error is that of the machine: a file
// that cannot be written, or a command that cannot be started.
func try(ctx context.Context, m mutant, suites []*suite) (outcome, string, error) {
	changed, overlay := filepath.Join(m.suite.scratch, m.file), filepath.Join(m.suite.scratch, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(m.suite.Dir, m.file): changed}})
	if err := errors.Join(err, os.WriteFile(changed, m.mutated(), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return "", "", err
	}
	ran := 0
	for i, s := range suites {
		tests := s.reaching(m)
		if i > 0 && (s == m.suite || len(tests) == 0) {
			continue
		}
		binary, err := s.compile(ctx, "-overlay="+overlay)
		if refused(err) {
			return broken, strings.Join(strings.Fields(err.Error()), " "), nil
		} else if err != nil {
			return "", "", err
		}
		ran += len(tests)
		for len(tests) > 0 {
			n := together(tests)
			result, why, err := s.ask(ctx, binary, tests[:n])
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

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// ask runs some of the tests, compiled with a mutant.
func (s *suite) ask(ctx context.Context, binary string, tests []*test) (outcome, string, error) {
	limit := time.Minute
	var names []string
	for _, t := range tests {
		limit += 10 * t.usual
		names = append(names, t.name)
	}
	run := "-test.run=^(" + strings.Join(names, "|") + ")$"
	out, err := s.command(ctx, binary, "-test.failfast", "-test.timeout="+limit.String(), run).CombinedOutput()
	switch found := failure.FindSubmatch(out); {
	case err == nil:
		return survived, "", nil
	case !refused(err):
		return "", "", err
	case strings.Contains(string(out), "panic: test timed out after"):
		return undecided, "stopped after " + limit.String(), nil
	case found == nil:
		return killed, "a panic in the tests of " + s.ImportPath, nil
	default:
		return killed, string(found[1]) + " of " + s.ImportPath, nil
	}
}

// refused reports whether a command ran and did not exit with 0.
func refused(err error) bool {
	exit := (*exec.ExitError)(nil)
	return errors.As(err, &exit)
}
