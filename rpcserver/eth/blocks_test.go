package eth_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// Ensure each method that finds a transaction finds it by each name, sealed, pre-confirmed and in the pool, and answers
// null beside it.
func TestTransactionsByEachName(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	sent := []*types.Transaction{n.Pay(1, 0, 1), n.Logs(0, "0xa", "0xb", 1)}
	hash := n.Seal(1)[0]
	preconfirmed := n.Pay(0, 1, 3)
	n.Preconfirm()
	pooled := n.Pay(0, 1, 4)
	for _, method := range []string{"eth_getRawTransactionByHash", "debug_getRawTransaction"} {
		for _, tx := range append(sent, preconfirmed, pooled) {
			require.Equal(t, hexutil.Bytes(servertest.Raw(t, tx)), servertest.Fetch[hexutil.Bytes](n, method, tx.Hash()))
		}
	}
	require.Equal(t, "0x", servertest.Fetch[string](n, "debug_getRawTransaction", common.Hash{9}))
	for _, tag := range []any{"0x1", "latest"} {
		for i, tx := range sent {
			at := hexutil.Uint64(i)
			require.Equal(t, hexutil.Bytes(servertest.Raw(t, tx)), servertest.Fetch[hexutil.Bytes](n, "eth_getRawTransactionByBlockNumberAndIndex", tag, at))
			require.Equal(t, hexutil.Bytes(servertest.Raw(t, tx)), servertest.Fetch[hexutil.Bytes](n, "eth_getRawTransactionByBlockHashAndIndex", hash, at))
		}
	}
	require.Equal(t, hexutil.Bytes(servertest.Raw(t, preconfirmed)),
		servertest.Fetch[hexutil.Bytes](n, "eth_getRawTransactionByBlockNumberAndIndex", "pending", "0x0"))
	for nonce, tx := range []*types.Transaction{sent[1], preconfirmed, pooled} {
		found := servertest.Fetch[struct{ Hash common.Hash }](n, "eth_getTransactionBySenderAndNonce", servertest.Alice.Address, hexutil.Uint64(nonce))
		require.Equal(t, tx.Hash(), found.Hash)
	}
	for status, hashes := range map[string][]common.Hash{"Known": {preconfirmed.Hash(), pooled.Hash()}, "Unknown": {sent[0].Hash(), {9}}} {
		for _, hash := range hashes {
			require.Equal(t, map[string]any{"status": status}, servertest.Fetch[map[string]any](n, "base_transactionStatus", hash))
		}
	}
	unknown := common.Hash{9}
	for method, ways := range map[string][][]any{
		"eth_getRawTransactionByBlockNumberAndIndex": {{"0x1", "0x2"}, {"0x9", "0x0"}, {"0x1", "0xffffffffffffffff"}},
		"eth_getRawTransactionByBlockHashAndIndex":   {{hash, "0x2"}, {unknown, "0x0"}},
		"eth_getTransactionByBlockNumberAndIndex":    {{"0x1", "0x2"}, {"0x9", "0x0"}},
		"eth_getTransactionByBlockHashAndIndex":      {{hash, "0x2"}, {unknown, "0x0"}},
		"eth_getTransactionBySenderAndNonce":         {{servertest.Alice.Address, "0x3"}},
		"eth_getTransactionByHash":                   {{unknown}},
		"eth_getRawTransactionByHash":                {{unknown}},
		"eth_getTransactionReceipt":                  {{unknown}, {pooled.Hash()}},
		"eth_getHeaderByNumber":                      {{"0x9"}},
		"eth_getHeaderByHash":                        {{unknown}},
		"eth_getBlockByNumber":                       {{"0x9", false}},
		"eth_getBlockAccessList":                     {{"0x9"}},
		"eth_getBlockReceipts":                       {{"0x9"}},
		"eth_getBlockTransactionCountByNumber":       {{"0x9"}},
		"eth_getUncleCountByBlockHash":               {{unknown}},
		"eth_getUncleByBlockNumberAndIndex":          {{"0x1", "0x0"}, {"0x9", "0x0"}, {"pending", "0x0"}},
	} {
		for _, params := range ways {
			require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, method, params...)), "%s%v", method, params)
		}
	}
	require.Equal(t, "0x0", servertest.Fetch[string](n, "eth_getUncleCountByBlockNumber", "pending"))
	require.Equal(t, hash.Hex(), servertest.Fetch[struct{ Hash string }](n, "eth_getHeaderByNumber", "0x1").Hash)
	require.Len(t, servertest.Fetch[[]any](n, "eth_getBlockReceipts", "pending"), 1)
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getBlockTransactionCountByHash", hash))
	var order []common.Hash
	last := n.Pay(1, 0, 1)
	for _, tx := range servertest.Fetch[[]struct{ Hash common.Hash }](n, "eth_pendingTransactions") {
		order = append(order, tx.Hash)
	}
	require.Equal(t, []common.Hash{pooled.Hash(), last.Hash()}, order, "in the order of arrival")
}

// Ensure the uncles of a block from before the merge are counted and shown one by one.
func TestUncles(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("petersburg", servertest.ChainID)
	require.NoError(t, err)
	genesis := &chain.Genesis{Config: config, Timestamp: servertest.Start - 100, GasLimit: 30_000_000, Difficulty: big.NewInt(131_072)}
	_, blocks, _ := core.GenerateChainWithGenesis(genesis, ethash.NewFaker(), 4, func(i int, b *core.BlockGen) {
		for miner := range byte(2) {
			if i == 3 {
				b.AddUncle(&types.Header{ParentHash: b.PrevBlock(1).Hash(), Number: big.NewInt(3), Coinbase: common.Address{0xb1, miner}})
			}
		}
	})
	c, err := chain.New(genesis, chain.Options{})
	require.NoError(t, err)
	for _, block := range blocks {
		c, err = c.ImportBlock(block)
		require.NoError(t, err)
	}
	n := servertest.New(t, preconf.Config{Chain: c, NoPreconf: true}, rpcserver.Config{})
	hash := blocks[3].Hash()
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getUncleCountByBlockNumber", "0x4"))
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getUncleCountByBlockHash", hash))
	require.Equal(t, "0x0", servertest.Fetch[string](n, "eth_getUncleCountByBlockNumber", "0x3"))
	for i, uncle := range blocks[3].Uncles() {
		for method, block := range map[string]any{"eth_getUncleByBlockNumberAndIndex": "0x4", "eth_getUncleByBlockHashAndIndex": hash} {
			shown := servertest.Fetch[struct {
				Hash         common.Hash
				Miner        common.Address
				Transactions []any
			}](n, method, block, hexutil.Uint64(i))
			require.Equal(t, uncle.Hash(), shown.Hash)
			require.Equal(t, common.Address{0xb1, byte(i)}, shown.Miner)
			require.Nil(t, shown.Transactions)
			require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, method, block, "0x2")))
		}
	}
}
