package main

import (
	"errors"
	"flag"
	"reflect"

	"github.com/fakenode/fakenode"
)

// forkFlags defines the flags of a fork. Those that may hold keys take any value here and are checked later, because
// the flag package repeats a value that it rejects.
func (o *options) forkFlags(f *flag.FlagSet) {
	c := o.config.Fork
	f.Func("fork-url", "continue the live chain behind this JSON-RPC `URL`; repeatable: each is asked when those before fail", func(s string) error {
		if s == "" {
			return errors.New("want a URL")
		}
		if c.URL == "" {
			c.URL = s
		} else {
			c.Fallbacks = append(c.Fallbacks, s)
		}
		return nil
	})
	f.StringVar(&c.Block, "fork-block", "", "block to fork at: a number, a hash, or latest, safe, finalized, earliest (default the cache's, else latest)")
	f.StringVar(&c.CacheFile, "fork-cache", "", "keep the answers of the forked chain in this `file`")
	f.BoolVar(&c.Offline, "fork-offline", false, "never connect to the forked chain: use --fork-cache alone and leave it as it is")
	f.Func("fork-header", "send this header, \"Name: value\", to the forked chain; repeatable", func(s string) error {
		c.Headers = append(c.Headers, s)
		return nil
	})
	f.Func("fork-timeout", "longest time of a request to the forked chain with its retries (default 10s)", setDuration(&c.Timeout, false))
	f.Func("fork-retries", "how often a request to the forked chain is tried again (default 5)", setWhole(&c.Retries, 10, 31, -1))
	f.Func("fork-rps", "most calls a second to the forked chain; 0: any (default 0)", setWhole(&c.RequestsPerSecond, 10, 31, 0))
	f.BoolVar(&c.PruneUnused, "prune-unused", false, "drop from --fork-cache what this run did not use")
}

// checkFork checks the flags of a fork. Without any there is none.
func (o *options) checkFork(config *fakenode.Config) error {
	switch fork := config.Fork; {
	case reflect.ValueOf(*fork).IsZero():
		config.Fork = nil
	case fork.URL == "" && fork.CacheFile == "":
		return errors.New("the --fork-… flags need --fork-url or --fork-cache")
	case o.export != "":
		return errors.New("--export does not go with a fork: its blocks stand on another chain's state")
	}
	return nil
}
