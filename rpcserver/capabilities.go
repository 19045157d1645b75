package rpcserver

import (
	"math"
	"sort"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// capabilitiesResult is the answer to eth_capabilities: how far back each kind of data reaches.
type capabilitiesResult struct {
	Head struct {
		Number hexutil.Uint64 `json:"number"`
		Hash   common.Hash    `json:"hash"`
	} `json:"head"`
	State       capability `json:"state"`
	Tx          capability `json:"tx"`
	Logs        capability `json:"logs"`
	Receipts    capability `json:"receipts"`
	Blocks      capability `json:"blocks"`
	StateProofs capability `json:"stateproofs"`
}

// capability is one kind of data.
type capability struct {
	Disabled       bool            `json:"disabled"`
	OldestBlock    hexutil.Uint64  `json:"oldestBlock"`
	DeleteStrategy *deleteStrategy `json:"deleteStrategy,omitempty"`
}

// deleteStrategy describes how old data goes: beyond a window of the newest blocks.
type deleteStrategy struct {
	Type            string         `json:"type"`
	RetentionBlocks hexutil.Uint64 `json:"retentionBlocks"`
}

// capabilities serves eth_capabilities. All is kept but the States of old blocks.
func capabilities(r *api.Request) (any, error) {
	chain := r.Moment().Chain()
	head := chain.Head()
	var result capabilitiesResult
	result.Head.Number, result.Head.Hash = hexutil.Uint64(head.Number()), head.Hash()
	// The search begins at the fork block: what a fork's remote chain has below it shows when it is asked.
	oldest := sort.Search(int(head.Number()-chain.Base()), func(n int) bool {
		_, err := chain.StateAt(chain.BlockByNumber(chain.Base() + uint64(n)))
		return err == nil
	})
	result.State.OldestBlock = hexutil.Uint64(chain.Base() + uint64(oldest))
	result.StateProofs = result.State
	// The one kind of data that other nodes keep in a window, so that routers look for it: here it is
	// wider than any chain.
	result.Logs.DeleteStrategy = &deleteStrategy{"window", math.MaxInt64}
	return result, nil
}
