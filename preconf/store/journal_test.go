package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure values written during a sync are kept when the process is killed, whatever the journal holds by then: also if
// a later transaction has them as well, and if the kill cut the last write.
func TestKilledDuringSync(t *testing.T) {
	t.Parallel()
	for seed := range laboratory.Budget(t, uint64(2), 10) {
		d := newDisk(t, seed)
		for range 10 {
			d.thing()
			d.write()
			before := d.pictures()
			var last []byte
			for range 1 + d.IntN(3) {
				last = d.journal()
				before = d.pictures()
				d.thing()
				require.NoError(t, d.store.WriteDuringSync())
				require.Equal(t, d.pictures(), picturesOf(t, d.last, d.journal()))
			}
			if now := d.journal(); len(now) > len(last) { // else nothing was new
				require.Equal(t, before, picturesOf(t, d.last, now[:len(last)+d.IntN(len(now)-len(last))]))
			}
			require.NoError(t, d.store.Write())
			stale := d.journal()
			d.write()
			require.Equal(t, d.pictures(), picturesOf(t, d.last, stale))
			require.NoError(t, d.store.RemoveJournal())
			require.NoFileExists(t, d.path+".journal")
			require.Equal(t, d.pictures(), picturesOf(t, d.last, nil))
		}
		require.NoError(t, d.store.CloseByHand())
	}
}

// picturesOf opens a file with a journal, and describes all networks.
func picturesOf(t *testing.T, file, journal []byte) map[string][]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "left.db")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	if journal != nil {
		require.NoError(t, os.WriteFile(path+".journal", journal, 0o600))
	}
	s, err := store.Open(path, store.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.NoFileExists(t, path+".journal")
	is := make(map[string][]string)
	for _, n := range append([]*store.Network{s.Network("main")}, s.Copies()...) {
		timeline, _ := load(t, n)
		is[treeName(n)] = blocksOf(t, timeline)
	}
	return is
}

// Ensure a file whose journal has a wrong byte is rejected, both are left unchanged, and the values of the file without
// the journal can be recovered.
func TestDamagedJournal(t *testing.T) {
	t.Parallel()
	d := newDisk(t, 1)
	main := d.trees["main"].timeline
	_, err := main.Seal(1)
	require.NoError(t, err)
	d.write()
	_, err = main.Seal(1)
	require.NoError(t, err)
	require.NoError(t, d.store.WriteDuringSync())
	whole := d.journal()
	path := filepath.Join(t.TempDir(), "left.db")
	require.NoError(t, os.WriteFile(path, d.last, 0o600))
	for at := 0; at < len(whole); at += laboratory.Budget(t, 61, 1) {
		journal := bytes.Clone(whole)
		journal[at] ^= 1 << (at % 8)
		require.NoError(t, os.WriteFile(path+".journal", journal, 0o600))
		_, err := store.Open(path, store.Options{})
		var damage *store.DamageError
		require.ErrorAs(t, err, &damage, "byte %d", at)
		require.Equal(t, path, damage.Path)
		require.ErrorContains(t, err, path+".journal")
		after, err := os.ReadFile(path + ".journal")
		require.NoError(t, err)
		require.Equal(t, journal, after)
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(d.last, after))
	salvaged, err := store.Salvage(path)
	require.NoError(t, err)
	timeline, _ := load(t, salvaged.Network("main"))
	require.EqualValues(t, 1, timeline.Moment().Latest().Number())
	require.NoError(t, salvaged.Close())
}

// Ensure a journal of another file changes nothing, and that a journal lies in the folder of the file that a link leads
// to.
func TestJournalBelongsToItsFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	d := newDisk(t, 2)
	_, err := d.trees["main"].timeline.Seal(3)
	require.NoError(t, err)
	require.NoError(t, d.store.WriteDuringSync())
	timeline, s := kept(t, path)
	_, err = timeline.Seal(1)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, os.WriteFile(path+".journal", d.journal(), 0o600))
	link := filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(path, link))
	s, err = store.Open(link, store.Options{})
	require.NoError(t, err)
	restored, _ := load(t, s.Network("main"))
	require.EqualValues(t, 1, restored.Moment().Latest().Number())
	require.NoError(t, s.Close())
	require.NoFileExists(t, path+".journal")
}

// Ensure changes wait for the sync if no journal can be made, and are in the file afterwards.
func TestNoJournal(t *testing.T) {
	t.Parallel()
	d := newDisk(t, 3)
	require.NoError(t, os.Mkdir(d.path+".journal", 0o700))
	_, err := d.trees["main"].timeline.Seal(1)
	require.NoError(t, err)
	require.NoError(t, d.store.WriteDuringSync())
	file, err := os.ReadFile(d.path)
	require.NoError(t, err)
	require.Equal(t, d.pictures(), picturesOf(t, file, nil))
}
