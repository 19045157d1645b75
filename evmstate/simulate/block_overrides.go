package simulate

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
)

// BlockOverrides replaces parts of the block in which a call is executed. Nil fields leave the block's value (contract
// 2.5-blockOverrides).
type BlockOverrides struct {
	Number *big.Int
	// Time is the timestamp in Unix seconds.
	Time         *uint64
	GasLimit     *uint64
	FeeRecipient *common.Address
	PrevRandao   *common.Hash
	// BaseFee and BlobBaseFee are in wei per gas.
	BaseFee, BlobBaseFee *big.Int
	// Difficulty has no effect after the merge.
	Difficulty *big.Int
	// BeaconRoot is the parent beacon block root (EIP-4788). Only simulations accept it.
	BeaconRoot *common.Hash
	// Withdrawals are the block's withdrawals. Only simulations accept them.
	Withdrawals *types.Withdrawals
	// BlockHash holds the answers of BLOCKHASH by block number.
	BlockHash map[uint64]common.Hash
}

// context applies the overrides to the block context of a single call.
func (o *BlockOverrides) context(block *vm.BlockContext) error {
	if o.BeaconRoot != nil {
		return fmt.Errorf("beaconRoot: %w", ErrBlockOverride)
	}
	if o.Withdrawals != nil {
		return fmt.Errorf("withdrawals: %w", ErrBlockOverride)
	}
	if o.Number != nil {
		block.BlockNumber = o.Number
	}
	if o.Time != nil {
		block.Time = *o.Time
	}
	if o.GasLimit != nil {
		block.GasLimit = *o.GasLimit
	}
	if o.FeeRecipient != nil {
		block.Coinbase = *o.FeeRecipient
	}
	if o.PrevRandao != nil {
		block.Random = o.PrevRandao
	}
	if o.BaseFee != nil {
		block.BaseFee = o.BaseFee
	}
	if o.BlobBaseFee != nil {
		block.BlobBaseFee = o.BlobBaseFee
	}
	if o.Difficulty != nil && block.Random == nil {
		block.Difficulty = o.Difficulty
	}
	block.GetHash = o.hashes(block.GetHash)
	return nil
}

// header applies the overrides to the header of a simulated block.
func (o *BlockOverrides) header(h *types.Header) {
	if o.Difficulty != nil && h.Difficulty.Sign() != 0 {
		h.Difficulty = o.Difficulty
	}
	if o.GasLimit != nil {
		h.GasLimit = *o.GasLimit
	}
	if o.FeeRecipient != nil {
		h.Coinbase = *o.FeeRecipient
	}
	if o.PrevRandao != nil {
		h.MixDigest = *o.PrevRandao
	}
}

// hashes returns a function that answers from BlockHash first and then from next.
func (o *BlockOverrides) hashes(next vm.GetHashFunc) vm.GetHashFunc {
	if len(o.BlockHash) == 0 {
		return next
	}
	return func(number uint64) common.Hash {
		if hash, ok := o.BlockHash[number]; ok {
			return hash
		}
		return next(number)
	}
}
