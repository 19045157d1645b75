package chain

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
)

// Most blocks of a test's chain are empty, and the system calls of an empty block are most of its work. Where a
// contract has the code that its EIP publishes, the effect of its call is known without the EVM. From Amsterdam on the
// calls are made all the same, as their accesses are part of the block (EIP-7928), and on a fork, where storage is
// fetched.

// ringLength is the length of the ring buffers of EIP-2935 and EIP-4788, in blocks and seconds.
const ringLength = 8191

// published holds the hash of the published code of each contract that the system calls.
var published = map[common.Address]common.Hash{
	params.BeaconRootsAddress:        crypto.Keccak256Hash(params.BeaconRootsCode),
	params.HistoryStorageAddress:     crypto.Keccak256Hash(params.HistoryStorageCode),
	params.WithdrawalQueueAddress:    crypto.Keccak256Hash(params.WithdrawalQueueCode),
	params.ConsolidationQueueAddress: crypto.Keccak256Hash(params.ConsolidationQueueCode),
}

// isPlain reports whether the effect of d's system calls can be known without the EVM.
func (d *Draft) isPlain() bool {
	config, h := d.chain.config, d.header
	return d.chain.fork == nil && config.IsPrague(h.Number, h.Time) && !config.IsAmsterdam(h.Number, h.Time) && h.ParentBeaconRoot != nil
}

// begun returns base after the system calls that open a plain block, or nil if these must be made.
func (d *Draft) begun(base *evmstate.State) *evmstate.State {
	h, beacon, history := d.header, params.BeaconRootsAddress, params.HistoryStorageAddress
	if !d.isPlain() || base.CodeHash(beacon) != published[beacon] || base.CodeHash(history) != published[history] {
		return nil
	}
	at := h.Time % ringLength
	return base.WithSlots(beacon,
		evmstate.Slot{Key: word(at), Value: word(h.Time)}, evmstate.Slot{Key: word(at + ringLength), Value: *h.ParentBeaconRoot},
	).WithSlots(history, evmstate.Slot{Key: word((h.Number.Uint64() - 1) % ringLength), Value: h.ParentHash})
}

func word(n uint64) (w common.Hash) {
	binary.BigEndian.PutUint64(w[24:], n)
	return w
}

// endsAsParent reports whether the system calls that end a plain block would change nothing and return no request:
// those of the parent did so, with the same storage.
func (d *Draft) endsAsParent() bool {
	c := d.chain
	return c.calm != nil && c.calm == c.state && d.isPlain() && len(d.withdrawals) == 0 && d.logs.len() == 0 &&
		sameQueues(d.state, c.state)
}

// calms reports whether the end of d, which leads to a State, changed no queue of requests and returned none, so that
// the next block may end likewise.
func (d *Draft) calms(end *finished) bool {
	withdrawals, consolidations := params.WithdrawalQueueAddress, params.ConsolidationQueueAddress
	return d.isPlain() && d.chain.Optimism == nil && len(end.requests) == 0 && sameQueues(d.state, end.state) &&
		end.state.CodeHash(withdrawals) == published[withdrawals] && end.state.CodeHash(consolidations) == published[consolidations]
}

// sameQueues reports whether two States have the same contracts that collect requests to the consensus layer.
func sameQueues(a, b *evmstate.State) bool {
	return a.Shares(b, params.WithdrawalQueueAddress) && a.Shares(b, params.ConsolidationQueueAddress)
}
