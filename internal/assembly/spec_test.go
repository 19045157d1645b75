package assembly_test

import (
	"maps"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/checkout"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/contracts/x402"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rollup"
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
		Start: start, Accounts: accounts, TestnetID: 84532, Options: keeping.Options{Main: timeline, Testnet: timeline},
		Recipe: assembly.Recipe{
			ChainID: 31337, GasLimit: assembly.DefaultGasLimit, BaseFee: *uint256.NewInt(assembly.DefaultBaseFee),
			Mnemonic: fixtures.DevMnemonic, Balance: *fixtures.Ether("10"), Contracts: assembly.NoContracts,
		},
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
			require.Equal(t, &s.Balance, state.Balance(account.Address))
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
	require.Equal(t, &s.Balance, stateOf(t, plain).Balance(s.Accounts[0].Address), "of a node without them")
}

// Ensure the sets of contracts are what they say.
func TestBuildWithContracts(t *testing.T) {
	t.Parallel()
	standard, payments := contracts.Predeploys(), assembly.Payments()
	for set, has := range map[assembly.Contracts][2]bool{
		assembly.NoContracts: {}, assembly.StandardContracts: {true}, assembly.PaymentContracts: {true, true},
	} {
		require.NoError(t, set.Check())
		s := newSpec(t)
		s.Contracts = set
		main, testnet := build(t, s)
		for i, alloc := range []types.GenesisAlloc{standard, payments} {
			require.NotEmpty(t, alloc)
			for address := range alloc {
				require.Equal(t, has[i], len(stateOf(t, main).Code(address)) > 0, "%s: %s", set, address)
				require.Equal(t, has[i], len(stateOf(t, testnet).Code(address)) > 0, "%s: %s", set, address)
			}
		}
	}
	require.EqualError(t, assembly.Contracts("some").Check(), `contracts "some" are neither "none", "standard" nor "payments"`)
}

// Ensure contracts that deploy no others are as after their deployment: code, the nonce of EIP-161, and no ether.
func TestPredeploysAreAsDeployed(t *testing.T) {
	t.Parallel()
	alloc := contracts.Predeploys()
	maps.Copy(alloc, assembly.Payments())
	for _, address := range []common.Address{
		contracts.Multicall3Address, contracts.Create2DeployerAddress, permit2.Address, x402.ExactAddress, x402.UptoAddress, checkout.Address,
	} {
		require.EqualValues(t, 1, alloc[address].Nonce, address)
		require.NotEmpty(t, alloc[address].Code, address)
		require.Zero(t, alloc[address].Balance.Sign(), address)
	}
}

