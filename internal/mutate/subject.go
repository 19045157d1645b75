package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// outcome describes what became of a mutant.
type outcome int

const (
	killed   outcome = iota // a test failed, or the tests took far too long
	survived                // all tests passed
	broken                  // it does not compile
)

// subject is a package whose mutants are tried.
type subject struct {
	path    string        // import path
	usual   time.Duration // time that its tests take, compiling included
	mutants []mutant
}

// load runs the tests of a package and finds its mutants.
func load(ctx context.Context, name string) (*subject, error) {
	listed, err := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Dir,GoFiles", name).Output()
	if err != nil {
		return nil, fmt.Errorf("package %s: %w", name, err)
	}
	var pkg struct {
		ImportPath, Dir string
		GoFiles         []string
	}
	if err := json.Unmarshal(listed, &pkg); err != nil {
		return nil, fmt.Errorf("package %s: %w", name, err)
	}
	files := map[string][]byte{}
	for _, file := range pkg.GoFiles {
		path := filepath.Join(pkg.Dir, file)
		if files[path], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	siblings, err := siblingsOf(files)
	if err != nil {
		return nil, err
	}
	s := &subject{path: pkg.ImportPath}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		mutants, err := mutantsOf(file, files[file], siblings)
		if err != nil {
			return nil, err
		}
		s.mutants = append(s.mutants, mutants...)
	}
	start := time.Now()
	if out, err := exec.CommandContext(ctx, "go", "test", "-count=1", s.path).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("tests of %s without a change: %w\n%s", name, err, out)
	}
	s.usual = time.Since(start)
	return s, nil
}

// try compiles the package with the mutant and runs its tests. The error is that of the machine: a file that cannot be
// written, or a command that cannot be started.
func (s *subject) try(m mutant) (outcome, error) {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {m.file: changed}})
	if err != nil {
		return 0, err
	}
	if err := errors.Join(os.WriteFile(changed, m.mutated(), 0o600), os.WriteFile(overlay, replace, 0o600)); err != nil {
		return 0, err
	}
	if ok, err := succeeds("go", "build", "-overlay", overlay, s.path); err != nil || !ok {
		return broken, err
	}
	// The tests end themselves at the timeout. Killing the go command would leave an endless test running.
	timeout := (3*s.usual + 30*time.Second).String()
	if ok, err := succeeds("go", "test", "-overlay", overlay, "-timeout", timeout, "-vet=off", "-failfast", "-count=1", s.path); err != nil || !ok {
		return killed, err
	}
	return survived, nil
}

// succeeds runs a command and reports whether it exits with 0.
func succeeds(name string, args ...string) (bool, error) {
	err := exec.Command(name, args...).Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return false, nil
	}
	return err == nil, err
}
