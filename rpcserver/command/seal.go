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

// maxAdvance is the most milliseconds by which one request may move the clock.
const maxAdvance = maxSeconds * 1000

// Advance serves fakenode_advance: moves the clock by milliseconds, and makes every flashblock and block that
// is due on the way.
func Advance(r *api.Request, milliseconds api.Number) (any, error) {
	by, err := distance(r, "advance", milliseconds)
	if err != nil {
		return nil, err
	}
	var progress preconf.Progress
	err = untilClosed(r, func(ctx context.Context) (err error) {
		progress, err = r.Network.Timeline.AdvanceContext(ctx, by)
		return r.BadInput(err)
	})
	return newProgress(progress), err
}

func newProgress(p preconf.Progress) progressObject {
	return progressObject{
		Timestamp:       p.Time.Unix(),
		TimestampMs:     p.Time.UnixMilli(),
		BlockNumber:     p.BlockNumber,
		FlashblockIndex: indexOrNull(p.FlashblockIndex),
	}
}

// Jump serves fakenode_jump: moves the clock by milliseconds and seals one block there, with nothing made on the way.
func Jump(r *api.Request, milliseconds api.Number) (any, error) {
	by, err := distance(r, "jump", milliseconds)
	if err != nil {
		return nil, err
	}
	progress, err := r.Network.Timeline.Jump(by)
	return newProgress(progress), r.BadInput(err)
}

// distance returns how far a request moves the clock, at most maxAdvance. move is what it does, for the error.
func distance(r *api.Request, move string, milliseconds api.Number) (time.Duration, error) {
	if uint64(milliseconds) > maxAdvance {
		return 0, api.InvalidParams("%s: cannot %s by %d ms at once: the limit is %d (100 years)", r.Method, move, milliseconds, maxAdvance)
	}
	return time.Duration(milliseconds) * time.Millisecond, nil
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
	return shape.OrEmpty(hashes), api.Refused(err)
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
