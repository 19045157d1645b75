package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// newFile makes a file with a network of three blocks and a copy of it, and returns its path.
func newFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := openWhole(path, Options{})
	require.NoError(t, err)
	config, err := chain.ForkConfig("osaka", 31337)
	require.NoError(t, err)
	c, err := chain.New(&chain.Genesis{Config: config, GasLimit: 30_000_000, Alloc: chain.SystemContracts(config)}, chain.Options{Track: true})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(1_800_000_000, 0)})
	require.NoError(t, err)
	_, err = timeline.Seal(3)
	require.NoError(t, err)
	main := s.Network("main")
	main.Keep(timeline)
	main.Copy(Name{World: "a", Network: "main"}, World{Made: time.Unix(1, 0)}, timeline.Copy())
	require.NoError(t, s.Write())
	require.NoError(t, s.CloseByHand())
	return path
}

// edit changes a file behind the store's back.
func edit(t *testing.T, path string, change func(tx *bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Update(change))
	require.NoError(t, db.Close())
}

// Ensure a file whose values are whole, but not those of a store, is rejected by what is wrong with it, and that the
// file is left as it was.
func TestFilesThatDoNotFit(t *testing.T) {
	t.Parallel()
	main := func(tx *bbolt.Tx) *bbolt.Bucket { return tx.Bucket(networksBucket).Bucket([]byte("main")) }
	put := func(bucket *bbolt.Bucket, key []byte, value string) error {
		return bucket.Put(key, sealed(key, []byte(value)))
	}
	copies := func(tx *bbolt.Tx) *bbolt.Bucket { return tx.Bucket(copiesBucket) }
	for want, change := range map[string]func(tx *bbolt.Tx) error{
		" is damaged: it has no networks":      func(tx *bbolt.Tx) error { return tx.DeleteBucket(networksBucket) },
		" is damaged: version: it has 0 bytes": func(tx *bbolt.Tx) error { return tx.Bucket(networksBucket).Delete(versionKey) },
		` has version "3" of the format, and this fakenode reads "2": give --state (Config.State) a new file`: func(tx *bbolt.Tx) error {
			return put(tx.Bucket(networksBucket), versionKey, "3")
		},
		" is damaged: network main: genesis: it has 0 bytes":                      func(tx *bbolt.Tx) error { return main(tx).Delete(genesisKey) },
		" is damaged: network main: genesis: it is empty":                         func(tx *bbolt.Tx) error { return put(main(tx), genesisKey, "null") },
		" is damaged: network main: fork: it is empty":                            func(tx *bbolt.Tx) error { return put(main(tx), forkKey, "{}") },
		" is damaged: network main: upgrade: its checksum":                        func(tx *bbolt.Tx) error { return main(tx).Put(upgradeKey, []byte("damaged")) },
		" is damaged: network main: it has no log or no codes":                    func(tx *bbolt.Tx) error { return main(tx).DeleteBucket(codesBucket) },
		` is damaged: network main: it has a bucket "more"`:                       func(tx *bbolt.Tx) error { _, err := main(tx).CreateBucket([]byte("more")); return err },
		" is damaged: network main: code 01: it has 1 bytes":                      func(tx *bbolt.Tx) error { return main(tx).Bucket(codesBucket).Put([]byte{1}, []byte{1}) },
		" is damaged: network main: moment: it has 0 bytes":                       func(tx *bbolt.Tx) error { return main(tx).Delete(nowKey) },
		" is damaged: network main: record 2: it is missing":                      func(tx *bbolt.Tx) error { return main(tx).Bucket(logBucket).Delete(key(2)) },
		" is damaged: network main: copy main of world a begins at record 3 of 2": func(tx *bbolt.Tx) error { return main(tx).Bucket(logBucket).Delete(key(3)) },
		" is damaged: network main: record 4: it has 1 bytes": func(tx *bbolt.Tx) error {
			return main(tx).Bucket(logBucket).Put(key(4), sealed(key(4), []byte{1}))
		},
		" is damaged: network main: moment: the log has 3 records, and it names record 3 of 4": func(tx *bbolt.Tx) error {
			return put(main(tx), nowKey, `{"Head":3,"Last":4}`)
		},
		" is damaged: network main: moment: the log has 3 records, and it names record 4 of 3": func(tx *bbolt.Tx) error {
			return put(main(tx), nowKey, `{"Head":4,"Last":3}`)
		},
		"is of another version of fakenode: what a network is set to cannot be read: json: unknown field \"Later\": give --state (Config.State) a new file": func(tx *bbolt.Tx) error {
			return put(main(tx), nowKey, `{"Head":3,"Last":3,"Later":1}`)
		},
		" is damaged: network copy 0102: its key is not a number": func(tx *bbolt.Tx) error {
			bucket, err := copies(tx).CreateBucket([]byte{1, 2})
			if err != nil {
				return err
			}
			return put(bucket, copyKey, `{"Of":"main"}`)
		},
		" is damaged: network b of world w: its source is missing": func(tx *bbolt.Tx) error {
			bucket, err := copies(tx).CreateBucket(key(9))
			if err != nil {
				return err
			}
			return put(bucket, copyKey, `{"Of":"other","World":"w","Network":"b"}`)
		},
		" is damaged: network copy 0000000000000009: invalid character": func(tx *bbolt.Tx) error {
			bucket, err := copies(tx).CreateBucket(key(9))
			if err != nil {
				return err
			}
			return put(bucket, copyKey, "x")
		},
		" is damaged: its sum: it has 0 bytes":             func(tx *bbolt.Tx) error { return tx.Bucket(networksBucket).Delete(wholeKey) },
		" is damaged: its pages are of different times":    func(tx *bbolt.Tx) error { return nil },
		" is damaged: values are missing or of an earlier": func(tx *bbolt.Tx) error { return putWhole(tx, 1) },
	} {
		path := newFile(t)
		edit(t, path, change)
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		_, err = Open(path, Options{})
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, want)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, before, after, want)
	}
}

