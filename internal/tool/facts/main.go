// Command facts prints what docs/maintainers/facts.md says about live chains, the oldest first. It fails if the table
// is not well formed, and with -release if a fact is neither young nor marked.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// maxAge is how old a fact may be in a release.
const maxAge = 30 * 24 * time.Hour

func main() {
	if err := run(os.Args[1:], os.Stdout, time.Now()); err != nil {
		fmt.Fprintf(os.Stderr, "facts: %v\n", err)
		os.Exit(1)
	}
}

// fact is a row of the table: a value of a preset, which the node answers.
type fact struct {
	preset, name, value string
	source              string
	date                time.Time // when the source said so
	mark                string    // guess, old: not confirmed of late, or ours: another value on purpose; empty: none of them
}

func run(args []string, stdout io.Writer, now time.Time) error {
	flags := flag.NewFlagSet("facts", flag.ContinueOnError)
	file := flags.String("file", "docs/maintainers/facts.md", "the `file` with the table")
	release := flags.Bool("release", false, "fail if a fact is older than 30 days and not marked")
	if err := flags.Parse(args); err != nil {
		return err
	}
	text, err := os.ReadFile(*file)
	if err != nil {
		return err
	}
	facts, err := parse(string(text))
	if err != nil {
		return err
	}
	slices.SortStableFunc(facts, func(a, b fact) int { return a.date.Compare(b.date) })
	var stale int
	for _, f := range facts {
		fmt.Fprintf(stdout, "%s  %-5s  %-16s  %-27s  %-42s  %s\n", f.date.Format(time.DateOnly), cmp.Or(f.mark, "-"), f.preset, f.name, f.value, f.source)
		if f.mark == "" && now.Sub(f.date) > maxAge {
			stale++
		}
	}
	if *release && stale > 0 {
		return fmt.Errorf("%d facts are older than 30 days: confirm them, or mark them old", stale)
	}
	return nil
}

// parse returns the rows of the table in a text. The error names the first wrong one.
func parse(text string) (facts []fact, err error) {
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 6 || strings.HasPrefix(cells[0], "---") || strings.TrimSpace(cells[0]) == "preset" {
			continue
		}
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		f := fact{preset: cells[0], name: cells[1], value: cells[2], source: cells[3], mark: strings.TrimPrefix(cells[5], "–")}
		if f.date, err = time.Parse(time.DateOnly, cells[4]); err != nil || f.source == "" || !slices.Contains([]string{"", "guess", "old", "ours"}, f.mark) {
			return nil, fmt.Errorf("row %q: want a source, a date, and guess, old, ours or –", strings.TrimSpace(line))
		}
		facts = append(facts, f)
	}
	return facts, nil
}
