package pool_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/pool"
)

// Ensure drops that were written and read have the reasons that callers recognise, and the texts of others.
func TestDropsKeepReasons(t *testing.T) {
	t.Parallel()
	var d pool.Drops
	known := []error{pool.ErrGone, pool.ErrReorged, pool.ErrCleared, core.ErrNonceTooLow}
	for i, reason := range append(known, errors.New("another")) {
		d = d.With(reason, common.Hash{byte(i)})
	}
	text, err := json.Marshal(d)
	require.NoError(t, err)
	var again pool.Drops
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
	const most = 4096
	hash := func(i int) common.Hash { return common.Hash{1, byte(i >> 8), byte(i)} }
	var d pool.Drops
	for i := range 2*most + 1 {
		d = d.With(pool.ErrGone, hash(i))
	}
	require.NoError(t, d.Reason(hash(0)))
	for i := most + 1; i <= 2*most; i++ {
		require.ErrorIs(t, d.Reason(hash(i)), pool.ErrGone)
	}
	for _, i := range []int{most + 1, 2 * most} {
		require.NoError(t, d.Without(hash(i)).Reason(hash(i)))
		require.Error(t, d.Reason(hash(i)), "a pool.Drops is immutable")
	}
}
