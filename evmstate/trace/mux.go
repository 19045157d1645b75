package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/params"
)

// muxTracer is the name of the tracer that runs several, given by name in its configuration.
const muxTracer = "muxTracer"

// maxParts is how many tracers a muxTracer may run.
const maxParts = 64

// parts returns the tracers of a muxTracer and their configurations.
func (c *Config) parts() (map[string]json.RawMessage, error) {
	var parts map[string]json.RawMessage
	if len(c.TracerConfig) == 0 {
		return parts, nil
	}
	if err := json.Unmarshal(c.TracerConfig, &parts); err != nil {
		return nil, err
	}
	if _, nested := parts[muxTracer]; nested { // each level would read and write all those below it again
		return nil, errors.New("a muxTracer cannot run a muxTracer")
	}
	if len(parts) > maxParts {
		return nil, fmt.Errorf("a muxTracer cannot run %d tracers: the limit is %d", len(parts), maxParts)
	}
	return parts, nil
}

// part returns the configuration of one tracer of a muxTracer.
func (c *Config) part(name string, config json.RawMessage) *Config {
	part := *c
	part.Tracer, part.TracerConfig = name, config
	return &part
}

// mux returns a muxTracer. Its tracers are made like any other: bounded, and in the order of their names, so that equal
// requests have equal errors.
func (c *Config) mux(ctx context.Context, b *budget, about *About, config *params.ChainConfig) (*Tracer, error) {
	parts, err := c.parts()
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(parts))
	made := make([]*Tracer, len(names))
	for i, name := range names {
		if made[i], err = c.part(name, parts[name]).tracer(ctx, b, about, config); err != nil {
			return nil, err
		}
	}
	return directory.Mux(names, made)
}
