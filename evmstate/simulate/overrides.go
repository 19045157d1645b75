package simulate

import (
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
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

// StateOverrides holds the overrides by account. A precompile whose account is overridden is no longer a precompile.
type StateOverrides map[common.Address]AccountOverride

// apply returns s with the overrides, and moves entries of precompiles. It goes through the accounts in ascending
// order, so that the same input gives the same error.
func (o StateOverrides) apply(s *evmstate.State, precompiles vm.PrecompiledContracts) (*evmstate.State, error) {
	moved := make(map[common.Address]bool)
	for _, address := range slices.SortedFunc(maps.Keys(o), common.Address.Cmp) {
		account := o[address]
		if moved[address] {
			return nil, &OverrideError{Address: address, Err: ErrMovedHere}
		}
		precompile, isPrecompile := precompiles[address]
		if target := account.MovePrecompileTo; target != nil {
			if err := o.checkMove(address, *target, isPrecompile); err != nil {
				return nil, err
			}
			precompiles[*target] = precompile
			moved[*target] = true
		}
		if isPrecompile {
			delete(precompiles, address)
		}
		if account.State != nil && account.StateDiff != nil {
			return nil, &OverrideError{Address: address, Err: ErrStateAndDiff}
		}
		if err := s.Load(address); err != nil {
			return nil, err
		}
		s = account.apply(s, address)
	}
	return s, nil
}

func (o StateOverrides) checkMove(from, to common.Address, isPrecompile bool) error {
	_, overridden := o[to]
	switch {
	case !isPrecompile:
		return &OverrideError{Address: from, Err: ErrNotPrecompile}
	case from == to:
		return &OverrideError{Address: from, Err: ErrMoveToSelf}
	case overridden:
		return &OverrideError{Address: to, Err: ErrMoveTarget}
	}
	return nil
}

func (a *AccountOverride) apply(s *evmstate.State, address common.Address) *evmstate.State {
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
	for slot, value := range a.State {
		s = s.WithStorage(address, slot, value)
	}
	for slot, value := range a.StateDiff {
		s = s.WithStorage(address, slot, value)
	}
	return s
}
