package store

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// syncFunc is a file that syncs so.
type syncFunc struct {
	file
	sync func() error
}

func (f syncFunc) Sync() error { return f.sync() }

// Ensure a long sync makes the writer use the journal, and that the sync's error is returned in the end, and the sync
// tried again.
func TestSyncsBesideTheWriter(t *testing.T) {
	t.Parallel()
	disk, broken := make(chan error), errors.New("broken disk")
	s := syncs{file: syncFunc{sync: func() error { return <-disk }}, journal: new(journal), last: time.Now()}
	require.NoError(t, s.due(true))
	require.False(t, s.syncing(), "nothing is due yet")
	require.NotNil(t, s.next())
	for _, result := range []error{broken, nil} {
		s.last = time.Now().Add(-syncEvery)
		require.NoError(t, s.due(false))
		for range 3 {
			require.True(t, s.takesLong())
			require.NoError(t, s.due(false))
			require.Nil(t, s.next())
		}
		disk <- result
		s.end()
		require.False(t, s.takesLong())
		require.Equal(t, result, s.due(false))
	}
	s.last = time.Now().Add(-syncEvery)
	require.NoError(t, s.due(false))
	require.False(t, s.syncing(), "all that was written is synced")
	require.Nil(t, s.next())
}

// Ensure a journal is removed in the background and the writer does not wait: the file is not being synced.
func TestJournalIsRemovedBesideTheWriter(t *testing.T) {
	t.Parallel()
	j := journal{path: filepath.Join(t.TempDir(), "state.db.journal")}
	require.NoError(t, j.append([]byte("whole"), update{{Of: ref{Name: "main"}}}))
	s := syncs{journal: &j, last: time.Now()}
	require.NoError(t, s.due(true))
	require.NotNil(t, s.under)
	require.False(t, s.takesLong())
	s.end()
	require.NoFileExists(t, j.path)
	require.NoError(t, s.due(false))
}

// Ensure the writer rests longer after more work, but never so long that a block waits for more than 150 ms while
// transactions take less than half of that, or wait for a sync until the journal is used.
func TestRest(t *testing.T) {
	t.Parallel()
	for took := time.Duration(0); took <= writtenWithin/2; took += time.Millisecond {
		require.LessOrEqual(t, took+restAfter(took)+took, writtenWithin)
		require.GreaterOrEqual(t, restAfter(took), min(shortestRest, writtenWithin-2*took))
	}
	require.Equal(t, shortestRest, restAfter(0))
	require.Equal(t, longestRest, restAfter(patience))
	require.Less(t, patience+longestRest+patience, writtenWithin)
	require.Zero(t, restAfter(time.Second))
}
