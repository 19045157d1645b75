package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"

	"github.com/fakenode/fakenode"
)

// options holds the values of the flags. Flags for fields of the node's Config are parsed right into config.
type options struct {
	config      fakenode.Config
	fork        fakenode.Fork
	genesisFile string
	predeploy   string
	importFile  string
	export      string
	state       string
	loadState   string
	dumpState   string
	configOut   string
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
	exam          string
	health        string
	completion    string
	record        string
	replay        string
	check         string
	compare       []string // hard forks
	// warnings are lines about unknown variables.
	warnings []string
	// autoImpersonate lets eth_sendTransaction send from any account.
	autoImpersonate bool
}

// variablePrefix and a flag's name in capitals, - as _, make the name of its environment variable.
const variablePrefix = "FAKENODE_"

// flagInError finds a flag in an error of package flag, which gives it one dash.
var flagInError = regexp.MustCompile(`((?:for flag|argument:|for) )-([a-z])`)

// parse reads the flags, and for those not given their variables from environ. Help goes to stdout.
// Errors name the flag or variable.
func parse(args, environ []string, stdout io.Writer) (options, error) {
	var o options
	err := o.parse(o.flagSet(), args, environ, stdout)
	return o, err
}

// parse reads the flags into o; flags is o's own flagSet.
func (o *options) parse(flags *flag.FlagSet, args, environ []string, stdout io.Writer) error {
	args, err := replaceAnvilFlags(args, flags)
	if err != nil {
		return err
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			usage(stdout)
			return err
		}
		return errors.New(flagInError.ReplaceAllString(err.Error(), "${1}--${2}"))
	}
	switch argument := flags.Arg(0); {
	case flags.NArg() == 1 && argument == "help":
		usage(stdout)
		return flag.ErrHelp
	case flags.NArg() == 1 && argument == "version":
		o.version = true
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: flags only, see --help", argument)
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		name, ours := flagOfVariable(name)
		if !ours || given[name] || flags.Lookup(name) == nil {
			continue
		}
		if err := flags.Set(name, value); err != nil {
			return fmt.Errorf("variable %s: invalid value %q: %w", strings.SplitN(variable, "=", 2)[0], value, err)
		}
	}
	o.warnings = unknownVariables(environ, flags)
	return o.applyPreset(flags)
}
