package store

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Ensure a disk that takes long to sync holds up no transaction, and that what it reports in the end is not lost.
func TestSyncsBesideTheWriter(t *testing.T) {
	t.Parallel()
	disk, broken := make(chan error), errors.New("broken disk")
	s := startSyncs(func() error { return <-disk }, 0)
	require.NoError(t, s.due(true))
	require.Nil(t, s.under, "nothing is due yet")
	s.last = time.Now().Add(-syncEvery)
	for range 3 {
		require.NoError(t, s.due(true))
		require.NotNil(t, s.under)
	}
	disk <- broken
	for s.under != nil {
		if err := s.due(false); s.under == nil {
			require.ErrorIs(t, err, broken)
		}
	}
	s.end()
}

// Ensure no sync is begun while blocks come after one that was slow: on some file systems they would wait for it, and a
// process that is killed meanwhile would lose them. One is when none has come for a second.
func TestSlowSyncsWaitForCalm(t *testing.T) {
	t.Parallel()
	s := startSyncs(func() error { return nil }, slowSync+1)
	for range 3 {
		s.last = time.Now().Add(-2 * syncEvery)
		require.NoError(t, s.due(true))
		require.Nil(t, s.under, "a slow disk is synced between two transactions")
		require.NotNil(t, s.next())
	}
	s.last = time.Now().Add(-2 * syncEvery)
	require.NoError(t, s.due(false))
	require.NotNil(t, s.under)
	require.Nil(t, s.next(), "all that was written is being synced")
	s.end()
	s.under <- outcome{took: time.Millisecond}
	require.NoError(t, s.due(false))
	require.False(t, s.slow)
}

// Ensure the writer rests longer after more work, but never so long that a block waits for more than 150 ms while
// transactions take less than half of that.
func TestRest(t *testing.T) {
	t.Parallel()
	for took := time.Duration(0); took <= writtenWithin/2; took += time.Millisecond {
		require.LessOrEqual(t, took+restAfter(took)+took, writtenWithin)
		require.GreaterOrEqual(t, restAfter(took), min(shortestRest, writtenWithin-2*took))
	}
	require.Equal(t, shortestRest, restAfter(0))
	require.Equal(t, longestRest, restAfter(40*time.Millisecond))
	require.Zero(t, restAfter(time.Second))
}
