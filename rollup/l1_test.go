package rollup_test

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rollup"
)

// Ensure an L2 that keeps its distance refers to L1 blocks that many behind the head, and takes a deposit when its
// block is that old.
func TestL1Distance(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{Distance: 4}, StartTime: time.Unix(1_800_000_000, 0)})
	node.Advance(2*time.Minute + 4*time.Second)
	origin := func() uint64 { return node.Moment().Chain().L1(node.Moment().Latest().Block()).Number }
	require.Equal(t, node.L1().BlockNumber()-4, origin())
	payee := common.Address{1, 2, 3}
	deposit := fakenode.Tx{To: &l1.Optimism.Portal, Value: uint256.NewInt(5), Data: l1.Deposit(payee, big.NewInt(5), 21_000)}
	_, err := node.L1().Transact(node.Account(0), deposit)
	require.NoError(t, err)
	node.L1().Seal()
	made := node.L1().BlockNumber()
	for paid := uint64(0); origin() <= made; node.Seal() {
		state, err := node.Moment().Latest().State()
		require.NoError(t, err)
		if paid = state.Balance(payee).Uint64(); origin() < made {
			require.Zero(t, paid)
		} else {
			require.EqualValues(t, 5, paid)
		}
	}
}

// Ensure an L1 that the main network cannot have, and values of one that is not there, are one error that names them.
func TestL1Rejected(t *testing.T) {
	t.Parallel()
	const beside = "an L1 beside the main network does not go together with "
	for want, config := range map[string]fakenode.Config{
		beside + "a fork, which has an L1 of its own":                                                     {Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, Fork: &fakenode.Fork{URL: "http://127.0.0.1:1"}},
		beside + "blocks to import, which refer":                                                          {Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, Import: strings.NewReader("")},
		beside + "a genesis of your own":                                                                  {Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, Genesis: new(fakenode.Genesis)},
		beside + `the rules "ethereum": want those of a`:                                                  {Preset: fakenode.Dev, L1: &fakenode.L1Config{}, Rules: fakenode.EthereumRules},
		beside + `contracts "none"`:                                                                       {Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, Contracts: fakenode.NoContracts},
		"block time 1.5s of the L1: want whole seconds":                                                   {Preset: fakenode.Optimism, L1: &fakenode.L1Config{BlockTime: 1500 * time.Millisecond}},
		"withdrawal delay -1s of the L1: want whole":                                                      {Preset: fakenode.Optimism, L1: &fakenode.L1Config{WithdrawalDelay: -time.Second}},
		"distance 151 of the L1: want at most 150 blocks, since a block of the L2 is at most 30m0s later": {Preset: fakenode.Base, L1: &fakenode.L1Config{Distance: 151}},
		"distance 19 of the L1: want at most 18 blocks":                                                   {Preset: fakenode.Base, L1: &fakenode.L1Config{Distance: 19, BlockTime: 100 * time.Second}},
	} {
		_, err := fakenode.New(config)
		require.ErrorContains(t, err, want)
	}
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base, L1: &fakenode.L1Config{Distance: 150}})
	require.NotNil(t, node.L1())
}

// Ensure what the operator sets in SystemConfig is so from the first L2 block on that refers to that L1 block, that a
// gas limit set for the L2 comes before it, and that the L1's randomness is the L2's.
func TestSystemConfig(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, StartTime: time.Unix(1_800_000_000, 0)})
	node.Advance(time.Minute)
	set := func(signature string, values ...uint64) {
		t.Helper()
		data := crypto.Keccak256([]byte(signature))[:4]
		for _, value := range values {
			data = binary.BigEndian.AppendUint64(append(data, make([]byte, 24)...), value)
		}
		at := l1.Optimism.SystemConfig
		_, err := node.L1().Transact(fakenode.L1Operator, fakenode.Tx{To: &at, Data: data})
		require.NoError(t, err)
	}
	before := node.Moment().Latest().Header()
	set("setGasLimit(uint64)", 77_000_000)
	set("setEIP1559Params(uint32,uint32)", 100, 3)
	set("setMinBaseFee(uint64)", 5_000_000)
	node.Advance(time.Minute)
	chain, after := node.Moment().Chain(), node.Moment().Latest().Header()
	require.NotEqual(t, before.GasLimit, after.GasLimit)
	require.EqualValues(t, 77_000_000, after.GasLimit)
	require.Equal(t, optimism.BaseFeeRules{Denominator: 100, Elasticity: 3, MinBaseFee: 5_000_000}, optimism.RulesIn(after.Extra, chain.Optimism.Upgrade).BaseFeeRules)
	require.GreaterOrEqual(t, after.BaseFee.Uint64(), uint64(5_000_000))
	for n := uint64(1); n <= node.BlockNumber(); n++ {
		block := chain.BlockByNumber(n)
		origin := node.L1().Moment().Chain().BlockByNumber(chain.L1(block).Number)
		require.Equal(t, origin.Header().MixDigest, block.Header().MixDigest)
	}
	require.NoError(t, node.Timeline().Set(preconf.GasLimit(40_000_000)))
	node.Advance(time.Minute)
	require.EqualValues(t, 40_000_000, node.Moment().Latest().Header().GasLimit)
}

// Ensure each L1 block brings a block of the L2 that refers to it where transactions make blocks, and a deposit is
// there at once.
func TestInstantPair(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, Mode: fakenode.Instant, StartTime: time.Unix(1_800_000_000, 0)})
	payee := common.Address{1, 2, 3}
	for range 3 {
		_, err := node.Transact(node.Account(0), fakenode.Tx{To: &payee})
		require.NoError(t, err)
		deposit := fakenode.Tx{To: &l1.Optimism.Portal, Value: uint256.NewInt(5), Data: l1.Deposit(payee, big.NewInt(5), 21_000)}
		_, err = node.L1().Transact(node.Account(0), deposit)
		require.NoError(t, err)
		require.Equal(t, node.L1().Moment().Latest().Hash(), node.Moment().Chain().L1(node.Moment().Latest().Block()).Hash)
		require.Equal(t, node.Now(), node.L1().Now())
	}
	require.EqualValues(t, 3, node.L1().BlockNumber())
	require.EqualValues(t, 6, node.BlockNumber())
	state, err := node.Moment().Latest().State()
	require.NoError(t, err)
	require.EqualValues(t, 15, state.Balance(payee).Uint64())
}

// Ensure a game about a block that is not newer than the anchor is refused before it is sent: at first that is the
// genesis, by its number or, where games are about super roots, its time.
func TestProposalsAreNewerThanTheAnchor(t *testing.T) {
	t.Parallel()
	for preset, at := range map[fakenode.Preset]int{
		fakenode.Base: 0, fakenode.Optimism: 1_800_000_000,
	} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: &fakenode.L1Config{}, StartTime: time.Unix(1_800_000_000, 0)})
		bridge, err := rollup.Of(node.Timeline())
		require.NoError(t, err)
		_, err = bridge.Propose(nil, nil)
		require.EqualError(t, err, fmt.Sprintf("a game about block 0 (%d) would not be newer than the anchor of the games (%[1]d)", at))
		node.Seal()
		_, err = bridge.Propose(nil, nil)
		require.NoError(t, err)
		node.L1().Seal()
		games, err := bridge.Games()
		require.NoError(t, err)
		require.Len(t, games, 1)
	}
}
