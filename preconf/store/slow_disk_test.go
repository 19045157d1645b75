package store_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

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

// Ensure a process that is killed on a disk whose syncs take 1.5 s, and hold up every write to the file, has every
// block that it sealed 200 ms before, again and again. FAKENODE_CRASHES describes how often; make crashes has 200.
func TestKilledOnSlowDisk(t *testing.T) {
	if raceDetector {
		t.Skip("the 200 ms within which a block is written are wall time, which the race detector stretches")
	}
	t.Parallel()
	rounds := laboratory.Budget(t, 1, 3)
	if given := os.Getenv("FAKENODE_CRASHES"); given != "" {
		var err error
		rounds, err = strconv.Atoi(given)
		require.NoError(t, err)
	}
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
