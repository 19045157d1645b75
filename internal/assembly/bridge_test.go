package assembly_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/b20"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rollup"
)

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
		s.L1 = &assembly.L1{Bridge: assembly.DevBridge, BlockTime: 6 * time.Second, Distance: 2}
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
		require.Zero(t, at.Maturity(read))
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
		s.Hardfork, s.BaseFee, s.GasLimit = hardfork, uint256.NewInt(77), 12_345_678
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
	require.Same(t, one.Moment().Chain(), two.Moment().Chain())
	for _, edit := range []func(*assembly.Spec){
		func(s *assembly.Spec) { s.Start = start.Add(time.Second) }, func(s *assembly.Spec) { s.ChainID = 5 },
		func(s *assembly.Spec) { s.Balance = fixtures.Ether("9") }, func(s *assembly.Spec) { s.Accounts = s.Accounts[:1] },
		func(s *assembly.Spec) { s.Contracts = assembly.PaymentContracts }, func(s *assembly.Spec) { s.GasLimit++ },
		func(s *assembly.Spec) { s.BaseFee = uint256.NewInt(3) }, func(s *assembly.Spec) { s.Hardfork = "prague" },
		func(s *assembly.Spec) { s.Chain.Optimism = optimism.Azul.DefaultRules() },
	} {
		s := newSpec(t)
		edit(s)
		other, _ := build(t, s)
		require.NotSame(t, one.Moment().Chain(), other.Moment().Chain())
		require.Equal(t, s.Hardfork == "prague", genesisOf(one) == genesisOf(other))
	}
}

// Ensure each account has as much of the stablecoin as of the token where the contracts of payments are.
func TestStablecoinOfAGenesis(t *testing.T) {
	t.Parallel()
	for contracts, has := range map[assembly.Contracts]bool{assembly.PaymentContracts: true, assembly.StandardContracts: false, assembly.NoContracts: false} {
		s := newSpec(t)
		s.Contracts = contracts
		holdings := map[common.Address]*uint256.Int{}
		for _, account := range s.Accounts {
			holdings[account.Address] = fixtures.USD("1000000")
		}
		main, testnet := build(t, s)
		for _, on := range []*preconf.Timeline{main, testnet} {
			state := stateOf(t, on)
			require.Equal(t, has, len(state.Code(b20.Address)) > 0, contracts)
			require.Equal(t, contracts != assembly.NoContracts, len(state.Code(fixtures.Multicall3Address)) > 0, contracts)
			for slot, value := range b20.Storage(holdings) {
				require.Equal(t, has, state.Storage(b20.Address, slot) == value, contracts)
			}
		}
	}
}
