package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure a file after a power cut, with any of the unsynced pages missing, older or torn, either equals the file after
// some write since the last sync, or is rejected as damaged and left unchanged; the same with a journal that is whole,
// cut, torn, lost or an earlier one. FAKENODE_POWER_CUTS is the number of cuts; make crashes has 2,000.
func TestPowerCuts(t *testing.T) {
	if laboratory.Race {
		t.Skip("bbolt itself has a data race where its search for free pages panics on a damaged page")
	}
	t.Parallel()
	cuts := laboratory.Number(t, "FAKENODE_POWER_CUTS", laboratory.Budget(t, 50, 100))
	const perRun = 50
	whole, damaged := 0, 0
	for seed := range uint64((cuts + perRun - 1) / perRun) {
		d := newDisk(t, seed)
		for range perRun {
			d.work()
			if d.cut() {
				whole++
			} else {
				damaged++
			}
		}
		require.NoError(t, d.store.CloseByHand())
	}
	t.Logf("%d files were whole, %d were rejected", whole, damaged)
	require.Positive(t, whole)
	require.Positive(t, damaged)
}

// disk is a forest on a disk that loses pages that were not synced.
type disk struct {
	*forest
	slow     *store.SlowFile
	synced   []byte                // the file after the last sync
	writes   []map[int][]byte      // since then, by transaction: pages by number
	states   []map[string][]string // pictures of the networks, by write, beginning with the last sync
	last     []byte                // the file now
	journals [][]byte              // after each write to one, and nil where it was removed
}

func newDisk(t *testing.T, seed uint64) *disk {
	f := &forest{
		T: t, Rand: rand.New(rand.NewPCG(seed, 2)), path: filepath.Join(t.TempDir(), "state.db"), trees: make(map[string]*tree),
		seen: make(map[common.Hash]bool),
	}
	d := &disk{forest: f, slow: new(store.SlowFile)}
	var err error
	f.store, err = store.OpenOnFile(f.path, d.slow)
	require.NoError(t, err)
	timeline := newTimeline(t, chain.Options{Track: true})
	f.store.Network("main").Keep(timeline)
	f.trees["main"] = &tree{network: f.store.Network("main"), timeline: timeline}
	d.sync()
	return d
}

// work makes some transactions, of some things each, and sometimes syncs the file.
func (d *disk) work() {
	for range 1 + d.IntN(4) {
		for range 1 + d.IntN(3) {
			d.thing()
		}
		d.write()
		switch d.IntN(6) {
		case 0:
			d.sync()
		case 1:
			d.writeDuringSync()
		}
	}
}

// writeDuringSync makes some writes during a sync, which may end then.
func (d *disk) writeDuringSync() {
	synced, since := d.last, len(d.states)-1
	for range 1 + d.IntN(3) {
		d.thing()
		require.NoError(d, d.store.WriteDuringSync())
		d.states, d.journals = append(d.states, d.pictures()), append(d.journals, d.journal())
	}
	if d.IntN(2) == 0 {
		return // the power is cut
	}
	d.synced, d.writes, d.states = synced, nil, d.states[since:]
	d.write()
	if d.IntN(2) == 0 {
		require.NoError(d, d.store.RemoveJournal())
		d.journals = append(d.journals, nil)
	}
}

// file returns the bytes of the file now.
func (d *disk) file() []byte {
	data, err := os.ReadFile(d.path)
	require.NoError(d, err)
	return data
}

// journal returns the journal of now, nil if there is none.
func (d *disk) journal() []byte {
	data, err := os.ReadFile(d.path + ".journal")
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(d, err)
	}
	return data
}

// write writes the changes in one transaction.
func (d *disk) write() {
	require.NoError(d, d.store.Write())
	now := d.file()
	pages := make(map[int][]byte)
	size := os.Getpagesize()
	for at := 0; at < len(now); at += size {
		if page := now[at : at+size]; at >= len(d.last) || !bytes.Equal(page, d.last[at:at+size]) {
			pages[at/size] = page
		}
	}
	d.last, d.writes, d.states = now, append(d.writes, pages), append(d.states, d.pictures())
}

// sync makes all that was written last.
func (d *disk) sync() {
	now := d.file()
	d.last, d.synced, d.writes, d.states = now, now, nil, []map[string][]string{d.pictures()}
}

