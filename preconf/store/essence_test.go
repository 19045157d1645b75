package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Ensure a Moment differs from another by what it holds, or by more than half a second of its clock.
func TestEssence(t *testing.T) {
	t.Parallel()
	one := essence{sum: [32]byte{1}, ahead: time.Minute}
	for ahead, same := range map[time.Duration]bool{0: true, 500 * time.Millisecond: true, -500 * time.Millisecond: true, 500*time.Millisecond + 1: false, -500*time.Millisecond - 1: false} {
		require.Equal(t, same, one.equals(essence{sum: [32]byte{1}, ahead: time.Minute + ahead}), ahead)
		require.False(t, one.equals(essence{sum: [32]byte{2}, ahead: time.Minute + ahead}))
	}
	full, empty := preconf.SavedFlashblock{Transactions: []*pool.Entry{nil}}, preconf.SavedFlashblock{Altered: []common.Hash{{1}}}
	for _, test := range []struct{ is, want *preconf.SavedPending }{
		{nil, nil}, {&preconf.SavedPending{Time: 7}, nil}, {&preconf.SavedPending{Flashblocks: []preconf.SavedFlashblock{empty, empty}}, nil},
		{
			&preconf.SavedPending{Time: 7, Flashblocks: []preconf.SavedFlashblock{empty, full, empty, full}},
			&preconf.SavedPending{Time: 7, Flashblocks: []preconf.SavedFlashblock{full, full}},
		},
	} {
		require.Equal(t, test.want, withoutEmpty(test.is))
	}
}

// Ensure errors about a file name it once, with the network where one is damaged, and keep their cause.
func TestErrorsNameTheFile(t *testing.T) {
	t.Parallel()
	s := newStore("state.db", Options{})
	require.NoError(t, s.described(nil))
	_, missing := os.Stat(filepath.Join(t.TempDir(), "absent"))
	require.Same(t, missing, s.described(missing))
	damaged := &DamageError{Path: "other.db", Err: errChecksum}
	require.Same(t, damaged, s.described(damaged))
	require.EqualError(t, s.described(bolterrors.ErrTimeout), "state.db: another process uses the file")
	require.EqualError(t, s.described(errors.New("full")), "state.db: full")
	for _, cause := range []error{bolterrors.ErrInvalid, bolterrors.ErrChecksum, bolterrors.ErrVersionMismatch, &faultError{"index 7"}} {
		require.Equal(t, &DamageError{Path: "state.db", Err: cause}, s.described(cause))
	}
	require.EqualError(t, damaged, "other.db is damaged: its checksum does not match")
	require.ErrorIs(t, damaged, errChecksum)
	n := newNetwork(s, Name{World: "w", Network: "main"})
	require.EqualError(t, n.damaged(errChecksum), "state.db is damaged: network main of world w: its checksum does not match")
	require.Equal(t, "main", Name{Network: "main"}.String())
	require.EqualError(t, guarded(func() error { panic("index 7") }), "its pages do not fit together (index 7)")
	require.NoError(t, guarded(func() error { return nil }))
	bad := &recordError{at: 5, err: errChecksum}
	require.EqualError(t, bad, "record 5: its checksum does not match")
	require.ErrorIs(t, bad, errChecksum)
}

// Ensure a path is that of a file, or of the usual one in a folder, which is made where the path ends as one.
func TestPath(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	made := filepath.Join(folder, "made")
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	link := filepath.Join(folder, "link")
	require.NoError(t, os.Symlink(folder, link))
	for given, want := range map[string]string{
		folder: filepath.Join(folder, "fakenode.db"), made + "/": filepath.Join(made, "fakenode.db"), file: file, link: filepath.Join(link, "fakenode.db"),
		filepath.Join(folder, "absent"): filepath.Join(folder, "absent"),
	} {
		is, err := Path(given)
		require.NoError(t, err)
		require.Equal(t, want, is)
	}
	info, err := os.Stat(made)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
	_, err = Path(filepath.Join(file, "below"))
	require.ErrorContains(t, err, "not a directory")
	_, err = Path(file + "/")
	require.Error(t, err)
}

// Ensure the journal takes 256 MiB and no more, tells when it cannot be written, and is read up to where it was cut.
func TestJournalLimits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db.journal")
	j := journal{path: path, size: 256 << 20}
	u := update{{Of: ref{Name: "main"}, Deleted: []uint64{3}, Puts: []put{sets(logBucket, key(1), []byte{5})}}}
	require.NoError(t, j.append([]byte("whole"), u))
	require.Greater(t, j.size, 256<<20)
	require.ErrorIs(t, j.append([]byte("whole"), u), errFull)
	require.EqualValues(t, 2, j.frames)
	whole, updates, err := readJournal(path)
	require.NoError(t, err)
	require.Equal(t, "whole", string(whole))
	require.Equal(t, []update{u}, updates)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	first := headerSize + 4 + len("whole")
	for _, size := range []int{0, headerSize - 1, headerSize, first - 1, first, first + headerSize, len(data) - 1} {
		require.NoError(t, os.WriteFile(path, data[:size], 0o600))
		whole, updates, err = readJournal(path)
		require.NoError(t, err)
		require.Equal(t, size >= first, whole != nil, size)
		require.Empty(t, updates)
	}
	require.NoError(t, j.remove())
	require.NoError(t, j.remove())
	require.NoFileExists(t, path)
	whole, updates, err = readJournal(path)
	require.NoError(t, err)
	require.Nil(t, whole)
	require.Nil(t, updates)
	nowhere := journal{path: filepath.Join(path, "below")}
	require.Error(t, nowhere.append(nil, u))
	_, _, err = readJournal(filepath.Dir(path))
	require.Error(t, err, "of a folder")
}

// Ensure a copy says when it was made, is not kept where its source is gone, and the names of lost ones are told.
func TestCopyOfADropped(t *testing.T) {
	t.Parallel()
	s := newStore("state.db", Options{})
	made := time.Unix(5, 0)
	main := s.Network("main")
	require.Same(t, main, s.Network("main"))
	c := newNetwork(s, Name{World: "a", Network: "main"})
	c.source, c.made = main, made
	require.True(t, s.admit(c))
	require.Equal(t, 1, main.dependents)
	require.Equal(t, made, c.Made())
	require.Same(t, main, c.root())
	require.Equal(t, ref{Name: "main"}, main.ref())
	c.id = 7
	require.Equal(t, ref{Copy: 7}, c.ref())
	c.dropped.Store(true)
	further := newNetwork(s, Name{World: "b", Network: "main"})
	further.source = c
	require.False(t, s.admit(further))
	require.Zero(t, c.dependents)
	require.Empty(t, s.Copies())
	s.lost = []string{"b"}
	require.Equal(t, []string{"b"}, s.Lost())
	text, err := json.Marshal(copyRecord{Begun: 4, Made: 5})
	require.NoError(t, err)
	require.JSONEq(t, `{"Begun":4,"Made":5}`, string(text))
}
