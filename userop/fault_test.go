package userop_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/userop"
)

var first, second, third = common.Address{0xa1}, common.Address{0xa2}, common.Address{0xa3}

// place returns where an operation is, and the transaction in which the bundler shows it.
func (l *lab) place(hash common.Hash) (fakenode.OperationPlace, common.Hash) {
	l.t.Helper()
	var told struct{ TransactionHash common.Hash }
	l.do(&told, "eth_getUserOperationByHash", hash)
	return l.Operation(hash), told.TransactionHash
}

// Ensure operations of other senders overtake one that a fault holds, and those of its sender wait with it, in their
// order; all come once it is released.
func TestHeldOperationIsOvertaken(t *testing.T) {
	t.Parallel()
	l := newLab(t, first, second, third)
	require.NoError(t, l.BundlerFault(fakenode.BundlerFault{Kind: fakenode.IncludeNever, Sender: &first}))
	held := l.send(first, nil)
	behind := l.send(first, object{"nonce": "0x1"})
	free := l.send(second, nil)
	last := l.send(third, nil)
	at := func(hash common.Hash) (transaction common.Hash, nonce uint64) {
		t.Helper()
		place, shown := l.place(hash)
		require.Equal(t, place.Bundle, shown)
		tx, _, err := l.Client().TransactionByHash(t.Context(), place.Bundle)
		require.NoError(t, err)
		return place.Bundle, tx.Nonce()
	}
	for nonce, hash := range []common.Hash{free, last, held, behind} {
		_, has := at(hash)
		require.EqualValues(t, nonce, has)
	}
	l.Seal()
	for hash, want := range map[common.Hash]preconf.Where{
		free: fakenode.Sealed, last: fakenode.Sealed, held: fakenode.Pooled, behind: fakenode.Pooled,
	} {
		require.Equal(t, want, l.Operation(hash).Where)
	}
	_, err := l.Timeline().Release()
	require.NoError(t, err)
	block := l.Seal()
	for _, hash := range []common.Hash{held, behind} {
		require.Equal(t, fakenode.Sealed, l.Operation(hash).Where)
	}
	count, err := l.Client().TransactionCount(t.Context(), block)
	require.NoError(t, err)
	require.EqualValues(t, 2, count)
}

// Ensure a lie ends with the block that it is told for, with and without pre-confirmations: until then the operation
// has a receipt in the next block, and no block has it.
func TestLieEnds(t *testing.T) {
	t.Parallel()
	for _, config := range []fakenode.Config{{}, {NoPreconf: true}, {Rules: fakenode.DenimRules, StartTime: time.Unix(1_800_000_000, 0)}} {
		l := visit(t, fakenode.RunConfigT(t, config))
		l.SetCode(first, common.FromHex(willing))
		transactions := func() uint {
			t.Helper()
			count, err := l.Client().TransactionCount(t.Context(), l.Seal())
			require.NoError(t, err)
			return count
		}
		empty := transactions()
		var hash common.Hash
		lies := func() bool {
			t.Helper()
			var told *struct{ UserOpHash *common.Hash }
			var receipt *struct {
				Success bool
				Receipt struct{ BlockNumber hexutil.Uint64 }
			}
			l.do(&receipt, "eth_getUserOperationReceipt", hash)
			l.do(&told, "eth_getUserOperationByHash", hash)
			require.Equal(t, receipt == nil, told == nil)
			if receipt != nil {
				require.True(t, receipt.Success)
				require.Greater(t, uint64(receipt.Receipt.BlockNumber), uint64(0))
			}
			require.Equal(t, fakenode.Dropped, l.Operation(hash).Where)
			require.NotEqual(t, receipt != nil, l.Operation(hash).Reason.Error() == "it was never sent: the bundler lied about it")
			return receipt != nil
		}
		lie := fakenode.BundlerFault{Kind: fakenode.Lie, Blocks: 2}
		require.NoError(t, l.BundlerFault(lie))
		hash = l.send(first, nil)
		require.True(t, lies())
		l.Seal()
		require.True(t, lies())
		l.Seal()
		require.False(t, lies())

		require.NoError(t, l.BundlerFault(lie))
		hash = l.send(first, nil)
		require.ErrorContains(t, l.Operation(hash).Reason, fmt.Sprintf("the bundler lies about it until block %d", l.BlockNumber()+3))
		require.True(t, lies())
		l.ClearBundlerFaults()
		require.False(t, lies())
		for range 3 {
			require.Equal(t, empty, transactions())
		}
	}
}

