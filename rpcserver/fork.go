package rpcserver

import (
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// errNoProof is the error of what needs the whole state trie, which a fork does not have above the fork block.
var errNoProof = errors.New("a fork has no proofs and storage roots above the fork block: the tries of the other chain are not here")

// ancestralLogs returns the logs of the part of a range that is at or below the fork block.
func ancestralLogs(m *preconf.Moment, filter chain.LogFilter, first, last uint64) (shape.Logs, error) {
	fork := m.Chain().Fork()
	if fork == nil || first > min(last, m.Chain().Base()) {
		return nil, nil
	}
	return fork.Logs(remote.LogQuery{From: first, To: min(last, m.Chain().Base()), Addresses: filter.Addresses, Topics: filter.Topics})
}

// ancestralProof returns the answer to eth_getProof for a block at or below the fork block, nil for blocks above;
// there a fork has no proofs.
func ancestralProof(v *preconf.View, address common.Address, slots []common.Hash) (json.RawMessage, error) {
	fork := v.Chain().Fork()
	switch {
	case fork == nil:
		return nil, nil
	case v.Pending() || v.Number() > v.Chain().Base():
		return nil, api.Refused(errNoProof)
	}
	return fork.Proof(v.Number(), address, slots)
}
