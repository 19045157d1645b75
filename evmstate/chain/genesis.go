package chain

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"runtime"
	"sync"
	"weak"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
)

// Genesis holds the first block, its state and the fork rules. Its JSON is geth's format.
type Genesis = core.Genesis

// SystemContracts returns the contracts that blocks call: beacon roots (EIP-4788), block hash history (EIP-2935),
// withdrawal and consolidation requests (EIP-7002, EIP-7251); and if the rules schedule Amsterdam, builders' requests
// (EIP-8282) and the deterministic factory (EIP-7997). A genesis in which Prague is active needs them in its Alloc;
// without them no block can be sealed on it.
func SystemContracts(config *params.ChainConfig) types.GenesisAlloc {
	alloc := systemContracts(
		params.BeaconRootsAddress, params.HistoryStorageAddress,
		params.WithdrawalQueueAddress, params.ConsolidationQueueAddress,
	)
	if config.AmsterdamTime != nil {
		maps.Copy(alloc, systemContracts(
			params.BuilderDepositAddress, params.BuilderExitAddress, params.DeterministicFactoryAddress,
		))
	}
	return alloc
}

func systemContracts(addresses ...common.Address) types.GenesisAlloc {
	all, alloc := core.SystemContractAllocs(), make(types.GenesisAlloc, len(addresses))
	for _, address := range addresses {
		alloc[address] = all[address]
	}
	return alloc
}

// requestContracts are the contracts whose requests to the consensus layer the end of a block collects. Without one of
// them no block can be sealed.
var requestContracts = []struct {
	address common.Address
	name    string
	fork    string
	active  func(config *params.ChainConfig, number *big.Int, time uint64) bool
}{
	{params.WithdrawalQueueAddress, "withdrawal requests (EIP-7002)", "prague", (*params.ChainConfig).IsPrague},
	{params.ConsolidationQueueAddress, "consolidation requests (EIP-7251)", "prague", (*params.ChainConfig).IsPrague},
	{params.BuilderDepositAddress, "builder deposits (EIP-8282)", "amsterdam", (*params.ChainConfig).IsAmsterdam},
	{params.BuilderExitAddress, "builder exits (EIP-8282)", "amsterdam", (*params.ChainConfig).IsAmsterdam},
}

// origins caches, by genesis pointer, the chain that consists of the genesis block. Its keys are weak so that an unused
// genesis can be collected.
var origins sync.Map // weak.Pointer[Genesis] -> *Chain

// originOf returns the chain that consists of g's block, with the default history.
func originOf(g *Genesis) (*Chain, error) {
	if g == nil {
		return nil, errors.New("genesis is missing")
	}
	key := weak.Make(g)
	if c, ok := origins.Load(key); ok {
		return c.(*Chain), nil
	}
	if err := checkGenesis(g); err != nil {
		return nil, err
	}
	state := evmstate.StateFromAlloc(g.Alloc)
	header := genesisHeader(g, state.Root())
	inside := new(body)
	block := blockOf(header, header.Hash(), inside)
	block.totalDifficulty = header.Difficulty
	if header.WithdrawalsHash != nil {
		inside.withdrawals = types.Withdrawals{}
	}
	if header.BlockAccessListHash != nil {
		inside.closed = new(ledger).close(new(bal.BlockAccessList))
	}
	own := *g // a copy, because the cache must not keep g itself alive
	made := &Chain{
		config:  g.Config,
		genesis: &own,
		base:    g.Number,
		states:  window{first: g.Number},
		Options: Options{History: defaultHistory},
		blocks:  newVector([]*Block{block}),
		state:   state,
		index:   index{}.with(block, block.own().transactions.all(), 0),
	}
	c, loaded := origins.LoadOrStore(key, made)
	if !loaded {
		runtime.AddCleanup(g, func(key weak.Pointer[Genesis]) { origins.Delete(key) }, key)
	}
	return c.(*Chain), nil
}

// genesisHeader returns the header of the genesis block. go-ethereum fills the fields of the active forks; the state
// root is ours.
func genesisHeader(g *Genesis, root common.Hash) *types.Header {
	bare := *g
	bare.Alloc = nil
	header := bare.ToBlock().Header()
	header.Root = root
	return header
}

