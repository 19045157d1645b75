package fakenode

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/contracts"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rollup"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/tokencontract"
)

const (
	maxAccounts = 10_000
	// forkCallTimeout is the CallTimeout of a fork without one of its own: a call that meets a cold cache waits for many
	// requests, one after another.
	forkCallTimeout = time.Minute
	// defaultL1BlockTime is Ethereum's.
	defaultL1BlockTime = 12 * time.Second
)

// complete fills in the defaults, or names the field that is wrong.
func (c Config) complete() (Config, error) {
	c.given = given{c.ChainID, c.GasLimit, c.BaseFee, c.Rules}
	c.Preset = cmp.Or(c.Preset, Dev)
	var err error
	if c.like, err = c.chosen(); err != nil {
		return c, err
	}
	err = cmp.Or(c.checkChain(), c.checkAccounts(), c.checkGenesis(), c.checkFork(), c.checkWire(), c.chooseRules(), c.checkL1())
	if err != nil {
		return c, err
	}
	if c.known, err = artifacts.Load(c.Artifacts); err != nil {
		return c, fmt.Errorf("artifacts: %w", err)
	}
	c.names = c.known.Before(contracts.Names)
	if c.replicas, err = control.NewReplicas(c.Replicas, c.ReplicaLag, c.ReplicaSeed); err != nil {
		return c, err
	}
	c.Host = cmp.Or(c.Host, "127.0.0.1")
	c.Mnemonic = cmp.Or(c.Mnemonic, fixtures.DevMnemonic)
	c.Contracts = cmp.Or(c.Contracts, PaymentContracts)
	if c.Fork == nil || c.like.ForkKeepsChainID {
		c.ChainID = cmp.Or(c.ChainID, c.like.ChainID)
	}
	if c.Accounts == 0 {
		c.Accounts = fixtures.DevAccounts
	}
	c.Accounts = max(c.Accounts, 0)
	if c.Balance == nil {
		c.Balance = fixtures.Ether("10000")
	}
	if c.BaseFee == nil {
		c.BaseFee = uint256.NewInt(assembly.DefaultBaseFee)
	}
	c.row = c.described()
	return c, nil
}

// checkChain rejects chains that cannot be, and state that cannot be recovered.
func (c *Config) checkChain() error {
	switch {
	case c.ChainID == c.like.TestnetID:
		return fmt.Errorf("chain id %d is that of the test network", c.ChainID)
	case c.GasLimit != 0 && c.GasLimit < params.MinGasLimit:
		return fmt.Errorf("gas limit %d is below %d", c.GasLimit, params.MinGasLimit)
	case !c.StartTime.IsZero() && c.StartTime.Unix() < 0:
		return fmt.Errorf("start time %s is before 1970", c.StartTime.UTC().Format(time.RFC3339))
	case c.Recover != "" && c.State == "":
		return fmt.Errorf("%s cannot be recovered without a path for the new state", c.Recover)
	}
	if c.amsterdam() && c.CodeSizeLimit > params.MaxCodeSizeAmsterdam {
		return fmt.Errorf("a code size limit above %d does not go together with amsterdam, which has that one (EIP-7954)", params.MaxCodeSizeAmsterdam)
	}
	return cmp.Or(evmstate.CodeLimit(c.CodeSizeLimit).Validate(), chain.TxGasLimit(c.TxGasLimit).Validate())
}

// checkAccounts rejects accounts and contracts that a genesis cannot have.
func (c *Config) checkAccounts() error {
	switch {
	case c.Accounts > maxAccounts:
		return fmt.Errorf("%d accounts are more than %d", c.Accounts, maxAccounts)
	case c.Token < 0 || c.Token > tokencontract.DocumentedFlow:
		return fmt.Errorf("unknown token variant %d", int(c.Token))
	}
	for address, account := range c.Predeploys {
		if err := evmstate.CodeLimit(c.CodeSizeLimit).CheckCode(c.amsterdam(), len(account.Code)); err != nil {
			return fmt.Errorf("predeploy %s: %w", address, err)
		}
	}
	return cmp.Or(c.Contracts, PaymentContracts).Check()
}

