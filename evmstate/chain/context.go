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

// View is where a call runs: Header gives the block context, State the accounts, Chain the blocks below for BLOCKHASH.
type View struct {
	Chain  *Chain
	Header *types.Header
	State  *evmstate.State
}

// lowestBlobFee is the blob base fee of a block without excess blob gas (EIP-4844): of most blocks, and dear to compute.
var lowestBlobFee = big.NewInt(params.BlobTxMinBlobGasprice)

// BlockContext returns what the EVM sees of the block with header h, a block, orphan or draft on this chain. It shares h's
// numbers: do not modify.
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
	switch {
	case h.ExcessBlobGas == nil:
	case *h.ExcessBlobGas == 0:
		block.BlobBaseFee = lowestBlobFee
	default:
		block.BlobBaseFee = eip4844.CalcBlobFee(c.config, h)
	}
	if h.Difficulty.Sign() == 0 {
		// The EVM takes a block without it for proof of work, whatever the fork.
		random := h.MixDigest
		block.Random = &random
	}
	return block
}

// HashFunc resolves BLOCKHASH for the block with header h: it answers on the branch of h's parent, zero for blocks that
// are not below h. The EVM itself bounds how far back a contract can ask.
func (c *Chain) HashFunc(h *types.Header) vm.GetHashFunc {
	number, parent := h.Number.Uint64(), h.ParentHash
	return func(n uint64) common.Hash {
		if n >= number {
			return common.Hash{}
		}
		for b, canonical := c.BlockByHash(parent); b != nil; b, canonical = c.BlockByHash(b.header.ParentHash) {
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
