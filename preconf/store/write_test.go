package store_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure what could not be written is written with what came since, whatever that is: networks, blocks, States,
// codes, reorgs, and copies that are made and dropped; and that a failed write leaves the file as it was.
func TestFailedWritesAreMadeUpFor(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	for seed := range laboratory.Budget(t, uint64(2), 6) {
		f := &forest{
			T: t, Rand: rand.New(rand.NewPCG(seed, 9)), path: filepath.Join(t.TempDir(), "state.db"), trees: make(map[string]*tree),
			seen: make(map[common.Hash]bool),
		}
		var broken error
		var err error
		f.store, err = store.OpenOnBrokenDisk(f.path, func() error { return broken })
		require.NoError(t, err)
		timeline := newTimeline(t, chain.Options{Track: true})
		f.trees["main"] = &tree{network: f.store.Network("main"), timeline: timeline}
		f.store.Network("main").Keep(timeline)
		failures := 0
		for range 40 {
			for range 1 + f.IntN(3) {
				f.thing()
			}
			if broken = nil; f.IntN(3) > 0 {
				broken = full
			}
			if err := f.store.Write(); broken != nil && err != nil {
				require.ErrorIs(t, err, full)
				require.ErrorContains(t, err, f.path+": ")
				failures++
			} else {
				require.NoError(t, err)
			}
		}
		require.Greater(t, failures, 10)
		broken = nil
		require.NoError(t, f.store.Write())
		is := make(map[string][]string)
		killed := killedAt(t, f.path)
		for _, n := range append([]*store.Network{killed.Network("main")}, killed.Copies()...) {
			restored, _ := load(t, n)
			is[treeName(n)] = f.picture(restored)
		}
		require.NoError(t, killed.Close())
		require.ElementsMatch(t, slices.Collect(maps.Keys(f.trees)), slices.Collect(maps.Keys(is)))
		for name, at := range f.trees {
			require.Equal(t, f.picture(at.timeline), is[name], name)
		}
		require.NoError(t, f.store.CloseByHand())
	}
}

// Ensure who keeps a node is told once that writing fails, and once that it works again, that the writer tries again
// by itself, and that Close returns the error if it still fails.
func TestWritingFailsAndWorksAgain(t *testing.T) {
	t.Parallel()
	full := errors.New("no space left on device")
	path := filepath.Join(t.TempDir(), "state.db")
	var broken atomic.Bool
	told := make(chan error, 16)
	s, err := store.OpenToFail(path, func() error {
		if broken.Load() {
			return full
		}
		return nil
	}, func(err error) { told <- err })
	require.NoError(t, err)
	timeline := newTimeline(t, chain.Options{Track: true})
	s.Network("main").Keep(timeline)
	wait := func() error {
		select {
		case err := <-told:
			return err
		case <-time.After(time.Minute):
			return errors.New("nothing was told within a minute")
		}
	}
	for range 2 {
		broken.Store(true)
		_, err = timeline.Seal(1)
		require.NoError(t, err)
		require.ErrorIs(t, wait(), full)
		_, err = timeline.Seal(1)
		require.NoError(t, err)
		broken.Store(false) // nothing else happens: it tries again after a second
		require.NoError(t, wait())
		require.Empty(t, told)
	}
	killed := killedAt(t, path)
	restored, _ := load(t, killed.Network("main"))
	require.EqualValues(t, 4, restored.Moment().Latest().Number())
	require.NoError(t, killed.Close())
	broken.Store(true)
	_, err = timeline.Seal(1)
	require.NoError(t, err)
	require.ErrorIs(t, s.Close(), full)
	require.ErrorIs(t, s.Close(), full)
}

// onSlowDisk has the path of a file that this program seals blocks into, on a slow disk, until it is killed.
const onSlowDisk = "TEST_STORE_ON_SLOW_DISK"

