package chain

import (
	"math/big"
)

// TotalDifficulty returns the sum of difficulties from the genesis up to the block.
func (b *Block) TotalDifficulty() *big.Int { return b.totalDifficulty }
