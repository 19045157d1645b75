package store

import (
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
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

// Ensure a Moment replaces the last one in the queue if that one's blocks are its own, also where writing failed and
// the earlier ones come back, and no other.
func TestQueueOfMoments(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("osaka", 31337)
	require.NoError(t, err)
	c, err := chain.New(&chain.Genesis{Config: config, GasLimit: 30_000_000, Difficulty: new(big.Int), Alloc: chain.SystemContracts(config)}, chain.Options{Track: true})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(1_800_000_000, 0)})
	require.NoError(t, err)
	next := func() *preconf.Moment {
		_, err := timeline.Seal(1)
		require.NoError(t, err)
		return timeline.Moment()
	}
	first := next()
	second := next()
	_, err = timeline.Reorg(preconf.ReorgOptions{Depth: 1})
	require.NoError(t, err)
	other := timeline.Moment()
	last := next()
	n := newNetwork(newStore("state.db", Options{}), Name{Network: "main"})
	queued := func(want ...*preconf.Moment) {
		t.Helper()
		require.Len(t, n.next, len(want))
		for i := range want {
			require.Same(t, want[i], n.next[i])
		}
	}
	n.put(first)
	n.put(second)
	queued(second)
	n.put(other)
	queued(second, other)
	n.put(last)
	queued(second, last)
	taken, shown := n.take()
	require.Len(t, taken, 2)
	require.Equal(t, n.shown, shown)
	queued()
	n.giveBack(taken)
	queued(second, last)
	_, _ = n.take()
	n.giveBack(nil)
	queued()
	n.put(last)
	n.giveBack([]*preconf.Moment{first, second})
	queued(first, second, last)
	_, _ = n.take()
	n.put(last)
	n.put(last)
	n.giveBack([]*preconf.Moment{second, other})
	queued(second, last)
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
