package simulate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// AccountOverride replaces parts of one account before a call. Nil fields leave the account's value (contract
// 2.5-stateOverrides).
type AccountOverride struct {
	Nonce *uint64
	Code  *[]byte
	// Balance is in wei.
	Balance *uint256.Int
	// State is the account's whole storage if it is not nil. It excludes StateDiff.
	State map[common.Hash]common.Hash
	// StateDiff changes single storage slots.
	StateDiff map[common.Hash]common.Hash
	// MovePrecompileTo is the new address of the precompile at this address.
	MovePrecompileTo *common.Address
}

// StateOverrides holds the overrides by account. A precompile whose account is overridden is no longer a precompile,
// see chain.Calls.FixedPrecompiles.
type StateOverrides map[common.Address]AccountOverride

// apply returns s with the overrides, and moves entries of precompiles. It goes through the accounts in ascending
// order, so that the same input gives the same error. It stops when the context ends, with its cause.
func (o StateOverrides) apply(ctx context.Context, s *evmstate.State, precompiles vm.PrecompiledContracts, fixed bool) (*evmstate.State, error) {
	for _, address := range slices.SortedFunc(maps.Keys(o), common.Address.Cmp) {
		account := o[address]
		precompile, isPrecompile := precompiles[address]
		if target := account.MovePrecompileTo; target != nil && !fixed {
			if err := o.checkMove(address, *target, isPrecompile); err != nil {
				return nil, err
			}
			precompiles[*target] = precompile
		}
		if isPrecompile && !fixed {
			delete(precompiles, address)
		}
		if account.State != nil && account.StateDiff != nil {
			return nil, fmt.Errorf("account %s %w", address, ErrStateAndDiff)
		}
		if err := s.Load(address); err != nil {
			return nil, err
		}
		s = account.apply(ctx, s, address)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return s, nil
}

func (o StateOverrides) checkMove(from, to common.Address, isPrecompile bool) error {
	_, overridden := o[to]
	switch {
	case !isPrecompile:
		return fmt.Errorf("account %s %w", from, ErrNotPrecompile)
	case from == to:
		return fmt.Errorf("account %s %w", from, ErrMoveToSelf)
	case overridden:
		return fmt.Errorf("account %s %w", to, ErrMoveTarget)
	}
	return nil
}

func (a *AccountOverride) apply(ctx context.Context, s *evmstate.State, address common.Address) *evmstate.State {
	if a.Nonce != nil {
		s = s.WithNonce(address, *a.Nonce)
	}
	if a.Code != nil {
		s = s.WithCode(address, *a.Code)
	}
	if a.Balance != nil {
		s = s.WithBalance(address, a.Balance)
	}
	if a.State != nil {
		// Even an empty storage creates an account that does not exist.
		s = s.WithNonce(address, s.Nonce(address)).WithStorageCleared(address)
	}
	for _, slots := range []map[common.Hash]common.Hash{a.State, a.StateDiff} {
		for slot, value := range slots {
			if ctx.Err() != nil {
				break
			}
			s = s.WithStorage(address, slot, value)
		}
	}
	return s
}

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
	block.BlockNumber = cmp.Or(o.Number, block.BlockNumber)
	block.Time = *cmp.Or(o.Time, &block.Time)
	block.GasLimit = *cmp.Or(o.GasLimit, &block.GasLimit)
	block.Coinbase = *cmp.Or(o.FeeRecipient, &block.Coinbase)
	block.Random = cmp.Or(o.PrevRandao, block.Random)
	block.BaseFee = cmp.Or(o.BaseFee, block.BaseFee)
	block.BlobBaseFee = cmp.Or(o.BlobBaseFee, block.BlobBaseFee)
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
	h.GasLimit = *cmp.Or(o.GasLimit, &h.GasLimit)
	h.Coinbase = *cmp.Or(o.FeeRecipient, &h.Coinbase)
	h.MixDigest = *cmp.Or(o.PrevRandao, &h.MixDigest)
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
