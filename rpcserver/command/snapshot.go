package command

import (
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Snapshot serves fakenode_snapshot and evm_snapshot: it answers the id of a snapshot of the network's whole state.
func Snapshot(r *api.Request) (any, error) { return hexutil.Uint64(r.Network.Timeline.Snapshot()), nil }

// Revert serves fakenode_revert: everything goes back to the snapshot, which stays usable. Subscribers and filters are
// notified of it as of a reorg if announce is true, not at all otherwise.
func Revert(r *api.Request, id api.Number, announce *bool) (any, error) {
	back := r.Network.Timeline.Revert
	if announce != nil && *announce {
		back = r.Network.Timeline.RevertAnnounced
	}
	if err := back(uint64(id)); err != nil {
		return nil, api.Refused(err)
	}
	return true, nil
}

// EvmRevert serves evm_revert with its usual meaning: the snapshot and later ones can no longer be used, and filters
// continue. It answers false for an unknown one. Subscribers are not notified.
func EvmRevert(r *api.Request, id api.Number) (any, error) {
	return r.Network.Timeline.RevertOnce(uint64(id)) == nil, nil
}
