package chain

import (
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"
)

// EncodedSize returns the bytes that a block's size is taken to grow by with tx.
func EncodedSize(tx *types.Transaction) uint64 { return encodedSize(tx) }

// TotalDifficulty returns the sum of difficulties from the genesis up to the block.
func (b *Block) TotalDifficulty() *big.Int { return b.totalDifficulty }
