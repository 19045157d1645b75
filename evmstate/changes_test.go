package evmstate_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure the changes of a State lead from the State that was tracked to it, whatever happened in between.
func TestChanges(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		before := shuffled(evmstate.NewState(), random, 20).Commit()
		after := before.Tracked()
		for range 3 {
			after = shuffled(after, random, 8).Commit()
		}
		replayed := before.With(after.Changes()).Commit()
		require.Equal(t, after.Root(), replayed.Root(), "seed %d", seed)
		require.Equal(t, after.Alloc(), replayed.Alloc(), "seed %d", seed)
		whole := evmstate.NewState().With(after.All()).Commit()
		require.Equal(t, after.Root(), whole.Root(), "seed %d", seed)
	}
}

// Ensure a State lists each change once, and nothing unless it is tracked.
func TestChangesAreFew(t *testing.T) {
	t.Parallel()
	rich, poor := common.Address{1}, common.Address{2}
	before := evmstate.NewState().WithBalance(rich, uint256.NewInt(7)).WithStorage(rich, common.Hash{1}, common.Hash{1}).
		WithStorage(rich, common.Hash{2}, common.Hash{2}).WithBalance(poor, uint256.NewInt(1)).Commit()
	require.Empty(t, slices.Collect(before.WithNonce(poor, 3).Commit().Changes()))

	after := before.Tracked().WithStorage(rich, common.Hash{1}, common.Hash{9}).Commit().WithNonce(rich, 1).Commit()
	changes := slices.Collect(after.Changes())
	require.Len(t, changes, 1)
	require.Equal(t, rich, changes[0].Address)
	require.Equal(t, []evmstate.Slot{{Key: common.Hash{1}, Value: common.Hash{9}}}, changes[0].Slots)
	require.Empty(t, slices.Collect(after.Tracked().Changes()))
	require.Equal(t, before.Root(), after.ChangedFrom())
	require.Zero(t, before.ChangedFrom())
	for was, is := range before.WithNonce(poor, 3).WithBalance(poor, uint256.NewInt(2)).ChangesSince(before) {
		require.Equal(t, []uint64{0, 3}, []uint64{was.Nonce, is.Nonce})
		require.Equal(t, []common.Address{poor, poor}, []common.Address{was.Address, is.Address})
	}
}

// shuffled returns s after random edits of a few accounts.
func shuffled(s *evmstate.State, random *rand.Rand, edits int) *evmstate.State {
	for range edits {
		address := common.Address{byte(1 + random.IntN(5))}
		switch random.IntN(8) {
		case 0:
			s = s.WithoutAccount(address)
		case 1:
			s = s.WithStorageCleared(address)
		case 2:
			s = s.WithCode(address, []byte{byte(random.IntN(3))})
		case 3:
			s = s.WithNonce(address, random.Uint64N(5))
		case 4:
			s = s.WithBalance(address, uint256.NewInt(random.Uint64N(5)))
		default:
			s = s.WithStorage(address, common.Hash{byte(random.IntN(4))}, common.Hash{byte(random.IntN(3))})
		}
	}
	return s
}
