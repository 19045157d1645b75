package fakenode

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rollup"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/tokencontract"
)

// mistake is a row of what is wrong with a Config: a value that cannot be, a field that needs another or excludes it.
type mistake struct {
	is   bool
	text string
	of   []any
}

// first returns the first of the mistakes that were made, or nil.
func first(all []mistake) error {
	for _, m := range all {
		if m.is {
			return fmt.Errorf(m.text, m.of...)
		}
	}
	return nil
}

// failed is the mistake that a check of another room found, if it is not nil.
func failed(err error) mistake { return mistake{err != nil, "%w", []any{err}} }

// unknown is the mistake of a name that is none of all, and not empty.
func unknown[Name ~string](text string, name Name, all []Name) mistake {
	return mistake{name != "" && !slices.Contains(all, name), text, []any{name, listed(all)}}
}

// mistakes lists the mistakes that do not depend on the rules.
func (c *plan) mistakes() []mistake {
	row, genesis, fork := &c.row, c.Genesis != nil, c.Fork != nil
	_, ofReplicas := control.NewReplicas(c.Replicas)
	return []mistake{
		{c.ChainID == c.like.TestnetID, "chain id %d is that of the test network", []any{c.ChainID}},
		{row.GasLimit != 0 && row.GasLimit < params.MinGasLimit, "gas limit %d is below %d", []any{row.GasLimit, params.MinGasLimit}},
		{!c.StartTime.IsZero() && c.StartTime.Unix() < 0, "start time %s is before 1970", []any{c.StartTime.UTC().Format(time.RFC3339)}},
		{c.Recover != "" && c.State == "", "%s cannot be recovered without a path for the new state", []any{c.Recover}},
		{
			c.amsterdam() && row.Chain.CodeLimit > params.MaxCodeSizeAmsterdam,
			"a code size limit above %d does not go together with amsterdam, which has that one (EIP-7954)", []any{params.MaxCodeSizeAmsterdam},
		},
		failed(row.Chain.CodeLimit.Validate()),
		failed(c.Worlds.Validate()),
		failed(row.Chain.TxGasLimit.Validate()),
		{row.Chain.ReserveBalance != nil && !row.Chain.ChargeGasLimit, "a reserve balance is for chains that charge the gas limit, as monad", nil},
		{c.Accounts > maxAccounts, "%d accounts are more than %d", []any{c.Accounts, maxAccounts}},
		{row.Token < 0 || row.Token > tokencontract.Native, "unknown token variant %d", []any{int(row.Token)}},
		{(row.Token == tokencontract.Native) != (row.Chain.NativeToken != common.Address{}), "token variant %q does not go together with the chain's native coin", []any{row.Token}},
		failed(c.checkPredeploys(row.Chain.CodeLimit)),
		failed(cmp.Or(c.Contracts, PaymentContracts).Check()),

		{genesis && c.ChainID != 0 && !c.isOfGenesis(), "chain id %d given with a genesis, which brings its own: set it there", []any{c.ChainID}},
		{genesis && c.Hardfork != "", "hard fork %q given with a genesis, which brings its own rules", []any{c.Hardfork}},
		{genesis && c.GasLimit != 0, "gas limit %d given with a genesis, which brings its own", []any{c.GasLimit}},
		{genesis && c.BaseFee != nil, "base fee %d given with a genesis, which brings its own", []any{c.BaseFee}},
		{genesis && c.Predeploys != nil, "%d predeploys given with a genesis, which brings its own accounts", []any{len(c.Predeploys)}},
		{genesis && c.Alloc != nil, "%d accounts of a dump given with a genesis, which brings its own accounts", []any{len(c.Alloc)}},
		{fork && c.GenesisNumber != 0, "genesis number %d given with a fork, which begins at the fork block", []any{c.GenesisNumber}},
		{c.X402Assets && len(paytoken.X402Assets(row.ChainID)) == 0, "x402 has no asset on chain id %d", []any{row.ChainID}},
		{fork && genesis, "a fork has no genesis of its own: give either", nil},
		{fork && c.Import != nil, "blocks cannot be imported into a fork", nil},
		{
			fork && (c.Predeploys != nil || c.Alloc != nil || c.Contracts != ""),
			"predeploys, dumps and contracts are for a genesis: a fork has the accounts of the other chain", nil,
		},

		{c.Port < 0 || c.Port > 65535, "port %d is outside 0 to 65535", []any{c.Port}},
		{c.Compat != Spec && c.Compat != Geth, "unknown profile %d", []any{int(c.Compat)}},
		{!row.Limits.Provider.Valid(), "provider %q is unknown", []any{row.Limits.Provider}},
		unknown("rules %q of the chain are unknown: want %s", Rules(c.like.Rules), AllRules()),
		unknown("preconf %q is unknown: want %s", row.Wire.Preconf, api.Preconfs()),
		unknown("rules %q of eth_sendRawTransactionSync are unknown: want %s", row.Wire.SendSync, api.SendSyncs()),
		unknown("bundler rules %q are unknown: want %s", c.Bundler.Rules, api.AllBundlerRules()),
		unknown("metadata of flashblocks is %q, want %s", row.Frames, flashblocks.AllMetadata()),
		failed(row.Limits.Validate()),
		failed(ofReplicas),
	}
}

