package userop_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/userop"
)

// statuses are the words of pimlico_getUserOperationStatus for places.
var statuses = map[preconf.Where]string{
	fakenode.Unknown: "not_found", fakenode.Pooled: "submitted", fakenode.Preconfirmed: "included", fakenode.Sealed: "included",
	fakenode.Orphaned: "not_found", fakenode.Dropped: "rejected",
}

// Ensure Go and JSON-RPC name the same place of an operation on its whole way: in the pool, pre-confirmed, sealed,
// removed by a reorg and put back by one, and dropped with a lost pre-confirmation.
func TestOperationPlace(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	l := visit(t, node)
	l.do(nil, "anvil_setCode", tableSender, willing)
	var hash common.Hash
	send := func() {
		t.Helper()
		l.do(&hash, "eth_sendUserOperation", parts{sender: tableSender}.fields("0.7"), entryPoints["0.7"])
	}
	is := func(want preconf.Where, blocks ...uint64) {
		t.Helper()
		place := node.Operation(hash)
		require.Equal(t, want, place.Where)
		var object struct {
			Where           preconf.Where
			Reason          string
			TransactionHash *common.Hash
			BlockHash       *common.Hash
		}
		l.do(&object, "fakenode_operation", hash)
		require.Equal(t, want, object.Where)
		var status struct {
			Status          string
			TransactionHash *common.Hash
		}
		l.do(&status, "pimlico_getUserOperationStatus", hash)
		require.Equal(t, statuses[want], status.Status)
		require.Equal(t, status.Status != "not_found", status.TransactionHash != nil)
		if place.Reason == nil {
			require.Empty(t, object.Reason)
		} else {
			require.Equal(t, place.Reason.Error(), object.Reason)
		}
		if want == fakenode.Unknown {
			require.Nil(t, object.TransactionHash)
			return
		}
		require.Equal(t, place.Bundle, *object.TransactionHash)
		require.Equal(t, want, node.Place(place.Bundle).Where)
		for _, number := range blocks {
			require.Equal(t, number, place.View.Number())
			require.Equal(t, place.View.Hash(), *object.BlockHash)
		}
	}
	is(fakenode.Unknown)
	var prices map[string]struct{ MaxFeePerGas, MaxPriorityFeePerGas string }
	l.do(&prices, "pimlico_getUserOperationGasPrice")
	require.Len(t, prices, 3)
	for _, speed := range []string{"slow", "standard", "fast"} {
		require.Equal(t, "0x3b9aca00", prices[speed].MaxPriorityFeePerGas)
		require.Greater(t, hexutil.MustDecodeUint64(prices[speed].MaxFeePerGas), uint64(2e9))
	}
	send()
	is(fakenode.Pooled)
	node.Preconfirm()
	is(fakenode.Preconfirmed)
	node.Seal()
	latest := func() uint64 { return node.Timeline().Moment().Latest().Number() }
	height := latest()
	is(fakenode.Sealed, height)
	node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	is(fakenode.Orphaned, height)
	require.ErrorIs(t, node.Operation(hash).Reason, pool.ErrReorged)
	send()
	is(fakenode.Pooled)
	node.Seal()
	height = latest()
	node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Requeue})
	is(fakenode.Sealed, height)
	require.NoError(t, node.Timeline().Hold(control.Hold{}))
	node.Reorg(fakenode.ReorgOptions{Depth: int(latest()-height) + 1})
	is(fakenode.Pooled)
	_, err := node.Timeline().Release()
	require.NoError(t, err)
	node.Preconfirm()
	l.do(nil, "fakenode_flashblockFault", object{"kind": "drop", "count": 1, "transactions": "gone"})
	node.Seal()
	is(fakenode.Dropped) // found in the block that held it once
}

// Ensure each fault strikes one operation: what becomes of it after two blocks, and how many transactions these have.
func TestBundlerFaultsStrike(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		fault  fakenode.BundlerFault
		where  preconf.Where
		reason string
		pooled int // operations in the pool before these
		bundle int // transactions in the two blocks
	}{
		{fakenode.BundlerFault{Kind: fakenode.IncludeNever}, fakenode.Pooled, "it is held on command, until released", 1, 0},
		{fakenode.BundlerFault{Kind: fakenode.IncludeLate, Blocks: 1}, fakenode.Sealed, "", 1, 1},
		{fakenode.BundlerFault{Kind: fakenode.RevertBundle}, fakenode.Dropped, "its bundle reverted", 1, 1},
		{fakenode.BundlerFault{Kind: fakenode.ReplaceBundle}, fakenode.Sealed, "", 1, 1},
		{fakenode.BundlerFault{Kind: fakenode.SendTwice}, fakenode.Sealed, "", 2, 2},
		{fakenode.BundlerFault{Kind: fakenode.Forget}, fakenode.Dropped, "the bundler has forgotten it", 0, 0},
	} {
		t.Run(string(want.fault.Kind), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			l := visit(t, node)
			l.do(nil, "anvil_setCode", tableSender, willing)
			require.NoError(t, node.BundlerFault(want.fault))
			var struck, after common.Hash
			fields := parts{sender: tableSender}.fields("0.7")
			l.do(&struck, "eth_sendUserOperation", fields, entryPoints["0.7"])
			var pooled []object
			l.do(&pooled, "debug_bundler_dumpMempool", entryPoints["0.7"])
			require.Len(t, pooled, want.pooled)
			sealed := func() int {
				count, err := node.Client().TransactionCount(t.Context(), node.Seal())
				require.NoError(t, err)
				return int(count)
			}
			transactions := sealed()
			require.Equal(t, want.fault.Blocks == 0 && want.bundle > 0, transactions > 0)
			transactions += sealed()
			require.Equal(t, want.bundle, transactions)
			require.Equal(t, want.where, node.Operation(struck).Where)
			var object struct{ Reason, Fault string }
			l.do(&object, "fakenode_operation", struck)
			require.Equal(t, string(want.fault.Kind), object.Fault)
			require.Contains(t, object.Reason, want.reason)
			if want.where == fakenode.Pooled {
				return // it keeps its nonce
			}
			fields["nonce"] = "0x10000000000000000" // of another key
			l.do(&after, "eth_sendUserOperation", fields, entryPoints["0.7"])
			node.Seal()
			require.Equal(t, fakenode.Sealed, node.Operation(after).Where, "the fault is over")
		})
	}
}

