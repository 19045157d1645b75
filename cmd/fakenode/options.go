package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fakenode/fakenode"
)

// options holds the values of the flags. Flags for fields of the node's Config are parsed right into config.
type options struct {
	config      fakenode.Config
	fork        fakenode.Fork
	l1          bool // puts the L1 of l1Config below the main network
	l1Config    fakenode.L1Config
	genesisFile string
	predeploy   string
	importFile  string
	export      string
	state       string
	loadState   string
	dumpState   string
	configOut   string
	chain       string
	chainOut    string
	logLevel    slog.Level
	logJSON     bool
	quiet       bool
	version     bool
	// consoleLog prints the console.log lines of contracts.
	consoleLog bool
	// printKeys prints the keys of all accounts at start, not of the first alone.
	printKeys bool
	// printTraces prints the calls of transactions and of failed calls.
	printTraces bool
	// exitWithStdin ends the program when standard input ends.
	exitWithStdin bool
	applied       []presetFlag // by the preset
	exam          fakenode.Exam
	explore       exploration
	record        string
	forkCheck     forkOptions
	// warnings are lines about unknown variables, and flags of anvil that are left out.
	warnings []string
	// autoImpersonate lets eth_sendTransaction send from any account.
	autoImpersonate bool
}

// variablePrefix and a flag's name in capitals, - as _, make the name of its environment variable.
const variablePrefix = "FAKENODE_"

// flagInError finds a flag in an error of package flag, which gives it one dash.
var flagInError = regexp.MustCompile(`((?:for flag|argument:|for) )-([a-z])`)

// parse reads the flags, which set the fields of o.
func (o *options) parse(flags *flag.FlagSet, args, environ []string) (err error) {
	args, o.warnings, err = replaceAnvilFlags(args, flags)
	if err != nil {
		return err
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errors.New(flagInError.ReplaceAllString(err.Error(), "${1}--${2}"))
	}
	switch argument := flags.Arg(0); {
	case flags.Lookup(argument) != nil:
		return fmt.Errorf("unexpected argument %q: did you mean --%[1]s?", argument)
	case commandNamed(argument) != nil:
		return fmt.Errorf("unexpected argument %q: a command comes first, as fakenode %[1]s", argument)
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: see fakenode help", argument)
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, setting := range environ {
		variable, value, _ := strings.Cut(setting, "=")
		name, ours := strings.CutPrefix(variable, variablePrefix)
		name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		switch {
		case !ours || value == "" || given[name] || slices.Contains(otherVariables, variable):
		case flags.Lookup(name) == nil:
			o.warnings = append(o.warnings, unknownVariable(variable, name, flags))
		default:
			if err := flags.Set(name, value); err != nil {
				return fmt.Errorf("variable %s: invalid value %q: %w", variable, value, err)
			}
		}
	}
	return o.applyPreset(flags)
}

// presetFlag is a flag that a preset sets.
type presetFlag struct{ name, value string }

// presetFlags returns the flags that a preset or a chain of one's own sets in addition to the fields of Config.
func presetFlags(chain fakenode.Chain) (set []presetFlag) {
	if chain.Wire.Profile != "" {
		set = append(set, presetFlag{"compat", chain.Wire.Profile})
	}
	if chain.Mode != 0 {
		set = append(set, presetFlag{"seal", chain.Mode.String()})
	}
	if chain.Mode == fakenode.Instant {
		set = append(set, presetFlag{"console-log", "true"})
	}
	return set
}

// like names the preset or the file of --chain, as it would be typed.
func (o *options) like() string {
	if o.chain != "" {
		return "chain " + o.chain
	}
	return fmt.Sprintf("preset %s", o.config.Preset)
}

// applyPreset reads the file of --chain, and sets the flags of the preset that neither the command line nor a variable
// sets. As with anvil, a block time means blocks at that interval, and with blocks on command the clock follows the
// wall.
func (o *options) applyPreset(flags *flag.FlagSet) error {
	like := o.config.Preset.Chain()
	if o.chain != "" {
		at := o.config.StartTime
		if at.IsZero() {
			at = time.Now()
		}
		own, err := readFile(o.chain, func(r io.Reader) (fakenode.Chain, error) { return fakenode.ReadChain(r, at) })
		if err != nil {
			return fmt.Errorf("--chain: %w", err)
		}
		like, o.config.Chain = own, &own
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if given["compat"] && o.config.Compat == fakenode.Spec && like.Wire.Profile != "" {
		return fmt.Errorf("--compat spec does not go with --%s, which answers as live clients do", o.like())
	}
	if like.Mode == fakenode.Instant {
		given["seal"] = given["seal"] || given["block-time"]
		o.config.RealClock = true
	}
	for _, f := range presetFlags(like) {
		if given[f.name] || f.name == "console-log" && o.quiet {
			continue
		}
		if err := flags.Set(f.name, f.value); err != nil {
			return fmt.Errorf("%s: --%s %q: %w", o.like(), f.name, f.value, err)
		}
		o.applied = append(o.applied, f)
	}
	return nil
}

// typed returns flags as they would be typed.
func typed(flags []presetFlag) string {
	words := make([]string, 0, len(flags))
	for _, f := range flags {
		words = append(words, strings.TrimSuffix("--"+f.name+" "+f.value, " true"))
	}
	return strings.Join(words, " ")
}
