package command

import (
	"cmp"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// nodeInfoObject is the answer to anvil_nodeInfo.
type nodeInfoObject struct {
	BlockNumber      hexutil.Uint64 `json:"currentBlockNumber"`
	BlockTimestamp   uint64         `json:"currentBlockTimestamp"` // Unix seconds
	BlockHash        common.Hash    `json:"currentBlockHash"`
	HardFork         string         `json:"hardFork"`
	TransactionOrder string         `json:"transactionOrder"`
	Environment      struct {
		BaseFee  *hexutil.Big   `json:"baseFee"` // wei
		ChainID  uint64         `json:"chainId"`
		GasLimit hexutil.Uint64 `json:"gasLimit"`
		GasPrice *hexutil.Big   `json:"gasPrice"` // wei
	} `json:"environment"`
	// ForkConfig describes the remote chain under the network; all members are null without one.
	ForkConfig struct {
		URL          *string `json:"forkUrl"` // scheme and host: the rest may hold a key
		BlockNumber  *uint64 `json:"forkBlockNumber"`
		RetryBackoff *uint64 `json:"forkRetryBackoff"` // milliseconds
	} `json:"forkConfig"`
}

func NodeInfo(r *api.Request) (any, error) {
	m := r.Moment()
	head := m.Latest()
	o := nodeInfoObject{
		BlockNumber:      hexutil.Uint64(head.Number()),
		BlockTimestamp:   head.Time(),
		BlockHash:        head.Hash(),
		HardFork:         chain.Hardfork(m.Chain().Config(), head.Header()),
		TransactionOrder: r.Network.Timeline.Config().Order.String(),
	}
	o.Environment.BaseFee, o.Environment.GasPrice = (*hexutil.Big)(api.NextBaseFee(m)), (*hexutil.Big)(api.SuggestedPrice(m))
	o.Environment.ChainID, o.Environment.GasLimit = r.Network.ChainID(), hexutil.Uint64(m.Pending().Header().GasLimit)
	if fork := m.Chain().Fork(); fork != nil {
		o.ForkConfig.URL, o.ForkConfig.BlockNumber = new(fork.URL()), new(fork.Number())
		o.ForkConfig.RetryBackoff = new(uint64(remote.FirstPause.Milliseconds()))
	}
	return o, nil
}

// metadataObject is the answer to hardhat_metadata.
type metadataObject struct {
	ClientVersion     string      `json:"clientVersion"`
	ChainID           uint64      `json:"chainId"`
	InstanceID        common.Hash `json:"instanceId"`
	LatestBlockNumber uint64      `json:"latestBlockNumber"`
	LatestBlockHash   common.Hash `json:"latestBlockHash"`
	Forked            *forkedFrom `json:"forkedNetwork,omitempty"` // absent where the network is no fork
}

// forkedFrom is the remote chain under a fork, as hardhat_metadata reports it.
type forkedFrom struct {
	ChainID     uint64      `json:"chainId"`
	BlockNumber uint64      `json:"forkBlockNumber"`
	BlockHash   common.Hash `json:"forkBlockHash"`
}

// Metadata serves hardhat_metadata. By the instance OpenZeppelin's plugins keep what they know of a development chain.
func Metadata(r *api.Request) (any, error) { return metadata(r), nil }

func metadata(r *api.Request) metadataObject {
	m := r.Moment()
	var forked *forkedFrom
	if fork := m.Chain().Fork(); fork != nil {
		forked = &forkedFrom{fork.ChainID(), fork.Number(), fork.Hash()}
	}
	return metadataObject{
		ClientVersion:     r.Network.ClientVersion,
		ChainID:           r.Network.ChainID(),
		InstanceID:        r.Network.Timeline.Instance(),
		LatestBlockNumber: m.Latest().Number(),
		LatestBlockHash:   m.Latest().Hash(),
		Forked:            forked,
	}
}

// SetLoggingEnabled serves anvil_setLoggingEnabled. It does nothing, because the node logs no requests.
func SetLoggingEnabled(*api.Request, bool) (any, error) { return nil, nil }

// resetOptions holds the options by which other nodes fork a remote chain; libraries send them empty for none.
type resetOptions struct {
	api.ControlObject `wanted:"{forking?: {jsonRpcUrl, blockNumber}}, or the two by themselves"`

	Forking   resetFork `json:"forking"`
	resetFork           // the same, as anvil also takes it
}

// resetFork is the remote block to begin anew at.
type resetFork struct {
	URL         string           `json:"jsonRpcUrl"`
	BlockNumber *json.RawMessage `json:"blockNumber"`
}

// fork returns the block wherever the options have it.
func (o *resetOptions) fork() resetFork {
	if o == nil {
		return resetFork{}
	}
	return resetFork{cmp.Or(o.Forking.URL, o.URL), cmp.Or(o.Forking.BlockNumber, o.BlockNumber)}
}

// Reset serves anvil_reset: the network goes back to its start, or begins anew at a block of a remote chain.
func Reset(r *api.Request, options *resetOptions) (any, error) {
	if fork := options.fork(); fork != (resetFork{}) {
		block, err := forkBlock(fork.BlockNumber)
		if err != nil {
			return nil, err
		}
		if r.Network.Refork == nil {
			return nil, api.InvalidParams("%s: forking a remote chain is not possible on this network", r.Method)
		}
		defer r.Caller.MayTakeLong()()
		return nil, api.Refused(r.Network.Refork(r.Network.Timeline, fork.URL, block))
	}
	r.Network.Timeline.Reset()
	return nil, nil
}

// AnvilRollback serves anvil_rollback: it removes the newest blocks with their transactions, one by default.
func AnvilRollback(r *api.Request, depth *api.Number) (any, error) {
	return nil, rollback(r, uint64(*cmp.Or(depth, new(api.Number(1)))))
}
