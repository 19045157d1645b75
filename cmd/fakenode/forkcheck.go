package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/recording"
)

// forkOptions holds the flags of "fakenode forkcheck".
type forkOptions struct {
	fakenode.ForkRules
	level    string
	json     bool
	baseline string // path of a report in JSON; empty: none
	blocks   uint64
}

func (c *forkOptions) flags(f *flag.FlagSet) {
	*c = forkOptions{ForkRules: fakenode.ForkRules{Forks: [2]string{"osaka", "amsterdam"}}, level: "error"}
	f.Func("compare-forks", "two hard forks: which assumptions that hold under the first break under the second (default osaka,amsterdam)", func(s string) error {
		before, after, two := strings.Cut(s, ",")
		if c.Forks = [2]string{before, after}; !two || strings.Contains(after, ",") {
			return errors.New("want two hard forks with a comma between them")
		}
		known := append(fakenode.Hardforks(), "latest")
		return errors.Join(oneOf(before, known...), oneOf(after, known...))
	})
	f.Var(choose(&c.level, levels...), "level", "report findings of this level and above, and exit with 1 if there are any: error, warning or info (default error)")
	f.BoolVar(&c.json, "report-json", false, "print the report as JSON")
	f.StringVar(&c.baseline, "baseline", "", "leave out the findings of this `file`, an earlier report in JSON")
	f.Func("blocks", "how many blocks of the chain of --fork-url, without a recording (default 1: the fork block)", func(s string) (err error) {
		if c.blocks, err = strconv.ParseUint(s, 10, 31); err != nil || c.blocks == 0 {
			return errors.New("want a whole number above 0")
		}
		return nil
	})
	f.Uint64Var(&c.StateByteGas, "state-byte-gas", 0, "gas for a byte of state from amsterdam on, which may still change; 0: 1,530")
}

// levels lists the levels of findings, the least one first.
var levels = []string{"info", "warning", "error"}

// forkReport is the answer of "fakenode forkcheck", in JSON.
type forkReport struct {
	Forks        [2]string     `json:"forks"`
	Level        string        `json:"level"`
	Transactions int           `json:"transactions"`
	Known        int           `json:"known"` // findings that are in the baseline
	Findings     []forkFinding `json:"findings"`
}

// forkFinding is a finding with the first transaction that shows it.
type forkFinding struct {
	fakenode.ForkFinding
	Network     string      `json:"network"`              // path of its URL
	Transaction common.Hash `json:"transaction,omitzero"` // none for an eth_call
	Times       int         `json:"times"`
}

// same reports whether both are one finding, perhaps of different transactions.
func (f *forkFinding) same(other forkFinding) bool {
	return f.Name == other.Name && slices.Equal(f.Calls, other.Calls)
}

// run is "fakenode forkcheck": it prints what a recording, or the last blocks of a live chain, assume that no
// longer holds under another hard fork.
func (o *forkOptions) run(ctx context.Context, in *invocation) (err error) {
	c := &forkChecker{forkOptions: *o, ctx: ctx, seen: map[common.Hash]bool{}, ether: map[string][]*types.Log{}}
	c.found = forkReport{Forks: c.Forks, Level: c.level, Findings: []forkFinding{}}
	var known forkReport
	if c.baseline != "" {
		if known, err = readBaseline(c.baseline); err != nil {
			return usageError{err}
		}
	}
	if in.given != "" {
		_, err = in.runRecording(ctx, c.follow)
		for _, f := range c.filters {
			c.match(&f, c.ether[f.path][f.since:], 0, math.MaxUint64)
		}
	} else {
		err = c.live(in.options, in.stderr)
	}
	if err != nil {
		return err
	}
	all := len(c.found.Findings)
	c.found.Findings = slices.DeleteFunc(c.found.Findings, func(f forkFinding) bool { return slices.ContainsFunc(known.Findings, f.same) })
	c.found.Known = all - len(c.found.Findings)
	if err = c.print(in.stdout); err == nil && len(c.found.Findings) > 0 {
		err = fmt.Errorf("forkcheck: %d findings", len(c.found.Findings))
	}
	return err
}

func readBaseline(path string) (r forkReport, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return r, fmt.Errorf("--baseline: %w", err)
	}
	if err := json.Unmarshal(text, &r); err != nil || r.Level == "" {
		return r, fmt.Errorf("--baseline: %s is no report of fakenode forkcheck --report-json", path)
	}
	return r, nil
}

// forkChecker collects the findings of a node's blocks.
type forkChecker struct {
	forkOptions
	ctx   context.Context
	seen  map[common.Hash]bool // blocks
	found forkReport

	ether   map[string][]*types.Log // that the second fork adds, by path
	filters []logFilter             // of what is to come
}

