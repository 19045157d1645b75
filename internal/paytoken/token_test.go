package paytoken_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

// forkOf starts a node on the head of another one's chain, and returns its token.
func forkOf(t *testing.T, below *fakenode.Node) (*fakenode.Node, paytoken.Token) {
	t.Helper()
	node := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}})
	return node, paytoken.Token{Timeline: node.Timeline(), Deployed: paytoken.Deployment{Address: common.Address{1}, Name: "other"}}
}

// Ensure the token of a fork is where USDC is on that chain, and that it tells its name, its version and its balances,
// and is minted, by the chain's own owner's leave or without.
func TestTokenOfFork(t *testing.T) {
	t.Parallel()
	base, sepolia := tokencontract.MainnetAddress, tokencontract.TestnetAddress
	for chainID, address := range map[uint64]common.Address{
		1:        common.HexToAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
		2:        base,
		8453:     base,
		84531:    base,
		84532:    sepolia,
		11155111: common.HexToAddress("0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"),
	} {
		below := fakenode.RunConfigT(t, fakenode.Config{ChainID: chainID})
		owner := map[bool]fakenode.Account{true: fakenode.TokenOwner, false: below.Account(3)}[chainID%2 == 0]
		account, err := tokencontract.Alloc(tokencontract.Genesis{
			Params:  tokencontract.Params{Name: "Euro", Owner: owner.Address},
			Address: address, ChainID: chainID,
			Minters:  map[common.Address]*uint256.Int{owner.Address: fixtures.USD("1")},
			Balances: map[common.Address]*uint256.Int{{0x77}: fixtures.USD("5")},
		})
		require.NoError(t, err)
		below.SetCode(address, account.Code)
		for slot, value := range account.Storage {
			below.SetStorage(address, slot, value)
		}
		below.Seal()

		node, token := forkOf(t, below)
		require.Equal(t, address, token.Address(), "chain %d", chainID)
		require.Equal(t, address, paytoken.AddressOn(node.Fork()))
		require.Zero(t, token.Variant())
		exists, err := token.Exists()
		require.NoError(t, err)
		require.True(t, exists)
		domain, err := token.Domain(t.Context())
		require.NoError(t, err)
		require.Equal(t, tokencontract.Domain{Name: "Euro", Version: "2", ChainID: chainID, VerifyingContract: address}, domain)
		blocks := node.BlockNumber()
		balance, err := token.Mint(t.Context(), common.Address{0x77}, uint256.NewInt(7))
		require.NoError(t, err)
		require.Equal(t, uint256.NewInt(5_000_007), balance)
		require.Equal(t, blocks+1-chainID%2, node.BlockNumber())
	}
}

// Ensure a chain without a token where it is looked for has none to tell or to mint, whatever the network had of its
// own, and that the one that does not answer is an error.
func TestForkWithoutToken(t *testing.T) {
	t.Parallel()
	below := fakenode.RunConfigT(t, fakenode.Config{ChainID: 1})
	usdc := common.HexToAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	_, token := forkOf(t, below)
	exists, err := token.Exists()
	require.NoError(t, err)
	require.False(t, exists)
	domain, err := token.Domain(t.Context())
	require.NoError(t, err)
	require.Equal(t, tokencontract.Domain{ChainID: 1, VerifyingContract: usdc}, domain)
	_, err = token.Mint(t.Context(), common.Address{0x77}, uint256.NewInt(7))
	require.EqualError(t, err, "token mint: there is no token at "+usdc.Hex())

	below = fakenode.RunT(t)
	f := servertest.OpenFork(t, below.URL(), "")
	on, err := chain.NewFork(f, below.Moment().Chain().Config(), evmstate.StateFromSource(f.At(f.Number())), chain.Options{})
	require.NoError(t, err)
	token.Timeline, err = preconf.New(preconf.Config{Chain: on})
	require.NoError(t, err)
	require.NoError(t, below.Close())
	_, err = token.Exists()
	require.Error(t, err)
	_, err = token.Ask(t.Context(), "name")
	require.Error(t, err)
	_, err = token.Domain(t.Context())
	require.Error(t, err)
	_, err = token.Mint(t.Context(), common.Address{0x77}, uint256.NewInt(7))
	require.Error(t, err)
	require.NotContains(t, err.Error(), "there is no token")
}

// Ensure minting by hand says why it cannot: the token tells no balance, its balance hangs on no slot alone, or would
// be more than a word or a balance can hold. Nothing is changed then.
func TestMintRefused(t *testing.T) {
	t.Parallel()
	five := program.New().Push(5).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
	// Only a call whose data is a selector alone, such as that of owner, is answered.
	silent := append(program.New().Push(4).Op(vm.CALLDATASIZE, vm.EQ).Push(8).Op(vm.JUMPI, vm.STOP, vm.JUMPDEST).Bytes(), five...)
	word := new(uint256.Int).SetAllOne()
	for refusal, c := range map[string]struct {
		code   []byte
		amount *uint256.Int
	}{
		"it tells no balance": {silent, uint256.NewInt(1)},
		"no storage slot of " + tokencontract.MainnetAddress.Hex() + " decides the balance of " + common.Address{0x77}.Hex() + " alone": {five, uint256.NewInt(1)},
		"a balance of 5 and " + word.Dec() + " more is above the token's limit":                                                         {five, word},
		"a balance of 5 and " + new(uint256.Int).SubUint64(tokencontract.MaxBalance, 4).Dec() + " more is above the token's limit":      {five, new(uint256.Int).SubUint64(tokencontract.MaxBalance, 4)},
	} {
		node := fakenode.RunT(t)
		node.SetCode(tokencontract.MainnetAddress, c.code)
		token := paytoken.Token{Timeline: node.Timeline(), Deployed: paytoken.Main}
		before := node.Moment()
		_, err := token.Mint(t.Context(), common.Address{0x77}, c.amount)
		require.EqualError(t, err, "token mint: "+refusal)
		require.Equal(t, before, node.Moment())
	}
}

