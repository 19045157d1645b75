package tokencontract_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	ten      = fixtures.USD("10")
	oneUnit  = uint256.NewInt(1)
	maxUint  = new(uint256.Int).SetAllOne()
	nobody   = common.Address{}
	bigOne   = big.NewInt(1)
	bigMax   = maxUint.ToBig()
	startUSD = fixtures.USD("1000")
)

// world is a chain with a fresh token, its roles in separate hands, and a payer and a wallet with 1,000 dollars each.
type world struct {
	t      *testing.T
	chain  *evm
	token  common.Address
	domain tokencontract.Domain
	wallet common.Address // an ERC-1271 wallet; the payer's key signs for it

	payer, merchant, relayer, stranger             fixtures.Account
	owner, masterMinter, pauser, blacklister, mint fixtures.Account
}

func newWorld(t *testing.T, c *evm) *world {
	w := &world{
		t: t, chain: c,
		payer: fixtures.Dev(0), merchant: fixtures.Dev(1), relayer: fixtures.Dev(2), stranger: fixtures.Dev(3),
		owner: fixtures.Dev(4), masterMinter: fixtures.Dev(5), pauser: fixtures.Dev(6), blacklister: fixtures.Dev(7), mint: fixtures.Dev(8),
	}
	w.token = w.deploy(tokencontract.Strict.DeployCode(tokencontract.Params{
		Owner: w.owner.Address, MasterMinter: w.masterMinter.Address, Pauser: w.pauser.Address, Blacklister: w.blacklister.Address,
	}))
	w.domain = tokencontract.Domain{Name: tokencontract.MainnetName, Version: tokencontract.Version, ChainID: c.chainID, VerifyingContract: w.token}
	w.wallet = w.deployWallet(w.payer.Address)
	w.must(w.masterMinter, binding.PackConfigureMinter(w.mint.Address, bigMax))
	w.fund(w.payer.Address, startUSD)
	w.fund(w.wallet, startUSD)
	return w
}

// send sends a transaction to the token.
func (w *world) send(from fixtures.Account, data []byte) ending {
	return w.chain.Send(from, &w.token, data)
}

// must sends a transaction to the token that succeeds.
func (w *world) must(from fixtures.Account, data []byte) ending {
	outcome := w.send(from, data)
	reason, _ := abi.UnpackRevert(outcome.Output)
	require.True(w.t, outcome.Succeeded, "reverted: %q", reason)
	return outcome
}

// reverts sends a transaction to the token that reverts with a reason; "" is without any data.
func (w *world) reverts(from fixtures.Account, data []byte, reason string) {
	w.revertsAs(w.send(from, data), reason)
}

func (w *world) revertsAs(outcome ending, reason string) {
	require.False(w.t, outcome.Succeeded, "succeeded, want %q", reason)
	require.Empty(w.t, outcome.Logs)
	if reason == "" {
		require.Empty(w.t, outcome.Output)
		return
	}
	got, err := abi.UnpackRevert(outcome.Output)
	require.NoError(w.t, err, "revert data %x", outcome.Output)
	require.Equal(w.t, reason, got)
}

// deploy creates a contract as a stranger.
func (w *world) deploy(code []byte) common.Address {
	outcome := w.chain.Send(w.stranger, nil, code)
	reason, _ := abi.UnpackRevert(outcome.Output)
	require.True(w.t, outcome.Succeeded, "creation reverted: %q", reason)
	return outcome.Created
}

func (w *world) deployWallet(owner common.Address) common.Address {
	return w.deploy(contracts.DeployCode(contracts.WalletMetaData.Bin, contracts.NewWallet().PackConstructor(owner)...))
}

func (w *world) fund(account common.Address, amount *uint256.Int) {
	w.must(w.mint, tokencontract.PackMint(account, amount))
}

func (w *world) pause()                          { w.must(w.pauser, binding.PackPause()) }
func (w *world) unpause()                        { w.must(w.pauser, binding.PackUnpause()) }
func (w *world) blacklist(a common.Address)      { w.must(w.blacklister, binding.PackBlacklist(a)) }
func (w *world) unBlacklist(a common.Address)    { w.must(w.blacklister, binding.PackUnBlacklist(a)) }
func (w *world) slot(n common.Hash) *uint256.Int { return new(uint256.Int).SetBytes32(w.word(n)) }

func (w *world) word(slot common.Hash) []byte {
	word := w.chain.Storage(w.token, slot)
	return word[:]
}

// read calls the token and returns the only word, as a number.
func (w *world) read(data []byte) *uint256.Int {
	outcome := w.chain.Call(nobody, w.token, data)
	require.True(w.t, outcome.Succeeded)
	require.Len(w.t, outcome.Output, 32)
	return new(uint256.Int).SetBytes(outcome.Output)
}

func (w *world) is(want bool, data []byte) {
	require.Equal(w.t, want, !w.read(data).IsZero())
}

func (w *world) balanceIs(account common.Address, want *uint256.Int) {
	require.Equal(w.t, want.Dec(), w.read(tokencontract.PackBalanceOf(account)).Dec())
}

func (w *world) allowanceIs(owner, spender common.Address, want *uint256.Int) {
	require.Equal(w.t, want.Dec(), w.read(binding.PackAllowance(owner, spender)).Dec())
}

func (w *world) usedIs(want bool, authorizer common.Address, nonce common.Hash) {
	w.is(want, tokencontract.PackAuthorizationState(authorizer, nonce))
}

// logs checks a transaction's logs of the token: how many, and the names of their events in order.
func (w *world) logsAre(outcome ending, names ...string) {
	var got []string
	for _, log := range outcome.Logs {
		require.Equal(w.t, w.token, log.Address)
		event, err := tokencontract.ABI().EventByID(log.Topics[0])
		require.NoError(w.t, err)
		got = append(got, event.Name)
	}
	require.Equal(w.t, names, got)
}

func (w *world) transferLogIs(log *types.Log, from, to common.Address, value *uint256.Int) {
	transfer, err := tokencontract.DecodeTransfer(*log)
	require.NoError(w.t, err)
	require.Equal(w.t, tokencontract.Transfer{From: from, To: to, Value: value.Clone()}, transfer)
}

func plus(a *uint256.Int, b *uint256.Int) *uint256.Int  { return new(uint256.Int).Add(a, b) }
func minus(a *uint256.Int, b *uint256.Int) *uint256.Int { return new(uint256.Int).Sub(a, b) }
