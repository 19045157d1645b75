package main

import (
	"context"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/indexer/index"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a transfer is shown as pending, then sealed, and that only the sealed one moves balances.
func TestTransfer(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	in.sync()
	payer, payee := in.node.Account(0).Address, in.node.Account(1).Address
	require.Equal(t, "1000000000000", in.read().Balances[payer], "what an account held at the start counts")

	hash := in.send(0, 1, 25_000_000)
	in.node.Preconfirm()
	in.sync()
	found, _ := in.transfers("&from=" + payer.Hex())
	require.Equal(t, []transfer{{From: payer, To: payee, Value: "25000000", Transaction: hash, BlockNumber: 1, Pending: true}}, found)
	require.Equal(t, "1000000000000", in.read().Balances[payee])

	block := in.node.Seal()
	in.sync()
	found, _ = in.transfers("&to=" + payee.Hex())
	require.Equal(t, []transfer{{From: payer, To: payee, Value: "25000000", Transaction: hash, BlockNumber: 1, BlockHash: &block}}, found)
	require.Equal(t, "1000025000000", in.read().Balances[payee])
	require.Equal(t, "999975000000", in.read().Balances[payer])
	found, _ = in.transfers("&from=" + payee.Hex())
	require.Empty(t, found)

	in.node.Token().Mint(payee, fixtures.USD("1"))
	in.sync()
	require.Equal(t, "1000026000000", in.read().Balances[payee])
}

// Ensure the index agrees with the chain at the end of every scenario, whether it ran meanwhile or syncs only then.
func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, scenario := range fakenode.Scenarios() {
		given := []fakenode.ScenarioParams{{Payer: 3, Merchant: 2, Amount: "0.01", Depth: 3, Times: 4}, {}}
		for _, params := range given[:laboratory.Budget(t, 1, len(given))] {
			t.Run(scenario.Name, func(t *testing.T) {
				t.Parallel()
				watching, sleeping := newIndexed(t, fakenode.RunT(t)), (*indexed)(nil)
				watching.seal(12) // deep enough for the deepest
				sleeping = newIndexed(t, watching.node)
				sleeping.sync()
				watching.run()
				watching.await()

				conclusion, err := watching.node.Scenario(scenario.Name, params)
				require.NoError(t, err)
				for _, in := range []*indexed{watching, sleeping} {
					if in == watching {
						in.await()
					} else {
						in.sync()
					}
					in.concludes(conclusion)
				}
			})
		}
	}
}

// concludes checks that the index shows the payment exactly if it settled, and nothing as pending.
func (in *indexed) concludes(c fakenode.Conclusion) {
	in.t.Helper()
	var found []transfer
	all, _ := in.transfers("")
	for _, shown := range all {
		require.False(in.t, shown.Pending)
		if shown.Transaction == c.Transaction {
			found = append(found, shown)
		}
	}
	if !c.Settled {
		require.Empty(in.t, found)
		return
	}
	require.Len(in.t, found, 1)
	require.Equal(in.t, c.BlockHash, *found[0].BlockHash)
	require.Equal(in.t, c.Value.Dec(), found[0].Value)
}

// Ensure reorgs of every shape are undone: deeper than what was indexed, to a shorter chain, deeper than one step takes
// in.
func TestReorg(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name            string
		indexed, missed int // blocks
		reorg           fakenode.ReorgOptions
	}{
		{"newest block", 5, 0, fakenode.ReorgOptions{Depth: 1}},
		{"newest block, transfers lost", 5, 0, fakenode.ReorgOptions{Depth: 1, Transactions: preconf.Drop}},
		{"other order", 5, 0, fakenode.ReorgOptions{Depth: 4, Transactions: preconf.Reverse}},
		{"only blocks that were missed", 5, 5, fakenode.ReorgOptions{Depth: 3}},
		{"missed and indexed blocks", 5, 5, fakenode.ReorgOptions{Depth: 8, Transactions: preconf.Drop}},
		{"all", 5, 5, fakenode.ReorgOptions{Depth: 10, Transactions: preconf.Drop}},
		{"shorter than indexed", 8, 0, fakenode.ReorgOptions{Depth: 6, Length: new(2), Transactions: preconf.Drop}},
		{"much longer", 5, 0, fakenode.ReorgOptions{Depth: 2, Length: new(150)}},
		{"deeper than a step", 140, 0, fakenode.ReorgOptions{Depth: 135}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunT(t))
			in.seal(tc.indexed)
			in.sync()
			in.seal(tc.missed)
			in.reorg(tc.reorg)
			in.sync()
			in.seal(2)
			in.sync()
		})
	}
}

