package fakenode

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/tokencontract"
)

// tokenGas is enough for every administrative call of the token, deployGas for deploying one.
const (
	tokenGas  = 300_000
	deployGas = 6_000_000
)

// Token reads the payment token's state and acts as its owner. Reads see latest; those of Pending see what
// is pre-confirmed. Safe for concurrent use.
type Token struct {
	network *Network
	pending bool
}

// Pending returns a Token whose reads see pre-confirmed state.
func (t *Token) Pending() *Token { return &Token{network: t.network, pending: true} }

// Address returns the token's address.
func (t *Token) Address() common.Address { return t.network.token.address }

// Domain returns what signatures for the token are made for (contract 2.7-domainName).
func (t *Token) Domain() tokencontract.Domain {
	return tokencontract.Domain{
		Name:              t.network.token.name,
		Version:           tokencontract.Version,
		ChainID:           t.network.ChainID(),
		VerifyingContract: t.Address(),
	}
}

// BalanceOf returns what an account holds, in token units (6 decimals).
func (t *Token) BalanceOf(account common.Address) *uint256.Int {
	balance := t.word(tokencontract.MappingSlot(tokencontract.SlotBalances, account))
	return balance.And(balance, tokencontract.MaxBalance)
}

// TotalSupply returns the sum of all balances, in token units (6 decimals).
func (t *Token) TotalSupply() *uint256.Int {
	return t.word(uint256.NewInt(tokencontract.SlotTotalSupply).Bytes32())
}

// AuthorizationState returns true once the nonce was used or canceled (contract 3.1-state).
func (t *Token) AuthorizationState(payer common.Address, nonce common.Hash) bool {
	return !t.word(tokencontract.AuthorizationSlot(payer, nonce)).IsZero()
}

// Exists reports whether there is code at the token's address. A Genesis of your own may have no token.
func (t *Token) Exists() bool { return len(t.state().Code(t.Address())) > 0 }

func (t *Token) word(slot common.Hash) *uint256.Int {
	return new(uint256.Int).SetBytes32(t.state().Storage(t.Address(), slot).Bytes())
}

func (t *Token) state() *evmstate.State {
	view := t.network.timeline.Moment().Latest()
	if t.pending {
		view = t.network.timeline.Moment().Pending()
	}
	state, err := view.State()
	t.network.check(err) // cannot happen: the newest states are never pruned
	return state
}

// Mint creates amount token units (6 decimals) for an account; nil is 0, which the token rejects. Like the
// other methods that change the token, it sends a transaction of TokenOwner and seals it: the change is at
// latest when it returns. It fails the test, or panics outside one, with the token's reason when the token
// rejects the call.
func (t *Token) Mint(to common.Address, amount *uint256.Int) {
	t.network.node.t.Helper()
	t.act(TokenOwner, "mint", to, units(amount))
}

// Transfer sends amount token units (6 decimals) from an account whose key is known; nil is 0. It seals as Mint does.
func (t *Token) Transfer(from Account, to common.Address, amount *uint256.Int) {
	t.network.node.t.Helper()
	t.act(from, "transfer", to, units(amount))
}

// Approve lets spender take amount token units (6 decimals) from an account whose key is known; nil is 0. It seals as
// Mint does.
func (t *Token) Approve(owner Account, spender common.Address, amount *uint256.Int) {
	t.network.node.t.Helper()
	t.act(owner, "approve", spender, units(amount))
}

// units returns amount as the ABI takes it.
func units(amount *uint256.Int) *big.Int {
	if amount == nil {
		return new(big.Int)
	}
	return amount.ToBig()
}

// Pause makes every transfer, authorization and permit revert with "Pausable: paused".
func (t *Token) Pause() {
	t.network.node.t.Helper()
	t.act(TokenOwner, "pause")
}

// Unpause ends a Pause.
func (t *Token) Unpause() {
	t.network.node.t.Helper()
	t.act(TokenOwner, "unpause")
}

// Blacklist bars an account from sending and receiving; its balance stays.
func (t *Token) Blacklist(account common.Address) {
	t.network.node.t.Helper()
	t.act(TokenOwner, "blacklist", account)
}

// UnBlacklist ends a Blacklist.
func (t *Token) UnBlacklist(account common.Address) {
	t.network.node.t.Helper()
	t.act(TokenOwner, "unBlacklist", account)
}

func (t *Token) act(from Account, function string, arguments ...any) {
	t.network.node.t.Helper()
	data, err := tokencontract.ABI().Pack(function, arguments...)
	if err == nil {
		_, err = t.network.transact(from, Tx{To: new(t.Address()), Data: data, Gas: tokenGas})
	}
	if err != nil {
		t.network.check(fmt.Errorf("token %s: %w", function, err))
	}
}

// DeployToken deploys one more token in one transaction of TokenOwner, sealed when it returns, and gives
// its address. params.Owner defaults to TokenOwner. The error names the transaction.
func (n *Network) DeployToken(variant tokencontract.Variant, params tokencontract.Params) (common.Address, error) {
	if params.Owner == (common.Address{}) {
		params.Owner = TokenOwner.Address
	}
	receipt, err := n.transact(TokenOwner, Tx{Data: variant.DeployCode(params), Gas: deployGas})
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy token: %w", err)
	}
	return receipt.ContractAddress, nil
}
