package rpcserver

import (
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// snapshot serves fakenode_snapshot and evm_snapshot: the id of the present state of everything.
func snapshot(r *api.Request) (any, error) { return hexutil.Uint64(r.Network.Timeline.Snapshot()), nil }

// revert serves fakenode_revert: everything is as it was at the snapshot, which stays usable. Subscribers and
// filters are notified of it as of a reorg if announce is true, not at all otherwise.
func revert(r *api.Request, id api.Number, announce *bool) (any, error) {
	back := r.Network.Timeline.Revert
	if announce != nil && *announce {
		back = r.Network.Timeline.RevertAnnounced
	}
	if err := back(uint64(id)); err != nil {
		return nil, api.Refused(err)
	}
	return true, nil
}

// evmRevert serves evm_revert with its usual meaning: the snapshot and those after it are used up, filters go on. It
// answers false for an unknown one. Subscribers are not notified.
func evmRevert(r *api.Request, id api.Number) (any, error) {
	return r.Network.Timeline.RevertOnce(uint64(id)) == nil, nil
}
