package chain

import (
	"fmt"
	"math/big"
	"sort"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/trie"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Env holds the choices of a block's producer. The zero value takes everything from the parent and the rules.
type Env struct {
	Time        uint64            // Unix seconds; 0 means one second, or the rules' block time, after the parent
	Millis      uint16            // of the time beyond the second, where the rules fix the block time
	Coinbase    common.Address    // receives tips and, before the merge, the block reward
	GasLimit    uint64            // gas; 0 means the parent's. Import needs Lenient for a step of 1/1024 of it or more
	BaseFee     *big.Int          // wei; nil means EIP-1559's. Import needs Lenient for any other
	BlobBaseFee *big.Int          // wei, or the next higher that a header can express; nil means EIP-4844's, as BaseFee
	PrevRandao  common.Hash       // mixHash of the header
	BeaconRoot  *common.Hash      // EIP-4788, from Cancun on; nil means the zero hash
	Withdrawals types.Withdrawals // EIP-4895, from Shanghai on; nil means none
	SlotNumber  *uint64           // EIP-7843, from Amsterdam on; nil means the parent's + 1
	ExtraData   []byte            // at most 32 bytes
	Difficulty  *big.Int          // nil means 0 after the merge, and before it what the rules require
	// L1 is the L1 block that a block of an OP-stack chain refers to. Nil means the parent's.
	L1 *optimism.L1
	// Fees are the parameters of the base fee in the header of an OP-stack chain's block. Nil means the parent's.
	Fees *optimism.BaseFeeRules
	// Deposits are the users' deposits of an OP-stack chain's block; they execute before the first transaction.
	Deposits []*optimism.Deposit
	// Unbegun leaves out all deposits, those that the rules make as well: the block that readers see before it begins. It
	// cannot be sealed on an OP-stack chain.
	Unbegun bool
}

// These values are in most headers. Headers share them, because none is ever modified: that makes a chain of empty
// blocks smaller by a third.
var (
	emptyWithdrawals = types.EmptyWithdrawalsHash
	emptyRequests    = types.EmptyRequestsHash
	emptyAccesses    = types.EmptyBlockAccessListHash
	noBeaconRoot     common.Hash
	noBlobGas        uint64
	noDifficulty     = new(big.Int)
)

// NextHeader returns the header of a block on the head, with all fields that do not depend on execution. The error
// names the fault in env.
func (c *Chain) NextHeader(env Env) (*types.Header, error) {
	_, h, err := c.timedHeader(env)
	return h, err
}

// timedHeader is NextHeader, and returns env with the time of the block.
func (c *Chain) timedHeader(env Env) (Env, *types.Header, error) {
	env, err := c.timed(env)
	if err != nil {
		return env, nil, err
	}
	h := &types.Header{
		ParentHash:  c.Head().hash,
		UncleHash:   types.EmptyUncleHash,
		Coinbase:    env.Coinbase,
		TxHash:      types.EmptyTxsHash,
		ReceiptHash: types.EmptyReceiptsHash,
		Number:      new(big.Int).SetUint64(c.Head().Number() + 1),
		GasLimit:    env.GasLimit,
		Time:        env.Time,
		Extra:       env.ExtraData,
		MixDigest:   env.PrevRandao,
	}
	if h.GasLimit > params.MaxGasLimit {
		return env, nil, fmt.Errorf("block gas limit %d is above %d", h.GasLimit, uint64(params.MaxGasLimit))
	}
	if uint64(len(h.Extra)) > params.MaximumExtraDataSize {
		return env, nil, fmt.Errorf("extra data is %d bytes, at most %d are allowed", len(h.Extra), params.MaximumExtraDataSize)
	}
	if f := env.BaseFee; f != nil && (f.Sign() < 0 || f.BitLen() > 256) {
		return env, nil, fmt.Errorf("base fee %v is not a 256-bit number", f)
	}
	if d := env.Difficulty; d != nil && (d.Sign() < 0 || d.BitLen() > 80) {
		return env, nil, fmt.Errorf("difficulty %v is not an 80-bit number", d)
	}
	if err := checkForks(c.config, h.Number, h.Time); err != nil {
		return env, nil, err
	}
	if err := c.prepare(h, c.Head().Header(), env); err != nil {
		return env, nil, err
	}
	c.setFees(h, env)
	c.setDifficulty(h, env)
	if h.Difficulty.Sign() > 0 && c.config.IsShanghai(h.Number, h.Time) {
		return env, nil, fmt.Errorf("difficulty is %v, want 0 from shanghai on", h.Difficulty)
	}
	if err := c.setForkFields(h, env); err != nil {
		return env, nil, err
	}
	return env, h, nil
}

func (c *Chain) setFees(h *types.Header, env Env) {
	parent := c.Head().Header()
	london := c.config.IsLondon(h.Number)
	if h.GasLimit == 0 {
		h.GasLimit = parent.GasLimit
		if london && !c.config.IsLondon(parent.Number) {
			h.GasLimit *= c.config.ElasticityMultiplier()
		}
	}
	switch {
	case !london:
	case env.BaseFee != nil:
		h.BaseFee = new(big.Int).Set(env.BaseFee)
	default:
		h.BaseFee = c.NextBaseFee(parent)
	}
}

// setDifficulty sets the difficulty, which is 0 once the chain uses proof of stake.
func (c *Chain) setDifficulty(h *types.Header, env Env) {
	head := c.Head()
	parent := head.Header()
	terminal := c.config.TerminalTotalDifficulty
	switch {
	case env.Difficulty != nil:
		h.Difficulty = new(big.Int).Set(env.Difficulty)
	case parent.Difficulty.Sign() == 0,
		c.config.IsPostMerge(h.Number.Uint64(), h.Time),
		terminal != nil && head.totalDifficulty.Cmp(terminal) >= 0:
		h.Difficulty = noDifficulty
	default:
		h.Difficulty = ethash.CalcDifficulty(c.config, h.Time, parent)
	}
}

// setForkFields sets the header fields that Shanghai and later forks added. Until it is sealed, its blob gas is 0,
// and it has no requests and an empty access list.
func (c *Chain) setForkFields(h *types.Header, env Env) error {
	if c.config.IsShanghai(h.Number, h.Time) {
		h.WithdrawalsHash = &emptyWithdrawals
		if len(env.Withdrawals) > 0 {
			root := listRoot(env.Withdrawals)
			h.WithdrawalsHash = &root
		}
	} else if len(env.Withdrawals) > 0 {
		return fmt.Errorf("block %v has withdrawals before shanghai", h.Number)
	}
	if c.config.IsCancun(h.Number, h.Time) {
		excess, err := c.excessBlobGas(h, c.Head().Header())
		if err != nil {
			return err
		}
		if env.BlobBaseFee != nil && c.HasBlobs(h) {
			excess = c.excessFor(h, env.BlobBaseFee)
		}
		h.ExcessBlobGas, h.BlobGasUsed, h.ParentBeaconRoot = &excess, &noBlobGas, &noBeaconRoot
		if env.BeaconRoot != nil {
			root := *env.BeaconRoot
			h.ParentBeaconRoot = &root
		}
	}
	if c.config.IsPrague(h.Number, h.Time) {
		h.RequestsHash = &emptyRequests
	}
	return c.setSlot(h, env)
}

func (c *Chain) setSlot(h *types.Header, env Env) error {
	if !c.config.IsAmsterdam(h.Number, h.Time) {
		if env.SlotNumber != nil {
			return fmt.Errorf("block %v has slot number %d before amsterdam", h.Number, *env.SlotNumber)
		}
		return nil
	}
	h.BlockAccessListHash, h.SlotNumber = &emptyAccesses, NextSlot(c.Head().Header())
	if env.SlotNumber != nil {
		h.SlotNumber = new(*env.SlotNumber)
	}
	return nil
}

// NextSlot returns the slot number of a block from Amsterdam on, unless its producer chooses another: one above its
// parent's, or 0 if the parent has none (EIP-7843).
func NextSlot(parent *types.Header) *uint64 {
	if parent.SlotNumber == nil {
		return new(uint64)
	}
	return new(*parent.SlotNumber + 1)
}

// prepare checks the withdrawals of the block after parent and sets its extra data. Of an OP-stack chain that has the
// parameters of the base fee.
func (c *Chain) prepare(h, parent *types.Header, env Env) error {
	switch {
	case c.Optimism != nil && len(env.Withdrawals) > 0:
		return fmt.Errorf("block %v has withdrawals of validators, which an OP-stack chain has none of", h.Number)
	case c.Optimism != nil && env.Fees != nil:
		h.Extra = env.Fees.ExtraData()
	case c.Optimism != nil:
		h.Extra = c.Optimism.After(parent).ExtraData()
	case h.Extra == nil && c.config.DAOForkSupport && daoRange(c.config, h.Number):
		h.Extra = params.DAOForkBlockExtra
	}
	return nil
}

// excessBlobGas returns the excess blob gas (EIP-4844, EIP-7918) of a block from Cancun on.
func (c *Chain) excessBlobGas(h, parent *types.Header) (uint64, error) {
	if parent.BaseFee == nil && c.config.IsOsaka(h.Number, h.Time) {
		return 0, fmt.Errorf("block %v is the first of london and in osaka: its blob fee needs a parent with a base fee", h.Number)
	}
	return c.NextExcessBlobGas(parent, h.Time), nil
}

// excessFor returns the least excess blob gas with which a block has at least this blob base fee, in wei.
func (c *Chain) excessFor(h *types.Header, fee *big.Int) uint64 {
	enough := func(excess uint64) bool {
		tried := *h
		tried.ExcessBlobGas = &excess
		return eip4844.CalcBlobFee(c.config, &tried).Cmp(fee) >= 0
	}
	most := uint64(1)
	for most < 1<<40 && !enough(most) { // fees up to 2^128 need less
		most *= 2
	}
	return uint64(sort.Search(int(most), func(excess int) bool { return enough(uint64(excess)) }))
}

// BlobBaseFee returns the price of a unit of blob gas in a block with that header, in wei; nil before Cancun.
func (c *Chain) BlobBaseFee(h *types.Header) *big.Int { return c.BlockContext(h).BlobBaseFee }

// daoRange reports whether block n is one of the ten blocks whose extra data names the side of the DAO fork (EIP-779).
func daoRange(config *params.ChainConfig, n *big.Int) bool {
	if config.DAOForkBlock == nil {
		return false
	}
	past := new(big.Int).Sub(n, config.DAOForkBlock)
	return past.Sign() >= 0 && past.Cmp(params.DAOForkExtraRange) < 0
}

// stackTries keeps tries for reuse, because a new one takes more memory than the lists of most blocks.
var stackTries = sync.Pool{New: func() any { return trie.NewStackTrie(nil) }}

// listRoot returns the root of the trie of transactions, receipts or withdrawals (Yellow Paper 4.3).
func listRoot(list types.DerivableList) common.Hash {
	t := stackTries.Get().(*trie.StackTrie)
	defer stackTries.Put(t)
	return types.DeriveSha(list, t)
}
