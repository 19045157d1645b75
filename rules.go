package fakenode

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Rules are rules of blocks and transactions in addition to the hard fork.
type Rules string

// The rules. All but EthereumRules are the rules of an OP-stack chain at an upgrade (docs/optimism.md): each block
// begins with a deposit, and transactions pay for their data on L1.
const (
	// EthereumRules make blocks that any Ethereum client imports.
	EthereumRules Rules = "ethereum"
	// JovianRules are the rules of December 2025, with the EVM of prague.
	JovianRules Rules = "jovian"
	// AzulRules are the rules of Base from May 2026 on: Jovian's with the EVM of osaka.
	AzulRules Rules = "azul"
	// KarstRules are the rules of OP Mainnet from July 2026 on: Azul's with a lower limit of the bn256 pairing's input.
	KarstRules Rules = "karst"
	// DenimRules are the rules of Base from November 2026 on: a block every 200 ms, with a time in milliseconds, and no
	// flashblocks.
	DenimRules Rules = "denim"
	// LagoonRules are the rules of OP Mainnet's next upgrade, which has no date: Karst's with gas refunds, which the last
	// transaction of a block lists.
	LagoonRules Rules = "lagoon"
	// OptimismRules are AzulRules by an earlier name.
	OptimismRules Rules = "op"
)

// AllRules lists the values of Config.Rules.
func AllRules() []Rules {
	return []Rules{EthereumRules, OptimismRules, JovianRules, AzulRules, KarstRules, DenimRules, LagoonRules}
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
		return fmt.Errorf("preset %q has the rules %q and does not go together with %w", c.Preset, fixed, cmp.Or(against, fmt.Errorf("the rules %q", c.Rules)))
	}
	if c.Rules == EthereumRules && c.Fees != (FeeRules{}) {
		return fmt.Errorf("rules %q take no denominator, elasticity or least base fee, which those of an OP-stack chain do", c.Rules)
	}
	c.Rules, c.given.rules = c.Rules.named(), c.given.rules.named()
	return c.checkBlockTime()
}

// checkBlockTime rejects fields that contradict rules with a fixed block time and no flashblocks.
func (c *Config) checkBlockTime() error {
	fixed := c.Rules.blockTime()
	if fixed == 0 {
		return nil
	}
	if c.BlockTime != 0 && c.BlockTime != fixed {
		return fmt.Errorf("block time %s does not fit the rules %q, which make a block every %s", c.BlockTime, c.Rules, fixed)
	}
	for _, given := range []struct {
		name, value string
	}{
		{"flashblock time", c.FlashblockTime.String()},
		{"preconf", string(c.Preconf)},
		{"metadata of flashblocks", string(c.FlashblocksMetadata)},
	} {
		if given.value != "" && given.value != "0s" {
			return fmt.Errorf("%s %s given with the rules %q, which have no flashblocks", given.name, given.value, c.Rules)
		}
	}
	return nil
}

// blockTime returns the distance of two blocks that the rules fix, 0 for none.
func (r Rules) blockTime() time.Duration {
	upgrade, err := optimism.UpgradeNamed(string(r.named()))
	if err != nil {
		return 0
	}
	return upgrade.BlockTime
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
	upgrade, err := optimism.UpgradeNamed(string(c.Rules))
	if err != nil {
		return nil
	}
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
