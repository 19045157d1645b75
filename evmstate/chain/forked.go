package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// NewFork returns the chain whose first block is the fork block of f, with the rules of config. state is the State
// after that block, made from the State of f. NewFork builds one more block and drops it, to fetch everything that each
// block needs from the remote chain. With Options.Track state must not be committed; the Changes of the chain's first
// State are then the differences from the State of f. The error names the fault in the arguments, or is a
// *remote.Error.
func NewFork(f *remote.Fork, config *params.ChainConfig, state *evmstate.State, o Options) (*Chain, error) {
	if o.Optimism != nil && o.Optimism.BlockTime() == 0 {
		return nil, fmt.Errorf("a fork follows the rules of ethereum, not %q", o.Optimism.Upgrade.Name)
	}
	header := f.Header()
	if config.IsLondon(header.Number) && header.BaseFee == nil {
		return nil, fmt.Errorf("fork block %d has no base fee, which the hard fork asks for", f.Number())
	}
	if o.Track {
		state = state.Tracked()
	}
	if header.GasLimit < config.ElasticityMultiplier() {
		return nil, fmt.Errorf("fork block %d has a gas limit of %d, of which no base fee follows", f.Number(), header.GasLimit)
	}
	block := newAncestor(f, header, f.Hash())
	block.totalDifficulty = header.Difficulty
	made := &Chain{
		config:  config,
		fork:    &below{Fork: f},
		base:    f.Number(),
		history: defaultHistory,
		lenient: o.Lenient,
		code:    o.CodeLimit,
		txGas:   o.TxGasLimit,
		seesFee: o.CallsSeeBaseFee,
		errors:  o.Errors,
		track:   o.Track,
		Rules:   rulesOf(config, o.Optimism),
		blocks:  newVector([]*Block{block}),
		state:   state.Commit(),
		states:  window{first: f.Number()},
		index:   index{}.with(block, 0),
	}
	if o.History > 0 {
		made.history = min(o.History, maxHistory)
	}
	draft, err := made.NewDraft(Env{})
	if err == nil {
		_, _, err = draft.Seal()
	}
	if err != nil {
		return nil, fmt.Errorf("fork block %d: %w", f.Number(), err)
	}
	return made, nil
}

// Fork returns the remote chain below Base, nil if the chain is not a fork.
func (c *Chain) Fork() *remote.Fork {
	if c.fork == nil {
		return nil
	}
	return c.fork.Fork
}

// OptimismAt returns the rules of an OP-stack chain that apply at the fork block of f if a fork can continue with them:
// Denim's with the parameters of the header, if the block has a time in milliseconds. Else it returns nil: the fork
// follows Ethereum's rules.
func OptimismAt(f *remote.Fork) *optimism.Rules {
	if !f.HasMilliseconds() {
		return nil
	}
	return optimism.RulesIn(f.Header().Extra, optimism.Denim)
}

// knownChains are the chains whose forks go-ethereum knows by time.
var knownChains = []*params.ChainConfig{params.MainnetChainConfig, params.SepoliaChainConfig, params.HoodiChainConfig}

// HardforkAt returns the name, as ForkConfig knows it, of the rules that apply at the fork block of f: for public
// chains by their schedule, for others by the fields of the header and, if the node lists them, the precompiled
// contracts.
func HardforkAt(f *remote.Fork) (string, error) {
	h := f.Header()
	if h.BlockAccessListHash != nil {
		return "amsterdam", nil
	}
	for _, config := range knownChains {
		if config.ChainID.Uint64() == f.ChainID() && config.IsLondon(h.Number) && h.Difficulty.Sign() == 0 {
			name := strings.ToLower(config.LatestFork(h.Time).String())
			if slices.Contains(ForkNames(), name) {
				return name, nil
			}
		}
	}
	switch {
	case h.RequestsHash != nil:
		precompiles, err := f.Precompiles()
		if slices.Contains(precompiles, "P256VERIFY") {
			return "osaka", err
		}
		return "prague", err
	case h.ParentBeaconRoot != nil:
		return "cancun", nil
	case h.WithdrawalsHash != nil:
		return "shanghai", nil
	case h.BaseFee == nil:
		return "istanbul", nil
	case h.Difficulty.Sign() > 0:
		return "london", nil
	}
	return "paris", nil
}
