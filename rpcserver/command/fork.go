package command

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// ForkMisses serves fakenode_forkMisses: what an offline fork needed and its cache file does not have.
func ForkMisses(r *api.Request) (any, error) {
	fork := r.Moment().Chain().Fork()
	if fork == nil {
		return nil, api.Errorf(api.CodeServer, "%s: this network is not a fork", r.Method)
	}
	return append([]string{}, fork.Misses()...), nil
}

// SetRPCURL serves anvil_setRpcUrl: another node of the forked chain answers from now on.
func SetRPCURL(r *api.Request, url string) (any, error) {
	fork := r.Moment().Chain().Fork()
	if fork == nil {
		return nil, api.InvalidParams("%s: this network is not a fork: anvil_reset makes one", r.Method)
	}
	return nil, r.BadInput(fork.SetURL(url))
}

// forkInfo describes the fork in fakenode_info.
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
