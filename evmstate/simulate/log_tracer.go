package simulate

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
)

// transferAddress is the address that stands for ether where a token is expected (ERC-7528).
var transferAddress = common.HexToAddress("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")

var transferTopic = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))

// logTracer collects the logs of a message in the order in which they happen, with a log for every transfer of ether by
// a message, call, creation or self-destruct. It drops the logs of a failed call frame. Logs of transfers are in no
// bloom and no receipt.
type logTracer struct {
	// frames holds the logs of each open call frame, from the outermost on.
	frames [][]*types.Log
	done   []*types.Log // of the closed outermost frame
}

func (t *logTracer) hooks() *tracing.Hooks {
	return &tracing.Hooks{OnEnter: t.enter, OnExit: t.exit, OnLog: t.add}
}

// reset drops the logs collected so far, also of system calls.
func (t *logTracer) reset() { t.frames, t.done = t.frames[:0], nil }

// logs returns the logs collected since the last reset, without their Index.
func (t *logTracer) logs() []*types.Log { return t.done }

func (t *logTracer) enter(_ int, op byte, from, to common.Address, _ []byte, _ uint64, value *big.Int) {
	t.frames = append(t.frames, nil)
	// DELEGATECALL and CALLCODE have a value but transfer nothing.
	if vm.OpCode(op) == vm.DELEGATECALL || vm.OpCode(op) == vm.CALLCODE || value == nil || value.Sign() == 0 {
		return
	}
	t.add(&types.Log{
		Address: transferAddress,
		Topics:  []common.Hash{transferTopic, common.BytesToHash(from[:]), common.BytesToHash(to[:])},
		Data:    common.BigToHash(value).Bytes(),
	})
}

func (t *logTracer) exit(_ int, _ []byte, _ uint64, _ error, reverted bool) {
	last := len(t.frames) - 1
	logs := t.frames[last]
	t.frames = t.frames[:last]
	switch {
	case reverted:
	case last == 0:
		t.done = logs
	default:
		t.frames[last-1] = append(t.frames[last-1], logs...)
	}
}

func (t *logTracer) add(log *types.Log) {
	last := len(t.frames) - 1
	t.frames[last] = append(t.frames[last], &types.Log{Address: log.Address, Topics: log.Topics, Data: log.Data})
}