// Ensure a fault makes one limit of so many estimates too low, of its sender alone, by the part that it says.
func TestUnderestimates(t *testing.T) {
	t.Parallel()
	l := newLab(t, first, second)
	type limits struct{ CallGasLimit, VerificationGasLimit, PreVerificationGas hexutil.Uint64 }
	estimate := func(sender common.Address) (e limits) {
		t.Helper()
		l.do(&e, "eth_estimateUserOperationGas", operation(sender, nil), entrypoint.V08Address)
		return e
	}
	right, others := estimate(first), estimate(second)
	require.NoError(t, l.BundlerFault(fakenode.BundlerFault{Kind: fakenode.Underestimate, Sender: &first, Count: 2}))
	require.NoError(t, l.BundlerFault(fakenode.BundlerFault{Kind: fakenode.Underestimate, Limit: fakenode.VerificationGasLimit, Percent: 30}))
	half, low := right, others
	half.CallGasLimit /= 2
	low.VerificationGasLimit = low.VerificationGasLimit * 30 / 100
	require.Equal(t, half, estimate(first))
	require.Equal(t, low, estimate(second))
	require.Equal(t, others, estimate(second))
	require.Equal(t, half, estimate(first))
	require.Equal(t, right, estimate(first))
	hash := l.send(first, nil) // such a fault strikes no operation that is sent
	l.Seal()
	require.Equal(t, fakenode.Sealed, l.Operation(hash).Where)
}

// Ensure an operation takes the place of one with its sender and nonce where both fees are a tenth higher, rounded up,
// and keeps the place of its bundle.
func TestOperationReplaces(t *testing.T) {
	t.Parallel()
	l := newLab(t, first)
	l.SetBalance(entrypoint.V08Address, fixtures.Ether("1"))
	l.SetStorage(entrypoint.V08Address, entrypoint.DepositSlot(first), fixtures.Ether("1").Bytes32())
	fees := func(most, tip uint64) object {
		return object{"maxFeePerGas": hexutil.Uint64(most), "maxPriorityFeePerGas": hexutil.Uint64(tip)}
	}
	send := func(change object) error {
		return l.client.Call(nil, "eth_sendUserOperation", operation(first, change), entrypoint.V08Address)
	}
	old := l.send(first, fees(2_000_000_001, 11))
	before, _ := l.place(old)
	require.EqualError(t, send(fees(2_000_000_001, 11)), "user operation "+old.Hex()+" is already known")
	for _, low := range []object{fees(2_200_000_001, 13), fees(2_200_000_002, 12)} {
		require.ErrorContains(t, send(low), " does not replace "+old.Hex()+", which has the same sender and nonce: its maxFeePerGas and maxPriorityFeePerGas are ")
		require.ErrorContains(t, send(low), ", want at least 2200000002 and 13, 10 % more")
	}
	again := l.send(first, fees(2_200_000_002, 13))
	require.Equal(t, fakenode.Unknown, l.Operation(old).Where)
	after, _ := l.place(again)
	tx, _, err := l.Client().TransactionByHash(t.Context(), after.Bundle)
	require.NoError(t, err)
	require.Zero(t, tx.Nonce())
	require.NotEqual(t, before.Bundle, after.Bundle)
	l.Seal()
	require.Equal(t, fakenode.Sealed, l.Operation(again).Where)
}

