// Command mutate changes one place of a package at a time and reports the changes that no test notices. It is for the
// developers of fakenode, a module of its own that `make mutate` builds; in the root of the checkout:
//
//	dist/mutate.bin -seed 1 -time 10m -also .,./rpcserver ./evmstate ./preconf
//
// A mutant differs from the package by one comparison, one arithmetic operator, one number, one boolean, one constant
// or one missing statement. It is compiled through an overlay, so the files of the package never change: mutants within
// functions all together, to be switched on one at a time, the others alone. What no caller can see by its nature stays
// as it is: the capacity that make is given, what is returned beside an error, and a panic on an error that cannot be.
// The tests of its package run first, then those of the packages named by -also, and of each only the tests that reach
// the changed line. To learn what a test reaches and how long it takes, each is run alone once, without a change; the
// directory of -keep holds what was learnt until the code or the tests change.
//
// A mutant is killed if a test fails with it and passes without it right after. It does not end if a test has not ended
// with it when the same test has ended twenty times without it, beside it; no time limit decides anything. One that
// does not compile is not counted. The others survive and are printed. A survivor needs a test that fails with it, or
// is equivalent to the original, or shows code that nothing needs.
//
// The seed decides which mutants are tried, in which order; they are numbered, and -from goes on with a number. To try
// only the mutants of some places, such as a file, -at takes a regular expression such as 'chain/fork.go:57$'. The exit
// code is 0 whether mutants survive or not, 1 if something else fails, such as a test without a change, and 2 for wrong
// arguments.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run parses the arguments, tries mutants, and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seed := flags.Uint64("seed", 1, "which mutants to try, in which order")
	limit := flags.Duration("time", 10*time.Minute, "when to end; the mutant of that moment is not counted")
	from := flags.Int("from", 0, "the number of the first mutant to try")
	most := flags.Int("most", 300, "how many mutants to try")
	at := flags.String("at", "", "regular expression for the places of the mutants to try")
	also := flags.String("also", "", "packages, joined by commas, whose tests run when those of the changed package notice nothing")
	keep := flags.String("keep", filepath.Join("dist", "mutate"), "directory for what the tests reach")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	places, err := regexp.Compile(*at)
	if err != nil {
		fmt.Fprintf(stderr, "mutate: -at: %v\n", err)
		return 2
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(stderr, "mutate: name at least one package, such as ./evmstate")
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "mutate: %v\n", err)
		return 1
	}
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	others := strings.FieldsFunc(*also, func(r rune) bool { return r == ',' })
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(scratch)
	suites, err := measure(ctx, flags.Args(), others, scratch, *keep, stdout)
	if err != nil {
		return fail(err)
	}
	mutants, err := draw(suites[:flags.NArg()], *seed, places)
	if err != nil {
		return fail(err)
	}
	if err := tryAll(ctx, mutants, *from, *most, suites[flags.NArg():], scratch, stdout); err != nil {
		return fail(err)
	}
	return 0
}

// tryAll tries mutants from a number on and prints what became of them, at the end how many per package.
func tryAll(ctx context.Context, mutants []mutant, from, most int, others []*suite, scratch string, stdout io.Writer) error {
	mutants = slices.DeleteFunc(mutants, func(m mutant) bool { return m.number < from })
	mutants = mutants[:min(most, len(mutants))]
	inFunctions := slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool { return m.within == nil })
	together, err := newBatch(scratch, inFunctions)
	if err != nil {
		return err
	}
	counts := map[string]map[outcome]int{}
	for _, m := range mutants {
		b := together
		if m.within == nil {
			if b, err = newBatch(scratch, []mutant{m}); err != nil {
				return err
			}
		}
		result, why, err := b.try(ctx, m, together, append([]*suite{m.suite}, others...))
		if ctx.Err() != nil {
			fmt.Fprintf(stdout, "\nended before mutant %d\n", m.number)
			break
		}
		if err != nil {
			return fmt.Errorf("mutant %d: %w", m.number, err)
		}
		if counts[m.suite.ImportPath] == nil {
			counts[m.suite.ImportPath] = map[outcome]int{}
		}
		counts[m.suite.ImportPath][result]++
		fmt.Fprintf(stdout, "%d %s: %s, %s\n", m.number, m.place(), result, why)
		if result == survived {
			fmt.Fprintf(stdout, "%s\n\n", m.change())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(stdout, "\n%s:", name)
		for _, o := range []outcome{killed, killedElsewhere, endless, survived, broken} {
			fmt.Fprintf(stdout, " %d %s;", counts[name][o], o)
		}
	}
	fmt.Fprintln(stdout)
	return nil
}

// draw returns all mutants of the packages in the order in which they are tried: shuffled, one of each package in turn.
// Their numbers count all of them, also those of other places.
func draw(suites []*suite, seed uint64, places *regexp.Regexp) ([]mutant, error) {
	random := rand.New(rand.NewPCG(seed, 0))
	var decks [][]mutant
	for _, s := range suites {
		deck, err := s.mutants()
		if err != nil {
			return nil, err
		}
		random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		decks = append(decks, deck)
	}
	var drawn []mutant
	for len(decks) > 0 {
		decks = slices.DeleteFunc(decks, func(deck []mutant) bool { return len(deck) == 0 })
		for i, deck := range decks {
			drawn, decks[i] = append(drawn, deck[0]), deck[1:]
		}
	}
	for i := range drawn {
		drawn[i].number = i
	}
	return slices.DeleteFunc(drawn, func(m mutant) bool { return !places.MatchString(m.place()) }), nil
}
