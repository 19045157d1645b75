package evmstate_test

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure a State says from which one its changes lead, zero where none is tracked, and that whoever goes through
// changes or accounts may end early.
func TestChangesEnd(t *testing.T) {
	t.Parallel()
	before := evmstate.NewState().WithBalance(common.Address{9}, uint256.NewInt(1)).Commit()
	require.Equal(t, common.Hash{}, before.ChangedFrom())
	after := before.Tracked()
	require.Equal(t, before.Root(), after.ChangedFrom())
	for i := range byte(5) {
		after = after.WithBalance(common.Address{i + 1}, uint256.NewInt(7))
	}
	written := after
	after = after.Commit()
	require.Equal(t, before.Root(), after.ChangedFrom())
	require.Equal(t, after.Root(), after.Tracked().ChangedFrom())
	for end := range 5 {
		count := 0
		for range after.Changes() {
			if count++; count > end {
				break
			}
		}
		require.Equal(t, end+1, count)
		count = 0
		for was, is := range written.ChangesSince(before) {
			require.Equal(t, was.Address, is.Address)
			require.False(t, was.Exists)
			require.True(t, is.Exists)
			if count++; count > end {
				break
			}
		}
		require.Equal(t, end+1, count)
		count = 0
		for range after.All() {
			if count++; count > end {
				break
			}
		}
		require.Equal(t, end+1, count)
	}
	require.Len(t, slices.Collect(after.All()), 6)
	require.Len(t, slices.Collect(after.Changes()), 5)
}

// Ensure code that no deployment creates may have the size of the limit and no byte more, and from Amsterdam on that of
// the later one.
func TestCodeBySize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limit     evmstate.CodeLimit
		amsterdam bool
		most      int
		eip       string
	}{
		{0, false, 24_576, "EIP-170"}, {100, false, 100, "EIP-170"}, {0, true, 65_536, "EIP-7954"}, {100, true, 65_536, "EIP-7954"},
	} {
		require.NoError(t, c.limit.CheckCode(c.amsterdam, c.most))
		require.NoError(t, c.limit.CheckCode(c.amsterdam, 0))
		require.ErrorContains(t, c.limit.CheckCode(c.amsterdam, c.most+1), c.eip)
	}
	require.EqualError(t, evmstate.CodeLimit(0).CheckCode(false, 24_577), "code of 24577 bytes is over the limit of 24576 (EIP-170)")
}

// Ensure the allocation of a State over a Source has the accounts that changed, as they are, and none that is gone.
func TestAllocOverSource(t *testing.T) {
	t.Parallel()
	kept, changed, gone, added := common.Address{1}, common.Address{2}, common.Address{3}, common.Address{4}
	below := evmstate.NewState().WithBalance(kept, uint256.NewInt(1)).WithBalance(changed, uint256.NewInt(2)).
		WithBalance(gone, uint256.NewInt(3)).Commit()
	s := evmstate.StateFromSource(&chainBelow{State: below})
	require.NoError(t, s.Load(kept, common.Hash{}))
	require.NoError(t, s.Load(changed))
	require.NoError(t, s.Load(gone))
	require.NoError(t, s.Load(added))
	s = s.WithNonce(changed, 5).WithoutAccount(gone).WithCode(added, []byte{1}).WithStorage(added, common.Hash{1}, common.Hash{2}).Commit()
	alloc := s.Alloc()
	require.Len(t, alloc, 2)
	require.EqualValues(t, 5, alloc[changed].Nonce)
	require.EqualValues(t, 2, alloc[changed].Balance.Int64())
	require.Empty(t, alloc[changed].Storage)
	require.Equal(t, []byte{1}, alloc[added].Code)
	require.Equal(t, map[common.Hash]common.Hash{{1}: {2}}, alloc[added].Storage)
	require.False(t, s.Exist(gone))
	require.True(t, s.Exist(kept))
	alloc[added].Code[0] = 9
	require.Equal(t, []byte{1}, s.Code(added), "the caller's to change")
}
