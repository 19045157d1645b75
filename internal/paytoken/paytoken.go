// Package paytoken reads and mints the payment token of a network.
package paytoken

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/transact"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

// CallGas is enough for every administrative call of the token.
const CallGas = 300_000

// Owner holds every role of the genesis token: owner, master minter, minter, pauser and blacklister. Its key is as
// public as those of the development accounts.
var Owner = fixtures.NamedAccount("fakenode token owner")

// Deployment is the address and the name of a token on one network.
type Deployment struct {
	Address common.Address
	Name    string
}

// The payment tokens of a node's networks. The L1's is where Ethereum's USDC is.
var (
	Main    = Deployment{tokencontract.MainnetAddress, tokencontract.MainnetName}
	Testnet = Deployment{tokencontract.TestnetAddress, tokencontract.TestnetName}
	L1      = Deployment{forkTokens[1], "USD Coin"}
)

// Or returns the deployment of a native token, or without one d.
func (d Deployment) Or(native common.Address) Deployment {
	if native == (common.Address{}) {
		return d
	}
	return Deployment{native, tokencontract.Symbol}
}

// forkTokens are where USDC is on public chains, by chain id. Elsewhere the token is looked for where Base has it.
var forkTokens = map[uint64]common.Address{
	1:        common.HexToAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
	5042:     tokencontract.NativeAddress,
	5042002:  tokencontract.NativeAddress,
	11155111: common.HexToAddress("0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"),
	84532:    tokencontract.TestnetAddress,
}

// AddressOn returns the address of the token on a fork.
func AddressOn(f *remote.Fork) common.Address {
	if address, ok := forkTokens[f.ChainID()]; ok {
		return address
	}
	return Main.Address
}

// Token is the payment token of a network. Its reads see latest, or with Pending pre-confirmed state.
type Token struct {
	Timeline *preconf.Timeline
	Deployed Deployment // unless the network is a fork
	Pending  bool
}

// Address returns the token's address: on a fork that of the other chain's token.
func (t Token) Address() common.Address {
	if fork := t.fork(); fork != nil {
		return AddressOn(fork)
	}
	return t.deployed().Address
}

func (t Token) deployed() Deployment { return t.Deployed.Or(t.Timeline.Moment().Chain().NativeToken) }

func (t Token) fork() *remote.Fork { return t.Timeline.Moment().Chain().Fork() }

// Domain returns the EIP-712 domain of signatures for the token. On a fork it asks the token for its name and version.
// The error is that of the other chain.
func (t Token) Domain(ctx context.Context) (tokencontract.Domain, error) {
	domain := tokencontract.Domain{
		Name:              t.deployed().Name,
		Version:           tokencontract.Version,
		ChainID:           t.Timeline.Moment().Chain().Config().ChainID.Uint64(),
		VerifyingContract: t.Address(),
	}
	if t.fork() == nil {
		return domain, nil
	}
	name, err := t.Ask(ctx, "name")
	if err != nil {
		return domain, err
	}
	version, err := t.Ask(ctx, "version")
	domain.Name, _ = name.(string)
	domain.Version, _ = version.(string)
	return domain, err
}

// Variant returns the variant of the token, or 0 where there is none or other code, and on a fork.
func (t Token) Variant() tokencontract.Variant {
	if t.fork() != nil {
		return 0
	}
	state, err := t.Timeline.Moment().Latest().State()
	if err != nil {
		return 0
	}
	return tokencontract.VariantOf(state.Code(t.Address()))
}

// Exists reports whether there is code at the token's address.
func (t Token) Exists() (bool, error) {
	view, err := t.view()
	if err == nil {
		err = view.State.Load(t.Address())
	}
	if err != nil {
		return false, err
	}
	return len(view.State.Code(t.Address())) > 0, nil
}

// Ask returns the result of a function of the token, or nil where there is no token. The error is that of a fork's
// other chain.
func (t Token) Ask(ctx context.Context, function string, arguments ...any) (any, error) {
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
func (t Token) view() (chain.View, error) {
	if t.Pending {
		return t.Timeline.Moment().Pending().CallView()
	}
	return t.Timeline.Moment().Latest().CallView()
}

// Act seals a call of a function of the token by an account whose key is known.
func (t Token) Act(from fixtures.Account, function string, arguments ...any) error {
	data, err := tokencontract.ABI().Pack(function, arguments...)
	if err == nil {
		_, err = transact.Tx{To: new(t.Address()), Data: data, Gas: CallGas}.Seal(t.Timeline, from)
	}
	if err != nil {
		return fmt.Errorf("token %s: %w", function, err)
	}
	return nil
}

// Mint creates that many units for an account, by a sealed transaction of Owner, and returns the balance. The token
// under a fork has another owner: there it writes the balance instead.
func (t Token) Mint(ctx context.Context, to common.Address, amount *uint256.Int) (*uint256.Int, error) {
	owner, err := t.Ask(ctx, "owner")
	switch {
	case err != nil:
		return nil, err
	case owner == nil:
		return nil, fmt.Errorf("token mint: there is no token at %s", t.Address())
	case owner == Owner.Address:
		err = t.Act(Owner, "mint", to, amount.ToBig())
	default:
		if err = t.credit(ctx, to, amount); err != nil {
			err = fmt.Errorf("token mint: %w", err)
		}
	}
	if err != nil {
		return nil, err
	}
	balance, err := t.Ask(ctx, "balanceOf", to)
	if number, ok := balance.(*big.Int); ok {
		return uint256.MustFromBig(number), err
	}
	return new(uint256.Int), err
}

// credit adds to the balance of an account where the token keeps it.
func (t Token) credit(ctx context.Context, to common.Address, amount *uint256.Int) error {
	held, err := t.Ask(ctx, "balanceOf", to)
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
	return t.Timeline.EditState(func(s *evmstate.State) *evmstate.State { return s.WithStorage(account, slot, sum.Bytes32()) })
}
