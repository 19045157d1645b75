package chain

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// fork names a hard fork and switches it on from the genesis in a config.
type fork struct {
	name     string
	activate func(c *params.ChainConfig)
}

// forks lists the hard forks in order of activation. Each includes all forks before it, except those that the comment
// of its entry names.
var forks = []fork{
	{"frontier", func(c *params.ChainConfig) {}},
	{"homestead", func(c *params.ChainConfig) { c.HomesteadBlock = new(big.Int) }},
	{"tangerine", func(c *params.ChainConfig) { c.EIP150Block = new(big.Int) }},
	{"spuriousdragon", func(c *params.ChainConfig) { c.EIP155Block, c.EIP158Block = new(big.Int), new(big.Int) }},
	{"byzantium", func(c *params.ChainConfig) { c.ByzantiumBlock = new(big.Int) }},
	// A config without a block for Petersburg activates it with Constantinople, so it is set to a block never reached.
	{"constantinople", func(c *params.ChainConfig) {
		c.ConstantinopleBlock, c.PetersburgBlock = new(big.Int), big.NewInt(math.MaxInt64)
	}},
	{"petersburg", func(c *params.ChainConfig) { c.PetersburgBlock = new(big.Int) }},
	{"istanbul", func(c *params.ChainConfig) { c.IstanbulBlock = new(big.Int) }},
	{"muirglacier", func(c *params.ChainConfig) { c.MuirGlacierBlock = new(big.Int) }},
	{"berlin", func(c *params.ChainConfig) { c.BerlinBlock = new(big.Int) }},
	{"london", func(c *params.ChainConfig) { c.LondonBlock = new(big.Int) }},
	{"arrowglacier", func(c *params.ChainConfig) { c.ArrowGlacierBlock = new(big.Int) }},
	{"grayglacier", func(c *params.ChainConfig) { c.GrayGlacierBlock = new(big.Int) }},
	{"paris", func(c *params.ChainConfig) {
		c.TerminalTotalDifficulty, c.MergeNetsplitBlock, c.Ethash = new(big.Int), new(big.Int), nil
	}},
	{"shanghai", func(c *params.ChainConfig) { c.ShanghaiTime = new(uint64) }},
	{"cancun", func(c *params.ChainConfig) {
		c.CancunTime = new(uint64)
		c.BlobScheduleConfig = &params.BlobScheduleConfig{Cancun: params.DefaultCancunBlobConfig}
	}},
	{"prague", func(c *params.ChainConfig) {
		c.PragueTime, c.BlobScheduleConfig.Prague = new(uint64), params.DefaultPragueBlobConfig
		c.DepositContractAddress = params.MainnetChainConfig.DepositContractAddress
	}},
	{"osaka", func(c *params.ChainConfig) { c.OsakaTime = new(uint64) }},
	{"bpo1", func(c *params.ChainConfig) {
		c.BPO1Time, c.BlobScheduleConfig.BPO1 = new(uint64), params.DefaultBPO1BlobConfig
	}},
	{"bpo2", func(c *params.ChainConfig) {
		c.BPO2Time, c.BlobScheduleConfig.BPO2 = new(uint64), params.DefaultBPO2BlobConfig
	}},
	{"bpo3", func(c *params.ChainConfig) {
		c.BPO3Time, c.BlobScheduleConfig.BPO3 = new(uint64), params.DefaultBPO3BlobConfig
	}},
	{"bpo4", func(c *params.ChainConfig) {
		c.BPO4Time, c.BlobScheduleConfig.BPO4 = new(uint64), params.DefaultBPO4BlobConfig
	}},
	// On public chains it comes after bpo2.
	{"amsterdam", func(c *params.ChainConfig) {
		c.AmsterdamTime, c.BPO3Time, c.BPO4Time = new(uint64), nil, nil
		c.BlobScheduleConfig.BPO3, c.BlobScheduleConfig.BPO4 = nil, nil
	}},
}

// forkAliases maps other names in use to the names of the same rules in forks.
var forkAliases = map[string]string{
	"":                  "osaka",
	"eip150":            "tangerine",
	"tangerinewhistle":  "tangerine",
	"eip158":            "spuriousdragon",
	"constantinoplefix": "petersburg",
	"merge":             "paris",
}

// ForkConfig returns rules under which the named hard fork and all earlier ones are active from the genesis. Names are
// "frontier" … "osaka", "bpo1" … "bpo4" (which change blob parameters only) and "amsterdam" (with the blob parameters
// of bpo2), in upper or lower case; "" means osaka.
// Before paris the chain has the difficulty and rewards of proof of work, but no seals are computed. The error names
// the known forks.
func ForkConfig(name string, chainID uint64) (*params.ChainConfig, error) {
	wanted := strings.ToLower(name)
	if alias, ok := forkAliases[wanted]; ok {
		wanted = alias
	}
	last := slices.IndexFunc(forks, func(f fork) bool { return f.name == wanted })
	if last < 0 {
		return nil, fmt.Errorf("unknown hard fork %q, known are %s", name, strings.Join(ForkNames(), ", "))
	}
	config := unforked(new(big.Int).SetUint64(chainID))
	for _, f := range forks[:last+1] {
		f.activate(config)
	}
	return config, nil
}

func unforked(chainID *big.Int) *params.ChainConfig {
	return &params.ChainConfig{
		ChainID: chainID,
		Ethash:  new(params.EthashConfig),
		// It is never reached, so the chain stays on proof of work.
		TerminalTotalDifficulty: big.NewInt(math.MaxInt64),
	}
}

// Hardfork returns the name, as ForkConfig knows it, of the hard fork whose rules apply to a block with the header. If
// several have the same rules and differ only in the difficulty, it is the oldest.
func Hardfork(config *params.ChainConfig, h *types.Header) string {
	newest := strings.ToLower(config.LatestFork(h.Time).String())
	if h.Difficulty.Sign() == 0 && config.IsLondon(h.Number) {
		return newest
	}
	rules, grown := config.Rules(h.Number, false, h.Time), unforked(config.ChainID)
	for _, f := range forks {
		f.activate(grown)
		if grown.Rules(h.Number, false, h.Time) == rules {
			return f.name
		}
	}
	return newest
}

// Under returns the chain with the rules of another hard fork for all blocks, to see what a transaction of them would
// do, and with that price of a byte of state in gas (EIP-8037), 0 for go-ethereum's. Nothing can be built on it. The
// error names the known forks, or says that an OP-stack chain has none.
func (c *Chain) Under(fork string, stateByteGas uint64) (*Chain, error) {
	if c.Optimism != nil {
		return nil, errors.New("the blocks of an OP-stack chain have its upgrades, not the hard forks of ethereum")
	}
	config, err := ForkConfig(fork, c.config.ChainID.Uint64())
	if err != nil {
		return nil, err
	}
	other := *c
	other.config, other.stateByteGas = config, stateByteGas
	return &other, nil
}

// ForkNames returns the names that ForkConfig accepts, oldest fork first.
func ForkNames() []string {
	names := make([]string, len(forks))
	for i, f := range forks {
		names[i] = f.name
	}
	return names
}

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
	o.History = min(cmp.Or(o.History, defaultHistory), maxHistory)
	made := &Chain{
		Options: o,
		config:  config,
		fork:    &below{Fork: f},
		base:    f.Number(),
		blocks:  newVector([]*Block{block}),
		state:   state.Commit(),
		states:  window{first: f.Number()},
		index:   index{}.with(block, block.own().transactions.all(), 0),
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
