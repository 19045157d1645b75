package eth

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/forkid"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// forkConfig describes one fork (EIP-7910).
type forkConfig struct {
	ActivationTime  uint64                    `json:"activationTime"` // Unix seconds; 0: since genesis
	BlobSchedule    *params.BlobConfig        `json:"blobSchedule"`
	ChainID         *hexutil.Big              `json:"chainId"`
	ForkID          hexutil.Bytes             `json:"forkId"`
	Precompiles     map[string]common.Address `json:"precompiles"`
	SystemContracts map[string]common.Address `json:"systemContracts"`
}

// configResult is the answer to eth_config: the fork in force, the next one and the last one known.
type configResult struct {
	Current *forkConfig `json:"current"`
	Next    *forkConfig `json:"next"`
	Last    *forkConfig `json:"last"`
}

// Config serves eth_config (EIP-7910).
func Config(r *api.Request) (any, error) {
	m := r.Moment()
	earliest, err := m.Earliest()
	if err != nil {
		return nil, err
	}
	c, genesis := m.Chain(), earliest.Header()
	config := c.Config()
	current := config.LatestFork(m.Latest().Time())
	last := config.LatestFork(^uint64(0))
	result := configResult{Current: forkConfigAt(c, genesis, config.Timestamp(current))}
	for fork := current + 1; fork <= last; fork++ {
		if at := config.Timestamp(fork); at != nil { // a fork may be left out of the schedule
			result.Next = forkConfigAt(c, genesis, at)
			result.Last = forkConfigAt(c, genesis, config.Timestamp(last))
			break
		}
	}
	return result, nil
}

// forkConfigAt describes the fork that is active from a time; nil before forks went by time.
func forkConfigAt(c *chain.Chain, genesis *types.Header, at *uint64) *forkConfig {
	if at == nil {
		return nil
	}
	config := c.Config()
	described := &forkConfig{
		BlobSchedule:    c.BlobConfig(*at),
		ChainID:         (*hexutil.Big)(config.ChainID),
		Precompiles:     make(map[string]common.Address),
		SystemContracts: c.SystemContracts(*at),
	}
	if *at > genesis.Time {
		described.ActivationTime = *at
	}
	london := config.LondonBlock
	if london == nil {
		london = new(big.Int)
	}
	for address, contract := range c.Precompiles(config.Rules(london, true, *at)) {
		described.Precompiles[contract.Name()] = address
	}
	id := forkid.NewID(config, types.NewBlockWithHeader(genesis), ^uint64(0), *at)
	described.ForkID = id.Hash[:]
	return described
}
