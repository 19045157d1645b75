package preconf_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

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
			reorg(t, timeline, preconf.ReorgOptions{Depth: 1})
		case i%7 == 0:
			seal(t, timeline, 1)
		}
	}
	readers.Wait()
	require.EqualValues(t, logs, timeline.Moment().PoolNonce(accounts[0].address))
}
