package store_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/store"
)

// load returns the timeline of a network in the file.
func load(t *testing.T, n *store.Network) (*preconf.Timeline, *store.Network) {
	t.Helper()
	loaded, err := n.Load(nil, chain.Options{})
	require.NoError(t, err)
	require.NotNil(t, loaded)
	timeline, err := preconf.New(preconf.Config{Chain: loaded.Chain, Saved: loaded.Saved})
	require.NoError(t, err)
	return timeline, n
}

// Ensure that whatever happens to networks and their copies, they are the same when the file is opened again: which
// blocks are canonical, orphaned and unknown, and their States.
func TestRandomCopies(t *testing.T) {
	t.Parallel()
	seeds := []uint64{15, 1, 33, 69, 76} // in all but the second blocks are made again on another State
	for _, seed := range seeds[:laboratory.Budget(t, 1, len(seeds))] {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			newForest(t, seed).run(5, 30)
		})
	}
}

// forest is a network, its copies, theirs, and so on.
type forest struct {
	*testing.T
	*rand.Rand
	path  string
	store *store.Store
	trees map[string]*tree
	named int
	seen  map[common.Hash]bool // blocks
}

type tree struct {
	network   *store.Network
	timeline  *preconf.Timeline
	snapshots []uint64
}

func newForest(t *testing.T, seed uint64) *forest {
	f := &forest{
		T: t, Rand: rand.New(rand.NewPCG(seed, 1)), path: filepath.Join(t.TempDir(), "state.db"), trees: make(map[string]*tree),
		seen: make(map[common.Hash]bool),
	}
	var timeline *preconf.Timeline
	timeline, f.store = kept(t, f.path)
	f.trees["main"] = &tree{network: f.store.Network("main"), timeline: timeline}
	return f
}

// run does things at random, and opens the file again after so many, so often.
func (f *forest) run(rounds, things int) {
	for range rounds {
		for range things {
			f.thing()
		}
		f.again()
	}
}

// thing does something to one of the trees.
func (f *forest) thing() {
	names := slices.Sorted(maps.Keys(f.trees))
	name := names[f.IntN(len(names))]
	f.step(name, f.trees[name])
	f.seen[f.trees["main"].timeline.Moment().Latest().Hash()] = true
	if at := f.trees[name]; at != nil {
		f.seen[at.timeline.Moment().Latest().Hash()] = true
	}
}

// treeName returns the name that a network has in the forest.
func treeName(n *store.Network) string { return cmp.Or(n.Name.World, n.Name.Network) }

// step does something.
func (f *forest) step(name string, at *tree) {
	snapshot := func() uint64 { return at.snapshots[f.IntN(len(at.snapshots))] }
	var err error
	switch kind := f.IntN(10); {
	case kind < 3:
		_, err = at.timeline.Seal(1 + f.IntN(3))
	case kind == 3:
		wei, code := f.Uint64N(1000), []byte{byte(f.IntN(4)), 1}
		err = at.timeline.EditState(func(s *evmstate.State) *evmstate.State {
			return s.WithBalance(common.Address{0xaa}, uint256.NewInt(wei)).WithCode(common.Address{0xcc}, code).
				WithStorage(common.Address{0xcc}, common.Hash{byte(wei)}, common.Hash{1})
		})
	case kind == 4:
		at.snapshots = append(at.snapshots, at.timeline.Snapshot())
	case kind == 5 && len(at.snapshots) > 0 && f.IntN(2) == 0:
		err = at.timeline.Revert(snapshot())
	case kind == 5 && len(at.snapshots) > 0:
		err = at.timeline.RevertAnnounced(snapshot())
	case kind == 6 && at.timeline.Moment().Latest().Number() > 3:
		_, err = at.timeline.Reorg(control.ReorgOptions{Depth: 1 + f.IntN(3)})
	case kind == 7 && name != "main":
		at.network.Drop()
		delete(f.trees, name)
	case kind == 8:
		f.plant(at, at.timeline.Copy())
	case kind == 9 && len(at.snapshots) > 0:
		var copied *preconf.Timeline
		copied, err = at.timeline.CopyAt(snapshot())
		require.NoError(f, err)
		f.plant(at, copied)
	}
	require.NoError(f, err)
}

// plant keeps a copy under a new name, or one that was used before.
func (f *forest) plant(of *tree, copied *preconf.Timeline) {
	f.named++
	name := fmt.Sprint("copy-", f.named%7)
	if f.trees[name] != nil {
		return
	}
	network := of.network.Copy(store.Name{World: name, Network: "main"}, store.World{Made: time.Unix(int64(f.named), 0)}, copied)
	require.NotNil(f, network)
	f.trees[name] = &tree{network: network, timeline: copied}
}

