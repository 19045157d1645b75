// Command mutate changes one place of a package at a time and reports the changes that no test notices. It is for the
// developers of fakenode:
//
//	go run ./internal/mutate -seed 1 -time 10m -also .,./rpcserver ./evmstate ./preconf
//
// A mutant differs from the package by one comparison, one arithmetic operator, one number, one boolean, one constant
// or one missing statement. It is compiled through an overlay, so the files of the package never change. The tests of
// its package run first, then those of the packages named by -also, and of each only the tests that reach the changed
// line. To learn what a test reaches and how long it takes, each is run alone once, without a change; the directory
// of -keep holds what was learnt until the code or the tests change.
//
// A mutant that fails a test is killed. One with which the tests have not ended after a minute and ten times what they
// take without a change is counted apart: it is endless, or the machine was busy, which -from and -most 1 can show later.
// One that does not compile is not counted. The others survive and are printed. A survivor wants a test that fails with
// it, or is equivalent to the original, or shows code that nothing needs.
//
// The seed decides which mutants are tried, in which order; they are numbered, and -from goes on with a number. The
// exit code is 0 whether mutants survive or not, 1 if something else fails, and 2 for wrong arguments.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
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
	also := flags.String("also", "", "packages, joined by commas, whose tests run when those of the changed package notice nothing")
	keep := flags.String("keep", filepath.Join("dist", "mutate"), "directory for what the tests reach")
	if err := flags.Parse(args); err != nil {
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
	mutants, err := draw(suites[:flags.NArg()], *seed)
	if err != nil {
		return fail(err)
	}
	count := map[outcome]int{}
	for number := *from; number < min(len(mutants), *from+*most); number++ {
		m := mutants[number]
		result, why, err := try(ctx, m, append([]*suite{m.suite}, suites[flags.NArg():]...))
		if ctx.Err() != nil {
			fmt.Fprintf(stdout, "\nended before mutant %d\n", number)
			break
		}
		if err != nil {
			return fail(err)
		}
		count[result]++
		fmt.Fprintf(stdout, "%d %s: %s, %s\n", number, m.place(), result, why)
		if result == survived {
			fmt.Fprintf(stdout, "%s\n\n", m.change())
		}
	}
	fmt.Fprintf(stdout, "\nseed %d:", *seed)
	for _, o := range []outcome{killed, killedElsewhere, undecided, survived, broken} {
		fmt.Fprintf(stdout, " %d %s;", count[o], o)
	}
	fmt.Fprintln(stdout)
	return 0
}

// draw returns all mutants of the packages in the order in which they are tried: shuffled, one of each package in turn.
func draw(suites []*suite, seed uint64) ([]mutant, error) {
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
	return drawn, nil
}
