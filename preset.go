package fakenode

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/persona"
)

// Preset is a set of values for fields of Config that are left out, with which the node resembles a live chain.
// docs/optimism.md lists them, and which of them are guesses.
type Preset string

// The presets. The empty one is Dev.
const (
	Dev             Preset = "dev"              // 31337, test network 31338
	Base            Preset = "base"             // 8453, test network 84532: Base since Denim, a block every 200 ms
	BaseFlashblocks Preset = "base-flashblocks" // the same ids: Base until Denim, with blocks of 2 s and flashblocks
	Optimism        Preset = "optimism"         // 10, test network 11155420: OP Mainnet since Karst
	Unichain        Preset = "unichain"         // 130, test network 1301: since Karst
	MegaETH         Preset = "megaeth"          // 4326, test network 6343: mini-blocks of 10 ms, and latest moves with them
	Rise            Preset = "rise"             // 4153: shreds, and latest moves with them
	Anvil           Preset = "anvil"            // 31337, test network 31338: answers, limits and blocks as anvil's
	Hardhat         Preset = "hardhat"          // the same as Hardhat's own network's
)

// Profile selects the form of answers where the contract and live clients differ (contract D-profile).
type Profile int

// The profiles. The zero one is the preset's.
const (
	Spec Profile = iota // as in the contract
	Geth                // as execution-apis and live clients do
)

// Name is the profile as the command line spells it.
func (p Profile) Name() string {
	if p == Geth {
		return "geth"
	}
	return "spec"
}

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
func (p Preset) IsDevNode() bool {
	return p.Chain().Mode == Instant
}

// Chain returns whose behaviour the preset has, for a Config.Chain with other values; it is zero for a preset that does
// not exist. Replace what pointers in it point to, and do not modify it.
func (p Preset) Chain() Chain {
	if is := persona.Named(string(p)); is != nil {
		return *is
	}
	return Chain{}
}

// chosen returns the node that c is like. The error lists the presets if there is none of that name.
func (c *Config) chosen() (*Chain, error) {
	if c.Chain != nil {
		return c.Chain, nil
	}
	if is := persona.Named(string(c.Preset)); is != nil {
		return is, nil
	}
	return nil, fmt.Errorf("preset %q is unknown: want %s", c.Preset, listed(Presets()))
}

// bridge returns the preset's L1 and the bridge to it, with the user's times.
func (c *Config) bridge() assembly.Bridge {
	b := c.like.Bridge
	if b.ChainID == 0 {
		b = assembly.DevBridge
	}
	b.Interval = max(cmp.Or(c.ProposeEvery, b.Interval), 0)
	b.GameType = cmp.Or(c.GameType, b.GameType)
	if c.WithdrawalDelay != 0 {
		b.GameDuration, b.ProofMaturity, b.Finality = c.WithdrawalDelay, 0, 0
	}
	return b
}

// listed returns the names as a text.
func listed[Name ~string](names []Name) string {
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, strconv.Quote(string(name)))
	}
	return strings.Join(list, ", ")
}
