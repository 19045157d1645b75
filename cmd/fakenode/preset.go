package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/fakenode/fakenode"
)

// anvilPreset is the value of --preset that makes the node a drop-in for anvil and for hardhat's own network.
const anvilPreset = "anvil"

// presetFlag is a flag that a preset sets.
type presetFlag struct{ name, value string }

// presetFlags returns what a preset sets besides the chain ids. Tools that accept only some nodes look at the beginning
// of the client version.
func presetFlags(preset string) []presetFlag {
	if preset != anvilPreset {
		return nil
	}
	return []presetFlag{
		{"chain-id", "31337"},
		{"compat", "geth"},
		{"seal", "instant"},
		{"client-version", "anvil/v1.7.1 (" + fakenode.ClientVersion() + ")"},
		{"fee-cap", "0"},
		{"tx-gas-limit", "0"},
		{"history", "4000"},
	}
}

// applyPreset sets the flags of the preset that neither the command line nor a variable sets. As with anvil, a block
// time asks for blocks at that interval, and a genesis brings its chain id.
func (o *options) applyPreset(flags *flag.FlagSet) error {
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	given["seal"] = given["seal"] || given["block-time"]
	given["chain-id"] = given["chain-id"] || given["genesis"] || given["state"]
	for _, f := range presetFlags(o.preset) {
		if given[f.name] {
			continue
		}
		if err := flags.Set(f.name, f.value); err != nil {
			return fmt.Errorf("preset %s: --%s %q: %w", o.preset, f.name, f.value, err)
		}
		o.applied = append(o.applied, f)
	}
	return nil
}

// printPreset writes the flags that the preset set, as they would be typed.
func (o *options) printPreset(w io.Writer) {
	if len(o.applied) == 0 {
		return
	}
	fmt.Fprintf(w, "preset %s:", o.preset)
	for _, f := range o.applied {
		value := f.value
		if strings.Contains(value, " ") {
			value = "'" + value + "'"
		}
		fmt.Fprintf(w, " --%s %s", f.name, value)
	}
	fmt.Fprintln(w)
}
