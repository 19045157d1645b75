package door_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the package's names stand for the words that flags and the methods over the wire have for the same.
func TestNamesAreThoseOfTheWire(t *testing.T) {
	t.Parallel()
	for word, name := range map[string]any{
		"manual": fakenode.Manual, "interval": fakenode.Interval, "instant": fakenode.Instant,
		"fifo": fakenode.FIFO, "fees": fakenode.Fees, "sender": fakenode.BySender,
		"flashblocks": fakenode.PreconfFlashblocks, "pending": fakenode.PreconfPending,
		"strict": fakenode.StrictBundler, "loose": fakenode.LooseBundler,
		"requeue": fakenode.Requeue, "drop": fakenode.Drop, "reverse": fakenode.Reverse,
		"forward": fakenode.OldestFirst,
		"omit":    fakenode.OmitTransactions, "alterLogs": fakenode.AlterLogs, "duplicate": fakenode.DuplicateFlashblock,
		"stall": fakenode.StallFlashblocks, "lateBlock": fakenode.LateBlock, "lag": fakenode.LagContext,
		"gap": fakenode.FeedGap, "wrongLink": fakenode.FeedWrongLink, "truncate": fakenode.FeedTruncate,
		"reorder": fakenode.FeedReorder, "disconnect": fakenode.FeedDisconnect,
		"minimal": fakenode.FlashblocksMinimal, "full": fakenode.FlashblocksFull, "subblocks": fakenode.FlashblocksSubblocks,
		"baseFee": fakenode.OfBaseFee, "blobBaseFee": fakenode.OfBlobBaseFee, "gasLimit": fakenode.OfGasLimit,
		"l1BaseFee": fakenode.OfL1BaseFee, "l1BlobBaseFee": fakenode.OfL1BlobBaseFee, "tip": fakenode.OfTip,
		"spike": fakenode.Spike, "ramp": fakenode.Ramp, "sawtooth": fakenode.Sawtooth, "list": fakenode.List, "calm": fakenode.Calm,
		"never": fakenode.IncludeNever, "late": fakenode.IncludeLate, "revert": fakenode.RevertBundle, "replace": fakenode.ReplaceBundle, "twice": fakenode.SendTwice,
		"forget": fakenode.Forget, "lie": fakenode.Lie, "underestimate": fakenode.Underestimate,
		"callGasLimit": fakenode.CallGasLimit, "verificationGasLimit": fakenode.VerificationGasLimit,
	} {
		require.Equal(t, word, fmt.Sprint(name))
	}
	for _, pair := range [][2]any{
		{fakenode.DropFlashblocks, "drop"}, {fakenode.NewestFirst, "reverse"}, {fakenode.Forever, -1},
		{fakenode.PreconfRealtime, "realtime"}, {fakenode.PreconfMegaETH, "megaeth"}, {fakenode.PreconfRise, "rise"},
		{fakenode.SyncSpec, "spec"}, {fakenode.SyncGeth, "geth"}, {fakenode.SyncEIP, "eip7966"},
		{fakenode.SyncArbitrum, "arbitrum"}, {fakenode.SyncAnnounced, "arbitrum-announced"}, {fakenode.SyncPolygon, "polygon"},
		{fakenode.SyncMegaETH, "megaeth"}, {fakenode.Spec, 0}, {fakenode.Geth, 1},
		{fakenode.Strict, "strict"}, {fakenode.DocumentedFlow, "documented"},
		{fakenode.NoContracts, "none"}, {fakenode.StandardContracts, "standard"}, {fakenode.PaymentContracts, "payments"},
		{fakenode.FlashblockAdded, "FlashblockAdded"}, {fakenode.HeadAdded, "HeadAdded"}, {fakenode.LogsAdded, "LogsAdded"},
		{fakenode.LogsRemoved, "LogsRemoved"}, {fakenode.LogsRetracted, "LogsRetracted"},
		{fakenode.TransactionPooled, "TransactionPooled"}, {fakenode.FlashblockDisturbed, "FlashblockDisturbed"},
		{fakenode.ValidSignature, "valid"}, {fakenode.WrongSignature, "wrong"}, {fakenode.ExpiredSignature, "expired"},
		{fakenode.EarlySignature, "early"}, {fakenode.Unknown, "unknown"}, {fakenode.Pooled, "pool"},
		{fakenode.Preconfirmed, "preconfirmed"}, {fakenode.Sealed, "sealed"}, {fakenode.Orphaned, "orphaned"},
		{fakenode.Dropped, "dropped"},
	} {
		require.Equal(t, fmt.Sprint(pair[1]), fmt.Sprint(pair[0]))
	}
	require.Equal(t, []fakenode.Rules{"ethereum", "op", "jovian", "azul", "karst", "denim", "lagoon"}, fakenode.AllRules())
	require.Regexp(t, "^fakenode/devel/", fakenode.ClientVersion())
	require.Len(t, fakenode.Preconfs(), 5)
	require.Len(t, fakenode.SendSyncs(), 7)
}
