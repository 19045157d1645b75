package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/spelling"
)

// flagGroup is a heading of --help, and the flags below it.
type flagGroup struct {
	title  string
	define func(*flag.FlagSet)
}

// groups returns the flags of a node that is served, which set the fields of o, in the order of help.
func (o *options) groups() []flagGroup {
	return slices.Concat(o.nodeGroups()[:7], []flagGroup{{"Files", o.keepFlags}}, o.nodeGroups()[7:], []flagGroup{{"Program", o.programFlags}})
}

// nodeGroups returns the flags that say what a node is, and what is shown of it.
func (o *options) nodeGroups() []flagGroup {
	return []flagGroup{
		{"Port", o.addressFlags},
		{"Worlds", o.worldFlags},
		{"Blocks and time", o.blockFlags},
		{"Accounts and contracts", o.accountFlags},
		{"Chain and rules", o.chainFlags},
		{"Block tags and pre-confirmation", o.tagFlags},
		{"Fork of a live chain", o.forkFlags},
		{"Answers and methods", o.answerFlags},
		{"Limits", o.limitFlags},
		{"What is printed", o.printFlags},
		{"Log", o.logFlags},
	}
}

// withNode returns the flags of a command that has a node, below those of its own.
func withNode(title string, own func(*flag.FlagSet)) func(*options) []flagGroup {
	return func(o *options) []flagGroup { return append([]flagGroup{{title, own}}, o.nodeGroups()...) }
}

func (o *options) replayGroups() []flagGroup {
	return []flagGroup{{"Port", o.addressFlags}, {"Log", o.logFlags}}
}

// preamble is the text of help of a node before the commands and the groups of flags.
//
//go:embed help.txt
var preamble string

// usage writes the help of a command: what it does, and its flags in their groups, by name in each.
func (c *command) usage(w io.Writer) {
	if c.name == "" {
		fmt.Fprint(w, preamble, "Commands:\n")
		for _, other := range otherCommands() {
			fmt.Fprintf(w, "  fakenode %s\n    \t%s\n", strings.TrimSpace(other.name+" "+other.argument), other.about)
		}
		fmt.Fprintln(w)
	} else {
		fmt.Fprintf(w, "Usage: fakenode %s\n\n%s.\n\n", strings.TrimSpace(c.name+" "+c.argument), c.about)
	}
	if c.groups == nil {
		return
	}
	fmt.Fprintf(w, "Every flag has a variable: --block-time is %sBLOCK_TIME. A flag given wins over its variable, and both\nwin over what --preset sets.\n", variablePrefix)
	o := withDefaults()
	for _, group := range c.groups(&o) {
		fmt.Fprintf(w, "\n%s:\n", group.title)
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		group.define(flags)
		flags.VisitAll(func(f *flag.Flag) {
			kind, about := flag.UnquoteUsage(f)
			if kind != "" {
				kind = " " + kind
			}
			if !slices.Contains([]string{"", "0", "0s", "false"}, f.DefValue) {
				about += fmt.Sprintf(" (default %s)", f.DefValue)
			}
			fmt.Fprintf(w, "  --%s%s\n    \t%s\n", f.Name, kind, about)
		})
	}
	if c.name == "" {
		fmt.Fprintf(w, "\nScenarios (fakenode_scenario, and move by move fakenode_scenarioStart):\n  %s\n", strings.Join(fakenode.ScenariosByKind(), "\n  "))
	}
}

// unknownFlag reports an unknown flag, and the one that was probably meant.
func unknownFlag(name string, ours *flag.FlagSet) error {
	if c := commandNamed(name); c != nil {
		return fmt.Errorf("unknown flag --%s: did you mean fakenode %[1]s %s?", name, c.argument)
	}
	if meant := spelling.Nearest(name, slices.Values(flagNames(ours))); meant != "" {
		return fmt.Errorf("unknown flag --%s: did you mean --%s?", name, meant)
	}
	return fmt.Errorf("unknown flag --%s: --help lists them", name)
}

// flagNames returns the names of all flags, without dashes: ours and the longer ones of anvil.
func flagNames(ours *flag.FlagSet) []string {
	known := []string{"help"}
	ours.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	for _, f := range anvilFlags {
		for _, name := range f.names {
			if len(name) > 3 {
				known = append(known, name)
			}
		}
	}
	return known
}

// unknownVariable returns a line about a variable that has the prefix but belongs to no flag.
func unknownVariable(variable, name string, ours *flag.FlagSet) string {
	line := fmt.Sprintf("the variable %s is no flag's", variable)
	if meant := spelling.Nearest(name, slices.Values(flagNames(ours))); meant != "" && ours.Lookup(meant) != nil {
		line += fmt.Sprintf(": did you mean %s?", variableOf(meant))
	}
	return line
}

// otherVariables are read by other programs of this project: the npm package, and tests that get a node's URL.
var otherVariables = []string{"FAKENODE_BINARY", "FAKENODE_URL"}

// variableOf returns the name of a flag's variable.
func variableOf(name string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}
