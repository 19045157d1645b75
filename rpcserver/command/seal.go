package command

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// progressObject holds the time and the blocks after fakenode_advance or fakenode_jump.
type progressObject struct {
	Timestamp       int64  `json:"timestamp"`   // Unix seconds
	TimestampMs     int64  `json:"timestampMs"` // the same in milliseconds
	BlockNumber     uint64 `json:"blockNumber"` // of the head
	FlashblockIndex *int   `json:"flashblockIndex"`
}

// Advance serves fakenode_advance: moves the clock, and makes every flashblock and block due on the way.
func Advance(r *api.Request, milliseconds api.Number) (any, error) {
	return move(r, "advance", milliseconds, r.Network.Timeline.AdvanceContext)
}

// Jump serves fakenode_jump: moves the clock by milliseconds and seals one block there, with nothing made on the way.
func Jump(r *api.Request, milliseconds api.Number) (any, error) {
	return move(r, "jump", milliseconds, func(_ context.Context, by time.Duration) (preconf.Progress, error) {
		return r.Network.Timeline.Jump(by)
	})
}

// move moves the clock by f, which the error calls how, by at most maxSeconds.
func move(r *api.Request, how string, milliseconds api.Number, f func(context.Context, time.Duration) (preconf.Progress, error)) (any, error) {
	if maxAdvance := maxSeconds * 1000; uint64(milliseconds) > maxAdvance {
		return nil, api.InvalidParams("%s: cannot %s by %d ms at once: the limit is %d (100 years)", r.Method, how, milliseconds, maxAdvance)
	}
	var p preconf.Progress
	err := untilClosed(r, func(ctx context.Context) (err error) {
		p, err = f(ctx, time.Duration(milliseconds)*time.Millisecond)
		return r.BadInput(err)
	})
	return progressObject{p.Time.Unix(), p.Time.UnixMilli(), p.BlockNumber, indexOrNull(p.FlashblockIndex)}, err
}

// untilClosed calls f, which makes blocks, with a context that also ends when the world of the request is closed:
// nobody can look at further blocks. The error is then the reason.
func untilClosed(r *api.Request, f func(context.Context) error) error {
	ctx, done := r.Caller.UntilClosed()
	defer done()
	err := f(ctx)
	if errors.Is(err, context.Canceled) && r.Ctx.Err() == nil {
		return api.Refused(context.Cause(ctx))
	}
	return err
}

// indexOrNull is the index of a flashblock, null for none.
func indexOrNull(index int) *int {
	if index < 0 {
		return nil
	}
	return &index
}

// flashblockObject is a flashblock as fakenode_preconfirm answers it.
type flashblockObject struct {
	// BlockNumber and Index are null if a fault suppressed the flashblock.
	BlockNumber  *uint64       `json:"blockNumber"`
	Index        *int          `json:"index"`
	Transactions []common.Hash `json:"transactions"`
}

// Preconfirm serves fakenode_preconfirm: it makes one more flashblock.
func Preconfirm(r *api.Request) (any, error) {
	flashblock, err := r.Network.Timeline.Preconfirm()
	if err != nil {
		return nil, api.Refused(err)
	}
	object := flashblockObject{Transactions: shape.HashesOf(flashblock.Transactions)}
	if !flashblock.Stalled {
		object.BlockNumber, object.Index = &flashblock.Number, &flashblock.Index
	}
	return object, nil
}

// Seal serves fakenode_seal: the hashes of the blocks that became head.
func Seal(r *api.Request, blocks *api.Number) (any, error) {
	count, err := blockCount(blocks)
	if err != nil {
		return nil, err
	}
	var hashes []common.Hash
	err = untilClosed(r, func(ctx context.Context) (err error) {
		hashes, err = r.Network.Timeline.SealContext(ctx, count)
		return err
	})
	return append([]common.Hash{}, hashes...), api.Refused(err)
}

// maxBlocks is the number of blocks that one request may seal.
const maxBlocks = 1_000_000

// blockCount returns the number of blocks to seal, 1 by default.
func blockCount(given *api.Number) (int, error) {
	switch {
	case given == nil:
		return 1, nil
	case *given > maxBlocks:
		return 0, api.InvalidParams("%d blocks are too many for one request: the limit is %d", *given, maxBlocks)
	}
	return int(*given), nil
}
