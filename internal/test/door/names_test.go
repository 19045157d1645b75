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
	require.EqualValues(t, "drop", fakenode.DropFlashblocks)
}