// checkGenesis returns an error for a genesis that cannot start a chain or would break it later.
func checkGenesis(g *Genesis) error {
	switch {
	case g.Config == nil:
		return errors.New("genesis has no config")
	case g.Config.ChainID == nil:
		return errors.New("genesis config has no chainId")
	case g.Config.ChainID.Sign() <= 0 || !g.Config.ChainID.IsUint64():
		return fmt.Errorf("genesis config: chainId %v is not between 1 and 2^64-1", g.Config.ChainID)
	case g.Config.Clique != nil:
		return errors.New("genesis config asks for clique, which is not supported")
	case g.Number > maxNumber:
		return fmt.Errorf("genesis number %d is above %d", g.Number, uint64(maxNumber))
	case g.GasUsed > g.GasLimit:
		return fmt.Errorf("genesis gasUsed %d is above its gasLimit %d", g.GasUsed, g.GasLimit)
	case g.GasLimit > params.MaxGasLimit:
		return fmt.Errorf("genesis gasLimit %d is above %d", g.GasLimit, uint64(params.MaxGasLimit))
	case g.Difficulty != nil && g.Difficulty.Sign() < 0:
		return fmt.Errorf("genesis difficulty %v is negative", g.Difficulty)
	case g.BaseFee != nil && (g.BaseFee.Sign() < 0 || g.BaseFee.BitLen() > 255): // a full block raises it by 1/8
		return fmt.Errorf("genesis baseFeePerGas %v is not between 0 and 2^255-1", g.BaseFee)
	}
	if err := g.Config.CheckConfigForkOrder(); err != nil {
		return fmt.Errorf("genesis config: %w", err)
	}
	if err := checkForks(g.Config, new(big.Int), g.Timestamp); err != nil {
		return fmt.Errorf("genesis: %w", err)
	}
	if err := checkBlobs(g); err != nil {
		return err
	}
	if err := checkSystemContracts(g); err != nil {
		return err
	}
	for address, account := range g.Alloc {
		if b := account.Balance; b != nil && (b.Sign() < 0 || b.BitLen() > 256) {
			return fmt.Errorf("genesis alloc %s: balance %v is not a 256-bit number", address, b)
		}
	}
	return nil
}

const (
	// maxBlobs is the highest number of blobs in a block that a blobSchedule may allow.
	maxBlobs = 1 << 20
	// maxNumber is the highest number of a genesis block, far below what a counter of blocks can hold.
	maxNumber = 1 << 62
	// maxBlobFeeExponent limits the blob base fee of the genesis to e^150 wei. Nobody can pay e^166 wei for each unit
	// of a blob's gas, so a fee that starts below the limit stays below 2^256.
	maxBlobFeeExponent = 150
	// maxBlobFeeStep limits the factor by which one block full of blobs raises that fee to e^10. On public chains the
	// factor is 1.3.
	maxBlobFeeStep = 10
)

// checkBlobs returns an error for blob rules and a genesis under which the blob base fee, e^(excess blob gas / update
// fraction) wei (EIP-4844), can exceed 256 bits, and for a fork that allows no blobs, because the formula of EIP-7918
// divides by the maximum.
func checkBlobs(g *Genesis) error {
	if g.ExcessBlobGas != nil && !g.Config.IsCancun(new(big.Int), g.Timestamp) {
		return errors.New("genesis has excessBlobGas, but cancun is not active in it")
	}
	s := g.Config.BlobScheduleConfig
	if s == nil {
		return nil
	}
	for _, b := range []*params.BlobConfig{s.Cancun, s.Prague, s.BPO1, s.BPO2, s.BPO3, s.BPO4, s.BPO5} {
		switch {
		case b == nil:
			continue
		case b.Max < 1 || b.Max > maxBlobs || b.Target > b.Max:
			return fmt.Errorf("genesis config: blobSchedule with target %d, max %d: want 1 ≤ max ≤ %d and target ≤ max", b.Target, b.Max, maxBlobs)
		case uint64(b.Max)*params.BlobTxBlobGasPerBlob/maxBlobFeeStep > b.UpdateFraction:
			return fmt.Errorf("genesis config: blobSchedule with max %d, baseFeeUpdateFraction %d: one block could raise the blob fee more than e^%d times",
				b.Max, b.UpdateFraction, maxBlobFeeStep)
		}
		for _, field := range []struct {
			name  string
			value *uint64
			limit uint64
		}{
			{"excessBlobGas", g.ExcessBlobGas, maxBlobFeeExponent},
			{"blobGasUsed", g.BlobGasUsed, maxBlobFeeStep},
		} {
			if field.value != nil && *field.value/b.UpdateFraction >= field.limit {
				return fmt.Errorf("genesis %s %d is not below %d times the baseFeeUpdateFraction %d of its blobSchedule",
					field.name, *field.value, field.limit, b.UpdateFraction)
			}
		}
	}
	return nil
}

// checkSystemContracts returns an error for a genesis in which a fork is active but a system contract of it is missing,
// so that no block could be sealed. If the fork comes later, a transaction may still deploy the contracts.
func checkSystemContracts(g *Genesis) error {
	for _, contract := range requestContracts {
		if contract.active(g.Config, new(big.Int), g.Timestamp) && len(g.Alloc[contract.address].Code) == 0 {
			return fmt.Errorf("genesis alloc has no code at %s, the contract of %s, and %s is active: no block could be sealed",
				contract.address, contract.name, contract.fork)
		}
	}
	return nil
}

// checkForks returns an error for a block of a fork later than the supported ones.
func checkForks(config *params.ChainConfig, number *big.Int, time uint64) error {
	var later string
	switch {
	case config.IsBogota(number, time):
		later = "bogota"
	case config.IsUBT(number, time):
		later = "ubt"
	default:
		return nil
	}
	return fmt.Errorf("fork %s, active at block %v, time %d, is not supported", later, number, time)
}