// again opens the file again and goes on from there.
func (f *forest) again() {
	was := make(map[string][]string)
	for name, at := range f.trees {
		was[name] = f.picture(at.timeline)
	}
	require.NoError(f, f.store.Close())
	var err error
	f.store, err = store.Open(f.path, store.Options{})
	require.NoError(f, err)
	restored := make(map[string]*tree)
	for _, n := range append([]*store.Network{f.store.Network("main")}, f.store.Copies()...) {
		timeline, _ := load(f.T, n)
		restored[treeName(n)] = &tree{network: n, timeline: timeline}
	}
	require.ElementsMatch(f, slices.Collect(maps.Keys(f.trees)), slices.Collect(maps.Keys(restored)))
	for name, at := range restored {
		require.Equal(f, was[name], f.picture(at.timeline), name)
		at.network.Keep(at.timeline)
	}
	f.trees = restored
}

// picture describes every block that was ever seen.
func (f *forest) picture(timeline *preconf.Timeline) (lines []string) {
	c := timeline.Moment().Sealed()
	for hash := range f.seen {
		block, canonical := c.BlockByHash(hash)
		if block == nil {
			continue
		}
		state, err := c.StateAt(block)
		require.NoError(f, err)
		lines = append(lines, fmt.Sprint(block.Number(), hash, canonical, state.Root()))
	}
	slices.Sort(lines)
	return append(lines, fmt.Sprint(c.Head().Number(), c.Head().Hash()))
}

// Ensure a node that is killed while it begins leaves a file with all of its networks or with none: the main network
// was once written alone, and such a file was refused.
func TestNetworksBeginTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := store.OpenByHand(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.CloseByHand()) }()
	begun := func() (names []string) {
		killed := killedAt(t, path)
		defer func() { require.NoError(t, killed.Close()) }()
		for _, name := range []string{"main", "testnet"} {
			if killed.Network(name).Origin != nil {
				names = append(names, name)
			}
		}
		return names
	}
	s.Together(func() {
		for _, name := range []string{"main", "testnet"} {
			s.Network(name).Keep(newTimeline(t, chain.Options{Track: true}))
			require.NoError(t, s.WriteChanged())
			require.Empty(t, begun())
		}
	})
	require.NoError(t, s.WriteChanged())
	require.Equal(t, []string{"main", "testnet"}, begun())
}

// Ensure a clock that was moved by hand is in the file with the next transaction, so that it survives a kill, on a
// network and on a copy; also a real clock that was set forward, but not that one's own ticking.
func TestClockSurvivesKill(t *testing.T) {
	t.Parallel()
	for name, real := range map[string]bool{"manual": false, "real": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "state.db")
			s, err := store.OpenByHand(path)
			require.NoError(t, err)
			defer func() { require.NoError(t, s.CloseByHand()) }()
			on := newTimeline(t, chain.Options{Track: true}).Moment().Chain()
			main, err := preconf.New(preconf.Config{Chain: on, Start: time.Now(), Real: real})
			require.NoError(t, err)
			s.Network("main").Keep(main)
			world := main.Copy()
			s.Network("main").Copy(store.Name{World: "w", Network: "main"}, store.World{Made: time.Unix(1, 0)}, world)
			require.NoError(t, s.Write())
			least := time.Millisecond // the shortest step that is written
			if real {
				least = time.Second
			}
			for _, timeline := range []*preconf.Timeline{main, world} {
				for _, move := range []func() error{
					func() error { return timeline.IncreaseTime(time.Hour) },
					func() error { return timeline.SetTime(timeline.Moment().Now().Add(time.Minute)) },
					func() error { _, err := timeline.Advance(least); return err },
				} {
					require.NoError(t, move())
					require.NoError(t, s.Write())
					killed := killedAt(t, path)
					for i, n := range append([]*store.Network{killed.Network("main")}, killed.Copies()...) {
						restored, _ := load(t, n)
						live := []*preconf.Timeline{main, world}[i].Moment()
						require.Equal(t, live.Now(), restored.Moment().Now())
						require.Equal(t, live.Pending().Header(), restored.Moment().Pending().Header())
					}
					require.NoError(t, killed.Close())
				}
			}
			if !real {
				return
			}
			written := time.Now()
			_, err = main.Advance(time.Second)
			require.NoError(t, err)
			require.NoError(t, s.Write())
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			_, err = main.Advance(time.Since(written)) // it ticks as the wall clock does, however busy the machine is
			require.NoError(t, err)
			require.NoError(t, s.Write())
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, before, after)
		})
	}
}

