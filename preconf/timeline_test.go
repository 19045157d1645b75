package preconf_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pool"
)

var kinds = []preconf.EventKind{
	preconf.FlashblockAdded, preconf.HeadAdded, preconf.LogsAdded, preconf.LogsRemoved, preconf.LogsRetracted,
	preconf.TransactionPooled, preconf.FlashblockDisturbed,
}

// transcript writes down all that readers can tell apart.
func transcript(t *testing.T, to hash.Hash, timeline *preconf.Timeline, feed *preconf.Feed) {
	for {
		e, err := feed.Poll()
		require.NoError(t, err)
		if e == nil {
			break
		}
		fmt.Fprintln(to, slices.Index(kinds, e.Kind))
		if e.View != nil {
			fmt.Fprintln(to, e.View.Number(), e.View.Hash(), e.View.Time(), e.View.Header().MixDigest, e.View.Header().ParentHash)
		}
		logs := e.Logs
		if f := e.Flashblock; f != nil {
			fmt.Fprintln(to, f.Index, f.First)
			logs = f.Logs
			for _, r := range f.Receipts {
				fmt.Fprintln(to, r.TxHash, r.GasUsed, r.CumulativeGasUsed, r.EffectiveGasPrice)
			}
		}
		for _, l := range logs {
			fmt.Fprintln(to, l.BlockNumber, l.BlockHash, l.TxHash, l.TxIndex, l.Index, l.Removed, l.BlockTimestamp)
		}
	}
	m := timeline.Moment()
	v, err := m.Pending().SimulateView()
	require.NoError(t, err)
	fmt.Fprintln(to, m.Now().UnixNano(), m.Latest().Hash(), v.State.Root(), m.PoolSize())
}

// script uses everything that makes a hash, an id or an order.
func script(t *testing.T) string {
	to := sha256.New()
	timeline := newTimeline(t, preconf.Config{Order: pool.Fees})
	feed := timeline.Subscribe()
	defer feed.Close()
	filter, err := timeline.Filters().Add(filter.Filter{})
	require.NoError(t, err)
	fmt.Fprintln(to, filter, timeline.Snapshot())
	nonces := make([]uint64, len(accounts))
	for i := range 100 {
		for j := range i % 4 {
			from := (i + 3*j) % len(accounts)
			send(t, timeline, accounts[from].emit(nonces[from], byte(1+j), byte(1+i)))
			nonces[from]++
		}
		advance(t, timeline, 700*time.Millisecond)
		switch i % 20 {
		case 5:
			reorg(t, timeline, control.ReorgOptions{Depth: 1, Transactions: control.Reverse})
		case 11:
			fault(t, timeline, control.FlashblockFault{Kind: control.DropFlashblocks})
			fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock})
		case 16:
			require.NoError(t, timeline.IncreaseTime(time.Hour))
		}
		transcript(t, to, timeline, feed)
	}
	changes, err := timeline.Filters().Changes(filter, preconf.Lag{})
	require.NoError(t, err)
	fmt.Fprintln(to, len(changes.Logs), newBlockFilter(t, timeline), timeline.Snapshot())
	return fmt.Sprintf("%x", to.Sum(nil))
}

// The same script gives the same bytes: in one process, and, as the digest here says, on every machine.
func TestScriptsRepeat(t *testing.T) {
	t.Parallel()
	const digest = "59a7cbdfb05bfd607d4e7ce25f88208b9713a68f03490afaaa6b5a03f8f277ed"
	require.Equal(t, digest, script(t))
	require.Equal(t, digest, script(t))
}

// While a writer pre-confirms, seals, is late and reorgs, every reader finds each log exactly once from earliest to
// pending, at every moment, and what a feed announced is there when it arrives.
func TestReadersAndAWriter(t *testing.T) {
	t.Parallel()
	const logs = 400
	timeline := newTimeline(t, preconf.Config{})
	word := func(i int) (topic, data byte) { return byte(1 + i/200), byte(1 + i%200) }
	want := make([]string, logs)
	for i := range want {
		topic, data := word(i)
		want[i] = fmt.Sprintf("%d %d", topic, data)
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for count := 0; count < logs; {
				m := timeline.Moment()
				all, err := m.Logs(chain.LogFilter{}, earliest, pending)
				if err != nil {
					t.Error(err)
					return
				}
				var seen []string
				for l := range all {
					seen = append(seen, name(l))
				}
				if len(seen) > logs || len(seen) < count || !slices.Equal(seen, want[:len(seen)]) {
					t.Errorf("after %d logs: %v", count, seen)
					return
				}
				count = len(seen)
				if v, err := m.Pending().CallView(); err != nil || v.State.Nonce(accounts[0].address) < uint64(count) {
					t.Errorf("%d logs, but nonce %d, %v", count, v.State.Nonce(accounts[0].address), err)
					return
				}
			}
		})
	}
	feed := timeline.Subscribe()
	readers.Go(func() {
		defer feed.Close()
		for count := 0; count < logs; {
			e, err := feed.Next(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			if e.Kind != preconf.FlashblockAdded {
				continue
			}
			for _, tx := range e.Flashblock.Transactions {
				if found, err := timeline.Moment().Find(tx.Hash()); err != nil || !found.Executed() {
					t.Errorf("%s is announced, but not there", tx.Hash())
					return
				}
				count++
			}
		}
	})
	for i := range logs {
		topic, data := word(i)
		send(t, timeline, accounts[0].emit(uint64(i), topic, data))
		preconfirm(t, timeline)
		switch {
		case i%50 == 49:
			fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock})
			seal(t, timeline, 1)
		case i%50 == 20:
			reorg(t, timeline, control.ReorgOptions{Depth: 1})
		case i%7 == 0:
			seal(t, timeline, 1)
		}
	}
	readers.Wait()
	require.EqualValues(t, logs, timeline.Moment().PoolNonce(accounts[0].address))
}
