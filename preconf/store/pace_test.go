package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// Ensure a file is synced a second after the last sync, if it was written since, and the writer waits 40 ms for a sync.
func TestSyncsInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := make(chan error)
		s := syncs{file: syncFunc{sync: func() error { return <-disk }}, journal: new(journal), last: time.Now()}
		require.NoError(t, s.due(true))
		<-time.After(time.Second - 1)
		require.NoError(t, s.due(false))
		require.False(t, s.syncing())
		began := time.Now()
		<-s.next()
		require.Equal(t, time.Duration(1), time.Since(began))
		require.NoError(t, s.due(false))
		require.True(t, s.syncing())
		require.Nil(t, s.next())
		began = time.Now()
		require.True(t, s.takesLong())
		require.Equal(t, 40*time.Millisecond, time.Since(began))
		require.True(t, s.takesLong())
		require.Equal(t, 40*time.Millisecond, time.Since(began), "it has waited once")
		disk <- nil
		synctest.Wait()
		s.end()
		s.end()
		require.Equal(t, time.Now(), s.last)
		require.Nil(t, s.next(), "nothing was written since")
		require.NoError(t, s.due(true))
		<-time.After(time.Second)
		require.NoError(t, s.due(true))
		go func() { disk <- errors.New("broken") }()
		synctest.Wait()
		require.False(t, s.takesLong(), "it has ended")
		require.EqualError(t, s.due(false), "broken")
		require.NotNil(t, s.next(), "it is tried again")
	})
}

// Ensure what takes more than a second is told each second with the number of records, and not while writing fails.
func TestProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		told := make(chan string, 9)
		s := newStore("state.db", Options{Progress: func(text string) { told <- text }})
		report, end := s.progress("writing")
		report(3)
		<-time.After(time.Second - 1)
		synctest.Wait()
		require.Empty(t, told)
		<-time.After(1)
		synctest.Wait()
		require.Equal(t, "writing state.db: 3 records", <-told)
		report(2)
		<-time.After(time.Second)
		synctest.Wait()
		require.Equal(t, "writing state.db: 5 records", <-told)
		end()
		s.failing = true
		_, end = s.progress("writing")
		<-time.After(9 * time.Second)
		synctest.Wait()
		require.Empty(t, told)
		end()
	})
	report, end := newStore("state.db", Options{}).progress("reading")
	report(1)
	end()
}

// Ensure a file that was removed or replaced while it was in use is told when it is closed.
func TestRemovedFile(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("another"), 0o600))
		},
	} {
		path := filepath.Join(t.TempDir(), "state.db")
		s, err := Open(path, Options{})
		require.NoError(t, err)
		require.NoError(t, spoil(path))
		want := path + " was removed or replaced while it was in use, and what was written to it is gone"
		require.EqualError(t, s.Close(), want, name)
		require.EqualError(t, s.Close(), want, "again")
	}
}

// syncFunc is a file that syncs so.
type syncFunc struct {
	file
	sync func() error
}

func (f syncFunc) Sync() error { return f.sync() }

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

// Ensure a record is read as it was written, down to the least, and one with bytes missing says how many it has.
func TestRecordsReadBack(t *testing.T) {
	t.Parallel()
	whole := record{
		kind: kindBlock, of: 2, entry: entry{parent: 1 << 40, base: 3, whole: true, root: common.Hash{4}},
		changes: []byte{5, 6}, block: []byte{7, 8, 9},
	}
	pruned := record{kind: kindState, of: 1, entry: entry{missing: true}, changes: []byte{}, block: []byte{}}
	for _, r := range []record{whole, pruned, {kind: kindForget, of: 1, changes: []byte{}, block: []byte{}}} {
		is, err := decodeRecord(r.encode())
		require.NoError(t, err)
		require.Equal(t, r, is)
	}
	data := whole.encode()
	require.Len(t, data, 62+2+3)
	for size, text := range map[int]string{0: "it has 0 bytes", 61: "it has 61 bytes", 62: "it has 62 bytes and 2 of changes", 63: "it has 63 bytes and 2 of changes"} {
		_, err := decodeRecord(data[:size])
		require.EqualError(t, err, text)
	}
	is, err := decodeRecord(data[:64])
	require.NoError(t, err)
	require.Empty(t, is.block)
}
