package rpcserver

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// dealERC20 serves anvil_dealERC20: the account's balance of a token, in token units, whatever the token.
func dealERC20(r *request, account, token common.Address, units amount) (any, error) {
	return nil, r.setTokenSlot(token, tokenCall("balanceOf(address)", account), &units.Int)
}

// setERC20Allowance serves anvil_setERC20Allowance: what the spender may take of the owner's tokens, in
// token units.
func setERC20Allowance(r *request, owner, spender, token common.Address, units amount) (any, error) {
	return nil, r.setTokenSlot(token, tokenCall("allowance(address,address)", owner, spender), &units.Int)
}

// tokenCall returns the call data of a function of addresses.
func tokenCall(signature string, arguments ...common.Address) []byte {
	data := crypto.Keccak256([]byte(signature))[:4]
	for _, argument := range arguments {
		data = append(data, common.LeftPadBytes(argument[:], 32)...)
	}
	return data
}

// setTokenSlot writes the storage slot that the token's answer to a call is read from, so that the answer
// becomes units.
func (r *request) setTokenSlot(token common.Address, data []byte, units *uint256.Int) error {
	v, err := r.moment().Latest().CallView()
	if err != nil {
		return err
	}
	if len(v.State.Code(token)) == 0 {
		return invalidParams("%s: there is no contract at %s", r.method, token)
	}
	account, slot, found, err := r.findTokenSlot(v, token, data, units)
	if err != nil {
		return err
	}
	if !found {
		return errorf(codeServer, "%s: no storage slot of token %s decides the answer to 0x%x alone", r.method, token, data)
	}
	return r.edit(func(s *evmstate.State) *evmstate.State { return s.WithStorage(account, slot, units.Bytes32()) })
}

// findTokenSlot tries each slot that the call reads: the one wanted makes the token answer what it holds,
// also through a proxy.
func (r *request) findTokenSlot(v chain.View, token common.Address, data []byte, units *uint256.Int) (
	account common.Address, slot common.Hash, found bool, err error,
) {
	call := simulate.Call{To: &token, Data: data}
	limits := r.callLimits()
	read, _, _, err := simulate.CreateAccessList(r.ctx, v, call, nil, nil, limits)
	if err != nil {
		return account, slot, false, err
	}
	// The amount itself may be what the token answers anyway, so another value is tried too.
	other := new(uint256.Int).AddUint64(units, 1)
	if units.Eq(new(uint256.Int).SetAllOne()) {
		other = uint256.NewInt(1)
	}
	for _, touched := range read {
		for _, key := range touched.StorageKeys {
			decides := true
			for _, value := range []*uint256.Int{units, other} {
				override := simulate.StateOverrides{touched.Address: {StateDiff: map[common.Hash]common.Hash{key: value.Bytes32()}}}
				result, err := simulate.RunCall(r.ctx, v, call, override, nil, limits)
				if err != nil {
					return account, slot, false, err
				}
				want := value.Bytes32()
				decides = decides && result.Err == nil && bytes.Equal(result.ReturnData, want[:])
			}
			if decides {
				return touched.Address, key, true, nil
			}
		}
	}
	return account, slot, false, nil
}
