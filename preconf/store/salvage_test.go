package store_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure a salvaged network is a beginning of its last chain, although reorgs, reverts and edits came before, and that
// it can be written into a new file and read again from there.
func TestSalvageIsBeginningOfChain(t *testing.T) {
	if raceDetector {
		t.Skip("bbolt itself has a data race where its search for free pages panics on a damaged page")
	}
	t.Parallel()
	salvaged, shorter := 0, 0
	for seed := range laboratory.Budget(t, uint64(1), 5) {
		f := newSmallForest(t, seed)
		timeline := f.grow(60)
		whole, err := os.ReadFile(f.path)
		require.NoError(t, err)
		var used []int // where damage may matter
		for at, b := range whole {
			if b != 0 && at > 2*os.Getpagesize() {
				used = append(used, at)
			}
		}
		for range 20 {
			damaged := bytes.Clone(whole)
			for range 1 + f.IntN(2) {
				damaged[used[f.IntN(len(used))]] ^= byte(1) << f.IntN(8)
			}
			if n := f.salvage(damaged, timeline); n >= 0 {
				salvaged++
				if uint64(n) < timeline.Moment().Sealed().Head().Number() {
					shorter++
				}
			}
		}
	}
	t.Logf("%d files salvaged, %d of them with fewer blocks", salvaged, shorter)
	require.Positive(t, salvaged)
	require.Positive(t, shorter)
}

// newSmallForest returns a forest with an empty file that only grow writes to.
func newSmallForest(t *testing.T, seed uint64) *forest {
	f := &forest{
		T: t, Rand: rand.New(rand.NewPCG(seed, 3)), path: filepath.Join(t.TempDir(), "state.db"),
		trees: make(map[string]*tree), seen: make(map[common.Hash]bool),
	}
	var err error
	f.store, err = store.OpenByHand(f.path)
	require.NoError(t, err)
	return f
}

// grow keeps a timeline to which so many things happen, closes the file and returns the timeline.
func (f *forest) grow(things int) *preconf.Timeline {
	timeline := newTimeline(f.T, chain.Options{Track: true})
	f.trees["main"] = &tree{network: f.store.Network("main"), timeline: timeline}
	f.store.Network("main").Keep(timeline)
	for range things {
		f.thing()
		if f.IntN(2) == 0 {
			require.NoError(f, f.store.Write())
		}
	}
	require.NoError(f, f.store.Write())
	require.NoError(f, f.store.CloseByHand())
	return timeline
}

// Ensure damage in the keys by which bbolt searches the file, but not in the values, loses nothing that is read in
// order.
func TestSalvageWithDamagedSearches(t *testing.T) {
	if raceDetector {
		t.Skip("bbolt itself has a data race where its search for free pages panics on a damaged page")
	}
	t.Parallel()
	f := newSmallForest(t, 7)
	timeline := f.grow(60)
	whole, err := os.ReadFile(f.path)
	require.NoError(t, err)
	const header, element, branch = 16, 16, 1
	salvaged := 0
	for page := 2 * os.Getpagesize(); page < len(whole); page += os.Getpagesize() {
		if binary.NativeEndian.Uint16(whole[page+8:]) != branch {
			continue
		}
		for i := range int(binary.NativeEndian.Uint16(whole[page+10:])) {
			at := page + header + i*element
			first := at + int(binary.NativeEndian.Uint32(whole[at:]))
			for key := first; key < first+int(binary.NativeEndian.Uint32(whole[at+4:])); key += laboratory.Budget(t, 7, 1) {
				damaged := bytes.Clone(whole)
				damaged[key] ^= 0x10
				if f.salvage(damaged, timeline) >= 0 {
					salvaged++
				}
			}
		}
	}
	require.Greater(t, salvaged, 10)
}

