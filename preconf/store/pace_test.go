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

// Ensure a file is synced a second after the last sync, if it was written since, the writer waits 40 ms for that, and a
// journal is removed once a sync is quick.
func TestSyncsInTime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	synctest.Test(t, func(t *testing.T) {
		disk := make(chan error)
		s := newStore(path, Options{})
		s.file, s.synced, s.unsynced = syncFunc{sync: func() error { return <-disk }}, time.Now(), true
		calm := s.syncInTime()
		require.Nil(t, s.task)
		began := time.Now()
		<-calm
		require.Equal(t, time.Second, time.Since(began))
		require.Nil(t, s.syncInTime())
		require.NotNil(t, s.task)
		require.Nil(t, s.syncInTime(), "one is under way")
		s.waiting = []update{{}}
		began = time.Now()
		require.NoError(t, s.settle())
		require.Equal(t, 40*time.Millisecond, time.Since(began))
		require.FileExists(t, path+".journal")
		s.waiting = append(s.waiting, update{})
		require.NoError(t, s.settle())
		require.Equal(t, 40*time.Millisecond, time.Since(began), "it has waited once")
		s.waiting, s.journaled = nil, 0
		disk <- nil
		require.NoError(t, s.ended(<-s.task.done))
		require.Equal(t, time.Now(), s.synced)
		require.FileExists(t, path+".journal", "the disk is slow")
		<-s.syncInTime()
		require.Nil(t, s.syncInTime(), "nothing was written since, but there is a journal")
		disk <- nil
		require.NoError(t, s.ended(<-s.task.done))
		require.NoFileExists(t, path+".journal")
		require.Nil(t, s.syncInTime())
		require.Nil(t, s.task)
		s.unsynced = true
		<-s.syncInTime()
		require.Nil(t, s.syncInTime())
		disk <- errors.New("broken")
		require.ErrorContains(t, s.ended(<-s.task.done), "broken")
		require.NotNil(t, s.syncInTime(), "it is tried again")
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
