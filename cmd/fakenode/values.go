package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// choices lists the allowed values of flags that have a fixed set of them.
var choices = map[string][]string{
	"bundler-rules":        {"strict", "loose"},
	"compat":               {"spec", "geth"},
	"contracts":            names([]fakenode.Contracts{fakenode.NoContracts, fakenode.StandardContracts, fakenode.PaymentContracts}),
	"hardfork":             append(fakenode.Hardforks(), "latest"),
	"level":                {"info", "warning", "error"},
	"log-level":            {"debug", "info", "warn", "error"},
	"log-format":           {"text", "json"},
	"order":                {"fifo", "fees", "sender"},
	"flashblocks-metadata": {"minimal", "full", "subblocks"},
	"provider":             {"alchemy", "infura", "quicknode", "coinbase", "base"},
	"rules":                names(fakenode.AllRules()),
	"preconf":              names(fakenode.Preconfs()),
	"send-sync":            names(fakenode.SendSyncs()),
	"preset":               names(fakenode.Presets()),
	"seal":                 {fakenode.Interval.String(), fakenode.Instant.String(), fakenode.Manual.String()},
	"token":                {tokencontract.Strict.String(), tokencontract.DocumentedFlow.String()},
}

// flagValue is the value of a flag. Its errors report what is wanted.
type flagValue struct {
	flag.Value
	told func(value string) // is called with each text that it is set to; nil: nobody is told
}

// Set sets the value.
func (v *flagValue) Set(value string) error {
	if v.told != nil {
		v.told(value)
	}
	err := v.Value.Set(value)
	own, typed := v.Value.(flag.Getter)
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
func (v *flagValue) IsBoolFlag() bool { return isBool(v.Value) }

func names[Name ~string](of []Name) []string {
	var all []string
	for _, name := range of {
		all = append(all, string(name))
	}
	return all
}

func appendTo(list *[]string) func(string) error {
	return func(s string) error {
		for entry := range strings.SplitSeq(s, ",") {
			*list = append(*list, strings.TrimSpace(entry))
		}
		return nil
	}
}

func setNumber(lag **uint64) func(string) error {
	return func(s string) error {
		*lag = new(uint64)
		return setWhole(*lag, 10, 64, 0)(s)
	}
}

// setWhole sets a whole number of so many bits, and for 0 what stands for it.
func setWhole[N int | uint32 | uint64](target *N, base, bits int, zero N) func(string) error {
	return func(s string) error {
		n, err := strconv.ParseUint(s, base, bits)
		if *target = N(n); n == 0 {
			*target = zero
		}
		if err != nil {
			return errors.New("want a whole number")
		}
		return nil
	}
}

// choose sets one of the names.
func choose[Name ~string](target *Name, of ...string) func(string) error {
	return func(s string) error {
		*target = Name(s)
		return oneOf(s, of...)
	}
}

func setDuration(target *time.Duration, zero bool) func(string) error {
	return func(s string) error {
		d, err := time.ParseDuration(s)
		switch {
		case err != nil:
			return errors.New("want a time with its unit, such as 2s or 200ms")
		case d < 0 && zero:
			return errors.New("want a time of 0 or more, such as 2s or 200ms")
		case d <= 0 && !zero:
			return errors.New("want a time above 0, such as 2s or 200ms")
		}
		*target = d
		return nil
	}
}

func parseWei(s string) (*uint256.Int, error) {
	wei := new(uint256.Int)
	if err := wei.SetFromDecimal(s); err != nil && wei.SetFromHex(s) != nil {
		return nil, errors.New("want a whole number below 2^256")
	}
	return wei, nil
}

func setParsed[T any](target *T, parse func(string) (T, error)) func(string) error {
	return func(s string) (err error) {
		*target, err = parse(s)
		return err
	}
}

// parseReplicas reads lags such as "2+jitter:1,600ms".
func parseReplicas(s string) (all []fakenode.Replica, err error) {
	for lag := range strings.SplitSeq(s, ",") {
		var r fakenode.Replica
		for term := range strings.SplitSeq(lag, "+") {
			kind, amount, named := strings.Cut(term, ":")
			if !named {
				kind, amount = "", term
			}
			blocks, noBlocks := strconv.ParseUint(amount, 10, 31)
			ago, noTime := time.ParseDuration(amount)
			target, isTime := map[string]*int{"": &r.Blocks, "jitter": &r.Jitter, "stuck": &r.Stuck, "orphaned": &r.Orphaned}[kind], map[string]*time.Duration{"": &r.Time, "jitter": &r.JitterTime}[kind]
			switch {
			case noBlocks == nil && kind == "seed":
				r.Seed = blocks
			case noBlocks == nil && target != nil:
				*target = int(blocks)
			case noTime == nil && isTime != nil:
				*isTime = ago
			default:
				return nil, fmt.Errorf("%.40q: want 2, 600ms, jitter:2, jitter:300ms, stuck:8, orphaned:2 or seed:7, joined by +", term)
			}
		}
		all = append(all, r)
	}
	return all, nil
}

func oneOf(s string, wanted ...string) error {
	if slices.Contains(wanted, s) {
		return nil
	}
	return fmt.Errorf("want %s", strings.Join(wanted, " or "))
}