// pictures describes all networks.
func (d *disk) pictures() map[string][]string {
	pictures := make(map[string][]string)
	for name, at := range d.trees {
		pictures[name] = blocksOf(d.T, at.timeline)
	}
	return pictures
}

// blocksOf describes every block that a timeline knows.
func blocksOf(t *testing.T, timeline *preconf.Timeline) (lines []string) {
	t.Helper()
	c := timeline.Moment().Sealed()
	blocks := c.Orphans()
	for n := c.Base(); n <= c.Head().Number(); n++ {
		blocks = append(blocks, c.BlockByNumber(n))
	}
	for _, block := range blocks {
		state, err := c.StateAt(block)
		require.NoError(t, err)
		lines = append(lines, fmt.Sprint(block.Number(), block.Hash(), state.Root()))
	}
	return append(lines, fmt.Sprint(c.Head().Hash()))
}

// cut opens the file as a power cut would leave it now, and reports whether it is whole.
func (d *disk) cut() (whole bool) {
	left := d.left()
	path := filepath.Join(d.TempDir(), "left.db")
	require.NoError(d, os.WriteFile(path, left, 0o600))
	defer os.Remove(path)
	journal := d.leftJournal()
	if journal != nil {
		require.NoError(d, os.WriteFile(path+".journal", journal, 0o600))
		defer os.Remove(path + ".journal")
	}
	s, err := store.Open(path, store.Options{})
	if err != nil {
		var damage *store.DamageError
		require.True(d, errors.As(err, &damage), "%v", err)
		after, err := os.ReadFile(path)
		require.NoError(d, err)
		require.True(d, bytes.Equal(left, after), "the file is touched")
		if journal != nil {
			after, err := os.ReadFile(path + ".journal")
			require.NoError(d, err)
			require.True(d, bytes.Equal(journal, after), "the journal is touched")
		}
		return false
	}
	defer func() { require.NoError(d, s.Close()) }()
	is := make(map[string][]string)
	for _, n := range append([]*store.Network{s.Network("main")}, s.Copies()...) {
		loaded, err := n.Load(nil, chain.Options{})
		require.NoError(d, err)
		if loaded == nil { // nothing was written before the sync
			require.Nil(d, d.states[0]["main"])
			return true
		}
		timeline, err := preconf.New(preconf.Config{Chain: loaded.Chain, Saved: loaded.Saved})
		require.NoError(d, err)
		is[treeName(n)] = blocksOf(d.T, timeline)
	}
	for _, state := range d.states {
		if maps.EqualFunc(state, is, slices.Equal) {
			return true
		}
	}
	require.Fail(d, "the file is none of those since the last sync", "%s", slices.Sorted(maps.Keys(is)))
	return false
}

// left returns a file in which each page written since the last sync is as any of the transactions left it, or as it
// was before, or torn between two of these.
func (d *disk) left() []byte {
	size := os.Getpagesize()
	versions := make(map[int][][]byte)
	for _, pages := range d.writes {
		for number, page := range pages {
			versions[number] = append(versions[number], page)
		}
	}
	left := bytes.Clone(d.synced)
	lost := d.IntN(4) // of ten pages, so many are not the newest
	for _, number := range slices.Sorted(maps.Keys(versions)) {
		newest := len(versions[number]) - 1
		page := versions[number][newest]
		for (number+1)*size > len(left) {
			left = append(left, make([]byte, size)...)
		}
		at := left[number*size : (number+1)*size]
		if d.IntN(10) >= lost {
			copy(at, page)
			continue
		}
		if older := d.IntN(newest + 1); older > 0 {
			copy(at, versions[number][older-1])
		}
		if d.IntN(4) == 0 {
			copy(at[:512*(1+d.IntN(7))], page)
		}
	}
	return left
}

// leftJournal returns the journal after a power cut: whole, older, lost, cut, or with a sector of zeros; nil: there is
// none.
func (d *disk) leftJournal() []byte {
	left := d.journal()
	if len(d.journals) > 0 && d.IntN(3) == 0 {
		left = d.journals[d.IntN(len(d.journals))]
	}
	if left == nil {
		return nil
	}
	left = bytes.Clone(left)
	switch d.IntN(5) {
	case 0:
		return nil
	case 1:
		return left[:d.IntN(len(left)+1)]
	case 2:
		at := d.IntN(len(left)) &^ 511
		clear(left[at:min(at+512, len(left))])
	}
	return left
}
