package rpcserver

import (
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

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

// forkMisses serves fakenode_forkMisses: what was needed of the remote chain and is not in the cache file, on a fork
// that is offline.
func forkMisses(r *api.Request) (any, error) {
	fork := r.Moment().Chain().Fork()
	if fork == nil {
		return nil, api.Errorf(api.CodeServer, "%s: this network is not a fork", r.Method)
	}
	return append([]string{}, fork.Misses()...), nil
}

// forkInfo is what fakenode_info says of the fork.
type forkInfo struct {
	URL      string      `json:"url"` // scheme and host
	ChainID  uint64      `json:"chainId"`
	Number   uint64      `json:"number"`
	Hash     common.Hash `json:"hash"`
	Requests int         `json:"requests"` // sent to the remote chain so far
}

// forkOf describes the fork, nil for none.
func forkOf(m *preconf.Moment) *forkInfo {
	fork := m.Chain().Fork()
	if fork == nil {
		return nil
	}
	return &forkInfo{fork.URL(), fork.ChainID(), fork.Number(), fork.Hash(), fork.Requests()}
}

// forkBlock is a block to fork at as anvil_reset takes it: a number, plain or hex, or a tag or hash.
func forkBlock(raw *json.RawMessage) (string, error) {
	if raw == nil {
		return "", nil
	}
	var text string
	if json.Unmarshal(*raw, &text) == nil {
		return text, nil
	}
	var number api.Number
	if err := json.Unmarshal(*raw, &number); err != nil {
		return "", api.InvalidParams("invalid forking.blockNumber: have %s, want a block number", api.Excerpt(*raw))
	}
	return hexutil.EncodeUint64(uint64(number)), nil
}
