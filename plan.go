package fakenode

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/contracts"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// plan is a Config with everything decided that it leaves open.
type plan struct {
	Config
	// like is Config.Chain or the preset's, and row that with the values of Config and all defaults.
	like *Chain
	row  Chain
	// names holds the contracts of Config.Artifacts, and after them fakenode's own.
	names *artifacts.Set
}

const (
	maxAccounts = 10_000
	// forkCallTimeout is the CallTimeout of a fork without one of its own: a call that meets a cold cache waits for many
	// requests, one after another.
	forkCallTimeout = time.Minute
)

// complete decides what c leaves open, or names the field that is wrong.
func (c Config) complete() (p plan, err error) {
	p.Config = c
	if p.like, err = c.chosen(); err != nil {
		return p, err
	}
	p.row = p.merged()
	if c.Genesis != nil || c.Fork != nil {
		p.row.Hardfork = c.Hardfork
	}
	if err = cmp.Or(first(p.mistakes()), p.chooseRules(), first(p.mistakesOfRules())); err != nil {
		return p, err
	}
	known, err := artifacts.Load(c.Artifacts)
	if err != nil {
		return p, fmt.Errorf("artifacts: %w", err)
	}
	if p.names = known.Before(contracts.Names); known != nil {
		p.row.Chain.Errors = known.Error
	}
	p.Host = cmp.Or(c.Host, "127.0.0.1")
	p.Mnemonic = cmp.Or(c.Mnemonic, fixtures.DevMnemonic)
	p.Contracts = cmp.Or(c.Contracts, PaymentContracts)
	p.Accounts = max(cmp.Or(c.Accounts, p.like.Accounts, fixtures.DevAccounts), 0)
	if c.Balance == nil {
		p.Balance = fixtures.Ether("10000")
	}
	p.decide()
	return p, nil
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
	if is := persona.Named(string(cmp.Or(c.Preset, Dev))); is != nil {
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

// merged returns the node that p is like with the values that Config gives.
func (p *plan) merged() Chain {
	like := *p.like
	row := Chain{
		ChainID: p.ChainID, Hardfork: p.Hardfork, Rules: string(p.Rules), Fees: p.Fees, GasLimit: p.GasLimit,
		Mode: p.Mode, Order: p.Order, BlockTime: p.BlockTime, FlashblockTime: p.FlashblockTime,
		Limits: p.Limits, Frames: p.Flashblocks.Metadata, Token: p.Token, X402Assets: p.X402Assets,
		Chain: chain.Options{
			History: p.History, CodeLimit: evmstate.CodeLimit(p.CodeSizeLimit), TxGasLimit: chain.TxGasLimit(p.TxGasLimit), ReserveBalance: p.ReserveBalance,
		},
		Blocks: preconf.Behaviour{EqualTimestamps: p.EqualTimestamps, Lags: p.Lags},
		Wire:   api.Behaviour{ClientVersion: p.ClientVersion, Preconf: p.Preconf, SendSync: p.SendSync, NoSendSync: p.NoSendSync},
	}
	if p.Compat == Geth {
		row.Wire.Forms = persona.Geth.Wire.Forms
	}
	if p.BlockTime != 0 && like.Mode == Instant {
		like.Mode = Interval // as with anvil, a block time asks for blocks at that interval
	}
	if p.Order.String() == like.Order.String() {
		row.Order = like.Order // what the peer takes for fees
	}
	row.Fill(like)
	return row
}

// chooseRules sets the rules of the row, or returns an error if those given do not go together with the rest.
func (p *plan) chooseRules() error {
	var against error
	switch forks := Hardforks(); {
	case p.Genesis != nil:
		against = errors.New("a genesis of your own, which lacks the contracts that these rules need")
	case p.Import != nil:
		against = errors.New("blocks to import")
	case p.Fork != nil && p.Rules != DenimRules:
		against = errors.New("a fork, which has the deposits of the other chain up to the fork block")
	case p.row.Hardfork != "" && slices.Index(forks, p.row.Hardfork) < slices.Index(forks, "prague"):
		against = fmt.Errorf("the hard fork %q, which comes before prague", p.row.Hardfork)
	case p.amsterdam():
		against = errors.New(`the hard fork "amsterdam", which no OP-stack chain has yet`)
	}
	rules := p.Rules
	switch {
	case rules == "" && against == nil:
		rules = cmp.Or(Rules(p.like.Rules), EthereumRules)
	case rules == "":
		rules = EthereumRules
	case !slices.Contains(AllRules(), rules):
		return fmt.Errorf("rules %q are unknown: want %s", rules, listed(AllRules()))
	case rules != EthereumRules && against != nil:
		return fmt.Errorf("rules %q do not go together with %w", rules, against)
	}
	if fixed := Rules(p.like.Rules); fixed.blockTime() > 0 && rules != fixed && p.Fork == nil {
		what := fmt.Sprintf("preset %q", p.Preset)
		if p.Chain != nil {
			what = "the chain of one's own"
		}
		return fmt.Errorf("%s has the rules %q and does not go together with %w", what, fixed, cmp.Or(against, fmt.Errorf("the rules %q", rules)))
	}
	if rules == EthereumRules && p.Fees != (FeeRules{}) {
		return fmt.Errorf("rules %q take no denominator, elasticity or least base fee, which those of an OP-stack chain do", rules)
	}
	p.row.Rules = string(rules.named())
	return nil
}

// amsterdam reports whether the hard fork is amsterdam from the genesis on.
func (p *plan) amsterdam() bool { return strings.EqualFold(p.row.Hardfork, "amsterdam") }

// decide gives the row the values that its profile, its rules and its room decide.
func (p *plan) decide() {
	row := &p.row
	if p.Fork != nil {
		row.Limits.CallTimeout = cmp.Or(row.Limits.CallTimeout, forkCallTimeout)
		if !p.like.ForkKeepsChainID {
			row.ChainID = p.ChainID
		}
	}
	upgrade, _ := optimism.UpgradeNamed(row.Rules)
	if upgrade == nil {
		upgrade = new(optimism.Upgrade) // Ethereum's rules
	} else {
		rules := upgrade.DefaultRules()
		rules.BaseFeeScalar, rules.BlobBaseFeeScalar = row.L1Scalars[0], row.L1Scalars[1]
		rules.Denominator, rules.Elasticity = cmp.Or(row.Fees.Denominator, rules.Denominator), cmp.Or(row.Fees.Elasticity, rules.Elasticity)
		rules.MinBaseFee = *cmp.Or(row.Fees.MinBaseFee, &rules.MinBaseFee)
		row.Chain.Optimism = rules
	}
	if !p.RealClock || upgrade.BlockTime != 0 {
		row.Blocks.EqualTimestamps = p.EqualTimestamps
	}
	row.FillProfile()
	row.BlockTime = cmp.Or(upgrade.BlockTime, row.BlockTime)
	row.GasLimit = cmp.Or(row.GasLimit, upgrade.GasLimit, assembly.DefaultGasLimit)
	row.Wire.RejectUnprotected = row.Wire.RejectUnprotected && !p.AllowUnprotected
	row.Wire.ClientVersion = cmp.Or(row.Wire.ClientVersion, ClientVersion())
	row.Chain.Track = p.State != ""
	row.Chain.Lenient = row.Blocks.EqualTimestamps || row.BlockTime%time.Second != 0 && row.BlockTime < time.Second
}

// spec describes the node to package assembly.
func (p *plan) spec(accounts []Account, start time.Time) assembly.Spec {
	row := p.row
	replicas, _ := control.NewReplicas(p.Replicas) // which are valid
	testnet := preconf.Config{
		Mode: row.Mode, Order: row.Order, BlockTime: row.BlockTime, FlashblockTime: row.FlashblockTime, Start: start, Real: p.RealClock,
		Replicas: replicas, NoPreconf: p.NoPreconf, Filters: p.Filters,
		Behaviour: row.Blocks, Pool: row.Pool,
	}
	baseFee := uint256.NewInt(assembly.DefaultBaseFee)
	if row.Chain.SmoothedBaseFee {
		baseFee = uint256.NewInt(chain.LeastSmoothedFee)
	}
	if fixed := row.Blocks.FixedBaseFee; fixed != nil {
		baseFee = uint256.MustFromBig(fixed)
	}
	baseFee = cmp.Or(p.BaseFee, baseFee)
	if row.KeepsBaseFee {
		testnet.BaseFee = baseFee.ToBig()
	}
	main := testnet
	if p.Fork != nil {
		// Gas limit, base fee and time are the fork block's unless they were given.
		main.GasLimit, main.Start, main.BaseFee = p.GasLimit, p.StartTime, nil
		if p.BaseFee != nil {
			main.BaseFee = p.BaseFee.ToBig()
		}
	}
	genesis := p.Genesis
	if genesis != nil && p.GenesisNumber != 0 {
		own := *genesis
		own.Number, genesis = p.GenesisNumber, &own
	}
	s := assembly.Spec{
		Options: keeping.Options{
			Path: p.State, Damaged: p.Recover, Fork: p.Fork, Chain: row.Chain, Main: main, Testnet: testnet,
			WithoutWorlds: p.Worlds.Count < 0 || p.NoControl, Logger: p.Logger,
			Expected: keeping.Expected{ChainID: p.ChainID, Genesis: genesis, Rules: string(p.Rules.named())},
		},
		Recipe: assembly.Recipe{
			ChainID: row.ChainID, GenesisNumber: p.GenesisNumber, Hardfork: row.Hardfork, GasLimit: row.GasLimit, BaseFee: *baseFee,
			Mnemonic: p.Mnemonic, Balance: *p.Balance, Token: row.Token, Contracts: p.Contracts, X402Assets: row.X402Assets,
		},
		Start: start, Accounts: accounts, TestnetID: row.TestnetID, Predeploys: p.Predeploys, Alloc: p.Alloc, Import: p.Import,
	}
	if p.L1 != nil {
		s.L1 = &assembly.L1{L1Config: *p.L1, Bridge: p.L1.On(row.Bridge)}
	}
	return s
}
