package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tyler-smith/go-bip39"
)

// anvilFlag is a flag of anvil that has another name here, or that this node does not need.
type anvilFlag struct {
	names []string // without dashes; the first is the one in anvil's help
	value valueForm
	// replace returns our flags that do the same, none if the node always does so, or an error that names the alternative:
	// a harmless one for a flag without which a test sees the same.
	replace func(value string) ([]string, error)
}

// valueForm reports whether a flag of anvil has a value.
type valueForm int

const (
	bare     valueForm = iota // none
	required                  // the next argument, unless it is behind =
	optional                  // the next argument if it is a number, unless it is behind =
)

// becomes replaces a flag by our flag of that name, with the same value.
func becomes(name string) func(string) ([]string, error) {
	return func(value string) ([]string, error) { return []string{"--" + name + "=" + value}, nil }
}

// same replaces a flag by the given ones, which together do the same.
func same(flags ...string) func(string) ([]string, error) {
	return func(string) ([]string, error) { return flags, nil }
}

// always drops a flag for something that the node does anyway.
var always = same()

// refuse rejects a flag that has no use here. The reason names the alternative.
func refuse(reason string) func(string) ([]string, error) {
	return func(string) ([]string, error) { return nil, errors.New(reason) }
}

// harmless is the warning about a flag that the node leaves out.
type harmless string

func (h harmless) Error() string { return string(h) }

// warn leaves a flag out, with a warning that names what to take for it.
func warn(alternative string) func(string) ([]string, error) {
	return func(string) ([]string, error) { return nil, harmless(alternative) }
}

// only replaces a flag that has one of some values by flags for that value.
func only(reason string, values map[string][]string) func(string) ([]string, error) {
	return func(value string) ([]string, error) {
		flags, known := values[value]
		if !known {
			return nil, errors.New(reason)
		}
		return flags, nil
	}
}

// anvilFlags are the flags of anvil 1.7.1 that we do not have by the same name; docs/anvil.md describes each.
var anvilFlags = []anvilFlag{
	{[]string{"a"}, required, becomes("accounts")},
	{[]string{"b", "blockTime"}, required, becomes("block-time")},
	{[]string{"m"}, required, becomes("mnemonic")},
	{[]string{"p"}, required, becomes("port")},
	{[]string{"q"}, bare, same("--quiet")},
	{[]string{"silent"}, bare, same("--quiet")},
	{[]string{"V"}, bare, same("--version")},
	{[]string{"init"}, required, becomes("genesis")},
	{[]string{"timestamp"}, required, becomes("start-time")},
	{[]string{"no-mining", "no-mine"}, bare, same("--seal=manual")},
	{[]string{"block-base-fee-per-gas"}, required, becomes("base-fee")},
	{[]string{"slots-in-an-epoch"}, required, epoch},
	{[]string{"prune-history"}, optional, pruneHistory},
	{[]string{"no-request-size-limit"}, bare, same("--max-body=1099511627776", "--max-message=1099511627776")},

	{[]string{"color"}, required, only("the output has no colours", map[string][]string{"auto": nil, "never": nil})},
	{[]string{"derivation-path"}, required, only("the accounts are those of m/44'/60'/0'/0/i: --mnemonic gives others", map[string][]string{"m/44'/60'/0'/0/": nil, "m/44'/60'/0'/0": nil})},
	{[]string{"disable-console-log", "no-console-log"}, bare, same("--console-log=false")},
	{[]string{"disable-min-priority-fee", "no-priority-fee"}, bare, always},
	{[]string{"enable-tx-gas-limit"}, bare, same("--tx-gas-limit=16777216")},
	{[]string{"no-cors"}, bare, always},
	{[]string{"steps-tracing", "tracing"}, bare, always},
	{[]string{"gas-price"}, required, always},
	{[]string{"network", "n"}, required, only("the rules are those of ethereum or optimism", map[string][]string{"ethereum": nil, "optimism": {"--rules=op"}})},
	{[]string{"optimism"}, bare, same("--rules=op")},

	{[]string{"f", "rpc-url"}, required, becomes("fork-url")},
	{[]string{"fork-block-number"}, required, becomes("fork-block")},
	{[]string{"no-rate-limit", "no-rpc-rate-limit"}, bare, same("--fork-rps=0")},
	{[]string{"no-storage-caching"}, bare, always},
	{[]string{"retries"}, required, becomes("fork-retries")},
	{[]string{"timeout"}, required, forkTimeout},
	{[]string{"compute-units-per-second"}, required, warn("--fork-rps bounds the calls to the forked chain")},
	{[]string{"fork-chain-id"}, required, warn("the forked chain is asked for its id: --chain-id gives the node another")},
	{[]string{"fork-retry-backoff"}, required, warn("--fork-retries and --fork-timeout bound the retries")},
	{[]string{"fork-transaction-hash"}, required, refuse("name the block with --fork-block")},

	{[]string{"disable-code-size-limit"}, bare, same("--code-size-limit=0")},
	{[]string{"auto-unlock"}, bare, same("--auto-impersonate")},
	{[]string{"cache-path"}, required, warn("--state keeps the state in one file")},
	{[]string{"celo"}, bare, refuse("the rules are Ethereum's: --hardfork picks them")},
	{[]string{"disable-block-gas-limit"}, bare, same("--gas-limit=9223372036854775807")},
	{[]string{"disable-default-create2-deployer", "no-create2"}, bare, refuse("--genesis brings accounts of your own instead")},
	{[]string{"disable-pool-balance-checks"}, bare, refuse("fund the sender: --balance, or anvil_setBalance")},
	{[]string{"ipc", "ipcpath"}, optional, refuse("HTTP and WebSocket share --port, there is no IPC endpoint")},
	{[]string{"json"}, bare, warn("the output is the same: --config-out writes what a script needs as JSON")},
	{[]string{"max-persisted-states"}, required, warn("states are in memory: --history bounds them")},
	{[]string{"max-transactions"}, required, refuse("--gas-limit bounds a block")},
	{[]string{"md"}, bare, warn("the output is the same: --config-out writes what a script needs as JSON")},
	{[]string{"memory-limit"}, required, warn("--gas-cap bounds a call")},
	{[]string{"mixed-mining"}, bare, warn("blocks come at the interval alone: --seal chooses")},
	{[]string{"mnemonic-random"}, optional, refuse("--mnemonic takes the words, so that the accounts are the same in every run")},
	{[]string{"mnemonic-seed-unsafe"}, required, seededMnemonic},
	{[]string{"number"}, required, becomes("genesis-number")},
	{[]string{"preserve-historical-states"}, bare, warn("--state keeps how the state of every block differs from the one before")},
	{[]string{"enable-trace-printing"}, bare, same("--print-traces")},
	{[]string{"state-interval", "s"}, required, warn("--state is written as blocks are sealed; ask anvil_dumpState at any time")},
	{[]string{"threads", "jobs", "j"}, required, warn("the variable GOMAXPROCS bounds the processors in use")},
	{[]string{"transaction-block-keeper"}, required, warn("blocks are kept for good: --history bounds the states")},
	{[]string{"verbosity", "v", "vv", "vvv", "vvvv", "vvvvv"}, bare, warn("--log-level sets what is logged")},
}

