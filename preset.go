package fakenode

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/fakenode/fakenode/internal/persona"
)

// FeeRecipient receives the tips of blocks, unless the preset's peer or the rules of an OP-stack chain name another
// account, or anvil_setCoinbase does. Nobody has its key.
var FeeRecipient = persona.FeeRecipient

// Presets lists the presets, Dev first.
func Presets() []Preset {
	var all []Preset
	for _, name := range persona.Names() {
		all = append(all, Preset(name))
	}
	return all
}

// IsDevNode reports whether the preset is another development node, which makes a block of a transaction at once.
func (p Preset) IsDevNode() bool { return p.Chain().Mode == Instant }

// Chain returns whose behaviour the preset has, for a Config.Chain with other values; it is zero for a preset that does
// not exist. Replace what pointers in it point to, and do not modify it.
func (p Preset) Chain() Chain {
	if is := persona.Named(string(p)); is != nil {
		return *is
	}
	return Chain{}
}

// chosen returns the node that c is like. The error lists the presets if there is none of that name, or says that there
// are two.
func (c *Config) chosen() (*Chain, error) {
	switch {
	case c.Chain != nil && c.Preset != "":
		return nil, fmt.Errorf("preset %q given with a chain of one's own: give either", c.Preset)
	case c.Chain != nil:
		return c.Chain, nil
	}
	c.Preset = cmp.Or(c.Preset, Dev)
	if is := persona.Named(string(c.Preset)); is != nil {
		return is, nil
	}
	return nil, fmt.Errorf("preset %q is unknown: want %s", c.Preset, listed(Presets()))
}

// listed returns the names as a text.
func listed[Name ~string](names []Name) string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, strconv.Quote(string(name)))
	}
	return strings.Join(list, ", ")
}