// isOfGenesis reports whether the chain id is that of the genesis.
func (c *plan) isOfGenesis() bool {
	config := c.Genesis.Config
	return config != nil && config.ChainID != nil && config.ChainID.Cmp(new(big.Int).SetUint64(c.ChainID)) == 0
}

// checkPredeploys rejects contracts that are larger than the limit.
func (c *plan) checkPredeploys(limit evmstate.CodeLimit) error {
	for address, account := range c.Predeploys {
		if err := limit.CheckCode(c.amsterdam(), len(account.Code)); err != nil {
			return fmt.Errorf("predeploy %s: %w", address, err)
		}
	}
	return nil
}

// mistakesOfRules lists the mistakes that the rules decide about: fields that a fixed block time excludes, and an L1
// below.
func (c *plan) mistakesOfRules() []mistake {
	rules := Rules(c.row.Rules)
	fixed := rules.blockTime()
	noFlashblocks := func(is bool, name string, value any) mistake {
		return mistake{fixed != 0 && is, "%s %s given with the rules %q, which have no flashblocks", []any{name, value, rules}}
	}
	l1 := cmp.Or(c.L1, new(assembly.L1Config))
	l1Time := func(name string, d time.Duration) mistake {
		is := d < 0 || d%time.Second != 0 || d > control.LongestTime
		return mistake{is, "%s %s of the L1: want whole seconds up to %s", []any{name, d, control.LongestTime}}
	}
	excluded := func(is bool, what string, of ...any) mistake {
		return mistake{c.L1 != nil && is, "an L1 beside the main network does not go together with " + what, of}
	}
	farthest := uint64(rollup.MaxSequencerDrift / max(cmp.Or(l1.BlockTime, assembly.DefaultL1BlockTime), 1))
	return []mistake{
		{
			fixed != 0 && c.BlockTime != 0 && c.BlockTime != fixed,
			"block time %s does not fit the rules %q, which make a block every %s", []any{c.BlockTime, rules, fixed},
		},
		noFlashblocks(c.FlashblockTime != 0, "flashblock time", c.FlashblockTime),
		noFlashblocks(c.Preconf != "", "preconf", c.Preconf),
		noFlashblocks(c.Flashblocks.Metadata != "", "metadata of flashblocks", c.Flashblocks.Metadata),
		l1Time("block time", l1.BlockTime),
		l1Time("withdrawal delay", l1.WithdrawalDelay),
		{
			!c.like.Bridge.Takes(l1.GameType),
			"game type %d: want 8, about output roots, or 9, about super roots, with the preset %q or %q", []any{l1.GameType, Optimism, Unichain},
		},
		{
			l1.Distance > farthest,
			"distance %d of the L1: want at most %d blocks, since a block of the L2 is at most %s later than its origin",
			[]any{l1.Distance, farthest, rollup.MaxSequencerDrift},
		},
		excluded(c.Fork != nil, "a fork, which has an L1 of its own"),
		excluded(c.Import != nil, "blocks to import, which refer to another L1"),
		excluded(c.Genesis != nil, "a genesis of your own"),
		excluded(rules == EthereumRules, "the rules %q: want those of an OP-stack chain, as the presets %q and %q have them", rules, Base, Optimism),
		excluded(c.Contracts == NoContracts, "contracts %q: clients ask Multicall3 on the L1", c.Contracts),
	}
}
