package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// suite is a package and its tests.
type suite struct {
	ImportPath, Name, Dir string
	GoFiles               []string
	// reach lists the tests that run a line, such as "path/file.go:7", or a package, by its import path. Lines without
	// code of their own have no entry.
	reach map[string][]*test
}

// test is one test function.
type test struct {
	name  string
	usual time.Duration // what it takes alone
}

// measure returns the named packages and then the others, with what their tests reach of the named ones.
func measure(ctx context.Context, named, others []string, scratch, keep string, stdout io.Writer) ([]*suite, error) {
	var suites []*suite
	for _, name := range slices.Concat(named, others) {
		out, err := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Name,Dir,GoFiles", name).Output()
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", name, err)
		}
		s := &suite{reach: map[string][]*test{}}
		if err := json.Unmarshal(out, s); err != nil {
			return nil, err
		}
		if known := slices.IndexFunc(suites, func(k *suite) bool { return k.ImportPath == s.ImportPath }); known >= 0 {
			suites = append(suites, suites[known])
			continue
		}
		if err := s.measure(ctx, strings.Join(named, ","), filepath.Join(scratch, "measured"), keep, stdout); err != nil {
			return nil, fmt.Errorf("tests of %s: %w", name, err)
		}
		suites = append(suites, s)
	}
	return suites, ctx.Err()
}

// measure runs each test alone and without a change. A test that fails then says nothing about mutants and is left out.
func (s *suite) measure(ctx context.Context, under, binary, keep string, stdout io.Writer) error {
	if err := s.compile(ctx, binary, "-coverpkg="+under); err != nil {
		return err
	}
	code, err := os.ReadFile(binary)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // The package has no tests.
	} else if err != nil {
		return err
	}
	defer os.Remove(binary)
	kept, err := filepath.Abs(filepath.Join(keep, fmt.Sprintf("%x", sha256.Sum256(code))[:16]))
	if err := errors.Join(err, os.MkdirAll(kept, 0o777)); err != nil {
		return err
	}
	names, err := s.command(ctx, binary, "-test.list=^(Test|Fuzz|Example)").Output()
	if err != nil {
		return err
	}
	var tests int
	var all time.Duration
	for _, name := range strings.Fields(string(names)) {
		profile, err := s.profile(ctx, binary, name, filepath.Join(kept, name))
		if err != nil {
			fmt.Fprintf(stdout, "%s: left out %s, which fails alone and without a change\n", s.ImportPath, name)
			continue
		}
		t, err := s.add(name, string(profile))
		if err != nil {
			return fmt.Errorf("profile of %s: %w", name, err)
		}
		tests++
		all += t.usual
	}
	fmt.Fprintf(stdout, "%s: %d tests, %v\n", s.ImportPath, tests, all.Round(time.Second))
	return nil
}

// add adds a test and what it reaches.
func (s *suite) add(name, profile string) (*test, error) {
	t := &test{name: name}
	reaches := func(place string, does bool) {
		tests := s.reach[place]
		if does && (len(tests) == 0 || tests[len(tests)-1] != t) {
			tests = append(tests, t)
		}
		s.reach[place] = tests
	}
	for line := range strings.Lines(profile) {
		file, rest, _ := strings.Cut(line, ":")
		var err error
		switch file {
		case "mode":
		case "took":
			_, err = fmt.Sscan(rest, (*int64)(&t.usual))
		default:
			var first, last, column, statements, times int
			_, err = fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &first, &column, &last, &column, &statements, &times)
			reaches(path.Dir(file), times > 0)
			for ; first <= last; first++ {
				reaches(fmt.Sprintf("%s:%d", file, first), times > 0)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// profile returns the lines that one test reaches, and at the end the time it takes. The file keeps it.
func (s *suite) profile(ctx context.Context, binary, name, file string) ([]byte, error) {
	if profile, err := os.ReadFile(file); err == nil {
		return profile, nil
	}
	start := time.Now()
	if err := s.command(ctx, binary, "-test.run=^"+name+"$", "-test.coverprofile="+file+".new").Run(); err != nil {
		return nil, err
	}
	profile, err := os.ReadFile(file + ".new")
	if err != nil {
		return nil, err
	}
	profile = fmt.Appendf(profile, "took: %d\n", time.Since(start))
	return profile, errors.Join(os.WriteFile(file, profile, 0o666), os.Remove(file+".new"))
}

// reaching returns the tests that reach the line of a mutant, those that take the least time first. A line without code
// of its own, such as a declaration, counts as reached by the tests that reach the package. So does the case of a
// switch, for which a profile tells only whether it was taken.
func (s *suite) reaching(m mutant) []*test {
	tests, ok := s.reach[m.place()]
	if before, _, _ := strings.Cut(m.change(), "\n"); !ok || strings.HasPrefix(strings.TrimLeft(before, "-\t "), "case ") {
		tests = s.reach[m.suite.ImportPath]
	}
	return slices.SortedFunc(slices.Values(tests), func(a, b *test) int { return cmp.Compare(a.usual, b.usual) })
}

// compile compiles the tests of the package, with args for the go command. Without tests there is no binary.
func (s *suite) compile(ctx context.Context, binary string, args ...string) error {
	args = append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", binary}, append(args, s.ImportPath)...)
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// command returns a run of compiled tests in the directory of their package.
func (s *suite) command(ctx context.Context, binary string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, binary, args...)
	c.Dir = s.Dir
	c.WaitDelay = time.Second // A program that a test started may hold its output open.
	return c
}

// mutants returns all mutants of the package.
func (s *suite) mutants() ([]mutant, error) {
	files := map[string][]byte{}
	for _, file := range s.GoFiles {
		source, err := os.ReadFile(filepath.Join(s.Dir, file))
		if err != nil {
			return nil, err
		}
		files[file] = source
	}
	siblings, err := siblingsOf(files)
	if err != nil {
		return nil, err
	}
	var mutants []mutant
	for _, file := range slices.Sorted(maps.Keys(files)) {
		more, err := mutantsOf(file, files[file], siblings)
		if err != nil {
			return nil, err
		}
		for _, m := range more {
			m.suite = s
			mutants = append(mutants, m)
		}
	}
	return mutants, nil
}
