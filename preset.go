package fakenode

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fakenode/fakenode/evmstate/optimism"
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

// chooseRules sets Rules where none are given, or returns an error if those given do not go together with the rest.
func (c *Config) chooseRules() error {
	var against error
	switch {
	case c.Genesis != nil:
		against = errors.New("a genesis of your own, which lacks the contracts that these rules need")
	case c.Import != nil:
		against = errors.New("blocks to import")
	case c.Fork != nil && c.Rules != DenimRules:
		against = errors.New("a fork, which has the deposits of the other chain up to the fork block")
	case c.Hardfork != "" && slices.Index(Hardforks(), c.Hardfork) < slices.Index(Hardforks(), "prague"):
		against = fmt.Errorf("the hard fork %q, which comes before prague", c.Hardfork)
	case c.amsterdam():
		against = errors.New(`the hard fork "amsterdam", which no OP-stack chain has yet`)
	}
	switch {
	case c.Rules == "" && against == nil:
		c.Rules = cmp.Or(Rules(c.like.Rules), EthereumRules)
	case c.Rules == "":
		c.Rules = EthereumRules
	case !slices.Contains(AllRules(), c.Rules):
		return fmt.Errorf("rules %q are unknown: want %s", c.Rules, listed(AllRules()))
	case c.Rules != EthereumRules && against != nil:
		return fmt.Errorf("rules %q do not go together with %w", c.Rules, against)
	}
	if fixed := Rules(c.like.Rules); fixed.blockTime() > 0 && c.Rules != fixed && c.Fork == nil {
		what := fmt.Sprintf("preset %q", c.Preset)
		if c.Chain != nil {
			what = "the chain of one's own"
		}
		return fmt.Errorf("%s has the rules %q and does not go together with %w", what, fixed, cmp.Or(against, fmt.Errorf("the rules %q", c.Rules)))
	}
	if c.Rules == EthereumRules && c.Fees != (FeeRules{}) {
		return fmt.Errorf("rules %q take no denominator, elasticity or least base fee, which those of an OP-stack chain do", c.Rules)
	}
	c.Rules, c.given.Rules = c.Rules.named(), c.given.Rules.named()
	return nil
}

// blockTime returns the distance of two blocks that the rules fix, 0 for none.
func (r Rules) blockTime() time.Duration {
	if upgrade, err := optimism.UpgradeNamed(string(r.named())); err == nil {
		return upgrade.BlockTime
	}
	return 0
}

// amsterdam reports whether the hard fork is amsterdam from the genesis on.
func (c *Config) amsterdam() bool { return strings.EqualFold(c.Hardfork, "amsterdam") }

// named returns the rules by the name of their upgrade.
func (r Rules) named() Rules {
	if r == OptimismRules {
		return AzulRules
	}
	return r
}

// upgrade returns the upgrade of an OP-stack chain, or nil under Ethereum's rules.
func (c Config) upgrade() *optimism.Upgrade {
	upgrade, _ := optimism.UpgradeNamed(string(c.Rules))
	return upgrade
}

// optimism returns the rules of an OP-stack chain with these fees, or nil under Ethereum's.
func (c Config) optimism(fees FeeRules, scalars [2]uint32) *optimism.Rules {
	upgrade := c.upgrade()
	if upgrade == nil {
		return nil
	}
	rules := upgrade.DefaultRules()
	rules.BaseFeeScalar, rules.BlobBaseFeeScalar = scalars[0], scalars[1]
	rules.Denominator = cmp.Or(fees.Denominator, rules.Denominator)
	rules.Elasticity = cmp.Or(fees.Elasticity, rules.Elasticity)
	if fees.MinBaseFee != nil {
		rules.MinBaseFee = *fees.MinBaseFee
	}
	return rules
}
