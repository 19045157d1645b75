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
)

// enum is the value of a flag that has names for its values, or for the usual ones.
type enum struct {
	set   func(string) error
	names []string
}

func (n enum) Set(s string) error { return n.set(s) }
func (n enum) String() string     { return "" }

// namesOf returns the names of a flag's values, none if it may have any.
func namesOf(f *flag.Flag) []string {
	n, _ := f.Value.(enum)
	return n.names
}

// takesPath reports whether the value of a flag is the path of a file or a folder.
func takesPath(f *flag.Flag) bool {
	kind, _ := flag.UnquoteUsage(f)
	return slices.Contains([]string{"file", "directory", "folder"}, kind)
}

// choose sets one of the values, by its name.
func choose[T any](target *T, of ...T) enum {
	n := enum{names: texts(of)}
	n.set = func(s string) error {
		at := slices.Index(n.names, s)
		if at < 0 {
			return oneOf(s, n.names...)
		}
		*target = of[at]
		return nil
	}
	return n
}

func texts[T any](of []T) []string {
	all := make([]string, len(of))
	for i, v := range of {
		all[i] = fmt.Sprint(v)
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
