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
		d = d.With(reason, common.Hash{byte(i)})
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
		d = d.With(ErrGone, hash(i))
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
