package fakenode

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
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
func (t *Token) Address() common.Address { return t.network.deployed().address }

// deployed returns the payment token of the network: on a fork the one that is there.
func (n *Network) deployed() deployment {
	if fork := n.Fork(); fork != nil {
		return tokenOf(fork)
	}
	return n.token
}

// Domain returns the EIP-712 domain of signatures for the token (contract 2.7-domainName). On a fork it asks the token
// for its name and version.
func (t *Token) Domain() tokencontract.Domain {
	domain := tokencontract.Domain{
		Name:              t.network.token.name,
		Version:           tokencontract.Version,
		ChainID:           t.network.ChainID(),
		VerifyingContract: t.Address(),
	}
	if t.network.Fork() != nil {
		domain.Name, _ = t.ask("name").(string)
		domain.Version, _ = t.ask("version").(string)
	}
	return domain
}

// BalanceOf returns what an account holds, in token units (6 decimals).
func (t *Token) BalanceOf(account common.Address) *uint256.Int { return t.number("balanceOf", account) }

// TotalSupply returns the sum of all balances, in token units (6 decimals).
func (t *Token) TotalSupply() *uint256.Int { return t.number("totalSupply") }

// AuthorizationState returns true once the nonce was used or canceled (contract 3.1-state).
func (t *Token) AuthorizationState(payer common.Address, nonce common.Hash) bool {
	used, _ := t.ask("authorizationState", payer, nonce).(bool)
	return used
}

// Exists reports whether there is code at the token's address: a Genesis of your own, or the chain under a fork, may
// have no token.
func (t *Token) Exists() bool {
	view, err := t.view()
	if err == nil {
		err = view.State.Load(t.Address())
	}
	if err != nil {
		t.network.check(err)
		return false
	}
	return len(view.State.Code(t.Address())) > 0
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
	answer, err := t.askOrFail(context.Background(), function, arguments...)
	t.network.check(err)
	return answer
}

// askOrFail does what ask does and returns the error.
func (t *Token) askOrFail(ctx context.Context, function string, arguments ...any) (any, error) {
	data, err := tokencontract.ABI().Pack(function, arguments...)
	if err != nil {
		return nil, err
	}
	view, err := t.view()
	if err != nil {
		return nil, err
	}
	result, err := simulate.RunCall(ctx, view, simulate.Call{To: new(t.Address()), Data: data}, nil, nil, simulate.Limits{})
	if err != nil || result.Err != nil {
		return nil, err
	}
	values, err := tokencontract.ABI().Unpack(function, result.ReturnData)
	if err != nil || len(values) == 0 {
		return nil, nil // no token
	}
	return values[0], nil
}

// view returns the View on which the token's functions are called.
func (t *Token) view() (chain.View, error) {
	if t.pending {
		return t.network.Timeline().Moment().Pending().CallView()
	}
	return t.network.Timeline().Moment().Latest().CallView()
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
	_, err := t.network.mint(context.Background(), to, amount)
	t.network.check(err)
}

// mint does what Mint does, and returns the new balance or the error.
func (n *Network) mint(ctx context.Context, to common.Address, amount *uint256.Int) (*uint256.Int, error) {
	t := n.Token()
	owner, err := t.askOrFail(ctx, "owner")
	switch {
	case err != nil:
		return nil, err
	case owner == nil:
		return nil, fmt.Errorf("token mint: there is no token at %s", t.Address())
	case owner == TokenOwner.Address:
		var data []byte
		if data, err = tokencontract.ABI().Pack("mint", to, amount.ToBig()); err == nil {
			_, err = n.transact(TokenOwner, Tx{To: new(t.Address()), Data: data, Gas: tokenGas})
		}
	default:
		err = t.credit(ctx, to, amount)
	}
	if err != nil {
		return nil, fmt.Errorf("token mint: %w", err)
	}
	balance, err := t.askOrFail(ctx, "balanceOf", to)
	if number, ok := balance.(*big.Int); ok {
		return uint256.MustFromBig(number), err
	}
	return new(uint256.Int), err
}

// credit adds to the balance of an account where the token keeps it.
func (t *Token) credit(ctx context.Context, to common.Address, amount *uint256.Int) error {
	held, err := t.askOrFail(ctx, "balanceOf", to)
	if err != nil {
		return err
	}
	balance, ok := held.(*big.Int)
	if !ok {
		return errors.New("it tells no balance")
	}
	sum, overflow := uint256.FromBig(balance)
	if _, more := sum.AddOverflow(sum, amount); overflow || more || sum.Gt(tokencontract.MaxBalance) {
		return fmt.Errorf("a balance of %v and %s more is above the token's limit", balance, amount.Dec())
	}
	data, err := tokencontract.ABI().Pack("balanceOf", to)
	if err != nil {
		return err
	}
	view, err := t.view()
	if err != nil {
		return err
	}
	account, slot, found, err := simulate.DecidingSlot(ctx, view, simulate.Call{To: new(t.Address()), Data: data}, sum, simulate.Limits{})
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("no storage slot of %s decides the balance of %s alone", t.Address(), to)
	}
	return t.network.timeline.EditState(func(s *evmstate.State) *evmstate.State { return s.WithStorage(account, slot, sum.Bytes32()) })
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