// Ensure the receipt of an operation whose call reverted has the data that it reverted with.
func TestReceiptHasReason(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	l := visit(t, node)
	// It answers 0 to all but 4 bytes of call data, for which it reverts with 0xdeadbeef.
	l.do(nil, "anvil_setCode", tableSender, "0x36600414600b5760205ff35b63deadbeef5f526004601cfd")
	for version, entryPoint := range entryPoints {
		var hash common.Hash
		fields := parts{sender: tableSender}.fields(version)
		fields["callData"] = "0x12345678"
		l.do(&hash, "eth_sendUserOperation", fields, entryPoint)
		node.Seal()
		var receipt struct {
			Success bool
			Reason  hexutil.Bytes
		}
		l.do(&receipt, "eth_getUserOperationReceipt", hash)
		require.False(t, receipt.Success, version)
		require.Equal(t, "0xdeadbeef", receipt.Reason.String(), version)
	}
}

// Ensure an operation is found however many blocks ago it was included, with what its event tells of it, and that a
// fork does not know it.
func TestOperationIsFoundLater(t *testing.T) {
	t.Parallel()
	l := newLab(t, first)
	hash := l.send(first, object{"nonce": "0x10000000000000000"})
	l.Seal()
	at := l.BlockNumber()
	for range 210 {
		in, err := userop.LookUp(l.Moment(), hash)
		require.NoError(t, err)
		require.NotNil(t, in, "at block %d", l.BlockNumber())
		require.Equal(t, at, in.Event.BlockNumber)
		l.Seal()
	}
	in, err := userop.LookUp(l.Moment(), hash)
	require.NoError(t, err)
	require.Equal(t, first, in.Sender())
	require.Equal(t, new(big.Int).Lsh(common.Big1, 64), in.Nonce())
	require.True(t, in.Succeeded())
	require.Zero(t, in.Cost().Sign())
	require.Positive(t, in.Gas().Sign())
	require.Equal(t, common.Address{}, in.Paymaster())
	require.Equal(t, in.Nonce(), in.Operation.Nonce.ToInt())
	require.Empty(t, in.Logs())
	require.Empty(t, in.Reason(nil))
	none, err := userop.LookUp(l.Moment(), common.Hash{1})
	require.NoError(t, err)
	require.Nil(t, none)

	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: l.URL()}})
	for range 70 {
		in, err := userop.LookUp(fork.Moment(), hash)
		require.NoError(t, err)
		require.Nil(t, in)
		fork.Seal()
	}
	require.Equal(t, userop.Place{Where: preconf.Unknown}, userop.PlaceOf(fork.Moment(), hash))
}

// Ensure the bundler remembers the last thousand operations that faults struck, and the latest fault of one that two
// struck.
func TestBundlerRemembersAThousand(t *testing.T) {
	t.Parallel()
	type struck struct {
		Hash common.Hash
		Kind userop.FaultKind
	}
	for count, forgotten := range map[int]int{999: 0, 1003: 4} {
		l := newLab(t, first)
		var book struct {
			Armed  []userop.Fault
			Struck []struck
		}
		for i := range count {
			book.Struck = append(book.Struck, struck{common.BigToHash(big.NewInt(int64(i + 1))), userop.Lie})
		}
		book.Struck[count-1] = struck{book.Struck[count-2].Hash, userop.Forget}
		note, err := json.Marshal(book)
		require.NoError(t, err)
		require.NoError(t, l.Timeline().SetNote("bundler", note))
		require.Equal(t, userop.Forget, l.Operation(book.Struck[count-1].Hash).Fault, "the later one")
		require.NoError(t, l.BundlerFault(fakenode.BundlerFault{Kind: fakenode.Forget}))
		hash := l.send(first, nil)
		require.Equal(t, fakenode.Dropped, l.Operation(hash).Where)
		for i := range count - 2 {
			want := fakenode.Dropped
			if i < forgotten {
				want = fakenode.Unknown
			}
			require.Equal(t, want, l.Operation(book.Struck[i].Hash).Where, "%d of %d", i, count)
			if i > forgotten+2 {
				break
			}
		}
	}
}