func TestMain(m *testing.M) {
	if path := os.Getenv(onSlowDisk); path != "" {
		fmt.Fprintln(os.Stderr, sealOnSlowDisk(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// durable is how long after its sealing a block is certain to be kept, by a process that gets to run.
const durable = 200 * time.Millisecond

// Ensure a process that is killed on a disk whose syncs and transactions take 1.5 s has every block that it sealed 200
// ms before, again and again. FAKENODE_CRASHES describes how often; make crashes has 200.
func TestKilledOnSlowDisk(t *testing.T) {
	if laboratory.Race {
		t.Skip("the 200 ms within which a block is written are wall time, which the race detector stretches")
	}
	t.Parallel()
	rounds := laboratory.Number(t, "FAKENODE_CRASHES", laboratory.Budget(t, 1, 3))
	random := rand.New(rand.NewPCG(1, 2))
	path := filepath.Join(t.TempDir(), "state.db")
	_, s := kept(t, path)
	require.NoError(t, s.Close())
	replayed := 0
	for round := range rounds {
		number, hash := sealUntilKilled(t, path, time.Duration(800+random.IntN(1700))*time.Millisecond)
		if _, err := os.Stat(path + ".journal"); err == nil {
			replayed++
		}
		s, err := store.Open(path, store.Options{})
		require.NoError(t, err)
		restored, _ := load(t, s.Network("main"))
		block := restored.Moment().Sealed().BlockByNumber(number)
		require.NotNil(t, block, "round %d: block %d is lost, the head is %d", round, number, restored.Moment().Latest().Number())
		require.Equal(t, hash, block.Hash(), "round %d", round)
		require.NoError(t, s.Close())
	}
	t.Logf("%d of %d kills left a journal", replayed, rounds)
}

// sealUntilKilled has another process seal blocks for a time, from the first that is certain to be kept on, and returns
// the last that is.
func sealUntilKilled(t *testing.T, path string, during time.Duration) (number uint64, hash common.Hash) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), onSlowDisk+"="+path)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	var kill *time.Timer // from the first block on
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if kill == nil {
			kill = time.AfterFunc(during, func() { _ = command.Process.Kill() })
		}
		var text string
		if _, err := fmt.Sscan(lines.Text(), &number, &text); err == nil {
			hash = common.HexToHash(text)
		}
	}
	require.ErrorContains(t, command.Wait(), "killed")
	require.NotZero(t, number)
	return number, hash
}

// sealOnSlowDisk seals blocks, and prints number and hash of each when it is certain to be kept. A time in which the
// machine runs no program does not count.
func sealOnSlowDisk(path string) error {
	s, err := store.OpenOnSlowDisk(path, 1500*time.Millisecond)
	if err != nil {
		return err
	}
	n := s.Network("main")
	loaded, err := n.Load(nil, chain.Options{})
	if err != nil {
		return err
	}
	timeline, err := preconf.New(preconf.Config{Chain: loaded.Chain, Saved: loaded.Saved})
	if err != nil {
		return err
	}
	n.Keep(timeline)
	const pause = 5 * time.Millisecond
	type sealed struct {
		line string
		at   time.Duration
	}
	var uncertain []sealed
	var ran time.Duration
	for last := time.Now(); ; {
		hashes, err := timeline.Seal(1)
		if err != nil {
			return err
		}
		uncertain = append(uncertain, sealed{fmt.Sprintln(timeline.Moment().Latest().Number(), hashes[0]), ran})
		time.Sleep(pause)
		now := time.Now()
		ran, last = ran+min(now.Sub(last), 2*pause), now
		for len(uncertain) > 0 && ran-uncertain[0].at > durable {
			fmt.Print(uncertain[0].line)
			uncertain = uncertain[1:]
		}
	}
}

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

// Ensure what is written while a commit hangs is kept when the process is killed, whether or not the commit has reached
// the file, and also while the next one hangs.
func TestKilledDuringCommit(t *testing.T) {
	t.Parallel()
	for name, reached := range map[string]bool{"before it reaches the file": false, "after that": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDisk(t, 3)
			write := func() {
				d.thing()
				_, err := d.trees["main"].timeline.Seal(1) // so that there is something to write
				require.NoError(t, err)
				require.NoError(t, d.store.WriteOnSlowDisk())
				require.Equal(t, d.pictures(), picturesOf(t, d.file(), d.journal()))
			}
			for range laboratory.Budget(t, 3, 20) {
				goOn := make(chan struct{})
				d.slow.BeforePages, d.slow.AfterPages = func() { <-goOn }, nil
				if reached {
					d.slow.BeforePages, d.slow.AfterPages = nil, func() { <-goOn }
				}
				for range 3 {
					write()
					write()
					goOn <- struct{}{}
					require.NoError(t, d.store.EndCommit())
				}
				write()
				close(goOn)
				require.NoError(t, d.store.Finish())
				require.Equal(t, d.pictures(), picturesOf(t, d.file(), nil))
			}
			require.NoError(t, d.store.CloseByHand())
		})
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