// damage flips a bit of values of the main network in a file, each given by the key of its bucket, "" for the
// network's own, and its key; no key means the last one.
func damage(t *testing.T, path string, values ...[2]string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
		for _, v := range values {
			bucket, key := tx.Bucket([]byte("networks")).Bucket([]byte("main")), []byte(v[1])
			if v[0] != "" {
				bucket = bucket.Bucket([]byte(v[0]))
			}
			if len(key) == 0 {
				key, _ = bucket.Cursor().Last()
			}
			value := bytes.Clone(bucket.Get(key))
			value[len(value)-1] ^= 1
			if err := bucket.Put(key, value); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, db.Close())
}

// Ensure no block is salvaged that a reorg may have removed: where the newest block is damaged, it may stand on any
// that has the number before its own, and where its number is damaged, too, on any at all.
func TestSalvageOfManyBranches(t *testing.T) {
	t.Parallel()
	for name, damaged := range map[string][][2]string{
		"the newest block":                 {{"log", ""}},
		"the newest block and its number":  {{"log", ""}, {"", "head"}},
		"the newest block, and the moment": {{"log", ""}, {"", "now"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, timeline := filepath.Join(t.TempDir(), "state.db"), newTimeline(t, chain.Options{Track: true})
			s, err := store.OpenByHand(path)
			require.NoError(t, err)
			s.Network("main").Keep(timeline)
			for i := range 4 { // three blocks with the number 1, and one on the last of them
				if i == 0 || i == 3 {
					_, err = timeline.Seal(1)
				} else {
					_, err = timeline.Reorg(preconf.ReorgOptions{Depth: 1, Length: new(1)})
				}
				require.NoError(t, err)
				require.NoError(t, s.Write())
			}
			require.NoError(t, s.CloseByHand())
			damage(t, path, damaged...)
			require.False(t, checkSalvage(t, path, timeline), "a block after the first")
		})
	}
}

// salvage salvages a damaged file into a new one, and returns the number of the newest block, -1 if there is none.
func (f *forest) salvage(damaged []byte, timeline *preconf.Timeline) int {
	path := filepath.Join(f.TempDir(), "damaged.db")
	require.NoError(f, os.WriteFile(path, damaged, 0o600))
	remains, err := store.Salvage(path)
	if err != nil {
		return -1
	}
	defer func() { require.NoError(f, remains.Close()) }()
	moments := make(map[store.Name]*preconf.Saved)
	heads := make(map[string]common.Hash)
	for _, n := range append([]*store.Network{remains.Network("main")}, remains.Copies()...) {
		loaded, err := n.Load(nil, chain.Options{})
		if err != nil || loaded == nil {
			if n.Name().World == "" {
				return -1
			}
			continue
		}
		restored, err := preconf.New(preconf.Config{Chain: loaded.Chain})
		require.NoError(f, err)
		moments[n.Name()] = restored.Moment().Saved()
		last := f.trees[treeName(n)].timeline.Moment().Sealed()
		head := loaded.Chain.Head()
		require.NotNil(f, last.BlockByNumber(head.Number()), "%s: block %d of %d", n.Name(), head.Number(), last.Head().Number())
		require.Equal(f, last.BlockByNumber(head.Number()).Hash(), head.Hash(), "%s: block %d", n.Name(), head.Number())
		heads[treeName(n)] = head.Hash()
	}
	fresh := filepath.Join(f.TempDir(), "new.db")
	require.NoError(f, remains.CopyTo(fresh, moments))
	s, err := store.Open(fresh, store.Options{})
	require.NoError(f, err)
	defer func() { require.NoError(f, s.Close()) }()
	is := make(map[string]common.Hash)
	for _, n := range append([]*store.Network{s.Network("main")}, s.Copies()...) {
		restored, _ := load(f.T, n)
		is[treeName(n)] = restored.Moment().Latest().Hash()
	}
	require.Equal(f, heads, is)
	view, err := timeline.Moment().ByHash(heads["main"])
	require.NoError(f, err)
	return int(view.Number())
}
