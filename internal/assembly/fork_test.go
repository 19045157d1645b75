package assembly_test

import (
	"bytes"
	"log/slog"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/keeping"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// newFork returns a chain with three blocks, on which the first development account delegates and the stranger has 7
// wei, and the description of a fork of it.
func newFork(t *testing.T) (*servertest.Network, *assembly.Spec) {
	t.Helper()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Do("anvil_setCode", servertest.Alice.Address, hexutil.Bytes(types.AddressToDelegation(servertest.Counter)))
	n.Do("anvil_setBalance", stranger, "0x7")
	n.Seal(3)
	s := newSpec(t)
	s.ChainID, s.Fork = 0, &remote.Config{URL: n.Server.URL()}
	return n, s
}

// Ensure a fork goes on from the other chain's block, where the development accounts and the token's owner have their
// balance and no code.
func TestBuildFork(t *testing.T) {
	t.Parallel()
	n, s := newFork(t)
	main, testnet := build(t, s)
	c, state := main.Moment().Chain(), stateOf(t, main)
	require.EqualValues(t, servertest.ChainID, c.Config().ChainID.Uint64())
	require.EqualValues(t, 3, c.Base())
	require.Equal(t, n.Timeline.Moment().Latest().Hash(), c.Head().Hash())
	require.EqualValues(t, 7, state.Balance(stranger).Uint64())
	require.NotEmpty(t, state.Code(servertest.Counter))
	for _, address := range []common.Address{s.Accounts[0].Address, s.Accounts[1].Address, paytoken.Owner.Address} {
		require.Equal(t, &s.Balance, state.Balance(address))
		require.Empty(t, state.Code(address))
	}
	require.Nil(t, testnet.Moment().Chain().Fork())

	s.ChainID, s.Fork.Block = 5, "1"
	main, _ = build(t, s)
	require.EqualValues(t, 5, main.Moment().Chain().Config().ChainID.Uint64(), "as given")
	require.EqualValues(t, 1, main.Moment().Latest().Number())
	for want, edit := range map[string]func(*assembly.Spec){
		"chain id 84532 of the fork is that of the test network": func(s *assembly.Spec) { s.ChainID = s.TestnetID },
		`rules "denim" do not go together with a fork of block`:  func(s *assembly.Spec) { s.Expected.Rules = optimism.Denim.Name },
		`"london2"`: func(s *assembly.Spec) { s.Hardfork = "london2" },
	} {
		wrong := *s
		edit(&wrong)
		_, _, _, err := wrong.Build()
		require.ErrorContains(t, err, want)
	}
}

// Ensure a fork begins anew at another block or chain, and one that was none begins as a fork.
func TestRefork(t *testing.T) {
	t.Parallel()
	n, s := newFork(t)
	s.Fork.CacheFile = filepath.Join(t.TempDir(), "fork.jsonl")
	main, testnet := build(t, s)
	require.NoError(t, s.Refork(nil, main, "", "2"))
	require.EqualValues(t, 2, main.Moment().Latest().Number())
	require.Equal(t, &s.Balance, stateOf(t, main).Balance(s.Accounts[0].Address))
	require.Empty(t, main.Moment().Chain().Fork().Config().CacheFile, "which is of another block")
	require.ErrorContains(t, s.Refork(nil, main, "", "9"), "9")
	require.EqualValues(t, 2, main.Moment().Latest().Number(), "what fails changes nothing")

	other, _ := newFork(t)
	other.Seal(4)
	require.NoError(t, s.Refork(nil, main, other.Server.URL(), ""))
	require.EqualValues(t, 7, main.Moment().Latest().Number())
	require.NoError(t, s.Refork(nil, testnet, n.Server.URL(), ""))
	require.EqualValues(t, 3, testnet.Moment().Latest().Number())
}

// Ensure a network that cannot begin anew elsewhere says why, and stays.
func TestReforkRefuses(t *testing.T) {
	t.Parallel()
	n, forked := newFork(t)
	forked.Fork.CacheFile = filepath.Join(t.TempDir(), "fork.jsonl")
	saved, _ := build(t, forked)
	require.NoError(t, saved.Moment().Chain().Fork().Save())
	forked.Fork = &remote.Config{CacheFile: forked.Fork.CacheFile}
	offline, _ := build(t, forked)
	require.ErrorContains(t, forked.Refork(nil, offline, n.Server.URL(), "1"), "the fork is offline")

	s := newSpec(t)
	plain, _ := build(t, s)
	require.ErrorContains(t, s.Refork(nil, plain, "", "1"), "no URL to fork from")
	var told bytes.Buffer
	s.Chain.Track, s.Path, s.Logger = true, filepath.Join(t.TempDir(), "state.db"), slog.New(slog.NewTextHandler(&told, nil))
	main, _, kept, err := s.Build()
	require.NoError(t, err)
	require.ErrorIs(t, s.Refork(kept, main, n.Server.URL(), ""), keeping.ErrOneChain)
	world := main.Copy()
	kept.Keep(world, main, "left", "main", start, "", 0)
	require.NoError(t, s.Refork(kept, world, n.Server.URL(), ""))
	require.Contains(t, told.String(), "main of world left")
	require.NoError(t, kept.Close())

	paired := newSpec(t)
	paired.Chain.Optimism, paired.L1 = optimism.Azul.DefaultRules(), &assembly.L1{Bridge: assembly.DevBridge}
	l2, _ := build(t, paired)
	for _, on := range []*preconf.Timeline{l2, l2.Below()} {
		before := on.Moment()
		require.ErrorContains(t, paired.Refork(nil, on, n.Server.URL(), ""), "belong together")
		require.Same(t, before, on.Moment())
	}
}

// Ensure a fork has the rules of its block unless others are given, tells what it does to the node's logger or its own,
// and has what the node needs of the other chain once it has begun.
func TestForkOfOlderRules(t *testing.T) {
	t.Parallel()
	n := fakenode.RunConfigT(t, fakenode.Config{Hardfork: "shanghai"})
	recipient := n.Account(9).Address
	var ours, its bytes.Buffer
	s := newSpec(t)
	s.ChainID, s.Fork, s.Main.FeeRecipient = 0, &remote.Config{URL: n.URL(), Retries: -1}, &recipient
	s.Logger = slog.New(slog.NewTextHandler(&ours, nil))
	main, _ := build(t, s)
	rules, now := main.Moment().Chain().Config(), main.Moment().Latest().Time()
	require.True(t, rules.IsShanghai(new(big.Int), now))
	require.False(t, rules.IsCancun(new(big.Int), now))
	require.Contains(t, ours.String(), "fork block pinned")
	s.Hardfork, s.Fork.Logger = "prague", slog.New(slog.NewTextHandler(&its, nil))
	ours.Reset()
	newer, _ := build(t, s)
	require.True(t, newer.Moment().Chain().Config().IsPrague(new(big.Int), now), "as given")
	require.Empty(t, ours.String())
	require.Contains(t, its.String(), "fork block pinned")

	require.NoError(t, n.Close())
	for _, on := range []*preconf.Timeline{main, newer} {
		state := stateOf(t, on)
		require.NotEmpty(t, state.Code(paytoken.Main.Address))
		require.False(t, state.Balance(recipient).IsZero())
	}
}
