package assembly_test

import (
	"math/big"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
)

var (
	start    = time.Unix(1_700_000_000, 0).UTC()
	stranger = common.Address{0xaa}
)

// newSpec describes a node with two accounts and no contracts but the token.
func newSpec(t *testing.T) *assembly.Spec {
	t.Helper()
	accounts, err := fixtures.Accounts(fixtures.DevMnemonic, 2)
	require.NoError(t, err)
	timeline := preconf.Config{Start: start, BlockTime: 2 * time.Second}
	return &assembly.Spec{
		Start: start, Accounts: accounts, Mnemonic: fixtures.DevMnemonic, Balance: fixtures.Ether("10"),
		ChainID: 31337, TestnetID: 84532, GasLimit: assembly.DefaultGasLimit, BaseFee: uint256.NewInt(assembly.DefaultBaseFee),
		Contracts: assembly.NoContracts, Main: timeline, Testnet: timeline,
	}
}

// build returns the networks of a node that is not kept.
func build(t *testing.T, s *assembly.Spec) (main, testnet *preconf.Timeline) {
	t.Helper()
	main, testnet, kept, err := s.Build()
	require.NoError(t, err)
	require.Nil(t, kept)
	return main, testnet
}

// stateOf returns the state at the head of a network.
func stateOf(t *testing.T, on *preconf.Timeline) *evmstate.State {
	t.Helper()
	state, err := on.Moment().Latest().State()
	require.NoError(t, err)
	return state
}

// genesisOf returns the hash of a network's first block.
func genesisOf(on *preconf.Timeline) common.Hash { return on.Moment().Chain().BlockByNumber(0).Hash() }

// tokens returns how many units of the token an account has.
func tokens(t *testing.T, on *preconf.Timeline, token paytoken.Deployment, account common.Address) *big.Int {
	t.Helper()
	balance, err := paytoken.Token{Timeline: on, Deployed: token}.Ask(t.Context(), "balanceOf", account)
	require.NoError(t, err)
	return balance.(*big.Int)
}

// Ensure both networks of a node have the accounts, the token and their own chain id, and the same description makes
// the same blocks.
func TestBuild(t *testing.T) {
	t.Parallel()
	s := newSpec(t)
	main, testnet := build(t, s)
	for on, id := range map[*preconf.Timeline]uint64{main: 31337, testnet: 84532} {
		c, state := on.Moment().Chain(), stateOf(t, on)
		require.Equal(t, id, c.Config().ChainID.Uint64())
		header := c.Head().Header()
		require.EqualValues(t, start.Unix(), header.Time)
		require.EqualValues(t, assembly.DefaultGasLimit, header.GasLimit)
		require.EqualValues(t, assembly.DefaultBaseFee, header.BaseFee.Uint64())
		require.Nil(t, on.Below())
		token := paytoken.Main
		if on == testnet {
			token = paytoken.Testnet
		}
		for _, account := range s.Accounts {
			require.Equal(t, s.Balance, state.Balance(account.Address))
			require.Equal(t, fixtures.USD("1000000").ToBig(), tokens(t, on, token, account.Address))
		}
		require.False(t, state.Balance(paytoken.Owner.Address).IsZero(), "it pays for its transactions")
		require.Zero(t, tokens(t, on, token, stranger).Sign())
		require.Len(t, s.Accounts, 2)
	}
	again, testnetAgain := build(t, newSpec(t))
	require.Equal(t, genesisOf(main), genesisOf(again))
	require.Equal(t, genesisOf(testnet), genesisOf(testnetAgain))
	later := newSpec(t)
	later.Start = start.Add(time.Second)
	other, _ := build(t, later)
	require.NotEqual(t, genesisOf(main), genesisOf(other))
}