// Ensure a genesis of the user's own is the main network's, with the blocks to import on it, and the test network has
// the one of every node.
func TestBuildOnGenesis(t *testing.T) {
	t.Parallel()
	s := newSpec(t)
	s.Expected.Genesis = assembly.NewGenesis(77, types.GenesisAlloc{stranger: {Balance: big.NewInt(5)}})
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

// Ensure a node of the OP stack has the stack's contracts, and one with an L1 stands on its genesis, with as many
// tokens locked on either side.
func TestBuildWithL1(t *testing.T) {
	t.Parallel()
	s := newSpec(t)
	s.Chain.Optimism = optimism.Azul.DefaultRules()
	alone, testnet := build(t, s)
	for _, on := range []*preconf.Timeline{alone, testnet} {
		require.NotNil(t, on.Moment().Chain().Optimism)
		require.NotEmpty(t, stateOf(t, on).Code(predeploys.StandardBridgeAddress))
	}
	require.Nil(t, alone.Below())

	s.L1 = &assembly.L1{Bridge: assembly.DevBridge, L1Config: assembly.L1Config{BlockTime: 12 * time.Second}}
	main, _ := build(t, s)
	below := main.Below()
	require.Nil(t, below.Moment().Chain().Optimism, "Ethereum's rules")
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

// Ensure the bridges take games of the OP stack's own types where the chain has these.
func TestBridges(t *testing.T) {
	t.Parallel()
	for kind, takes := range map[uint32][2]bool{0: {true, true}, 8: {false, true}, 9: {false, true}, 7: {}, 10: {}, 621: {}} {
		require.Equal(t, takes, [2]bool{assembly.BaseBridge.Takes(kind), assembly.OptimismBridge.Takes(kind)}, kind)
	}
	require.Equal(t, []common.Address{predeploys.StandardBridgeAddress, l1.Base.StandardBridge}, assembly.BaseBridge.Holders())
}

// Ensure the timelines of a pair are what the description says: the L2 derives from the L1 and has an operator, whose
// games are so many blocks apart, and the L1 has the settings that both share and no flashblocks.
func TestTimelinesOfAPair(t *testing.T) {
	t.Parallel()
	recipient := common.Address{7}
	for blockTime, interval := range map[time.Duration]uint64{0: uint64(20 * time.Minute / preconf.DefaultBlockTime), 4 * time.Second: 300} {
		s := newSpec(t)
		s.Chain.Optimism = optimism.Azul.DefaultRules()
		s.Main.BlockTime, s.Main.FeeRecipient, s.Main.Filters = blockTime, &recipient, filter.Limits{Count: 3, Timeout: time.Hour}
		s.L1 = &assembly.L1{Bridge: assembly.DevBridge, L1Config: assembly.L1Config{BlockTime: 6 * time.Second, Distance: 2}}
		main, _ := build(t, s)
		above, below := main.Config(), main.Below().Config()
		require.Equal(t, rollup.Derivation{Portal: l1.Base.Portal, SystemConfig: l1.Base.SystemConfig, Distance: 2}, above.Derivation)
		require.Equal(t, &rollup.Proposer{Addresses: l1.Base, Key: assembly.L1Operator.Key, Interval: interval, Roots: 20}, above.Operator)
		require.Equal(t, 6*time.Second, below.BlockTime)
		require.True(t, below.PendingPool)
		require.Equal(t, time.Duration(preconf.NoFlashblocks), below.FlashblockTime)
		require.Equal(t, []any{&recipient, filter.Limits{Count: 3, Timeout: time.Hour}, start}, []any{below.FeeRecipient, below.Filters, below.Start})

		at, read := assembly.DevBridge.At, stateOf(t, main.Below()).Storage
		require.EqualValues(t, 621, at.GameType(read))
		require.EqualValues(t, 86_400, at.Maturity(read))
		require.Zero(t, at.Finality(read))
		origin := main.Moment().Chain().L1(main.Moment().Chain().Head())
		require.Equal(t, common.BytesToHash(assembly.L1Operator.Address[:]), origin.BatcherHash)
		require.EqualValues(t, start.Unix(), origin.Time)
		genesis := main.Below().Moment().Chain().Head().Header()
		require.EqualValues(t, assembly.DefaultGasLimit, genesis.GasLimit)
		require.Empty(t, genesis.Extra)
		require.Zero(t, genesis.Coinbase)
		require.NotEmpty(t, stateOf(t, main).Code(l1.TokenFactory))
	}
}

// Ensure a genesis is one that the rules allow: of proof of work and without a base fee before these were replaced, and
// with the OP stack's own values on its chains.
func TestGenesisOfRules(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{1_000_000_000, 60_000_000}, []int{assembly.DefaultBaseFee, assembly.DefaultGasLimit})
	for hardfork, want := range map[string]struct {
		difficulty *big.Int
		baseFee    bool
	}{
		"berlin": {params.GenesisDifficulty, false}, "london": {params.GenesisDifficulty, true}, "paris": {new(big.Int), true}, "": {new(big.Int), true},
	} {
		s := newSpec(t)
		s.Hardfork, s.BaseFee, s.GasLimit = hardfork, *uint256.NewInt(77), 12_345_678
		main, testnet := build(t, s)
		for _, on := range []*preconf.Timeline{main, testnet} {
			header := on.Moment().Chain().Head().Header()
			require.Zero(t, want.difficulty.Cmp(header.Difficulty), hardfork)
			require.EqualValues(t, 12_345_678, header.GasLimit)
			require.Equal(t, want.baseFee, header.BaseFee != nil && header.BaseFee.Int64() == 77, hardfork)
		}
	}
	s := newSpec(t)
	s.Chain.Optimism = optimism.Azul.DefaultRules()
	main, _ := build(t, s)
	header := main.Moment().Chain().Head().Header()
	require.Equal(t, s.Chain.Optimism.ExtraData(), header.Extra)
	require.Equal(t, optimism.SequencerFeeVault, header.Coinbase)
	s.Hardfork = "prague"
	main, _ = build(t, s)
	require.False(t, main.Moment().Chain().Config().IsOsaka(new(big.Int), header.Time), "as given")
}

// Ensure nodes of the same description share what never changes, and others do not.
func TestNodesShareAGenesis(t *testing.T) {
	t.Parallel()
	one, _ := build(t, newSpec(t))
	two, _ := build(t, newSpec(t))
	require.Same(t, one.Moment().Chain().Genesis(), two.Moment().Chain().Genesis())
	for _, edit := range []func(*assembly.Spec){
		func(s *assembly.Spec) { s.Start = start.Add(time.Second) }, func(s *assembly.Spec) { s.ChainID = 5 },
		func(s *assembly.Spec) { s.Balance = *fixtures.Ether("9") }, func(s *assembly.Spec) { s.Accounts = s.Accounts[:1] },
		func(s *assembly.Spec) { s.Contracts = assembly.PaymentContracts }, func(s *assembly.Spec) { s.GasLimit++ },
		func(s *assembly.Spec) { s.BaseFee = *uint256.NewInt(3) }, func(s *assembly.Spec) { s.Hardfork = "prague" },
		func(s *assembly.Spec) { s.Chain.Optimism = optimism.Azul.DefaultRules() },
	} {
		s := newSpec(t)
		edit(s)
		other, _ := build(t, s)
		require.NotSame(t, one.Moment().Chain().Genesis(), other.Moment().Chain().Genesis())
		require.Equal(t, s.Hardfork == "prague", genesisOf(one) == genesisOf(other))
	}
}
