package main

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure a fork that is killed while it fetches and writes leaves a whole cache file and a whole state file, with which
// it goes on, in the end without the other chain.
func TestForkKilledDuringColdRun(t *testing.T) {
	laboratory.Needs(t, laboratory.Long)
	t.Parallel()
	below := start(t, "--seal", "manual")
	require.NoError(t, below.dial(t).Client().Call(nil, "fakenode_seal", 3))
	directory := t.TempDir()
	cache, state := filepath.Join(directory, "fork.jsonl"), filepath.Join(directory, "state.db")
	flags := []string{"--seal", "instant", "--state", state, "--fork-cache", cache}
	var newest *types.Receipt
	for round := range 3 {
		node := startProcess(t, append(flags, "--fork-url", below.url)...)
		node.has(t, newest)
		var reads sync.WaitGroup
		reads.Go(func() { node.readCold(uint64(round) << 32) })
		// The file is written a second after something new was fetched.
		newest = node.load(t, 1100*time.Millisecond+time.Duration(round)*50*time.Millisecond, 900*time.Millisecond)
		reads.Wait()
	}
	below.end(t)
	content, err := os.ReadFile(cache)
	require.NoError(t, err)
	for range 2 {
		node := startProcess(t, append(flags, "--fork-offline")...)
		node.has(t, newest)
		newest = node.load(t, time.Second, 900*time.Millisecond)
	}
	after, err := os.ReadFile(cache)
	require.NoError(t, err)
	require.Equal(t, content, after)
}

// readCold reads accounts that were not read before until the process is gone.
func (k *killable) readCold(from uint64) {
	for i := from; ; i++ {
		address := common.Address{0xc0}
		binary.BigEndian.PutUint64(address[8:], i)
		if _, err := k.PendingBalanceAt(context.Background(), address); err != nil {
			return
		}
	}
}

// has ensures that the chain has a transaction in the block of its receipt, unless there is none yet.
func (k *killable) has(t *testing.T, wanted *types.Receipt) {
	t.Helper()
	if wanted == nil {
		return
	}
	receipt, err := k.TransactionReceipt(context.Background(), wanted.TxHash)
	require.NoError(t, err, "block %d is lost", wanted.BlockNumber)
	require.Equal(t, wanted.BlockHash, receipt.BlockHash)
}
