package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/fakenode/fakenode"
)

// presetFlag is a flag that a preset sets.
type presetFlag struct{ name, value string }

// presetFlags returns the flags that a preset sets in addition to the fields of Config.
func presetFlags(preset fakenode.Preset) []presetFlag {
	switch preset {
	case fakenode.Anvil, fakenode.Hardhat:
		return []presetFlag{{"compat", "geth"}, {"seal", "instant"}, {"console-log", "true"}}
	}
	return nil
}

// applyPreset sets the flags of the preset that neither the command line nor a variable sets. As with anvil, a block
// time means blocks at that interval, and with blocks on command the clock follows the wall.
func (o *options) applyPreset(flags *flag.FlagSet) error {
	set := presetFlags(o.config.Preset)
	if len(set) == 0 {
		return nil
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if given["compat"] && o.config.Compat == fakenode.Spec {
		return fmt.Errorf("--compat spec does not go with --preset %s, which answers as live clients do", o.config.Preset)
	}
	given["seal"] = given["seal"] || given["block-time"]
	o.config.RealClock = true
	for _, f := range set {
		if given[f.name] || f.name == "console-log" && o.quiet {
			continue
		}
		if err := flags.Set(f.name, f.value); err != nil {
			return fmt.Errorf("preset %s: --%s %q: %w", o.config.Preset, f.name, f.value, err)
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
	fmt.Fprintf(w, "preset %s: %s\n", o.config.Preset, typed(o.applied))
}

// presetLine returns the flags that a preset sets, as they would be typed.
func presetLine(preset fakenode.Preset) string { return typed(presetFlags(preset)) }

func typed(flags []presetFlag) string {
	words := make([]string, 0, len(flags))
	for _, f := range flags {
		words = append(words, strings.TrimSuffix("--"+f.name+" "+f.value, " true"))
	}
	return strings.Join(words, " ")
}
