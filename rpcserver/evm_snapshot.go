package rpcserver

// evmRevert serves evm_revert with its usual meaning: the snapshot and those after it are used up. It answers
// false for an unknown one. Subscribers are not told.
func evmRevert(r *request, id Number) (any, error) {
	timeline := r.chain.Timeline
	if err := timeline.Revert(uint64(id)); err != nil {
		return false, nil
	}
	timeline.ForgetSnapshots(uint64(id))
	return true, nil
}
