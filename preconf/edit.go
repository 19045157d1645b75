package preconf

import (
	"errors"
	"fmt"
	"maps"
	"math"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate"
)

// ErrDelegation is returned by Delegate for an account that no authorization of EIP-7702 can change.
var ErrDelegation = errors.New("no delegation (EIP-7702)")

// EditState replaces the state of latest by what f returns for it, and executes the pre-confirmed transactions again on
// top; a late block is announced first. The state root of the head then no longer matches its header; that of the next
// block does.
func (t *Timeline) EditState(f func(*evmstate.State) *evmstate.State) error {
	return t.edit(func(_ *change, state *evmstate.State) (*evmstate.State, error) { return f(state), nil })
}

// Delegate edits the state as an authorization does that the account signed (EIP-7702): the account runs the code of
// the implementation, or for the zero address none any more, and its nonce is one higher. ErrDelegation is returned
// where the authorization would have no effect: before prague, for an account with code of its own, and for one with
// the last nonce.
func (t *Timeline) Delegate(account, implementation common.Address) error {
	return t.edit(func(c *change, state *evmstate.State) (*evmstate.State, error) {
		next, nonce, code := c.NextHeader(), state.Nonce(account), state.Code(account)
		switch _, delegated := types.ParseDelegation(code); {
		case !c.chain.Config().IsPrague(next.Number, next.Time):
			return nil, fmt.Errorf("%w: the next block is not of prague yet", ErrDelegation)
		case len(code) > 0 && !delegated:
			return nil, fmt.Errorf("%w: %s has code of its own", ErrDelegation, account)
		case nonce == math.MaxUint64:
			return nil, fmt.Errorf("%w: %s has the last nonce there is", ErrDelegation, account)
		}
		designation := types.AddressToDelegation(implementation)
		if implementation == (common.Address{}) {
			designation = nil
		}
		return state.WithCode(account, designation).WithNonce(account, nonce+1), nil
	})
}

// ImpersonateSignature makes ecrecover return an address for a signature, whatever was signed.
func (t *Timeline) ImpersonateSignature(signature [crypto.SignatureLength]byte, a common.Address) error {
	return t.edit(func(c *change, state *evmstate.State) (*evmstate.State, error) {
		recovered := make(map[string]common.Address, len(c.control.Recovered)+1)
		maps.Copy(recovered, c.control.Recovered)
		recovered[hexutil.Encode(signature[:])] = a
		c.control.Recovered, c.chain = recovered, c.chain.WithRecovered(recovered)
		return state, nil
	})
}

// edit is EditState with an f that may fail.
func (t *Timeline) edit(f func(*change, *evmstate.State) (*evmstate.State, error)) error {
	return t.Set(ofBlocks(func(c *change) error {
		c.endLateness()
		state, err := c.chain.StateAt(c.chain.Head())
		if err != nil {
			return err
		}
		if state, err = f(c, state); err != nil {
			return err
		}
		c.chain = c.chain.WithState(state.Commit())
		c.control.Edited = true
		return nil
	}))
}
