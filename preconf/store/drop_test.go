package store

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure a dropped copy stays in the file as long as another needs its log, and no longer.
func TestDroppedSourcesGo(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	s, err := openWhole(path, Options{})
	require.NoError(t, err)
	loaded, err := s.Network("main").Load(nil, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: loaded.Chain, Saved: loaded.Saved})
	require.NoError(t, err)
	a := s.Copies()[0]
	_, err = a.Load(nil, chain.Options{})
	require.NoError(t, err)
	s.Network("main").Keep(timeline)
	b := a.Copy(Name{World: "b", Network: "main"}, time.Unix(2, 0), timeline.Copy())
	c := b.Copy(Name{World: "c", Network: "main"}, time.Unix(3, 0), timeline.Copy())
	require.NoError(t, s.Write())
	held := func() (count int) {
		require.NoError(t, s.db.View(func(tx *bbolt.Tx) error {
			return tx.Bucket(copiesBucket).ForEachBucket(func([]byte) error { count++; return nil })
		}))
		return count
	}
	require.Equal(t, 3, held())
	for _, n := range []*Network{a, b} {
		n.Drop()
		require.NoError(t, s.Write())
		require.Equal(t, 3, held(), "another needs it")
	}
	c.Drop()
	require.NoError(t, s.Write())
	require.Zero(t, held())
	require.NoError(t, s.CloseByHand())
	s, err = Open(path, Options{})
	require.NoError(t, err)
	require.Empty(t, s.Copies())
	require.NoError(t, s.Close())
}

// Ensure a copy has the codes of what it was copied from, however far up, and no others.
func TestCodesOfBases(t *testing.T) {
	t.Parallel()
	s := newStore("state.db", Options{})
	main := s.Network("main")
	main.codes[common.Hash{1}] = true
	a, b := newNetwork(s, Name{World: "a"}), newNetwork(s, Name{World: "b"})
	a.basis, b.basis = main, a
	a.codes[common.Hash{2}] = true
	for n, has := range map[*Network][3]bool{main: {true, false, false}, a: {true, true, false}, b: {true, true, false}} {
		for i := range has {
			require.Equal(t, has[i], n.hasCode(common.Hash{byte(i + 1)}), "%s %d", n.name, i+1)
		}
	}
}

// Ensure a file whose making failed is emptied, and a whole one is left alone.
func TestUnmake(t *testing.T) {
	t.Parallel()
	least := 4 * os.Getpagesize()
	for size, left := range map[int]int{1: 0, least - 1: 0, least: least, least + 1: least + 1} {
		path := filepath.Join(t.TempDir(), "state.db")
		require.NoError(t, os.WriteFile(path, make([]byte, size), 0o600))
		require.NoError(t, newStore(path, Options{}).unmake())
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.EqualValues(t, left, info.Size())
	}
	require.NoError(t, newStore(filepath.Join(t.TempDir(), "absent"), Options{}).unmake())
}

// Ensure a file in which a page leads back to itself, where a reader would go round for ever, is rejected.
func TestPagesThatLeadBack(t *testing.T) {
	t.Parallel()
	path := newFile(t)
	edit(t, path, func(tx *bbolt.Tx) error { // values enough for a page of branches
		bucket := tx.Bucket(networksBucket).Bucket([]byte("main")).Bucket(codesBucket)
		for i := range uint64(400) {
			if err := bucket.Put(key(i), sealed(key(i), make([]byte, 100))); err != nil {
				return err
			}
		}
		return nil
	})
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	cycles, size := 0, os.Getpagesize()
	for page := range len(whole) / size {
		at := page * size
		if page < 2 || binary.NativeEndian.Uint16(whole[at+8:]) != branchFlag {
			continue
		}
		data := append([]byte(nil), whole...)
		binary.NativeEndian.PutUint64(data[at+pageHeader+8:], uint64(page))
		require.NoError(t, os.WriteFile(path, data, 0o600))
		s := newStore(path, Options{})
		db, err := s.openToRead()
		require.NoError(t, err)
		require.NoError(t, db.View(func(tx *bbolt.Tx) error {
			if err := s.checkPages(tx); err != nil {
				require.ErrorIs(t, err, errCycle)
				cycles++
			}
			return nil
		}))
		require.NoError(t, db.Close())
	}
	require.Positive(t, cycles)
}
