package chain

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
)

// View is the place at which a call is executed: Header gives the block context, State the accounts, and Chain the
// blocks below for BLOCKHASH.
type View struct {
	Chain  *Chain
	Header *types.Header
	State  *evmstate.State
}

// lowestBlobFee is the blob base fee in wei of a block without excess blob gas (EIP-4844). It is a variable because
// most blocks have this fee and computing it takes long.
var lowestBlobFee = big.NewInt(params.BlobTxMinBlobGasprice)

// BlockContext returns the EVM's view of the block with header h, which may be a block, an orphan or a draft on this
// chain. The returned value shares the numbers of h, so the caller must not modify them.
func (c *Chain) BlockContext(h *types.Header) vm.BlockContext {
	block := vm.BlockContext{
		CanTransfer:      core.CanTransfer,
		Transfer:         core.Transfer,
		GetHash:          c.HashFunc(h),
		Coinbase:         h.Coinbase,
		GasLimit:         h.GasLimit,
		BlockNumber:      h.Number,
		Time:             h.Time,
		Difficulty:       h.Difficulty,
		BaseFee:          h.BaseFee,
		CostPerStateByte: params.CostPerStateByte,
	}
	if h.SlotNumber != nil {
		block.SlotNum = *h.SlotNumber
	}
	switch {
	case h.ExcessBlobGas == nil:
	case *h.ExcessBlobGas == 0:
		block.BlobBaseFee = lowestBlobFee
	default:
		block.BlobBaseFee = eip4844.CalcBlobFee(c.config, h)
	}
	if h.Difficulty.Sign() == 0 {
		// Without it the EVM applies the rules of proof of work, whatever the fork.
		random := h.MixDigest
		block.Random = &random
	}
	return block
}

// HashFunc returns the function that resolves BLOCKHASH for the block with header h. It looks at the branch of h's
// parent and returns the zero hash for blocks that are not below h. The EVM itself limits how far back a contract can
// look.
func (c *Chain) HashFunc(h *types.Header) vm.GetHashFunc {
	number, parent := h.Number.Uint64(), h.ParentHash
	return func(n uint64) common.Hash {
		if n >= number {
			return common.Hash{}
		}
		for b, canonical := c.BlockByHash(parent); b != nil; b, canonical = c.BlockByHash(b.header.parent) {
			switch {
			case b.Number() == n:
				return b.hash
			case b.Number() < n:
				return common.Hash{}
			case n < c.base:
				return common.Hash{} // of a fork: the Machine asks the State's Source
			case canonical:
				return c.BlockByNumber(n).hash
			}
		}
		return common.Hash{}
	}
}
