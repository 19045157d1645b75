package chain

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/params"
)

// fork is one hard fork and how a config switches it on from the genesis.
type fork struct {
	name     string
	activate func(c *params.ChainConfig)
}

// forks in order of activation: a fork includes all above it.
var forks = []fork{
	{"frontier", func(c *params.ChainConfig) {}},
	{"homestead", func(c *params.ChainConfig) { c.HomesteadBlock = new(big.Int) }},
	{"tangerine", func(c *params.ChainConfig) { c.EIP150Block = new(big.Int) }},
	{"spuriousdragon", func(c *params.ChainConfig) { c.EIP155Block, c.EIP158Block = new(big.Int), new(big.Int) }},
	{"byzantium", func(c *params.ChainConfig) { c.ByzantiumBlock = new(big.Int) }},
	// Until Petersburg is named, keep it off: a config without it takes Constantinople's block for it.
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
}

// forkAliases are other names in use for the same rules.
var forkAliases = map[string]string{
	"":                  "osaka",
	"eip150":            "tangerine",
	"tangerinewhistle":  "tangerine",
	"eip158":            "spuriousdragon",
	"constantinoplefix": "petersburg",
	"merge":             "paris",
}

// ForkConfig returns the rules of the named hard fork, with all earlier ones active from the genesis: "frontier" …
// "osaka", "bpo1" … "bpo4" (blob parameters only); "" means osaka; upper and lower case are the same. Before paris the
// chain has proof-of-work difficulty and rewards (seals are not computed). The error names the known forks.
func ForkConfig(name string, chainID uint64) (*params.ChainConfig, error) {
	wanted := strings.ToLower(name)
	if alias, ok := forkAliases[wanted]; ok {
		wanted = alias
	}
	last := slices.IndexFunc(forks, func(f fork) bool { return f.name == wanted })
	if last < 0 {
		return nil, fmt.Errorf("unknown hard fork %q, known are %s", name, strings.Join(ForkNames(), ", "))
	}
	config := &params.ChainConfig{
		ChainID: new(big.Int).SetUint64(chainID),
		Ethash:  new(params.EthashConfig),
		// Never reached: the chain stays proof of work.
		TerminalTotalDifficulty: big.NewInt(math.MaxInt64),
	}
	for _, f := range forks[:last+1] {
		f.activate(config)
	}
	return config, nil
}

// ForkNames lists the names that ForkConfig knows, oldest fork first.
func ForkNames() []string {
	names := make([]string, len(forks))
	for i, f := range forks {
		names[i] = f.name
	}
	return names
}