// follow checks the blocks of a network that are new since its last call, and what a message asks. It is called before
// each message, so that blocks count that a snapshot or a reorg takes back.
func (c *forkChecker) follow(node *fakenode.Node, e *recording.Event) error {
	network := node.NetworkAt(e.Path)
	if network == nil {
		return nil // a world that is gone
	}
	if err := c.followBlocks(e.Path, network); err != nil || !comparedCalls.Match(e.Payload) {
		return err
	}
	return c.asked(e, network)
}

func (c *forkChecker) followBlocks(path string, network *fakenode.Network) error {
	now := network.Moment()
	last := now.Latest().Number()
	first := last + 1
	for first > now.Chain().Base()+1 {
		view, err := now.ByNumber(first - 1)
		if err != nil || c.seen[view.Hash()] {
			break
		}
		c.seen[view.Hash()] = true
		first--
	}
	return c.checkBlocks(path, network, first, last)
}

// live checks the last blocks of the chain under a fork.
func (c *forkChecker) live(o options, stderr io.Writer) error {
	if o.config.Fork.URL == "" && o.config.Fork.CacheFile == "" {
		return usageError{errors.New("forkcheck: give a recording (fakenode forkcheck FILE), or the --rpc-url of a chain")}
	}
	o = privateOptions(o)
	o.config.Mode, o.config.RealClock = fakenode.Manual, false
	node, err := o.newNode(io.Discard, stderr)
	if err != nil {
		return usageError{err}
	}
	defer node.Close()
	last, blocks := node.Fork().Number(), max(c.blocks, 1)
	if blocks > last {
		return usageError{fmt.Errorf("--blocks %d: the chain has %d up to the fork block", blocks, last)}
	}
	return c.checkBlocks("/", node.Network, last-blocks+1, last)
}

// checkBlocks adds the findings of the transactions in some blocks of a network.
func (c *forkChecker) checkBlocks(path string, network *fakenode.Network, first, last uint64) error {
	for n := first; n <= last; n++ {
		list, err := network.CompareForksInBlock(c.ctx, c.ForkRules, n)
		if err != nil {
			return fmt.Errorf("%s: block %d: %w", path, n, err)
		}
		for _, tx := range list {
			c.found.Transactions++
			c.take(path, &tx)
		}
	}
	return nil
}

// take adds the findings of a transaction or call.
func (c *forkChecker) take(path string, tx *fakenode.ForkComparison) {
	for _, log := range tx.Outcomes[1].Logs {
		if log.Address == params.SystemAddress {
			c.ether[path] = append(c.ether[path], &types.Log{Address: log.Address, Topics: log.Topics, BlockNumber: tx.Block, TxHash: tx.Hash})
		}
	}
	for _, f := range tx.Findings {
		c.add(forkFinding{f, path, tx.Hash, 1})
	}
}

func (c *forkChecker) add(f forkFinding) {
	if slices.Index(levels, f.Level) < slices.Index(levels, c.level) {
		return
	}
	if i := slices.IndexFunc(c.found.Findings, f.same); i >= 0 {
		c.found.Findings[i].Times++
		return
	}
	c.found.Findings = append(c.found.Findings, f)
}

// print writes the report.
func (c *forkChecker) print(out io.Writer) error {
	if c.json {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(c.found)
	}
	fmt.Fprintf(out, "%s to %s: %d transactions, %d findings of level %s and above, %d more are known\n",
		c.Forks[0], c.Forks[1], c.found.Transactions, len(c.found.Findings), c.level, c.found.Known)
	if len(c.found.Findings) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\nlevel\tfinding\ttimes\t%s\t%s\twhere\ttransaction\n", c.Forks[0], c.Forks[1])
	var advice []string
	for _, f := range c.found.Findings {
		at := "eth_call"
		if f.Transaction != (common.Hash{}) {
			at = f.Transaction.Hex()
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\t%s %s\n", f.Level, f.Name, f.Times, gasText(f, 0), gasText(f, 1), strings.Join(f.Calls, " > "), f.Network, at)
		if line := f.Name + ": " + f.Do; !slices.Contains(advice, line) {
			advice = append(advice, line)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%s\n", strings.Join(advice, "\n"))
	return err
}

// gasText returns the gas of a finding under a fork in a few words.
func gasText(f forkFinding, side int) string {
	gas := f.Gas[side]
	if gas.Limit == 0 {
		return "-"
	}
	text := fmt.Sprintf("%d of %d gas", gas.Used, gas.Limit)
	if gas.State > 0 {
		text += fmt.Sprintf(" (transaction: execution %d, state %d)", gas.Execution, gas.State)
	}
	if side == 1 && f.Reason != "" {
		text += ", " + f.Reason
	}
	return text
}