// killedAt opens a copy of a file, as a process that was killed now leaves it.
func killedAt(t *testing.T, path string) *store.Store {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	left := filepath.Join(t.TempDir(), "left.db")
	require.NoError(t, os.WriteFile(left, data, 0o600))
	s, err := store.Open(left, store.Options{})
	require.NoError(t, err)
	return s
}

// Ensure a fork is kept with the point that it goes on from and with its own changes, also those of the fork block,
// and a copy of it too; that it is restored on the same point, and on no other; and that what is salvaged of it is.
func TestForkIsKept(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	for range 3 {
		under.Seal()
	}
	f := servertest.OpenFork(t, under.URL(), "2")
	rules := under.Moment().Chain().Config()
	changed := evmstate.StateFromSource(f.At(2)).Tracked().WithBalance(common.Address{0xaa}, uint256.NewInt(5)).
		WithCode(common.Address{0xcc}, []byte{1, 2, 3})
	c, err := chain.NewFork(f, rules, changed, chain.Options{Track: true})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(int64(c.Head().Time()), 0)})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := store.OpenByHand(path)
	require.NoError(t, err)
	s.Network("main").Keep(timeline)
	require.NoError(t, s.Write())
	_, err = timeline.Seal(2)
	require.NoError(t, err)
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithBalance(common.Address{0xbb}, uint256.NewInt(6))
	}))
	copied := timeline.Copy()
	s.Network("main").Copy(store.Name{World: "a", Network: "main"}, store.World{Made: time.Unix(1, 0)}, copied)
	_, err = copied.Seal(2)
	require.NoError(t, err)
	require.NoError(t, s.Write())
	require.NoError(t, s.CloseByHand())

	balances := func(c *chain.Chain) []int64 {
		state, err := c.StateAt(c.Head())
		require.NoError(t, err)
		var have []int64
		for _, account := range []common.Address{{0xaa}, {0xbb}, fixtures.Dev(3).Address} {
			have = append(have, new(big.Int).Mod(state.Balance(account).ToBig(), big.NewInt(7919)).Int64())
		}
		require.Equal(t, []byte{1, 2, 3}, state.Code(common.Address{0xcc}))
		return have
	}
	again := func(s *store.Store, copies int) {
		main := s.Network("main")
		require.Equal(t, servertest.OpenFork(t, under.URL(), "2").Point(), main.Origin.Fork.Point)
		require.Nil(t, main.Origin.Genesis)
		require.Equal(t, rules.ChainID, main.Origin.Fork.Rules.ChainID)
		for _, other := range []*remote.Fork{nil, servertest.OpenFork(t, under.URL(), "3")} {
			_, err = main.Load(other, chain.Options{})
			require.EqualError(t, err, path+" is of a fork of "+f.Point().String())
		}
		for i, n := range append([]*store.Network{main}, s.Copies()...) {
			loaded, err := n.Load(f, chain.Options{})
			require.NoError(t, err)
			want := []*preconf.Timeline{timeline, copied}[i].Moment().Sealed()
			require.Equal(t, want.Head().Hash(), loaded.Chain.Head().Hash())
			require.Equal(t, balances(want), balances(loaded.Chain))
			first, err := loaded.Chain.StateAt(loaded.Chain.BlockByNumber(2))
			require.NoError(t, err)
			require.EqualValues(t, 5, first.Balance(common.Address{0xaa}).Uint64())
			require.Zero(t, first.Balance(common.Address{0xbb}).Uint64())
		}
		require.Len(t, s.Copies(), copies)
	}
	s, err = store.Open(path, store.Options{})
	require.NoError(t, err)
	again(s, 1)
	require.NoError(t, s.Close())
	remains, err := store.Salvage(path)
	require.NoError(t, err)
	number, ok := remains.Network("main").Newest()
	require.True(t, ok)
	require.EqualValues(t, 4, number)
	again(remains, 1)
	require.Empty(t, remains.Lost)
	require.NoError(t, remains.Close())
}

// Ensure a copy of a network that was dropped is not kept.
func TestCopyOfDroppedCopy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	timeline, s := kept(t, path)
	c := s.Network("main").Copy(store.Name{World: "a", Network: "main"}, store.World{Made: time.Unix(1, 0)}, timeline.Copy())
	require.NotNil(t, c)
	require.Equal(t, time.Unix(1, 0), c.World.Made)
	c.Drop()
	require.Nil(t, c.Copy(store.Name{World: "b", Network: "main"}, store.World{Made: time.Unix(2, 0)}, timeline.Copy()))
	require.NoError(t, s.Close())
	s, err := store.Open(path, store.Options{})
	require.NoError(t, err)
	require.Empty(t, s.Copies())
	require.NoError(t, s.Close())
}