// Ensure accounts of the user's own are where they belong, and the later ones win.
func TestBuildWithOwnAccounts(t *testing.T) {
	t.Parallel()
	s := newSpec(t)
	both, one := common.Address{1}, common.Address{2}
	s.Predeploys = types.GenesisAlloc{both: {Balance: big.NewInt(1)}, s.Accounts[0].Address: {Balance: big.NewInt(2)}}
	s.Alloc = types.GenesisAlloc{one: {Balance: big.NewInt(3)}, s.Accounts[0].Address: {Balance: big.NewInt(4)}}
	main, testnet := build(t, s)
	for address, want := range map[common.Address][2]uint64{both: {1, 1}, one: {3, 0}, s.Accounts[0].Address: {4, 2}} {
		require.Equal(t, want, [2]uint64{stateOf(t, main).Balance(address).Uint64(), stateOf(t, testnet).Balance(address).Uint64()})
	}
	plain, _ := build(t, newSpec(t))
	require.Equal(t, s.Balance, stateOf(t, plain).Balance(s.Accounts[0].Address), "of a node without them")
}

// Ensure the sets of contracts are what they say.
func TestBuildWithContracts(t *testing.T) {
	t.Parallel()
	standard, payments := fixtures.Predeploys(), fixtures.PaymentContracts()
	for contracts, has := range map[assembly.Contracts][2]bool{
		assembly.NoContracts: {}, assembly.StandardContracts: {true}, assembly.PaymentContracts: {true, true},
	} {
		require.NoError(t, contracts.Check())
		s := newSpec(t)
		s.Contracts = contracts
		main, testnet := build(t, s)
		for i, alloc := range []types.GenesisAlloc{standard, payments} {
			require.NotEmpty(t, alloc)
			for address := range alloc {
				require.Equal(t, has[i], len(stateOf(t, main).Code(address)) > 0, "%s: %s", contracts, address)
				require.Equal(t, has[i], len(stateOf(t, testnet).Code(address)) > 0, "%s: %s", contracts, address)
			}
		}
	}
	require.EqualError(t, assembly.Contracts("some").Check(), `contracts "some" are neither "none", "standard" nor "payments"`)
}

// Ensure a genesis of the user's own is the main network's, with the blocks to import on it, and the test network has
// the one of every node.
func TestBuildOnGenesis(t *testing.T) {
	t.Parallel()
	s := newSpec(t)
	s.Genesis = assembly.NewGenesis(77, types.GenesisAlloc{stranger: {Balance: big.NewInt(5)}})
	main, testnet := build(t, s)
	require.EqualValues(t, 77, main.Moment().Chain().Config().ChainID.Uint64())
	require.EqualValues(t, 5, stateOf(t, main).Balance(stranger).Uint64())
	require.True(t, stateOf(t, main).Balance(s.Accounts[0].Address).IsZero())
	plain, plainTestnet := build(t, newSpec(t))
	require.Equal(t, genesisOf(plainTestnet), genesisOf(testnet))

	_, err := plain.Seal(3)
	require.NoError(t, err)
	var blocks strings.Builder
	require.NoError(t, plain.Moment().Chain().Export(&blocks))
	imported := newSpec(t)
	imported.Import = strings.NewReader(blocks.String())
	main, _ = build(t, imported)
	require.Equal(t, plain.Moment().Latest().Hash(), main.Moment().Latest().Hash())
	imported.Import = strings.NewReader("no block")
	_, _, _, err = imported.Build()
	require.ErrorContains(t, err, "import: ")
}

// Ensure a genesis of certain accounts has those and the system contracts alone.
func TestNewGenesis(t *testing.T) {
	t.Parallel()
	g := assembly.NewGenesis(77, types.GenesisAlloc{stranger: {Balance: big.NewInt(5)}})
	system := chain.SystemContracts(g.Config)
	require.NotEmpty(t, system)
	require.Len(t, g.Alloc, len(system)+1)
	for address := range system {
		require.Contains(t, g.Alloc, address)
	}
	require.EqualValues(t, 77, g.Config.ChainID.Uint64())
	require.Equal(t, []any{uint64(assembly.DefaultGasLimit), big.NewInt(assembly.DefaultBaseFee), new(big.Int)}, []any{g.GasLimit, g.BaseFee, g.Difficulty})
	require.True(t, g.Config.IsOsaka(new(big.Int), g.Timestamp))
}

