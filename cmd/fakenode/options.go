package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fakenode/fakenode"
)

// options holds the values of the flags. Flags for fields of the node's Config are parsed right into config.
type options struct {
	config fakenode.Config
	l1     bool // puts the L1 of config below the main network
	files
	logging
	quiet      bool
	version    bool
	consoleLog bool // prints the console.log lines of contracts
	print      struct {
		keys   bool // of all accounts at start, not of the first alone
		traces bool // of the calls of transactions and of failed calls
	}
	// exitWithStdin ends the program when standard input ends.
	exitWithStdin bool
	// autoImpersonate lets eth_sendTransaction send from any account.
	autoImpersonate bool
	applied         []setting // by the preset
	set             []setting // by the command line, variables and the preset
	given           string    // the command's argument, or empty
	// warnings are lines about unknown variables, and flags of anvil that are left out.
	warnings []string
}

// setting is a flag and a text that it is set to.
type setting struct{ name, value string }

// variablePrefix and a flag's name in capitals, - as _, make the name of its environment variable.
const variablePrefix = "FAKENODE_"

// flagInError finds a flag in an error of package flag, which gives it one dash.
var flagInError = regexp.MustCompile(`((?:for flag|argument:|for) )-([a-z])`)

// parse reads the command's flags and its argument, which may stand between them, and for flags not given their
// variables from environ. Errors name the flag or variable.
func (c *command) parse(args, environ []string) (o options, err error) {
	flags := c.flagSet(&o)
	flags.VisitAll(func(f *flag.Flag) { f.Value = &watched{f.Value, f.Name, &o} })
	for wanted := c.argument != ""; ; wanted = false {
		var warnings []string
		if args, warnings, err = replaceAnvilFlags(args, flags); err != nil {
			return o, err
		}
		o.warnings = append(o.warnings, warnings...)
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return o, err
		} else if err != nil {
			return o, errors.New(flagInError.ReplaceAllString(err.Error(), "${1}--${2}"))
		}
		if !wanted || flags.NArg() == 0 {
			break
		}
		o.given, args = flags.Arg(0), flags.Args()[1:]
	}
	switch argument := flags.Arg(0); {
	case flags.Lookup(argument) != nil:
		return o, fmt.Errorf("unexpected argument %q: did you mean --%[1]s?", argument)
	case commandNamed(argument) != nil:
		return o, fmt.Errorf("unexpected argument %q: a command comes first, as fakenode %[1]s", argument)
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q: see fakenode help", argument)
	}
	byLine := o.set
	for _, setting := range environ {
		variable, value, _ := strings.Cut(setting, "=")
		name, ours := strings.CutPrefix(variable, variablePrefix)
		name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		switch {
		case !ours || value == "" || isSet(byLine, name) || slices.Contains(otherVariables, variable):
		case flags.Lookup(name) == nil:
			o.warnings = append(o.warnings, unknownVariable(variable, name, flags))
		default:
			if err := flags.Set(name, value); err != nil {
				return o, fmt.Errorf("variable %s: invalid value %q: %w", variable, value, err)
			}
		}
	}
	return o, o.applyPreset(flags)
}

// isSet reports whether the settings have one of a flag.
func isSet(settings []setting, name string) bool {
	return slices.ContainsFunc(settings, func(s setting) bool { return s.name == name })
}

// watched is the value of a flag that notes each text it is set to.
type watched struct {
	flag.Value
	name string
	in   *options
}

// Set sets the value and notes it. Its errors report what is wanted.
func (w *watched) Set(value string) error {
	w.in.set = append(w.in.set, setting{w.name, value})
	err := w.Value.Set(value)
	own, typed := w.Value.(flag.Getter)
	if !typed || err == nil && value != "" {
		return err
	}
	what := "a whole number"
	switch own.Get().(type) {
	case string:
		what = "a value that is not empty"
	case bool:
		what = "true or false"
	case time.Duration:
		what = "a time with its unit, such as 2s or 200ms"
	case uint64:
		what = "a whole number below 2^64"
	}
	return errors.New("want " + what)
}

// IsBoolFlag reports whether the flag needs no value.
func (w *watched) IsBoolFlag() bool { return isBool(w.Value) }

// presetFlags returns the flags that a preset or a chain of one's own sets in addition to the fields of Config.
func presetFlags(chain fakenode.Chain) (set []setting) {
	if chain.Wire.Profile != "" {
		set = append(set, setting{"compat", chain.Wire.Profile})
	}
	if chain.Mode != 0 {
		set = append(set, setting{"seal", chain.Mode.String()})
	}
	if chain.Mode == fakenode.Instant {
		set = append(set, setting{"console-log", "true"})
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
	given := o.set
	if isSet(given, "compat") && o.config.Compat == fakenode.Spec && like.Wire.Profile != "" {
		return fmt.Errorf("--compat spec does not go with --%s, which answers as live clients do", o.like())
	}
	for _, f := range presetFlags(like) {
		atInterval := f.name == "seal" && like.Mode == fakenode.Instant && isSet(given, "block-time")
		if isSet(given, f.name) || atInterval || f.name == "console-log" && o.quiet {
			continue
		}
		if err := flags.Set(f.name, f.value); err != nil {
			return fmt.Errorf("%s: --%s %q: %w", o.like(), f.name, f.value, err)
		}
		o.applied = append(o.applied, f)
	}
	o.config.RealClock = o.config.Mode != fakenode.Manual || like.Mode == fakenode.Instant
	return nil
}

// typed returns flags as they would be typed.
func typed(flags []setting) string {
	words := make([]string, 0, len(flags))
	for _, f := range flags {
		words = append(words, strings.TrimSuffix("--"+f.name+" "+f.value, " true"))
	}
	return strings.Join(words, " ")
}
