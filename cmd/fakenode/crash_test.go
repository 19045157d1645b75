package main

import (
	"bufio"
	"context"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// asProgram makes the test's binary the program, so that a test can kill it.
const asProgram = "TEST_AS_FAKENODE"

// fileLimit is how many bytes the files of such a program may have.
const fileLimit = "TEST_FILE_LIMIT"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		if limit, err := strconv.ParseUint(os.Getenv(fileLimit), 10, 64); err == nil {
			_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit})
		}
		main()
		return
	}
	os.Exit(m.Run())
}

// crashes says how often a node is killed: 200 times by make crashes, which has the machine for itself.
var crashes = os.Getenv("FAKENODE_CRASHES")

// durable is the time after its sealing at which a block is certain to be in the file, by a process that gets to run:
// 200 ms and what a write may take while make crashes keeps the disk busy. Beside the tests of other packages a process
// may wait long for a processor.
var durable = map[bool]time.Duration{true: 2 * time.Second, false: 500 * time.Millisecond}[crashes == ""]

// Ensure a node that is killed under load has every block that was sealed a moment before, again and again, of each
// world too, also of one that was made only just then. make crashes also has a disk that is always busy.
func TestKilledUnderLoad(t *testing.T) {
	if laboratory.Race {
		t.Skip("the 200 ms within which a block is written are wall time, which the race detector stretches")
	}
	t.Parallel()
	rounds := laboratory.Budget(t, 1, 8)
	if crashes != "" {
		var err error
		rounds, err = strconv.Atoi(crashes)
		require.NoError(t, err)
	}
	directory := t.TempDir()
	state := filepath.Join(directory, "state.db")
	if crashes != "" {
		go keepDiskBusy(t.Context(), filepath.Join(directory, "busy"))
	}
	certain := make(map[string]*types.Receipt) // by path, of the newest that must be there, and with its block all before
	for round := range rounds + 1 {
		node := startProcess(t, "--seal", "instant", "--state", state, "--auto-worlds")
		for path, receipt := range certain {
			node.at(t, path).has(t, receipt)
		}
		if round == rounds {
			node.kill(t)
			break
		}
		path := []string{"/w/shop-1", "", "/w/shop-2", ""}[round%4]
		certain[path] = node.at(t, path).load(t, time.Duration(300+round%7*60)*time.Millisecond, durable)
	}
}

// keepDiskBusy writes and syncs a file until ctx ends.
func keepDiskBusy(ctx context.Context, path string) {
	for data := make([]byte, 16<<20); ctx.Err() == nil; {
		file, err := os.Create(path)
		if err != nil {
			return
		}
		for range 4 {
			_, _ = file.Write(data)
			_ = file.Sync()
		}
		_ = file.Close()
	}
}

type killable struct {
	*ethclient.Client
	url     string
	command *exec.Cmd
}

// at returns the process with a client of another path.
func (k *killable) at(t *testing.T, path string) *killable {
	t.Helper()
	client, err := ethclient.Dial(k.url + path)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return &killable{Client: client, url: k.url + path, command: k.command}
}

// startProcess starts the program in a process of its own.
func startProcess(t *testing.T, args ...string) *killable {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], append([]string{"--port", "0", "--quiet"}, args...)...)
	command.Env = append(os.Environ(), asProgram+"=1")
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	first, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	return (&killable{url: "http://" + strings.TrimPrefix(strings.TrimSpace(first), "Listening on "), command: command}).at(t, "")
}

// load sends transactions for a while, each of which is a block, kills the process, and returns the receipt of the
// newest one that must be there after it if blocks are kept within some time, and so much more as the machine stood
// still.
func (k *killable) load(t *testing.T, during, within time.Duration) (certain *types.Receipt) {
	t.Helper()
	accounts, err := fixtures.Accounts(fixtures.DevMnemonic, 1)
	require.NoError(t, err)
	nonce, err := k.NonceAt(t.Context(), accounts[0].Address, nil)
	require.NoError(t, err)
	var receipts []*types.Receipt
	var seen []time.Time
	var last time.Time
	var allowed time.Duration
	stalled := watchStalls(t)
	for end := time.Now().Add(during); last.Before(end) || last.Sub(seen[0]) <= allowed; nonce++ {
		tx, err := types.SignNewTx(accounts[0].Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
			Nonce: nonce, GasPrice: big.NewInt(1e11), Gas: 21_000, To: &common.Address{1},
		})
		require.NoError(t, err)
		require.NoError(t, k.SendTransaction(t.Context(), tx))
		receipt, err := k.TransactionReceipt(t.Context(), tx.Hash())
		require.NoError(t, err)
		last = time.Now()
		receipts, seen, allowed = append(receipts, receipt), append(seen, last), within+stalled()
	}
	k.kill(t)
	for i, receipt := range receipts {
		if last.Sub(seen[i]) > allowed {
			certain = receipt
		}
	}
	return certain
}

// kill ends the process at once.
func (k *killable) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, k.command.Process.Kill())
	require.Error(t, k.command.Wait())
}

// watchStalls watches, until the test ends, how long the machine lets no program run, judged by this one. The function
// returned returns the longest time so far.
func watchStalls(t *testing.T) (longest func() time.Duration) {
	const pause = 5 * time.Millisecond
	asked := make(chan chan time.Duration)
	go func() {
		var most time.Duration
		for last := time.Now(); ; {
			var answer chan time.Duration
			select {
			case <-t.Context().Done():
				return
			case answer = <-asked:
			case <-time.After(pause):
			}
			most = max(most, time.Since(last)-pause)
			last = time.Now()
			if answer != nil {
				answer <- most
			}
		}
	}()
	return func() time.Duration {
		answer := make(chan time.Duration)
		asked <- answer
		return <-answer
	}
}
