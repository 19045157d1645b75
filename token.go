package fakenode

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/tokencontract"
)

// TokenOwner holds every role of the genesis token: owner, master minter, minter, pauser and blacklister. Its key is as
// public as the keys of the development accounts.
var TokenOwner = paytoken.Owner

// X402Asset is a token that x402 pays with.
type X402Asset = paytoken.Asset

// X402Assets returns the tokens of Config.X402Assets on the network, x402's default first.
func (n *Network) X402Assets() []X402Asset { return paytoken.AssetsOf(n.Timeline().Moment().Chain()) }

// deployGas is enough for deploying a token.
const deployGas = 6_000_000

// Token reads the payment token's state and acts as its owner. Reads see latest; those of Pending see what
// is pre-confirmed. Safe for concurrent use.
type Token struct {
	network *Network
	pending bool
}

// Token returns the payment token of the genesis, which has USDC's address and name.
func (n *Network) Token() *Token { return &Token{network: n} }

// Pending returns a Token whose reads see pre-confirmed state.
func (t *Token) Pending() *Token { return &Token{network: t.network, pending: true} }

func (t *Token) now() paytoken.Token {
	return paytoken.Token{Timeline: t.network.Timeline(), Deployed: t.network.token, Pending: t.pending}
}

// Address returns the token's address.
func (t *Token) Address() common.Address { return t.now().Address() }

// Domain returns the EIP-712 domain of signatures for the token (contract 2.7-domainName). On a fork it asks the token
// for its name and version.
func (t *Token) Domain() tokencontract.Domain {
	domain, err := t.now().Domain(context.Background())
	t.network.check(err)
	return domain
}

// BalanceOf returns the balance of an account, in token units (6 decimals).
func (t *Token) BalanceOf(account common.Address) *uint256.Int { return t.number("balanceOf", account) }

// TotalSupply returns the sum of all balances, in token units (6 decimals).
func (t *Token) TotalSupply() *uint256.Int { return t.number("totalSupply") }

// AuthorizationState returns true once the nonce was used or canceled (contract 3.1-state).
func (t *Token) AuthorizationState(payer common.Address, nonce common.Hash) bool {
	used, _ := t.ask("authorizationState", payer, nonce).(bool)
	return used
}

// Variant returns Strict or DocumentedFlow, or 0 where there is no token or other code, and on a fork: its token is the
// other chain's. A node that Config.State kept has the token that it was made with.
func (t *Token) Variant() tokencontract.Variant { return t.now().Variant() }

// Exists reports whether there is code at the token's address: a Genesis of your own, or the chain under a fork, may
// have no token.
func (t *Token) Exists() bool {
	exists, err := t.now().Exists()
	t.network.check(err)
	return exists
}

// number asks the token for a number. It returns 0 where there is no token.
func (t *Token) number(function string, arguments ...any) *uint256.Int {
	answer, _ := t.ask(function, arguments...).(*big.Int)
	if answer == nil {
		return new(uint256.Int)
	}
	return uint256.MustFromBig(answer)
}

// ask returns the result of a function of the token, or nil where there is no token. It fails the test, or panics
// outside one, when a fork's remote chain does not answer.
func (t *Token) ask(function string, arguments ...any) any {
	answer, err := t.now().Ask(context.Background(), function, arguments...)
	t.network.check(err)
	return answer
}

// Mint creates amount token units (6 decimals) for an account; nil is 0, which the token rejects. Like the
// other methods that change the token, it sends a transaction of TokenOwner and seals it: the change is at
// latest when it returns. The token under a fork has another owner: there Mint writes the account's balance instead. It
// fails the test, or panics outside one, with the token's reason when the token rejects the call.
func (t *Token) Mint(to common.Address, amount *uint256.Int) {
	t.network.node.t.Helper()
	if amount == nil {
		amount = new(uint256.Int)
	}
	_, err := t.now().Mint(context.Background(), to, amount)
	t.network.check(err)
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
	t.network.check(t.now().Act(from, function, arguments...))
}

// DeployToken deploys one more token in one transaction of TokenOwner, sealed when it returns, and gives
// its address. params.Owner defaults to TokenOwner. The error names the transaction.
func (n *Network) DeployToken(variant tokencontract.Variant, params tokencontract.Params) (common.Address, error) {
	if params.Owner == (common.Address{}) {
		params.Owner = TokenOwner.Address
	}
	receipt, err := Tx{Data: variant.DeployCode(params), Gas: deployGas}.Seal(n.Timeline(), TokenOwner)
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy token: %w", err)
	}
	return receipt.ContractAddress, nil
}