// Ensure a file that was made and has nothing yet is as a new one, also where its process was killed before it
// wrote.
func TestFilesWithNothingYet(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	db, err := bbolt.Open(path, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	for range 2 {
		s, err := Open(path, Options{})
		require.NoError(t, err)
		require.Empty(t, s.networks)
		loaded, err := s.Network("main").Load(nil, chain.Options{})
		require.NoError(t, err)
		require.Nil(t, loaded)
		require.NoError(t, s.Close())
	}
	require.NoError(t, os.Truncate(path, 0))
	s, err := Open(path, Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, err = Open(filepath.Join(path, "below"), Options{})
	require.Error(t, err)
	_, err = Salvage(filepath.Join(t.TempDir(), "absent"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Salvage(filepath.Join(path, "below"))
	require.Error(t, err)
}

// Ensure a file that another process has written to is not written to, whether that was between reading and opening
// it or later.
func TestFileOfTwoProcesses(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	s := newStore(path, Options{})
	require.NoError(t, s.read())
	edit(t, path, func(tx *bbolt.Tx) error { return nil })
	require.NoError(t, s.openToWrite())
	require.EqualError(t, s.begin(), path+": another process has changed the file")
	require.NoError(t, s.db.Close())

	path = newFile(t)
	s, err := openWhole(path, Options{})
	require.NoError(t, err)
	require.NoError(t, s.db.Update(func(*bbolt.Tx) error { return nil }))
	require.ErrorIs(t, s.commit(nil, func(int, sum) {}), errChanged)
	require.NoError(t, s.db.Close())
}

// Ensure what is recovered goes into a new file, never over a node, and that a file that cannot be finished is not
// left behind.
func TestRecoveringNeedsNewFile(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	edit(t, path, func(tx *bbolt.Tx) error { return tx.Bucket(networksBucket).Delete(wholeKey) })
	remains, err := Salvage(path)
	require.NoError(t, err)
	name := Name{Network: "main"}
	number, ok := remains.Network("main").Newest()
	require.True(t, ok)
	require.EqualValues(t, 3, number)
	_, ok = remains.Network("other").Newest()
	require.False(t, ok)

	node := newFile(t)
	moments := map[Name]*preconf.Saved{name: new(preconf.Saved)}
	require.EqualError(t, remains.CopyTo(node, moments), node+" keeps a node already: recovering needs a new file")
	s, err := Open(node, Options{})
	require.NoError(t, err, "it is as it was")
	require.Len(t, s.Copies(), 1)
	require.NoError(t, s.Close())

	fresh := filepath.Join(t.TempDir(), "fresh.db")
	require.ErrorContains(t, remains.CopyTo(fresh, moments), fresh+": network main: ") // it was not loaded
	require.NoFileExists(t, fresh)
	empty := filepath.Join(t.TempDir(), "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	require.Error(t, remains.CopyTo(empty, moments))
	data, err := os.ReadFile(empty)
	require.NoError(t, err)
	require.Empty(t, data)
	require.Error(t, remains.CopyTo(filepath.Join(empty, "below"), moments))
	require.Error(t, remains.CopyTo(filepath.Join(t.TempDir(), "no", "folder"), moments))

	loaded, err := remains.Network("main").Load(nil, chain.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 3, loaded.Chain.Head().Number())
	timeline, err := preconf.New(preconf.Config{Chain: loaded.Chain})
	require.NoError(t, err)
	require.NoError(t, remains.CopyTo(fresh, map[Name]*preconf.Saved{name: timeline.Moment().Saved()}))
	require.NoError(t, remains.Close())
	s, err = Open(fresh, Options{})
	require.NoError(t, err)
	loaded, err = s.Network("main").Load(nil, chain.Options{})
	require.NoError(t, err)
	require.EqualValues(t, 3, loaded.Chain.Head().Number())
	require.Empty(t, s.Copies(), "only what was asked for")
	require.NoError(t, s.Close())
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

// Ensure the journal takes 256 MiB and no more, tells when it cannot be written, is read from where the file is and up
// to where it was cut, and begins anew without what it had.
func TestJournalLimits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db.journal")
	j := journal{path: path}
	changes := func(id uint64) update {
		return update{{Of: ref{Name: "main"}, Deleted: []uint64{id}, Puts: []put{sets(logBucket, key(1), []byte{5})}}}
	}
	before, between := wholeValue(7, 1), wholeValue(8, 2)
	require.NoError(t, j.begin(before))
	require.NoError(t, j.append(changes(3)))
	require.NoError(t, j.write(between))
	require.NoError(t, j.append(changes(4)))
	j.size = 256<<20 + 1
	require.ErrorIs(t, j.append(changes(5)), errFull)
	for whole, want := range map[string][]update{
		string(before): {changes(3), changes(4)}, string(between): {changes(4)}, string(wholeValue(8, 1)): nil,
	} {
		updates, err := readJournal(path, []byte(whole))
		require.NoError(t, err)
		require.Equal(t, want, updates)
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	first := headerSize + 4 + len(before)
	for _, size := range []int{0, headerSize - 1, headerSize, first - 1, first, first + headerSize} {
		require.NoError(t, os.WriteFile(path, data[:size], 0o600))
		updates, err := readJournal(path, before)
		require.NoError(t, err)
		require.Empty(t, updates)
	}
	require.NoError(t, os.WriteFile(path, data[:len(data)-1], 0o600))
	updates, err := readJournal(path, before)
	require.NoError(t, err)
	require.Equal(t, []update{changes(3)}, updates)
	require.NoError(t, j.begin(between))
	require.NoError(t, j.append(changes(6)))
	updates, err = readJournal(path, between)
	require.NoError(t, err)
	require.Equal(t, []update{changes(6)}, updates)
	require.NoError(t, j.remove())
	require.NoError(t, j.remove())
	require.NoFileExists(t, path)
	updates, err = readJournal(path, before)
	require.NoError(t, err)
	require.Nil(t, updates)
	nowhere := journal{path: filepath.Join(path, "below")}
	require.Error(t, nowhere.begin(before))
	_, err = readJournal(filepath.Dir(path), before)
	require.Error(t, err, "of a folder")
}