// seededMnemonic sets the mnemonic that anvil draws from a seed.
func seededMnemonic(value string) ([]string, error) {
	seed, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return nil, errors.New("want a whole number")
	}
	words, err := bip39.NewMnemonic(standardDraw(seed))
	return []string{"--mnemonic=" + words}, err
}

// epoch sets the lags that anvil derives from the length of an epoch.
func epoch(value string) ([]string, error) {
	n, err := strconv.ParseUint(value, 10, 62)
	if err != nil {
		return nil, errors.New("want a whole number")
	}
	return []string{"--safe-lag=" + value, fmt.Sprintf("--finalized-lag=%d", 2*n)}, nil
}

// forkTimeout is in milliseconds.
func forkTimeout(value string) ([]string, error) {
	if !isNumber(value) {
		return nil, errors.New("want a whole number of milliseconds")
	}
	return []string{"--fork-timeout=" + value + "ms"}, nil
}

// pruneHistory sets how many states stay readable, as in anvil. 0, which anvil reads as none, counts as 1: the state
// before the newest.
func pruneHistory(value string) ([]string, error) {
	if value == "" || value == "0" {
		value = "1"
	}
	return []string{"--history=" + value}, nil
}

// findAnvilFlag returns the flag of anvil with that name, or nil if there is none.
func findAnvilFlag(name string) *anvilFlag {
	for i, f := range anvilFlags {
		if slices.Contains(f.names, name) {
			return &anvilFlags[i]
		}
	}
	return nil
}

// replaceAnvilFlags returns the arguments with our flags in place of anvil's, and of flags that only have an opposite
// here, such as --bundler. Flags that are left out have a line in warnings.
func replaceAnvilFlags(args []string, ours *flag.FlagSet) (replaced, warnings []string, err error) {
	for len(args) > 0 {
		if !strings.HasPrefix(args[0], "-") || args[0] == "-" || args[0] == "--" {
			return append(replaced, args...), warnings, nil // the flag package stops here, too
		}
		flags, used, err := replaceFlag(args, ours)
		if ignored := harmless(""); errors.As(err, &ignored) {
			warnings = append(warnings, err.Error())
		} else if err != nil {
			return nil, nil, err
		}
		replaced, args = append(replaced, flags...), args[used:]
	}
	return replaced, warnings, nil
}

// replaceFlag replaces the flag that args begin with, and returns how many of args the flag is with its value. Our own
// flags keep their meaning where anvil has one of the same name.
func replaceFlag(args []string, ours *flag.FlagSet) (flags []string, used int, err error) {
	name, value, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	own, anvils := ours.Lookup(name), findAnvilFlag(name)
	used = 1
	if !hasValue && len(args) > 1 && takesNext(own, anvils, args[1]) {
		value, hasValue, used = args[1], true, 2
	}
	switch {
	case own != nil, name == "h", name == "help":
		return args[:used], used, nil
	case anvils != nil && anvils.value == required && !hasValue:
		return nil, 0, fmt.Errorf("flag needs an argument: --%s", name)
	case anvils != nil:
		if flags, err = anvils.replace(value); err != nil {
			err = fmt.Errorf("--%s: %w", anvils.names[0], err)
		}
		return flags, used, err
	case ours.Lookup("no-"+name) != nil:
		on, err := strconv.ParseBool(cmp.Or(value, "true"))
		if err != nil {
			return nil, 0, fmt.Errorf("--%s: %q is neither true nor false", name, value)
		}
		return []string{fmt.Sprintf("--no-%s=%t", name, !on)}, used, nil
	}
	return nil, 0, unknownFlag(name, ours)
}

// takesNext reports whether a flag, ours or anvil's, has the next argument as its value.
func takesNext(own *flag.Flag, anvils *anvilFlag, next string) bool {
	if own != nil {
		return !isBool(own.Value)
	}
	return anvils != nil && (anvils.value == required || anvils.value == optional && isNumber(next))
}

func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}
