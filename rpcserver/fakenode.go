package rpcserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
)

// strictly decodes an object of a control method: a misspelt member would otherwise be a test that does
// something else than it says.
func strictly(raw []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

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
		return nil, InvalidParams("%s: cannot advance by %d ms at once: the limit is %d (100 years)", r.method, milliseconds, maxAdvance)
	}
	progress, err := r.chain.Timeline.AdvanceContext(r.ctx, time.Duration(milliseconds)*time.Millisecond)
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
	flashblock, err := r.chain.Timeline.Preconfirm()
	if err != nil {
		return nil, refused(err)
	}
	object := flashblockObject{Transactions: hashesOf(flashblock.Transactions)}
	if !flashblock.Stalled {
		object.BlockNumber, object.Index = &flashblock.Number, &flashblock.Index
	}
	return object, nil
}

func hashesOf(transactions types.Transactions) []common.Hash {
	hashes := make([]common.Hash, len(transactions))
	for i, tx := range transactions {
		hashes[i] = tx.Hash()
	}
	return hashes
}

// seal serves fakenode_seal: the hashes of the blocks that became head.
func seal(r *request, blocks *Number) (any, error) {
	count, err := blockCount(blocks)
	if err != nil {
		return nil, err
	}
	hashes, err := r.chain.Timeline.SealContext(r.ctx, count)
	return orEmpty(hashes), refused(err)
}

// orEmpty makes the answer an array even if there is nothing in it.
func orEmpty(hashes []common.Hash) []common.Hash {
	if hashes == nil {
		return []common.Hash{}
	}
	return hashes
}

// setSafe serves fakenode_setSafe.
func setSafe(r *request, number Number) (any, error) {
	return nil, r.badInput(r.chain.Timeline.SetSafe(uint64(number)))
}

// setFinalized serves fakenode_setFinalized.
func setFinalized(r *request, number Number) (any, error) {
	return nil, r.badInput(r.chain.Timeline.SetFinalized(uint64(number)))
}

// snapshot serves fakenode_snapshot and evm_snapshot: the id of the present state of everything.
func snapshot(r *request) (any, error) { return hexutil.Uint64(r.chain.Timeline.Snapshot()), nil }

// revert serves fakenode_revert: everything is as it was at the snapshot, which stays usable. Subscribers and
// filters are told of it as of a reorg if announce is true, not at all otherwise.
func revert(r *request, id Number, announce *bool) (any, error) {
	back := r.chain.Timeline.Revert
	if announce != nil && *announce {
		back = r.chain.Timeline.RevertAnnounced
	}
	if err := back(uint64(id)); err != nil {
		return nil, refused(err)
	}
	return true, nil
}

// scenario serves fakenode_scenario.
func scenario(r *request, name string, params *json.RawMessage) (any, error) {
	if r.chain.Scenario == nil {
		return nil, InvalidParams("unknown scenario %q: this network has none", excerpt(name))
	}
	var given json.RawMessage
	if params != nil {
		given = *params
	}
	conclusion, err := r.chain.Scenario(name, given)
	var wire *Error
	if err != nil && !errors.As(err, &wire) {
		err = refused(err)
	}
	return conclusion, err
}

// flashblockFaultParams is a fault of flashblocks as fakenode_flashblockFault takes it.
type flashblockFaultParams struct {
	Kind         preconf.FaultKind `json:"kind"`
	Count        *Number           `json:"count"`
	Transactions string            `json:"transactions"` // "requeue" (default) or "gone"
	Hashes       []common.Hash     `json:"hashes"`
	Retract      bool              `json:"retract"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *flashblockFaultParams) UnmarshalJSON(raw []byte) error {
	type members flashblockFaultParams
	return strictly(raw, (*members)(p))
}

func (flashblockFaultParams) wanted() string {
	return "{kind, count?, transactions?, hashes?, retract?}"
}

var faultKinds = []preconf.FaultKind{
	preconf.DropFlashblocks, preconf.OmitTransactions, preconf.AlterLogs, preconf.DuplicateFlashblock,
	preconf.StallFlashblocks, preconf.LateBlock, preconf.LagContext,
}

// faultObject is what a fault of flashblocks changed.
type faultObject struct {
	// Transactions are no longer pre-confirmed.
	Transactions []common.Hash `json:"transactions"`
	// Flashblocks were taken back or announced again.
	Flashblocks int `json:"flashblocks"`
	// Armed: the fault takes effect later.
	Armed bool `json:"armed"`
}

// flashblockFault serves fakenode_flashblockFault.
func flashblockFault(r *request, p flashblockFaultParams) (any, error) {
	if !slices.Contains(faultKinds, p.Kind) {
		names := make([]string, len(faultKinds))
		for i, kind := range faultKinds {
			names[i] = string(kind)
		}
		return nil, InvalidParams("unknown kind of fault %q: want one of %s", excerpt(p.Kind), strings.Join(names, ", "))
	}
	if p.Transactions != "" && p.Transactions != "requeue" && p.Transactions != "gone" {
		return nil, InvalidParams(`transactions of the fault: have %q, want "requeue" or "gone"`, excerpt(p.Transactions))
	}
	fault := preconf.FlashblockFault{Kind: p.Kind, Gone: p.Transactions == "gone", Hashes: p.Hashes, Retract: p.Retract}
	if p.Count != nil {
		if *p.Count == 0 || *p.Count > maxBlocks {
			return nil, InvalidParams("count of the fault: have %d, want 1 to %d", *p.Count, maxBlocks)
		}
		fault.Count = int(*p.Count)
	}
	result, err := r.chain.Timeline.Fault(fault)
	if err != nil {
		return nil, refused(err)
	}
	return faultObject{orEmpty(result.Transactions), result.Flashblocks, result.Armed}, nil
}
