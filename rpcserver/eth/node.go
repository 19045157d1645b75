package eth

import (
	"cmp"
	"math"
	"math/big"
	"runtime"
	"sort"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/forkid"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Coinbase serves eth_coinbase: the account that receives the tips.
func Coinbase(r *api.Request) (any, error) { return r.Moment().Control().Settings.Coinbase, nil }

// Accounts serves eth_accounts and eth_requestAccounts: the accounts that the node signs for.
func Accounts(r *api.Request) (any, error) { return r.Network.Addresses(), nil }

// ClientVersion is the default of Config.ClientVersion.
var ClientVersion = "fakenode/" + runtime.GOOS + "-" + runtime.GOARCH + "/" + runtime.Version()

func Web3ClientVersion(r *api.Request) (any, error) { return r.Network.ClientVersion, nil }

// NodeInfo serves admin_nodeInfo: what geth tells of itself, without an address, because the node has no peers.
func NodeInfo(r *api.Request) (any, error) {
	m := r.Moment()
	genesis, err := m.Earliest()
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"name": r.Network.ClientVersion, "id": "", "enode": "", "ip": "", "listenAddr": "", "ports": map[string]int{"discovery": 0, "listener": 0},
		"protocols": map[string]any{"eth": map[string]any{
			"network": r.Network.ChainID(), "genesis": genesis.Hash(), "head": m.Latest().Hash(),
		}},
	}, nil
}

// Web3Sha3 serves web3_sha3: the Keccak-256 of bytes.
func Web3Sha3(_ *api.Request, data hexutil.Bytes) (any, error) {
	return crypto.Keccak256Hash(data), nil
}

// NetVersion serves net_version: the chain id in decimal.
func NetVersion(r *api.Request) (any, error) { return strconv.FormatUint(r.Network.ChainID(), 10), nil }

func ChainID(r *api.Request) (any, error) { return hexutil.Uint64(r.Network.ChainID()), nil }

// Modules serves rpc_modules: the namespaces of the methods that are on, each with a version.
func Modules(r *api.Request) (any, error) {
	modules := make(map[string]string)
	for name := range r.Network.Methods {
		namespace, _, _ := strings.Cut(name, "_")
		modules[namespace] = "1.0"
	}
	return modules, nil
}

// capabilitiesResult is the answer to eth_capabilities: the range of each kind of data.
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

type capability struct {
	Disabled       bool            `json:"disabled"`
	OldestBlock    hexutil.Uint64  `json:"oldestBlock"`
	DeleteStrategy *deleteStrategy `json:"deleteStrategy,omitempty"`
}

// deleteStrategy describes the deletion of old data: beyond a window of the newest blocks.
type deleteStrategy struct {
	Type            string         `json:"type"`
	RetentionBlocks hexutil.Uint64 `json:"retentionBlocks"`
}

// Capabilities serves eth_capabilities. Everything is kept except the States of old blocks.
func Capabilities(r *api.Request) (any, error) {
	chain := r.Moment().Chain()
	head := chain.Head()
	var result capabilitiesResult
	result.Head.Number, result.Head.Hash = hexutil.Uint64(head.Number()), head.Hash()
	// The search begins at the fork block: data below it depends on the remote chain's node.
	oldest := sort.Search(int(head.Number()-chain.Base()), func(n int) bool {
		_, err := chain.StateAt(chain.BlockByNumber(chain.Base() + uint64(n)))
		return err == nil
	})
	result.State.OldestBlock = hexutil.Uint64(chain.Base() + uint64(oldest))
	result.StateProofs = result.State
	// Other nodes keep this kind of data in a window, so routers look for one: here it is wider than any chain.
	result.Logs.DeleteStrategy = &deleteStrategy{"window", math.MaxInt64}
	return result, nil
}

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
	london := cmp.Or(config.LondonBlock, new(big.Int))
	for address, contract := range c.Precompiles(config.Rules(london, true, *at)) {
		described.Precompiles[contract.Name()] = address
	}
	id := forkid.NewID(config, types.NewBlockWithHeader(genesis), ^uint64(0), *at)
	described.ForkID = id.Hash[:]
	return described
}
