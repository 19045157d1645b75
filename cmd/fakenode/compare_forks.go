package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ethereum/go-ethereum/rpc"

	"github.com/fakenode/fakenode/internal/recording"
)

// comparison is the answer to fakenode_compareForks.
type comparison struct {
	Compared, Breaks int
	Transactions     []struct {
		Hash     string
		Block    uint64
		GasLimit uint64
		Differs  []string
		Outcomes [2]forkOutcome
	}
}

// forkOutcome is the result of a transaction under one hard fork.
type forkOutcome struct {
	Status, Reason         string
	GasUsed, GasNeeded     uint64
	ExecutionGas, StateGas *uint64
	Logs                   []any
}

// compareForks compares the transactions that a node at a URL has from a recording under two hard forks, and prints the
// differences.
func compareForks(ctx context.Context, url string, r *recording.Recording, forks []string, out io.Writer) error {
	var paths []string
	for i := range r.Events {
		if path := r.Events[i].Path; !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		client, err := rpc.DialContext(ctx, strings.TrimSuffix(url, "/")+path)
		if err != nil {
			return err
		}
		defer client.Close()
		var c comparison
		if err := client.CallContext(ctx, &c, "fakenode_compareForks", map[string]any{"forks": forks}); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		c.print(out, path, forks)
	}
	return nil
}

// print writes the totals, and a line for each transaction that differs.
func (c *comparison) print(out io.Writer, path string, forks []string) {
	fmt.Fprintf(out, "\n%s: %d transactions, %d of them succeed under %s and not under %s\n", path, c.Compared, c.Breaks, forks[0], forks[1])
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer table.Flush()
	fmt.Fprintf(table, "transaction\tblock\tgas limit\t%s\t%s\tlogs\n", forks[0], forks[1])
	for _, tx := range c.Transactions {
		if len(tx.Differs) == 0 {
			continue
		}
		logs := ""
		if slices.Contains(tx.Differs, "logs") {
			logs = fmt.Sprintf("%d, %d", len(tx.Outcomes[0].Logs), len(tx.Outcomes[1].Logs))
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\t%s\n", tx.Hash, tx.Block, tx.GasLimit, tx.Outcomes[0], tx.Outcomes[1], logs)
	}
}

// String returns the outcome in a few words.
func (o forkOutcome) String() string {
	text := o.Status
	if o.Status != "rejected" {
		text = fmt.Sprintf("%s %d gas", text, o.GasUsed)
	}
	if o.ExecutionGas != nil && o.StateGas != nil {
		text += fmt.Sprintf(" (execution %d, state %d)", *o.ExecutionGas, *o.StateGas)
	}
	if o.Reason != "" {
		text += ": " + o.Reason
	}
	if o.GasNeeded != 0 {
		text += fmt.Sprintf(", needs a limit of %d", o.GasNeeded)
	}
	return text
}
