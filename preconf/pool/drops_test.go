package pool

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/stretchr/testify/require"
)

// Ensure drops that were written and read have the reasons that callers recognise, and the texts of others.
func TestDropsKeepReasons(t *testing.T) {
	t.Parallel()
	var d Drops
	known := []error{ErrGone, ErrReorged, ErrCleared, core.ErrNonceTooLow}
	for i, reason := range append(known, errors.New("another")) {
		d = d.With(common.Hash{byte(i)}, reason)
	}
	text, err := json.Marshal(d)
	require.NoError(t, err)
	var again Drops
	require.NoError(t, json.Unmarshal(text, &again))
	for i, reason := range known {
		require.ErrorIs(t, again.Reason(common.Hash{byte(i)}), reason)
	}
	require.EqualError(t, again.Reason(common.Hash{byte(len(known))}), "another")
	require.NoError(t, again.Reason(common.Hash{0xff}))
}

// Ensure the last 4,096 drops are remembered, and one that is taken back is not, whichever generation has it.
func TestDropsRememberTheLast(t *testing.T) {
	t.Parallel()
	hash := func(i int) common.Hash { return common.Hash{1, byte(i >> 8), byte(i)} }
	var d Drops
	for i := range 2*maxDrops + 1 {
		d = d.With(hash(i), ErrGone)
	}
	require.NoError(t, d.Reason(hash(0)))
	for i := maxDrops + 1; i <= 2*maxDrops; i++ {
		require.ErrorIs(t, d.Reason(hash(i)), ErrGone)
	}
	for _, i := range []int{maxDrops + 1, 2 * maxDrops} {
		require.NoError(t, d.Without(hash(i)).Reason(hash(i)))
		require.Error(t, d.Reason(hash(i)), "a Drops is immutable")
	}
}

// Ensure drops are written in the order of their hashes, the older ones first, and a newer reason of a transaction is
// the one that counts.
func TestDropsInOrder(t *testing.T) {
	t.Parallel()
	hash := func(i int) common.Hash { return common.Hash{1, byte(i >> 8), byte(i)} }
	text, err := json.Marshal(Drops{})
	require.NoError(t, err)
	require.Equal(t, "[]", string(text))
	var d Drops
	for i := range maxDrops {
		d = d.With(hash(maxDrops-i), ErrGone)
	}
	require.ErrorIs(t, d.Reason(hash(1)), ErrGone)
	d = d.With(hash(7), ErrReorged).With(hash(3), ErrCleared)
	require.ErrorIs(t, d.Reason(hash(7)), ErrReorged)
	text, err = json.Marshal(d)
	require.NoError(t, err)
	var written []drop
	require.NoError(t, json.Unmarshal(text, &written))
	require.Len(t, written, maxDrops+2)
	for i := range maxDrops {
		require.Equal(t, drop{hash(i + 1), ErrGone.Error()}, written[i])
	}
	require.Equal(t, []drop{{hash(3), ErrCleared.Error()}, {hash(7), ErrReorged.Error()}}, written[maxDrops:])
	require.NoError(t, d.Without(hash(7)).Reason(hash(7)), "nor the older reason")
	kept := d
	require.NoError(t, json.Unmarshal([]byte("[]"), &d))
	require.Equal(t, Drops{}, d)
	require.Error(t, json.Unmarshal([]byte("7"), &kept))
}
