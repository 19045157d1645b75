package command

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// DealERC20 serves anvil_dealERC20: it sets the account's balance of any token, in token units.
func DealERC20(r *api.Request, account, token common.Address, units amount) (any, error) {
	return nil, setTokenSlot(r, token, contracts.Call("balanceOf(address)", account), &units.Int)
}

// SetERC20Allowance serves anvil_setERC20Allowance: it sets what the spender may take, in token units.
func SetERC20Allowance(r *api.Request, owner, spender, token common.Address, units amount) (any, error) {
	return nil, setTokenSlot(r, token, contracts.Call("allowance(address,address)", owner, spender), &units.Int)
}

// setTokenSlot writes the storage slot from which the token answers a call, so that the answer becomes units.
func setTokenSlot(r *api.Request, token common.Address, data []byte, units *uint256.Int) error {
	if err := r.TakeTurn(); err != nil {
		return err
	}
	defer r.EndTurn()
	v, err := r.Moment().Latest().CallView()
	if err != nil {
		return err
	}
	if err := v.State.Load(token); err != nil {
		return err
	}
	if len(v.State.Code(token)) == 0 {
		return api.InvalidParams("%s: there is no contract at %s", r.Method, token)
	}
	call := simulate.Call{To: &token, Data: data}
	account, slot, found, err := simulate.DecidingSlot(r.Ctx, v, call, units, r.CallLimits())
	if err != nil {
		return err
	}
	if !found {
		return api.Errorf(api.CodeServer, "%s: no storage slot of token %s decides the answer to 0x%x alone", r.Method, token, data)
	}
	read, err := readBits(r, v, call, account, slot)
	if err != nil {
		return err
	}
	others := read.Not(read)
	return edit(r, account, func(s *evmstate.State) *evmstate.State {
		word := new(uint256.Int).SetBytes(s.Storage(account, slot).Bytes())
		return s.WithStorage(account, slot, word.And(word, others).Or(word, units).Bytes32())
	})
}

// readBits returns the bits of a slot that a token's answer is made of, as ones. Others may hold something else, such
// as a flag above the balance.
func readBits(r *api.Request, v chain.View, call simulate.Call, account common.Address, slot common.Hash) (*uint256.Int, error) {
	ones := new(uint256.Int).SetAllOne()
	full := simulate.StateOverrides{account: {StateDiff: map[common.Hash]common.Hash{slot: ones.Bytes32()}}}
	result, err := simulate.RunCall(r.Ctx, v, call, full, nil, r.CallLimits())
	if err != nil || len(result.ReturnData) != common.HashLength {
		return ones, err
	}
	read := new(uint256.Int).SetBytes(result.ReturnData)
	if above := new(uint256.Int).AddUint64(read, 1); !new(uint256.Int).And(read, above).IsZero() {
		return ones, nil // not the low bits alone
	}
	return read, nil
}

// payToken returns the payment token of the network.
func payToken(r *api.Request) paytoken.Token {
	return paytoken.Token{Timeline: r.Network.Timeline, Deployed: r.Network.Token}
}

// MintToken serves fakenode_mintToken: gives an account that many more units of the payment token, by a transaction of
// the token's owner if the node has its key, else by writing the balance. The answer is the new balance.
func MintToken(r *api.Request, account common.Address, units amount) (any, error) {
	balance, err := payToken(r).Mint(r.Ctx, account, &units.Int)
	return (*hexutil.U256)(balance), api.Refused(err)
}
