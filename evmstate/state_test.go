package evmstate_test

import (
	"math/big"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

var (
	slot1, slot2 = common.Hash{31: 1}, common.Hash{31: 2}
	wei          = uint256.NewInt
)

// richAlloc returns an allocation with a plain account and one with a balance, a nonce, code and storage.
func richAlloc() types.GenesisAlloc {
	return types.GenesisAlloc{
		alice: {Balance: big.NewInt(100), Nonce: 3},
		token: {
			Balance: big.NewInt(5), Nonce: 1, Code: []byte{0x60, 0x00},
			Storage: map[common.Hash]common.Hash{slot1: {1}, slot2: {2}},
		},
	}
}

func TestStateFromAlloc(t *testing.T) {
	t.Parallel()
	s := evmstate.StateFromAlloc(richAlloc())
	require.True(t, s.Exist(token))
	require.Equal(t, wei(5), s.Balance(token))
	require.Equal(t, uint64(3), s.Nonce(alice))
	require.Equal(t, []byte{0x60, 0x00}, s.Code(token))
	require.Equal(t, crypto.Keccak256Hash([]byte{0x60, 0x00}), s.CodeHash(token))
	require.Equal(t, types.EmptyCodeHash, s.CodeHash(alice))
	require.Equal(t, common.Hash{2}, s.Storage(token, slot2))
	require.Same(t, s, s.Commit(), "it is committed")
	require.Equal(t, newReference(t, richAlloc()).root, s.Root())
	require.Equal(t, richAlloc(), s.Alloc(), "comes back")
}

func TestStateDoesNotShareWithCaller(t *testing.T) {
	t.Parallel()
	alloc := richAlloc()
	code := alloc[token].Code
	s := evmstate.StateFromAlloc(alloc)
	code[0] = 0xff
	alloc[token].Storage[slot1] = common.Hash{9}
	s.Balance(token).SetUint64(0)
	s.Alloc()[token].Storage[slot1] = common.Hash{9}
	s.Alloc()[token].Code[0] = 0xff
	require.Equal(t, richAlloc(), s.Alloc())
}

// controls lists the ways to change a State, each with its effect on richAlloc.
var controls = []struct {
	name   string
	change func(*evmstate.State) *evmstate.State
	want   func(types.GenesisAlloc)
}{
	{
		"balance", func(s *evmstate.State) *evmstate.State { return s.WithBalance(token, wei(7)) },
		func(a types.GenesisAlloc) { edit(a, token, func(a *types.Account) { a.Balance = big.NewInt(7) }) },
	},
	{
		"balance of a new account", func(s *evmstate.State) *evmstate.State { return s.WithBalance(bob, wei(7)) },
		func(a types.GenesisAlloc) { a[bob] = types.Account{Balance: big.NewInt(7)} },
	},
	{
		"no balance for a new account", func(s *evmstate.State) *evmstate.State { return s.WithBalance(bob, wei(0)) },
		func(a types.GenesisAlloc) { a[bob] = types.Account{Balance: noWei()} },
	},
	{
		"nonce", func(s *evmstate.State) *evmstate.State { return s.WithNonce(token, 9) },
		func(a types.GenesisAlloc) { edit(a, token, func(a *types.Account) { a.Nonce = 9 }) },
	},
	{
		"code", func(s *evmstate.State) *evmstate.State { return s.WithCode(alice, []byte{1}) },
		func(a types.GenesisAlloc) { edit(a, alice, func(a *types.Account) { a.Code = []byte{1} }) },
	},
	{
		"no code", func(s *evmstate.State) *evmstate.State { return s.WithCode(token, nil) },
		func(a types.GenesisAlloc) { edit(a, token, func(a *types.Account) { a.Code = nil }) },
	},
	{
		"storage", func(s *evmstate.State) *evmstate.State { return s.WithStorage(token, slot1, common.Hash{9}) },
		func(a types.GenesisAlloc) {
			edit(a, token, func(a *types.Account) { a.Storage[slot1] = common.Hash{9} })
		},
	},
	{
		"storage set to zero", func(s *evmstate.State) *evmstate.State { return s.WithStorage(token, slot1, common.Hash{}) },
		func(a types.GenesisAlloc) { edit(a, token, func(a *types.Account) { delete(a.Storage, slot1) }) },
	},
	{
		"last storage set to zero",
		func(s *evmstate.State) *evmstate.State {
			return s.WithStorage(token, slot1, common.Hash{}).WithStorage(token, slot2, common.Hash{})
		},
		func(a types.GenesisAlloc) { edit(a, token, func(a *types.Account) { a.Storage = nil }) },
	},
	{
		"storage cleared", func(s *evmstate.State) *evmstate.State { return s.WithStorageCleared(token) },
		func(a types.GenesisAlloc) { edit(a, token, func(a *types.Account) { a.Storage = nil }) },
	},
	{
		"storage cleared and set", func(s *evmstate.State) *evmstate.State {
			return s.WithStorage(token, slot2, common.Hash{7}).WithStorageCleared(token).WithStorage(token, slot1, common.Hash{9})
		},
		func(a types.GenesisAlloc) {
			edit(a, token, func(a *types.Account) { a.Storage = map[common.Hash]common.Hash{slot1: {9}} })
		},
	},
	{
		"account removed", func(s *evmstate.State) *evmstate.State { return s.WithoutAccount(token) },
		func(a types.GenesisAlloc) { delete(a, token) },
	},
	{
		"account removed and made again",
		func(s *evmstate.State) *evmstate.State {
			return s.WithoutAccount(token).WithStorage(token, slot2, common.Hash{4})
		},
		func(a types.GenesisAlloc) {
			a[token] = types.Account{Balance: noWei(), Storage: map[common.Hash]common.Hash{slot2: {4}}}
		},
	},
	{"account without storage cleared", func(s *evmstate.State) *evmstate.State { return s.WithStorageCleared(bob) }, func(types.GenesisAlloc) {}},
	{"missing account removed", func(s *evmstate.State) *evmstate.State { return s.WithoutAccount(bob) }, func(types.GenesisAlloc) {}},
}

// noWei returns zero in the form in which a State returns it, because require distinguishes several forms of a zero
// big.Int.
func noWei() *big.Int { return new(uint256.Int).ToBig() }

func edit(alloc types.GenesisAlloc, address common.Address, change func(*types.Account)) {
	account := alloc[address]
	change(&account)
	alloc[address] = account
}

func TestStateControls(t *testing.T) {
	t.Parallel()
	for _, control := range controls {
		t.Run(control.name, func(t *testing.T) {
			t.Parallel()
			before := evmstate.StateFromAlloc(richAlloc())
			root := before.Root()
			after := control.change(before)
			want := richAlloc()
			control.want(want)
			require.Equal(t, want, after.Alloc())
			require.Equal(t, newReference(t, want).root, after.Root(), "root of the uncommitted State")
			require.Equal(t, newReference(t, want).root, after.Commit().Root())
			require.Equal(t, want, after.Commit().Alloc(), "committed")
			require.Equal(t, richAlloc(), before.Alloc(), "the old State is as it was")
			require.Equal(t, root, before.Root())
		})
	}
}

// TestStateManyAccounts has so many accounts that maps and tries have several levels, and more dirty keys than a table
// searches without an index.
func TestStateManyAccounts(t *testing.T) {
	t.Parallel()
	s, want := evmstate.NewState(), types.GenesisAlloc{}
	for i := range 2_000 {
		address, slot := common.BigToAddress(big.NewInt(int64(i))), common.BigToHash(big.NewInt(int64(i)))
		s = s.WithNonce(address, uint64(i)).WithStorage(token, slot, common.Hash{1, byte(i)})
		if i%3 == 0 {
			s = s.WithoutAccount(address).WithStorage(token, slot, common.Hash{})
		}
		if i%500 == 0 {
			s = s.Commit()
		}
	}
	for i := range 2_000 {
		if i%3 != 0 {
			want[common.BigToAddress(big.NewInt(int64(i)))] = types.Account{Nonce: uint64(i), Balance: noWei()}
		}
	}
	storage := map[common.Hash]common.Hash{}
	for i := range 2_000 {
		if i%3 != 0 {
			storage[common.BigToHash(big.NewInt(int64(i)))] = common.Hash{1, byte(i)}
		}
	}
	want[token] = types.Account{Balance: noWei(), Storage: storage}
	require.Equal(t, want, s.Alloc())
	require.Equal(t, newReference(t, want).root, s.Root())
}

// Ensure the accounts written since an earlier State are each named once, and none that was written before.
func TestStateWrittenSince(t *testing.T) {
	t.Parallel()
	earlier := evmstate.NewState().WithNonce(alice, 1)
	later := earlier.WithNonce(bob, 1).WithNonce(token, 1).WithNonce(bob, 2)
	require.ElementsMatch(t, []common.Address{bob, token}, later.WrittenSince(earlier))
	require.Empty(t, later.WrittenSince(later))
	require.ElementsMatch(t, []common.Address{bob}, later.Commit().WithNonce(bob, 3).WrittenSince(earlier), "since the last Commit")
}

// TestStateConcurrently is for the race detector: many goroutines read, commit, prove and change one uncommitted State.
func TestStateConcurrently(t *testing.T) {
	t.Parallel()
	s := evmstate.StateFromAlloc(benchAlloc()).WithStorage(token, slot1, common.Hash{1})
	root := s.Root()
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for range 20 {
				if s.Root() != root || s.Commit().Root() != root {
					t.Error("root differs")
				}
				s.Proof(token, []common.Hash{slot1})
				other := s.WithNonce(bob, uint64(i+1))
				if other.Root() == root || other.Nonce(bob) != uint64(i+1) {
					t.Error("change lost")
				}
			}
		})
	}
	wait.Wait()
}
