package evmstate_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure a Run has, after each change of a nonce or of slots, the roots of a State with the same changes, and ends with
// that State; the State that it started from stays as it was.
func TestRunHasTheRootsOfItsStates(t *testing.T) {
	t.Parallel()
	from := evmstate.StateFromAlloc(richAlloc())
	before := from.Root()
	run, accounts := from.Run(alice, token)
	require.Len(t, accounts, 2)
	want := from
	slot3 := common.Hash{31: 3}
	for step := range uint64(20) {
		want = want.WithNonce(alice, 3+step)
		accounts[0].SetNonce(3 + step)
		for _, slot := range []evmstate.Slot{
			{Key: slot1, Value: common.Hash{31: byte(step)}}, // zero at first
			{Key: slot2, Value: common.Hash{byte(step % 3), 31: 0}},
			{Key: slot3, Value: common.Hash{31: byte(step % 2)}},
		} {
			want = want.WithStorage(token, slot.Key, slot.Value).Commit()
			accounts[1].Set(slot.Key, slot.Value)
		}
		roots := []common.Hash{accounts[0].Root(), accounts[1].Root()}
		require.Equal(t, []common.Hash{want.StorageRoot(alice), want.StorageRoot(token)}, roots, step)
		require.Equal(t, want.Root(), run.Root(roots...), step)
	}
	end := run.State()
	require.Same(t, end, end.Commit(), "it is committed")
	require.Equal(t, want.Root(), end.Root())
	require.Equal(t, want.Alloc(), end.Alloc())
	require.Equal(t, uint64(22), end.Nonce(alice))
	require.Equal(t, common.Hash{31: 19}, end.Storage(token, slot1))
	require.Equal(t, common.Hash{31: 1}, end.Storage(token, slot3))
	require.Equal(t, want.WithStorage(token, slot1, common.Hash{}).Root(), end.WithStorage(token, slot1, common.Hash{}).Root(), "and goes on as any")
	require.Equal(t, before, from.Root())
	require.Equal(t, richAlloc(), from.Alloc())
}