// Ensure reads see latest, and with Pending what is pre-confirmed; an account that a function does not take, or one
// that the token does not have, is an error.
func TestReads(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	latest := paytoken.Token{Timeline: node.Timeline(), Deployed: paytoken.Main}
	pending := latest
	pending.Pending = true
	to := common.Address{0x77}
	data, err := tokencontract.ABI().Pack("transfer", to, big.NewInt(9))
	require.NoError(t, err)
	_, err = node.Transact(node.Account(0), fakenode.Tx{To: new(latest.Address()), Data: data, Gas: 100_000})
	require.NoError(t, err)
	node.Preconfirm()
	for token, want := range map[paytoken.Token]*big.Int{latest: new(big.Int), pending: big.NewInt(9)} {
		have, err := token.Ask(t.Context(), "balanceOf", to)
		require.NoError(t, err)
		require.Zero(t, want.Cmp(have.(*big.Int)), "%v", have)
	}
	_, err = latest.Ask(t.Context(), "balanceOf")
	require.ErrorContains(t, err, "argument count mismatch")
	_, err = latest.Ask(t.Context(), "nothing")
	require.ErrorContains(t, err, "method 'nothing' not found")
	require.ErrorContains(t, latest.Act(paytoken.Owner, "nothing"), "token nothing: method 'nothing' not found")
	require.Equal(t, tokencontract.DocumentedFlow, latest.Variant())
	domain, err := latest.Domain(t.Context())
	require.NoError(t, err)
	require.Equal(t, tokencontract.Domain{Name: "USD Coin", Version: "2", ChainID: node.ChainID(), VerifyingContract: paytoken.Main.Address}, domain)

	state, err := node.Moment().Latest().State()
	require.NoError(t, err)
	require.Empty(t, state.Code(to))
	none := paytoken.Token{Timeline: node.Timeline(), Deployed: paytoken.Deployment{Address: to}}
	require.Zero(t, none.Variant())
	for _, function := range []string{"name", "pause"} {
		answer, err := none.Ask(t.Context(), function)
		require.NoError(t, err)
		require.Nil(t, answer)
	}
	exists, err := none.Exists()
	require.NoError(t, err)
	require.False(t, exists)
}

// Ensure fakenode_mintToken adds to a balance and answers with it, by a transaction of the owner whose key is known,
// and by hand where the owner is somebody else; and that both refuse more than a balance can be, and change nothing.
func TestMint(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	to := common.Address{19: 0x77}
	mint := func(units *big.Int) (balance hexutil.U256, err error) {
		err = node.Client().Client().CallContext(t.Context(), &balance, "fakenode_mintToken", to, (*hexutil.Big)(units))
		return balance, err
	}
	limit := tokencontract.MaxBalance.ToBig()
	above := new(big.Int).Sub(limit, big.NewInt(11))
	for _, c := range []struct {
		blocks, held uint64
		refusal      string
	}{{1, 12, "FiatToken: mint amount exceeds minterAllowance"}, {0, 24, "token mint: a balance of 24 and "}} {
		before := node.BlockNumber()
		balance, err := mint(big.NewInt(12))
		require.NoError(t, err)
		require.Equal(t, uint256.NewInt(c.held), (*uint256.Int)(&balance))
		require.Equal(t, (*uint256.Int)(&balance), node.Token().BalanceOf(to))
		require.Equal(t, before+c.blocks, node.BlockNumber())
		_, err = mint(above)
		require.ErrorContains(t, err, c.refusal)
		require.Equal(t, (*uint256.Int)(&balance), node.Token().BalanceOf(to))

		data, err := tokencontract.ABI().Pack("transferOwnership", node.Account(3).Address)
		require.NoError(t, err)
		token := node.Token().Address()
		hash, err := node.Transact(fakenode.TokenOwner, fakenode.Tx{To: &token, Data: data, Gas: 100_000})
		require.NoError(t, err)
		node.Seal()
		_, err = node.Receipt(t.Context(), hash)
		require.NoError(t, err)
	}
	full := new(big.Int).Sub(limit, big.NewInt(24))
	balance, err := mint(full)
	require.NoError(t, err)
	require.Equal(t, tokencontract.MaxBalance, (*uint256.Int)(&balance), "the most it can be")
	_, err = mint(big.NewInt(1))
	require.ErrorContains(t, err, "1 more is above the token's limit")
}
