package fakenode

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/console"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

// Tester has the methods of *testing.T and *testing.B that RunT needs.
type Tester interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// noTest is the Tester of a node that no test owns: what would fail a test panics.
type noTest struct{}

func (noTest) Helper()                           {}
func (noTest) Cleanup(func())                    {}
func (noTest) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (noTest) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// RunT starts a node with the zero Config for a test, and closes it when the test ends.
func RunT(t Tester) *Node {
	t.Helper()
	return RunConfigT(t, Config{})
}

// RunConfigT is RunT with a Config. What a Preset sets wins over the zero value: with Anvil every transaction is sealed
// before its send returns. The clock is manual unless RealClock is set. When the test ends it also checks that the
// token's supply is the sum of its balances, unless the test edited storage directly or brought a Genesis, whose
// holders are unknown.
func RunConfigT(t Tester, config Config) *Node {
	t.Helper()
	node, err := New(config)
	if err != nil {
		t.Fatalf("fakenode: %v", err)
		return nil
	}
	node.ownedBy(t)
	return node
}

// CloneT is Clone for a test of its own, such as a subtest: wrong calls fail that test, and when it ends the clone is
// closed and the token's supply checked.
func (n *Node) CloneT(t Tester) *Node {
	t.Helper()
	clone := n.cloned()
	clone.ownedBy(t)
	return clone
}

// ownedBy ties the node to a test.
func (n *Node) ownedBy(t Tester) {
	n.t = t
	t.Cleanup(func() {
		t.Helper()
		for _, network := range []*Network{n.Network, n.testnet} {
			network.logNotes(t)
		}
		_ = n.Close()
		if n.config.Genesis == nil && n.Fork() == nil {
			n.Network.checkSupply(t)
		}
		n.testnet.checkSupply(t)
		if n.l1 != nil {
			n.l1.checkSupply(t)
		}
	})
}

// CheckBalance fails the test unless the account holds exactly so many token units (6 decimals) at latest.
func (n *Network) CheckBalance(t Tester, account common.Address, want *uint256.Int) {
	t.Helper()
	if got := n.Token().BalanceOf(account); !got.Eq(want) {
		t.Errorf("token balance of %s: got %s units, want %s", account, got.Dec(), want.Dec())
	}
}

// checkSupply fails the test unless the token's supply is the sum of its balances at latest. Holders are
// the accounts and the bridges of the genesis, and every party of a Transfer.
func (n *Network) checkSupply(t Tester) {
	t.Helper()
	moment := n.Timeline().Moment()
	token := n.Token()
	if moment.Control().Edited || !token.Exists() || token.Variant() == NativeToken { // whose balances are rounded down
		return
	}
	holders := map[common.Address]bool{}
	for _, contract := range cmp.Or(n.node.config.like.Bridge, assembly.DevBridge).Holders() {
		holders[contract] = true
	}
	for _, account := range n.node.accounts {
		holders[account.Address] = true
	}
	transfers := chain.LogFilter{
		Addresses: []common.Address{token.Address()},
		Topics:    [][]common.Hash{{tokencontract.TransferTopic}},
	}
	logs, err := moment.Chain().Logs(transfers, 0, moment.Latest().Number())
	if err != nil {
		t.Errorf("fakenode: chain %d: %v", n.ChainID(), err)
		return
	}
	for log := range logs {
		if transfer, err := tokencontract.DecodeTransfer(*log); err == nil {
			holders[transfer.From], holders[transfer.To] = true, true
		}
	}
	sum := new(uint256.Int)
	for holder := range holders {
		sum.Add(sum, token.BalanceOf(holder))
	}
	if supply := token.TotalSupply(); !sum.Eq(supply) {
		t.Errorf("fakenode: chain %d: token supply is %s units, balances sum to %s", n.ChainID(), supply.Dec(), sum.Dec())
	}
}

// maxExplained is the number of a chain's transactions that logNotes has explained, which may execute them again.
const maxExplained = 1_000

// logNotes writes to the log of the test, if it has one, about the transactions of the newest chain: the lines that
// contracts wrote by console.log, unless Config.Console takes them, and once each why an outcome depends on the variant
// of the token.
func (n *Network) logNotes(t Tester) {
	t.Helper()
	log, ok := t.(interface{ Log(...any) })
	if !ok {
		return
	}
	explained, seen := 0, map[string]bool{}
	about := func(v *preconf.View) {
		for i := range v.Count() {
			for _, data := range v.Console(i) {
				if n.node.config.Console == nil {
					log.Log("console.log: " + console.Line(data))
				}
			}
			if explained++; explained > maxExplained {
				continue
			}
			if note := paytoken.Explain(context.Background(), v, i); note != "" && !seen[note] {
				seen[note] = true
				log.Log(fmt.Sprintf("transaction %s: %s", v.Transaction(i).Hash(), note))
			}
		}
	}
	moment := n.timeline.Moment()
	c := moment.Chain()
	for number := c.Base() + 1; number <= c.Head().Number(); number++ {
		if v, err := moment.ByNumber(number); err == nil {
			about(v)
		}
	}
	for _, pending := range moment.PendingBlocks() {
		about(pending)
	}
}

// Recording collects the events that subscribers of a network have received since Record. One goroutine at a time may
// use it.
type Recording struct {
	t        Tester
	feed     *preconf.Feed
	kinds    []EventKind
	events   []*Event
	expected int // how many of events Expect has compared
}

// Record records the network's events of the given kinds, or all events if none are given, until the test ends. Events
// are what subscriptions and filters are made from: FlashblockAdded for pendingLogs and newFlashblocks, HeadAdded for
// newHeads, LogsAdded and LogsRemoved for logs, TransactionPooled for newPendingTransactions.
func (n *Network) Record(t Tester, kinds ...EventKind) *Recording {
	feed := n.Timeline().Subscribe()
	t.Cleanup(feed.Close)
	return &Recording{t: t, feed: feed, kinds: kinds}
}

// Events returns everything recorded so far, oldest first. It is shared with all subscribers: do not modify it.
func (r *Recording) Events() []*Event {
	r.t.Helper()
	for {
		event, err := r.feed.Poll()
		if err != nil {
			r.t.Fatalf("fakenode: recording: %v", err)
			return r.events
		}
		if event == nil {
			return r.events
		}
		if len(r.kinds) == 0 || slices.Contains(r.kinds, event.Kind) {
			r.events = append(r.events, event)
		}
	}
}

// Logs returns the logs of everything recorded so far, in the order in which subscribers got them: pre-confirmed ones
// with the zero block hash, sealed ones, and those taken back, which have Removed set.
func (r *Recording) Logs() []*types.Log {
	r.t.Helper()
	var logs []*types.Log
	for _, event := range r.Events() {
		if event.Kind == FlashblockAdded {
			logs = append(logs, event.Flashblock.Logs...)
		}
		logs = append(logs, event.Logs...)
	}
	return logs
}

// Expect fails the test unless exactly events of these kinds, in this order, were recorded since the last Expect.
func (r *Recording) Expect(want ...EventKind) {
	r.t.Helper()
	events := r.Events()
	got := make([]EventKind, 0, len(events)-r.expected)
	for _, event := range events[r.expected:] {
		got = append(got, event.Kind)
	}
	r.expected = len(events)
	if !slices.Equal(got, want) {
		r.t.Errorf("fakenode: recorded %v, want %v", got, want)
	}
}