// Ensure the limits of a fault are as the errors say, and what a fault leaves out is filled in.
func TestFaultLimits(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, c := range []struct {
		fault fakenode.BundlerFault
		text  string // of the error; empty: it is armed
	}{
		{fakenode.BundlerFault{Kind: "other"}, `kind "other" is unknown: want one of [never late revert replace twice forget lie underestimate]`},
		{fakenode.BundlerFault{Kind: fakenode.Forget, Count: 1_000_000}, ""},
		{fakenode.BundlerFault{Kind: fakenode.Forget, Count: 1_000_001}, "count 1000001 is not between 1 and 1000000"},
		{fakenode.BundlerFault{Kind: fakenode.Forget, Count: -1}, "count -1 is not between 1 and 1000000"},
		{fakenode.BundlerFault{Kind: fakenode.IncludeLate, Blocks: 1_000_000}, ""},
		{fakenode.BundlerFault{Kind: fakenode.IncludeLate, Blocks: 1_000_001}, "1000001 blocks are over the limit of 1000000"},
		{fakenode.BundlerFault{Kind: fakenode.Lie, For: 1}, `"lie" takes no time`},
		{fakenode.BundlerFault{Kind: fakenode.SendTwice, Blocks: 1}, `"twice" takes no blocks`},
		{fakenode.BundlerFault{Kind: fakenode.IncludeLate, For: 876_600 * time.Hour}, ""},
		{fakenode.BundlerFault{Kind: fakenode.IncludeLate, For: 876_600*time.Hour + 1}, "late by 876600h0m0.000000001s is not between 0 and 876600h0m0s"},
		{fakenode.BundlerFault{Kind: fakenode.IncludeLate, For: -1}, "late by -1ns is not between 0 and 876600h0m0s"},
		{fakenode.BundlerFault{Kind: fakenode.IncludeLate, For: time.Second, Blocks: 1}, "late by 1s and by 1 blocks: want one of them"},
		{fakenode.BundlerFault{Kind: fakenode.Forget, Limit: fakenode.CallGasLimit}, `"forget" takes neither limit nor percent`},
		{fakenode.BundlerFault{Kind: fakenode.Forget, Percent: 1}, `"forget" takes neither limit nor percent`},
		{fakenode.BundlerFault{Kind: fakenode.Underestimate, Limit: "gas"}, `limit "gas" is neither "callGasLimit" nor "verificationGasLimit"`},
		{fakenode.BundlerFault{Kind: fakenode.Underestimate, Percent: 99}, ""},
		{fakenode.BundlerFault{Kind: fakenode.Underestimate}, ""},
		{fakenode.BundlerFault{Kind: fakenode.Lie}, ""},
		{fakenode.BundlerFault{Kind: fakenode.Underestimate, Percent: 100}, "percent 100 is not between 1 and 99"},
		{fakenode.BundlerFault{Kind: fakenode.Underestimate, Percent: -1}, "percent -1 is not between 1 and 99"},
		{fakenode.BundlerFault{Kind: fakenode.IncludeNever}, ""},
	} {
		err := l.BundlerFault(c.fault)
		if c.text == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, c.text)
	}
	require.Equal(t, []fakenode.BundlerFault{
		{Kind: fakenode.Forget, Count: 1_000_000},
		{Kind: fakenode.IncludeLate, Count: 1, Blocks: 1_000_000},
		{Kind: fakenode.IncludeLate, Count: 1, For: 876_600 * time.Hour},
		{Kind: fakenode.Underestimate, Count: 1, Limit: fakenode.CallGasLimit, Percent: 99},
		{Kind: fakenode.Underestimate, Count: 1, Limit: fakenode.CallGasLimit, Percent: 50},
		{Kind: fakenode.Lie, Count: 1, Blocks: 1},
		{Kind: fakenode.IncludeNever, Count: 1},
	}, userop.Faults(l.Moment()))
}
