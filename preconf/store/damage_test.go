package store_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure a file that is cut, or has a wrong bit anywhere, is either rejected and left unchanged, or read as it was.
func TestDamage(t *testing.T) {
	if laboratory.Race {
		t.Skip("bbolt itself has a data race where its search for free pages panics on a damaged page")
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "whole.db")
	timeline, s := kept(t, path)
	_, err := timeline.Seal(40)
	require.NoError(t, err)
	for _, world := range []string{"a", "b"} {
		copied := timeline.Copy()
		require.NotNil(t, s.Network("main").Copy(store.Name{World: world, Network: "main"}, store.World{Made: time.Unix(1, 0)}, copied))
		_, err := copied.Seal(2)
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	head := timeline.Moment().Latest().Hash()

	refused, salvaged := 0, 0
	check := func(t *testing.T, what string, data []byte) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "damaged.db")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		s, err := store.Open(path, store.Options{})
		var loaded *store.Loaded
		if err == nil {
			require.Len(t, s.Copies(), 2, what)
			loaded, err = s.Network("main").Load(nil, chain.Options{})
			require.NoError(t, errors.Join(err, s.Close()), what)
			require.NotNil(t, loaded, what)
			require.Equal(t, head, loaded.Chain.Head().Hash(), what)
			return
		}
		refused++
		var damage *store.DamageError
		require.ErrorAs(t, err, &damage, what)
		require.ErrorContains(t, err, path, what)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, after), "%s: the file is touched", what)
		if checkSalvage(t, path, timeline) {
			salvaged++
		}
		after, err = os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, after), "%s: salvaging touches the file", what)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var used []int // where a wrong bit may matter: most of the file is not written yet
	for at, b := range whole {
		if b != 0 {
			used = append(used, at)
		}
	}
	some := laboratory.Budget(t, 40, 300)
	for range some {
		at, bit := used[random.IntN(len(used))], byte(1)<<random.IntN(8)
		damaged := bytes.Clone(whole)
		damaged[at] ^= bit
		check(t, "flipped", damaged)
	}
	require.Greater(t, refused, some/3)
	require.Greater(t, salvaged, refused/2)
	page := os.Getpagesize()
	for range some {
		damaged, from, to := bytes.Clone(whole), random.IntN(len(whole)/page)*page, random.IntN(len(whole)/page)*page
		copy(damaged[to:to+page], whole[from:from+page])
		check(t, fmt.Sprintf("page %d at %d", from/page, to/page), damaged)
		damaged = bytes.Clone(whole)
		clear(damaged[to : to+page])
		check(t, fmt.Sprintf("no page at %d", to/page), damaged)
	}
	for range some / 5 {
		check(t, "cut", whole[:1+random.IntN(used[len(used)-1])])
	}
	check(t, "no store", []byte("precious"))
	t.Logf("%d rejected, %d of them with blocks that are whole", refused, salvaged)
}

// Ensure a file that is too small for any node is damaged, and is left unchanged.
func TestSmallFileIsDamaged(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 4096, 3 * 4096} {
		path := filepath.Join(t.TempDir(), "small.db")
		require.NoError(t, os.WriteFile(path, make([]byte, size), 0o600))
		_, err := store.Open(path, store.Options{})
		var damage *store.DamageError
		require.ErrorAs(t, err, &damage)
		require.ErrorContains(t, err, fmt.Sprintf("%s is damaged: it has %d bytes", path, size))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.EqualValues(t, size, info.Size())
	}
}

// checkSalvage ensures that a salvaged file yields the timeline's first blocks, with the State of the newest, and
// reports whether there are any.
func checkSalvage(t *testing.T, path string, timeline *preconf.Timeline) bool {
	t.Helper()
	s, err := store.Salvage(path)
	if err != nil {
		require.ErrorContains(t, err, path)
		return false
	}
	defer s.Close()
	n := s.Network("main")
	newest, ok := n.Newest()
	if !ok {
		return false
	}
	kept, err := n.Load(nil, chain.Options{})
	require.NoError(t, err)
	head := kept.Chain.Head()
	require.LessOrEqual(t, head.Number(), newest)
	require.Equal(t, timeline.Moment().Sealed().BlockByNumber(head.Number()).Hash(), head.Hash())
	state, err := kept.Chain.StateAt(head)
	require.NoError(t, err)
	require.Equal(t, head.Header().Root, state.Root())
	return head.Number() > 0
}

// Ensure a file with something appended to it is rejected, and left unchanged.
func TestAppended(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "whole.db")
	timeline, s := kept(t, path)
	_, err := timeline.Seal(3)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for want, appended := range map[string][]byte{
		"7 bytes follow its last page":   []byte("garbage"),
		"another store follows at byte ": whole,
	} {
		path := filepath.Join(t.TempDir(), "appended.db")
		data := append(bytes.Clone(whole), appended...)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		_, err = store.Open(path, store.Options{})
		require.ErrorContains(t, err, path+" is damaged: "+want)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(data, after))
	}
}

// Ensure a file that two use at a time, and one that cannot be made, is rejected in words.
func TestRefusals(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	_, s := kept(t, path)
	_, err := store.Open(path, store.Options{})
	require.EqualError(t, err, path+": another process uses the file")
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())

	_, err = store.Open(filepath.Join(t.TempDir(), "absent", "state.db"), store.Options{})
	require.ErrorContains(t, err, "no such file or directory")
	_, err = store.Open("/dev/zero", store.Options{})
	require.EqualError(t, err, "/dev/zero is neither a file nor a directory")
	require.NoError(t, syscall.Mkfifo(path+".journal", 0o600))
	_, err = store.Open(path, store.Options{})
	require.EqualError(t, err, path+".journal, the journal, is not a file")
}

// Ensure a file of an earlier version, and one of JSON, is rejected by a line that says what to do, and left as it is.
func TestRefusesOtherFormats(t *testing.T) {
	t.Parallel()
	packed, err := os.Open("testdata/version_1.db.gz")
	require.NoError(t, err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	require.NoError(t, err)
	old, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	for want, data := range map[string][]byte{
		`version "1" of the format, and this fakenode reads "2": give --state (Config.State) a new file`:                           old,
		"is JSON, not a state file: a dump of anvil's is read by --load-state (Config.Alloc), and --state needs a file of its own": []byte("{}"),
	} {
		path := filepath.Join(t.TempDir(), "state.db")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		_, err := store.Open(path, store.Options{})
		require.ErrorContains(t, err, want)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, data, after)
	}
}

// Ensure a salvaged network is a beginning of its last chain, although reorgs, reverts and edits came before, and that
// it can be written into a new file and read again from there.
func TestSalvageIsBeginningOfChain(t *testing.T) {
	if laboratory.Race {
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
			if n.Name.World == "" {
				return -1
			}
			continue
		}
		restored, err := preconf.New(preconf.Config{Chain: loaded.Chain})
		require.NoError(f, err)
		moments[n.Name] = restored.Moment().Saved()
		last := f.trees[treeName(n)].timeline.Moment().Sealed()
		head := loaded.Chain.Head()
		require.NotNil(f, last.BlockByNumber(head.Number()), "%s: block %d of %d", n.Name, head.Number(), last.Head().Number())
		require.Equal(f, last.BlockByNumber(head.Number()).Hash(), head.Hash(), "%s: block %d", n.Name, head.Number())
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
