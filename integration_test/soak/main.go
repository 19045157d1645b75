// Command soak runs a node for a long virtual time, or under attack, and shows what becomes of its memory, goroutines
// and descriptors: as a table on standard output and as a picture. It exits with 1 if one of them grows.
//
// It is a module of its own, so that the library that draws the picture is none of fakenode's dependencies.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	program := flag.String("node", "", "path of the fakenode binary")
	picture := flag.String("out", "soak.png", "path of the PNG")
	hours := flag.Int("hours", 7*24, "virtual hours of mixed load")
	rounds := flag.Int("attack", 0, "rounds of the attacks, in place of the mixed load")
	only := flag.String("only", "", "a part of the names of the attacks to make; empty: all")
	flag.Parse()
	if err := run(*program, *picture, *only, *hours, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(program, picture, only string, hours, rounds int) error {
	n, err := start(program)
	if err != nil {
		return err
	}
	defer n.stop()
	title, steps, step := fmt.Sprintf("%d virtual hours of mixed load", hours), hours, mixedLoad
	if rounds > 0 {
		title, steps = fmt.Sprintf("%d rounds of attacks", rounds), rounds
		step = func(n *node, _ int) error { return attackRound(n, only) }
	}
	var samples []sample
	began := time.Now()
	for i := range steps {
		if err := step(n, i); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		s, err := n.sample()
		if err != nil {
			return err
		}
		samples = append(samples, s)
		if i%max(steps/20, 1) == 0 || i == steps-1 {
			fmt.Printf("%6.1fs step %4d: %s\n", time.Since(began).Seconds(), i, s)
		}
	}
	return errors.Join(paint(picture, title, samples), judge(samples))
}
