package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// batch is mutants that are compiled together: any number of them within functions, or one elsewhere.
type batch struct {
	dir      string // for the overlay and the binaries
	mutants  []mutant
	binaries map[*suite]string
	broken   map[int]string // why a mutant does not compile, by its number
}

// newBatch returns a batch that keeps its files in a directory of its own in scratch.
func newBatch(scratch string, mutants []mutant) (*batch, error) {
	dir, err := os.MkdirTemp(scratch, "batch")
	return &batch{dir: dir, mutants: mutants, binaries: map[*suite]string{}, broken: map[int]string{}}, err
}

var brokenMutant = regexp.MustCompile(`\bmutant(\d+)\.go:\S* (.*)`)

// compile returns the compiled tests of a suite. Mutants that keep them from compiling leave the batch as broken.
func (b *batch) compile(ctx context.Context, s *suite) (string, error) {
	if binary, ok := b.binaries[s]; ok {
		return binary, nil
	}
	binary := filepath.Join(b.dir, strconv.Itoa(len(b.binaries)))
	for {
		overlay, err := b.overlay()
		if err != nil {
			return "", err
		}
		err = s.compile(ctx, binary, "-overlay="+overlay, "-gcflags=-e")
		if !refused(err) {
			b.binaries[s] = binary
			return binary, err
		}
		known := len(b.broken)
		for _, found := range brokenMutant.FindAllStringSubmatch(err.Error(), -1) {
			number, _ := strconv.Atoi(found[1])
			b.broken[number] = cmp.Or(b.broken[number], found[2])
		}
		if len(b.mutants) == 1 {
			b.broken[b.mutants[0].number] = strings.Join(strings.Fields(err.Error()), " ")
			return "", nil
		}
		if len(b.broken) == known {
			return "", err
		}
		b.mutants = slices.DeleteFunc(b.mutants, func(m mutant) bool { return b.broken[m.number] != "" })
	}
}

// overlay writes the changed files and returns the file that lists them for the compiler.
func (b *batch) overlay() (string, error) {
	files := map[string][]byte{}
	together := map[string][]mutant{}
	for _, m := range b.mutants {
		path := filepath.Join(m.suite.Dir, m.file)
		if m.within == nil {
			files[path] = m.mutated()
			continue
		}
		together[path] = append(together[path], m)
		files[path] = switched(together[path])
		files[filepath.Join(m.suite.Dir, "mutant_switch.go")] = fmt.Appendf(nil, switchOf, m.suite.Name)
	}
	var err error
	replace, overlay := map[string]string{}, filepath.Join(b.dir, "overlay.json")
	for path, content := range files {
		replace[path] = filepath.Join(b.dir, strconv.Itoa(len(replace))+".go")
		err = errors.Join(err, os.WriteFile(replace[path], content, 0o600))
	}
	text, more := json.Marshal(map[string]any{"Replace": replace})
	return overlay, errors.Join(err, more, os.WriteFile(overlay, text, 0o600))
}
