package rpcserver

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

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

// firstBlock returns the first block that was made here: the genesis block, or the one that stands for the fork block.
func firstBlock(m *preconf.Moment) *chain.Block { return m.Chain().BlockByNumber(m.Chain().Base()) }

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