// checkGenesis rejects fields that do not go together with Genesis.
func (c *Config) checkGenesis() error {
	if c.Genesis == nil {
		return nil
	}
	if c.ChainID != 0 && (c.Genesis.Config == nil || c.Genesis.Config.ChainID == nil || c.Genesis.Config.ChainID.Cmp(uint256.NewInt(c.ChainID).ToBig()) != 0) {
		return fmt.Errorf("chain id %d given with a genesis, which brings its own: set it there", c.ChainID)
	}
	switch {
	case c.Hardfork != "":
		return fmt.Errorf("hard fork %q given with a genesis, which brings its own rules", c.Hardfork)
	case c.GasLimit != 0:
		return fmt.Errorf("gas limit %d given with a genesis, which brings its own", c.GasLimit)
	case c.BaseFee != nil:
		return fmt.Errorf("base fee %s given with a genesis, which brings its own", c.BaseFee.Dec())
	case c.Predeploys != nil:
		return fmt.Errorf("%d predeploys given with a genesis, which brings its own accounts", len(c.Predeploys))
	case c.Alloc != nil:
		return fmt.Errorf("%d accounts of a dump given with a genesis, which brings its own accounts", len(c.Alloc))
	}
	return nil
}

// checkFork rejects fields that do not go together with Fork.
func (c *Config) checkFork() error {
	switch {
	case c.Fork == nil:
		return nil
	case c.Genesis != nil:
		return errors.New("a fork has no genesis of its own: give either")
	case c.Import != nil:
		return errors.New("blocks cannot be imported into a fork")
	case c.Predeploys != nil || c.Alloc != nil || c.Contracts != "":
		return errors.New("predeploys, dumps and contracts are for a genesis: a fork has the accounts of the other chain")
	}
	return nil
}

// checkL1 rejects an L1 below a chain that cannot have one, and fields that need one.
func (c *Config) checkL1() error {
	for _, given := range []struct {
		name  string
		value time.Duration
	}{
		{"block time", c.L1BlockTime},
		{"withdrawal delay", c.WithdrawalDelay},
	} {
		if given.value < 0 || given.value%time.Second != 0 || given.value > control.LongestTime {
			return fmt.Errorf("%s %s of the L1: want whole seconds up to %s", given.name, given.value, control.LongestTime)
		}
	}
	var against error
	switch {
	case !c.L1 && (c.L1Distance != 0 || c.L1BlockTime != 0 || c.ProposeEvery != 0 || c.WithdrawalDelay != 0 || c.GameType != 0):
		return errors.New("values of an L1 are given without an L1")
	case !c.like.Bridge.Takes(c.GameType):
		return fmt.Errorf("game type %d: want 8, about output roots, or 9, about super roots, with the preset %q or %q", c.GameType, Optimism, Unichain)
	case !c.L1:
		return nil
	case c.Fork != nil:
		against = errors.New("a fork, which has an L1 of its own")
	case c.Import != nil:
		against = errors.New("blocks to import, which refer to another L1")
	case c.Genesis != nil:
		against = errors.New("a genesis of your own")
	case c.Rules == EthereumRules:
		against = fmt.Errorf("the rules %q: want those of an OP-stack chain, as the presets %q and %q have them", c.Rules, Base, Optimism)
	case c.Contracts == NoContracts:
		against = fmt.Errorf("contracts %q: clients ask Multicall3 on the L1", c.Contracts)
	}
	if most := uint64(rollup.MaxSequencerDrift / cmp.Or(c.L1BlockTime, defaultL1BlockTime)); c.L1Distance > most {
		return fmt.Errorf("distance %d of the L1: want at most %d blocks, since a block of the L2 is at most %s later than its origin",
			c.L1Distance, most, rollup.MaxSequencerDrift)
	}
	if against != nil {
		return fmt.Errorf("an L1 beside the main network does not go together with %w", against)
	}
	return nil
}

// checkWire rejects fields that the server cannot apply.
func (c *Config) checkWire() error {
	switch {
	case c.Port < 0 || c.Port > 65535:
		return fmt.Errorf("port %d is outside 0 to 65535", c.Port)
	case c.Compat != Spec && c.Compat != Geth:
		return fmt.Errorf("unknown profile %d", int(c.Compat))
	case !c.Provider.Valid():
		return fmt.Errorf("provider %q is unknown", c.Provider)
	case !c.Preconf.Valid():
		return fmt.Errorf("preconf %q is unknown: want %s", c.Preconf, listed(api.Preconfs()))
	case !c.SendSync.Valid():
		return fmt.Errorf("rules %q of eth_sendRawTransactionSync are unknown: want %s", c.SendSync, listed(api.SendSyncs()))
	case !c.BundlerRules.Valid():
		return fmt.Errorf("bundler rules %q are unknown: want %s", c.BundlerRules, listed(api.AllBundlerRules()))
	case !c.FlashblocksMetadata.Valid():
		return fmt.Errorf("metadata of flashblocks is %q, want %s", c.FlashblocksMetadata, listed(flashblocks.AllMetadata()))
	}
	return c.Limits.Validate()
}
