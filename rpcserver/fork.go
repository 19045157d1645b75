package rpcserver

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// errNoProof is the error of what needs the whole state trie, which a fork does not have above the fork block.
var errNoProof = errors.New("a fork has no proofs and storage roots above the fork block: the tries of the other chain are not here")

// remoteObject is what a fork's remote chain says of a transaction or receipt, in our own form as far as there is one.
// Members that we do not know, as rollups have them, follow as they were answered.
type remoteObject struct {
	own    jsonrpc.Appender // nil: go-ethereum does not know the transaction's type
	answer json.RawMessage
}

func (o remoteObject) AppendJSON(dst []byte) []byte {
	var members, known map[string]json.RawMessage
	if json.Unmarshal(o.answer, &members) != nil {
		return append(dst, o.answer...) // it was read before, so it is an object
	}
	start := len(dst)
	dst = append(dst, '{')
	if o.own != nil {
		dst = o.own.AppendJSON(dst[:start])
		if json.Unmarshal(dst[start:], &known) == nil {
			dst = dst[:len(dst)-1]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, ours := known[name]; ours {
			continue
		}
		if len(dst)-start > 1 {
			dst = append(dst, ',')
		}
		dst = jsonrpc.AppendString(dst, name)
		dst = append(dst, ':')
		dst = append(dst, members[name]...)
	}
	return append(dst, '}')
}

// appendRemote appends t, whose transaction is one of a fork's remote chain.
func (t transactionObject) appendRemote(dst []byte, other *remote.Transaction) []byte {
	signed := other.Signed()
	if signed == nil {
		return remoteObject{answer: other.Object}.AppendJSON(dst)
	}
	t.tx = signed
	return remoteObject{t, other.Object}.AppendJSON(dst)
}

// appendRemote appends r, whose transaction is one of a fork's remote chain.
func (r receiptObject) appendRemote(dst []byte, other *remote.Transaction) []byte {
	signed := other.Signed()
	if signed == nil {
		return remoteObject{answer: other.Answer}.AppendJSON(dst)
	}
	r.tx = signed
	return remoteObject{r, other.Answer}.AppendJSON(dst)
}

// ancestralLogs returns the logs of the part of a range that is at or below the fork block.
func ancestralLogs(m *preconf.Moment, filter chain.LogFilter, first, last uint64) (logList, error) {
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
		return nil, refused(errNoProof)
	}
	return fork.Proof(v.Number(), address, slots)
}

// forkMisses serves fakenode_forkMisses: what was needed of the remote chain and is not in the cache file, on a fork
// that is offline.
func forkMisses(r *request) (any, error) {
	fork := r.moment().Chain().Fork()
	if fork == nil {
		return nil, errorf(codeServer, "%s: this network is not a fork", r.method)
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
	var number Number
	if err := json.Unmarshal(*raw, &number); err != nil {
		return "", invalidParams("invalid forking.blockNumber: have %s, want a block number", excerpt(*raw))
	}
	return hexutil.EncodeUint64(uint64(number)), nil
}