// Ensure a node of the OP stack has the stack's contracts, and one with an L1 stands on its genesis, with as many
// tokens locked on either side.
func TestBuildWithL1(t *testing.T) {
	t.Parallel()
	s := newSpec(t)
	s.Chain.Optimism = optimism.Azul.DefaultRules()
	alone, testnet := build(t, s)
	for _, on := range []*preconf.Timeline{alone, testnet} {
		require.NotNil(t, on.Moment().Chain().Optimism())
		require.NotEmpty(t, stateOf(t, on).Code(predeploys.StandardBridgeAddress))
	}
	require.Nil(t, alone.Below())

	s.L1 = &assembly.L1{Bridge: assembly.DevBridge, BlockTime: 12 * time.Second}
	main, _ := build(t, s)
	below := main.Below()
	require.Nil(t, below.Moment().Chain().Optimism(), "Ethereum's rules")
	require.EqualValues(t, 900, below.Moment().Chain().Config().ChainID.Uint64())
	head := main.Moment().Chain().Head()
	require.Equal(t, genesisOf(below), main.Moment().Chain().L1(head).Hash)
	require.NotEmpty(t, stateOf(t, below).Code(assembly.DevBridge.At.Portal))
	require.EqualValues(t, 5*24*3600, assembly.DevBridge.At.Duration(stateOf(t, below).Storage), "games last for five days")
	holders := assembly.DevBridge.Holders()
	require.Equal(t, fixtures.USD("1000000000").ToBig(), tokens(t, main, paytoken.Main, holders[0]))
	require.Equal(t, fixtures.USD("1000000000").ToBig(), tokens(t, below, paytoken.L1, holders[1]))
	_, err := below.Seal(1)
	require.NoError(t, err)
	require.EqualValues(t, start.Unix()+12, below.Moment().Latest().Time())
}

// Ensure what cannot be built is an error that names it.
func TestBuildRefuses(t *testing.T) {
	t.Parallel()
	for want, edit := range map[string]func(*assembly.Spec){
		`"london2"`: func(s *assembly.Spec) { s.Hardfork = "london2" },
		"l1: ": func(s *assembly.Spec) {
			s.Chain.Optimism = optimism.Azul.DefaultRules()
			s.L1 = &assembly.L1{Bridge: assembly.DevBridge, BlockTime: -1}
		},
		"-1": func(s *assembly.Spec) { s.Testnet.Filters.Count = -1 },
	} {
		s := newSpec(t)
		edit(s)
		_, _, _, err := s.Build()
		require.ErrorContains(t, err, want)
	}
}

// Ensure a node with a file is the one that the file has, where it has one.
func TestBuildKeeps(t *testing.T) {
	t.Parallel()
	s := newSpec(t)
	s.Chain.Track, s.State = true, filepath.Join(t.TempDir(), "state.db")
	main, testnet, kept, err := s.Build()
	require.NoError(t, err)
	require.Same(t, main, kept.Main)
	require.Same(t, testnet, kept.Testnet)
	_, err = main.Seal(2)
	require.NoError(t, err)
	_, err = testnet.Seal(1)
	require.NoError(t, err)
	require.NoError(t, kept.Close())

	later := *s
	later.Start = start.Add(time.Hour) // a genesis is made once
	again, testnetAgain, kept, err := later.Build()
	require.NoError(t, err)
	require.Equal(t, main.Moment().Latest().Hash(), again.Moment().Latest().Hash())
	require.Equal(t, testnet.Moment().Latest().Hash(), testnetAgain.Moment().Latest().Hash())
	require.NoError(t, kept.Close())
}
