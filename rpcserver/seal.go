package rpcserver

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// progressObject is where fakenode_advance came to.
type progressObject struct {
	Timestamp       int64  `json:"timestamp"`   // Unix seconds
	TimestampMs     int64  `json:"timestampMs"` // the same in milliseconds
	BlockNumber     uint64 `json:"blockNumber"` // of the head
	FlashblockIndex *int   `json:"flashblockIndex"`
}

// maxAdvance is the most one request may move the clock, in milliseconds.
const maxAdvance = maxSeconds * 1000

// advance serves fakenode_advance: moves the clock by milliseconds, and makes every flashblock and block that
// is due on the way.
func advance(r *request, milliseconds Number) (any, error) {
	if uint64(milliseconds) > maxAdvance {
		return nil, invalidParams("%s: cannot advance by %d ms at once: the limit is %d (100 years)", r.method, milliseconds, maxAdvance)
	}
	progress, err := r.network.Timeline.AdvanceContext(r.ctx, time.Duration(milliseconds)*time.Millisecond)
	if err != nil {
		return nil, r.badInput(err)
	}
	return progressObject{
		Timestamp:       progress.Time.Unix(),
		TimestampMs:     progress.Time.UnixMilli(),
		BlockNumber:     progress.BlockNumber,
		FlashblockIndex: indexOrNull(progress.FlashblockIndex),
	}, nil
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
	// BlockNumber and Index are null if a fault swallowed the flashblock.
	BlockNumber  *uint64       `json:"blockNumber"`
	Index        *int          `json:"index"`
	Transactions []common.Hash `json:"transactions"`
}

// preconfirm serves fakenode_preconfirm: makes one more flashblock.
func preconfirm(r *request) (any, error) {
	flashblock, err := r.network.Timeline.Preconfirm()
	if err != nil {
		return nil, refused(err)
	}
	object := flashblockObject{Transactions: hashesOf(flashblock.Transactions)}
	if !flashblock.Stalled {
		object.BlockNumber, object.Index = &flashblock.Number, &flashblock.Index
	}
	return object, nil
}

// seal serves fakenode_seal: the hashes of the blocks that became head.
func seal(r *request, blocks *Number) (any, error) {
	count, err := blockCount(blocks)
	if err != nil {
		return nil, err
	}
	hashes, err := r.network.Timeline.SealContext(r.ctx, count)
	return orEmpty(hashes), refused(err)
}

// setSafe serves fakenode_setSafe.
func setSafe(r *request, number Number) (any, error) {
	return nil, r.badInput(r.network.Timeline.SetSafe(uint64(number)))
}

// setFinalized serves fakenode_setFinalized.
func setFinalized(r *request, number Number) (any, error) {
	return nil, r.badInput(r.network.Timeline.SetFinalized(uint64(number)))
}
