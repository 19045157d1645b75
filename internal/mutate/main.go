// Command mutate changes one place of a package at a time and reports the changes that the package's tests do not
// notice. It is for the developers of fakenode:
//
//	go run ./internal/mutate -seed 1 -time 10m ./evmstate ./preconf
//
// A mutant differs from the package by one comparison, one arithmetic operator, one number, one boolean, one constant
// or one missing statement. Each is compiled and tested through an overlay, so the files of the package never change.
// A mutant that fails a test, or makes the tests take far longer than usual, is killed; one that does not compile is
// not counted; the others survive and are printed. A survivor wants a test that fails with it, or is equivalent to the
// original, or shows code that nothing needs.
//
// The seed decides which mutants are tried, in which order. The exit code is 0 whether mutants survive or not, 1 if the
// unchanged tests fail, and 2 for wrong arguments.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run tries mutants of the packages named in args, by turns, until the time is up or there are none left.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seed := flags.Uint64("seed", 1, "which mutants to try, in which order")
	limit := flags.Duration("time", 10*time.Minute, "when to start no further mutant")
	most := flags.Int("most", 300, "how many mutants to try")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(stderr, "mutate: name at least one package, such as ./evmstate")
		return 2
	}
	ctx, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	random := rand.New(rand.NewPCG(*seed, 0))
	var subjects []*subject
	for _, name := range flags.Args() {
		s, err := load(ctx, name)
		if err != nil {
			fmt.Fprintf(stderr, "mutate: %v\n", err)
			return 1
		}
		random.Shuffle(len(s.mutants), func(i, j int) { s.mutants[i], s.mutants[j] = s.mutants[j], s.mutants[i] })
		fmt.Fprintf(stdout, "%s: %d mutants, tests take %v\n", name, len(s.mutants), s.usual.Round(time.Second))
		subjects = append(subjects, s)
	}
	count := map[outcome]int{}
	for tried := 0; tried < *most && ctx.Err() == nil; {
		before := tried
		for _, s := range subjects {
			if len(s.mutants) == 0 || tried == *most || ctx.Err() != nil {
				continue
			}
			m := s.mutants[0]
			s.mutants = s.mutants[1:]
			result, err := s.try(m)
			if err != nil {
				fmt.Fprintf(stderr, "mutate: %v\n", err)
				return 1
			}
			tried++
			count[result]++
			if result == survived {
				fmt.Fprintf(stdout, "\nsurvived: %s\n", m)
			}
		}
		if tried == before {
			break
		}
	}
	fmt.Fprintf(stdout, "\nseed %d: %d killed, %d survived, %d did not compile\n", *seed, count[killed], count[survived], count[broken])
	return 0
}
