package fakenode

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/preconf"
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

// Address of the token.
func (t *Token) Address() common.Address { return t.network.token.address }

// Domain returns what signatures for the token are made for (contract 2.7).
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

// AuthorizationState is true once the nonce was used or canceled (contract 3.1).
func (t *Token) AuthorizationState(payer common.Address, nonce common.Hash) bool {
	return !t.word(tokencontract.AuthorizationSlot(payer, nonce)).IsZero()
}

// Exists tells whether there is code at the token's address: a Genesis of one's own may have no token.
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
	t.network.check(err) // the newest states are never pruned
	return state
}

// Mint creates amount token units (6 decimals) for an account; nil is 0, which the token refuses. Like the
// other methods that change the token, it sends a transaction of TokenOwner and seals it: the change is at
// latest when it returns. It fails the test, or panics outside one, with the token's reason when the token
// refuses.
func (t *Token) Mint(to common.Address, amount *uint256.Int) {
	if amount == nil {
		amount = new(uint256.Int)
	}
	t.act("mint", to, amount.ToBig())
}

// Pause makes every transfer, authorization and permit revert with "Pausable: paused".
func (t *Token) Pause() { t.act("pause") }

// Unpause ends Pause.
func (t *Token) Unpause() { t.act("unpause") }

// Blacklist bars an account from sending and receiving; its balance stays.
func (t *Token) Blacklist(account common.Address) { t.act("blacklist", account) }

// UnBlacklist ends Blacklist.
func (t *Token) UnBlacklist(account common.Address) { t.act("unBlacklist", account) }

func (t *Token) act(function string, arguments ...any) {
	data, err := tokencontract.ABI().Pack(function, arguments...)
	if err == nil {
		address := t.Address()
		_, err = t.network.transact(TokenOwner, &address, data, tokenGas)
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
	receipt, err := n.transact(TokenOwner, nil, variant.DeployCode(params), deployGas)
	if err != nil {
		return common.Address{}, fmt.Errorf("deploy token: %w", err)
	}
	return receipt.ContractAddress, nil
}

// transact signs a transaction, puts it into a block and returns its receipt. A transaction that fails, or
// does not get into the block, is an error, and all is as before. Faults that are armed wait for other transactions.
func (n *Network) transact(from Account, to *common.Address, data []byte, gas uint64) (receipt *types.Receipt, err error) {
	err = n.timeline.Atomically(func(own *preconf.Timeline) error {
		return own.Undisturbed(func() error {
			receipt, err = sealTransaction(own, from, to, data, gas)
			return err
		})
	})
	return receipt, err
}

func sealTransaction(timeline *preconf.Timeline, from Account, to *common.Address, data []byte, gas uint64) (*types.Receipt, error) {
	moment := timeline.Moment()
	feeCap := new(big.Int)
	if baseFee := moment.Pending().Header().BaseFee; baseFee != nil {
		feeCap.Mul(baseFee, big.NewInt(2))
	}
	tx, err := types.SignNewTx(from.Key, moment.Signer(), &types.LegacyTx{
		Nonce: moment.PoolNonce(from.Address), GasPrice: feeCap, Gas: gas, To: to, Data: data,
	})
	if err != nil {
		return nil, err
	}
	if err := timeline.Send(tx); err != nil {
		return nil, err
	}
	if moment.Mode() != Instant {
		if _, err := timeline.Seal(1); err != nil {
			return nil, err
		}
	}
	moment = timeline.Moment()
	found, ok := moment.Receipt(tx.Hash())
	switch {
	case !ok && moment.DropReason(tx.Hash()) != nil:
		return nil, fmt.Errorf("transaction %s of %s was dropped: %w", tx.Hash(), from.Address, moment.DropReason(tx.Hash()))
	case !ok:
		return nil, fmt.Errorf("transaction %s of %s did not get into block %d: no gas left there for its %d", tx.Hash(), from.Address, moment.Latest().Number(), gas)
	case found.Receipt.Status != types.ReceiptStatusSuccessful:
		return nil, fmt.Errorf("transaction %s of %s failed: %w", tx.Hash(), from.Address, whyFailed(moment, from, to, data, gas))
	}
	return found.Receipt, nil
}

// whyFailed makes the call of a transaction that failed once more, on the newest block's state: it has changed
// nothing that it could have failed for.
func whyFailed(moment *preconf.Moment, from Account, to *common.Address, data []byte, gas uint64) error {
	view, err := moment.Latest().CallView()
	if err != nil {
		return err
	}
	call := simulate.Call{From: &from.Address, To: to, Data: data, Gas: &gas}
	result, err := simulate.RunCall(context.Background(), view, call, nil, nil, simulate.Limits{})
	switch {
	case err != nil:
		return err
	case result.Err != nil:
		return result.Err
	}
	return errors.New("it would succeed now: another transaction of its block stood in its way")
}
