package control_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a hold keeps what it names until it ends, and says until when.
func TestHolds(t *testing.T) {
	t.Parallel()
	hash, sender := common.Hash{1}, common.Address{2}
	timed, err := control.Hold{Hashes: []common.Hash{hash}, For: 50}.Begin(control.Clock{Now: 100}, 7)
	require.NoError(t, err)
	counted, err := control.Hold{Senders: []common.Address{sender}, Blocks: 2}.Begin(control.Clock{Now: 100}, 7)
	require.NoError(t, err)
	holds := control.Holds{timed, counted}
	require.Equal(t, &control.HeldError{Until: time.Unix(0, 150).UTC()}, holds.Keeping(hash, common.Address{}, 149, 7))
	require.Nil(t, holds.Keeping(hash, common.Address{}, 150, 7))
	require.Equal(t, &control.HeldError{Block: 9}, holds.Keeping(common.Hash{}, sender, 149, 8))
	require.Nil(t, holds.Keeping(common.Hash{}, sender, 149, 9))
	require.Nil(t, holds.Keeping(common.Hash{}, common.Address{}, 100, 7))
	require.Equal(t, &control.HeldError{}, control.Holds{{}}.Keeping(hash, sender, 1<<40, 1<<40), "all, until Release")
	require.Equal(t, []control.Hold{{Hashes: []common.Hash{hash}, For: 30}, {Senders: []common.Address{sender}, Blocks: 1}}, holds.Left(120, 8))
	require.Empty(t, holds.Left(150, 9))
	_, _, ok := holds.Ending(149)
	require.False(t, ok)
	left, end, ok := holds.Ending(150)
	require.True(t, ok)
	require.EqualValues(t, 150, end)
	require.Equal(t, control.Holds{counted}, left)
	require.Equal(t, common.Hash{9}, holds.Moved(hash, common.Hash{9})[0].Hashes[0])
	require.Equal(t, hash, holds[0].Hashes[0])
	for _, wrong := range []control.Hold{{For: -1}, {Blocks: 1_000_001}, {For: 1, Blocks: 1}} {
		_, err := wrong.Begin(control.Clock{}, 0)
		require.Error(t, err)
	}
}
