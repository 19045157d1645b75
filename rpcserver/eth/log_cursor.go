package eth

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// logCursor is the place in the chain up to which a client has the logs. Its text is hex: the block's number, the first
// eight bytes of its hash, and the index of the log.
type logCursor struct {
	block uint64
	hash  [8]byte
	index uint32
}

const cursorSize = 20 // bytes

// MarshalText implements encoding.TextMarshaler.
func (c logCursor) MarshalText() ([]byte, error) {
	b := append(binary.BigEndian.AppendUint64(nil, c.block), c.hash[:]...)
	return hexutil.Bytes(binary.BigEndian.AppendUint32(b, c.index)).MarshalText()
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *logCursor) UnmarshalJSON(raw []byte) error {
	var b hexutil.Bytes
	if err := json.Unmarshal(raw, &b); err != nil || len(b) != cursorSize {
		return errors.New("cursor is not one of an earlier answer")
	}
	c.block, c.index = binary.BigEndian.Uint64(b), binary.BigEndian.Uint32(b[cursorSize-4:])
	copy(c.hash[:], b[8:])
	return nil
}

// cursorAt returns the cursor behind a log of a block, and behind all of them for math.MaxUint32.
func cursorAt(m *preconf.Moment, block uint64, index uint32) *logCursor {
	c := &logCursor{block: block, index: index}
	if v, err := m.ByNumber(block); err == nil {
		hash := v.Hash()
		copy(c.hash[:], hash[:])
	}
	return c
}

// cursorFilter is the parameter of eth_getLogsWithCursor.
type cursorFilter struct {
	filterObject `wanted:"a filter object"`
	Cursor       *logCursor `json:"cursor"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *cursorFilter) UnmarshalJSON(raw []byte) error {
	var own struct {
		Cursor *logCursor `json:"cursor"`
	}
	if err := json.Unmarshal(raw, &own); err != nil {
		return err
	}
	f.Cursor = own.Cursor
	return f.filterObject.UnmarshalJSON(raw)
}

// logPage is the number of logs in an answer to eth_getLogsWithCursor where Limits.LogsMaxResults sets none.
const logPage = 10_000

// GetLogsWithCursor serves MegaETH's eth_getLogsWithCursor: eth_getLogs in pages. A page that is not the last has a
// cursor, with which the next one begins. A cursor from before a reorg of its block is an error.
func GetLogsWithCursor(r *api.Request, object cursorFilter) (any, error) {
	wanted, err := object.filterFor(&r.Network.Behaviour, r.Network.Provider)
	if err != nil {
		return nil, err
	}
	if object.BlockHash != nil {
		if object.Cursor != nil {
			return nil, api.InvalidParams("a cursor goes with fromBlock and toBlock: the logs of one block by its hash are one page")
		}
		logs, err := getBlockLogs(r, object.filterObject, wanted)
		if err != nil {
			return nil, err
		}
		return page{logs.(shape.Logs), nil}, nil
	}
	m := r.Moment()
	span, err := m.LogRange(object.FromBlock.bound(), object.ToBlock.bound())
	if err != nil {
		return nil, err
	}
	if c := object.Cursor; c != nil {
		if c.block < span.First || c.block > span.Last {
			return nil, api.InvalidParams("cursor is of block %d, the range is %d-%d", c.block, span.First, span.Last)
		}
		if *c != *cursorAt(m, c.block, c.index) {
			return nil, api.Errorf(api.CodeServer, "cursor is of a block %d that a reorg has removed: begin anew", c.block)
		}
		span.First = c.block
	}
	most := cmp.Or(r.Network.Limits.LogsMaxResults, logPage)
	var found []*types.Log
	size, room := 0, r.Caller.Room()
	last, err := searchSealed(r, span, wanted, func(log *types.Log) error {
		if c := object.Cursor; c != nil && log.BlockNumber == c.block && uint64(log.Index) <= uint64(c.index) {
			return nil
		}
		if size += 2 * logSize(log); len(found) > 0 && (uint64(len(found)) == most || size > room) {
			return errPageFull
		}
		found = append(found, log)
		return nil
	})
	switch {
	case errors.Is(err, errPageFull):
		last := found[len(found)-1]
		return page{shape.LogsOf(m, found), cursorAt(m, last.BlockNumber, uint32(last.Index))}, nil
	case errors.Is(err, errSearchTime):
		return page{shape.LogsOf(m, found), cursorAt(m, last, math.MaxUint32)}, nil
	case err == nil:
		found, err = withPreconfirmed(found, span, wanted)
	}
	if err != nil {
		return nil, err
	}
	return page{shape.LogsOf(m, found), nil}, nil
}

// errPageFull ends the search for the logs of a page.
var errPageFull = errors.New("page is full")

// page is an answer to eth_getLogsWithCursor. The last one has no cursor.
type page struct {
	Logs   shape.Logs `json:"logs"`
	Cursor *logCursor `json:"cursor,omitempty"`
}
