package preconf_test

import (
	"fmt"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// A log is pre-confirmed 200 ms after its transaction was sent, sealed with the
// block, and removed by a reorg that loses the transaction.
func Example() {
	c, err := chain.New(genesis, chain.Options{})
	if err != nil {
		panic(err)
	}
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: start})
	if err != nil {
		panic(err)
	}
	feed := timeline.Subscribe()
	defer feed.Close()

	if err := timeline.Send(accounts[0].emit(0, 1, 42)); err != nil {
		panic(err)
	}
	if _, err := timeline.Advance(200 * time.Millisecond); err != nil {
		panic(err)
	}
	m := timeline.Moment()
	fmt.Println("pending has", len(m.Pending().Logs()), "log, latest has", len(m.Latest().Logs()))

	if _, err := timeline.Seal(1); err != nil {
		panic(err)
	}
	if _, err := timeline.Reorg(control.ReorgOptions{Depth: 1, Transactions: control.Drop}); err != nil {
		panic(err)
	}
	for e, _ := feed.Poll(); e != nil; e, _ = feed.Poll() {
		switch e.Kind {
		case preconf.FlashblockAdded:
			fmt.Println("flashblock", e.Flashblock.Index, "of block", e.Flashblock.Number)
		case preconf.HeadAdded:
			fmt.Println("head", e.View.Number())
		case preconf.LogsAdded, preconf.LogsRemoved:
			fmt.Println("log of block", e.View.Number(), "removed:", e.Logs[0].Removed)
		}
	}
	// Output:
	// pending has 1 log, latest has 0
	// flashblock 0 of block 1
	// head 1
	// log of block 1 removed: false
	// log of block 1 removed: true
	// head 1
	// head 2
}