// Ensure pre-confirmations that are lost, late, altered or repeated leave nothing behind.
func TestPreconfirmationFault(t *testing.T) {
	t.Parallel()
	for _, fault := range []fakenode.FlashblockFault{
		{Kind: control.DropFlashblocks},
		{Kind: control.DropFlashblocks, Gone: true},
		{Kind: control.OmitTransactions},
		{Kind: control.OmitTransactions, Gone: true},
		{Kind: control.AlterLogs},
		{Kind: control.DuplicateFlashblock},
		{Kind: control.StallFlashblocks},
		{Kind: control.LateBlock},
	} {
		t.Run(string(fault.Kind), func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunT(t))
			in.send(0, 1, 1)
			in.node.Preconfirm()
			in.sync("announced")
			_, err := in.node.FlashblockFault(fault)
			require.NoError(t, err)
			in.sync("fault")
			in.send(1, 2, 2)
			in.node.Preconfirm()
			in.sync("announced again")
			for range 3 {
				in.node.Seal()
				in.sync("sealed")
			}
			found, _ := in.transfers("")
			for _, shown := range found {
				require.False(t, shown.Pending)
			}
		})
	}
}

// Ensure an index that runs follows flashblocks, blocks and reorgs on events alone, and shows its readers each
// transaction once at any time.
func TestRun(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	in.run()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stopped := make(chan struct{})
	twice := false
	go func() {
		defer close(stopped)
		for version := int64(-1); ; {
			now, err := in.ix.Wait(ctx, version)
			if err != nil || ctx.Err() != nil {
				return
			}
			version = now.Version
			shown, _, err := in.ix.Transfers(ctx, nil, nil, 1000)
			if err != nil {
				return
			}
			seen := map[[32]byte]bool{}
			for _, s := range shown {
				twice = twice || seen[s.Transaction]
				seen[s.Transaction] = true
			}
		}
	}()
	for i := range 10 {
		in.send(i%3, 3, uint64(i))
		in.node.Preconfirm()
		in.await()
		in.send(4, i%3, uint64(i))
		in.node.Preconfirm()
		in.node.Seal()
		in.await()
		if i%3 == 2 {
			in.reorg(fakenode.ReorgOptions{Depth: 2, Blocks: [][]*types.Transaction{{}}})
			in.await()
		}
	}
	stop()
	<-stopped
	require.False(t, twice)
}

// Ensure a client that waits for a newer index is answered when there is one.
func TestWait(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	in.sync()
	for _, happens := range []func(){
		func() { in.send(0, 1, 1); in.node.Preconfirm() },
		func() { in.node.Seal() },
		func() { in.reorg(fakenode.ReorgOptions{Depth: 1}) },
	} {
		before, err := in.ix.Status(t.Context())
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		started, answered := make(chan struct{}), make(chan index.Status, 1)
		go func() {
			close(started)
			after, _ := in.ix.Wait(ctx, before.Version)
			answered <- after
		}()
		<-started
		happens()
		in.sync()
		require.Greater(t, (<-answered).Version, before.Version)
		require.NoError(t, ctx.Err(), "it was answered before its time was up")
	}
}
