package command_test

import (
	"encoding/json"
	"math/big"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

func TestAnvilReorg(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	dropped := n.Pay(0, 1, 1)
	n.Do("fakenode_seal", 3)
	signed := hexutil.Bytes(servertest.Raw(t, n.Sign(1, &servertest.Logger, new(big.Int), servertest.LoggerCall("0x1", "0x2", 1))))
	object := map[string]any{"from": fixtures.Dev(2).Address, "to": fixtures.Dev(3).Address, "value": "0x1"}
	n.Do("anvil_reorg", 3, []any{[]any{object, 0}, []any{signed, "0x1"}, []any{object, 0}})
	require.Nil(t, servertest.Fetch[any](n, "eth_getTransactionByHash", dropped.Hash()))
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getBlockTransactionCountByNumber", "0x1"))
	require.Equal(t, "0x1", servertest.Fetch[string](n, "eth_getBlockTransactionCountByNumber", "0x2"))
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(2).Address))

	for _, step := range []struct {
		method string
		params []any
		height uint64
	}{
		{"anvil_reorg", []any{0}, 3},
		{"anvil_rollback", nil, 2},
		{"anvil_rollback", []any{0}, 2},
		{"anvil_rollback", []any{"0x1"}, 1},
		{"debug_setHead", []any{1}, 1},
		{"debug_setHead", []any{"0x0"}, 0},
		{"anvil_reorg", []any{0, []any{}}, 0},
	} {
		n.Do(step.method, step.params...)
		number, _ := head(n)
		require.Equal(t, step.height, number, "%s%v", step.method, step.params)
	}
	require.Equal(t, poolCount{"0x0", "0x0"}, servertest.Fetch[poolCount](n, "txpool_status"), "what is rolled back is gone")
}

// The nonces of a reorg's transactions fit the block it forks from, whoever mines meanwhile.
func TestAnvilReorgWhileOthersMine(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("evm_mine")
	payment := map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address, "value": "0x1", "gas": "0x5208"}
	const times = 50
	var miner sync.WaitGroup
	miner.Go(func() {
		for range times {
			n.Try("eth_sendTransaction", payment)
			n.Try("evm_mine")
		}
	})
	var failures []*jsonrpc.Error
	for range times {
		if _, failure := n.Try("anvil_reorg", 1, []any{[]any{payment, 0}}); failure != nil {
			failures = append(failures, failure)
		}
	}
	miner.Wait()
	require.Empty(t, failures)
	number, _ := head(n)
	require.EqualValues(t, 1+times, number)
}

// alloy sends the parameters of anvil_reorg by name.
func TestAnvilReorgByName(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("fakenode_seal", 2)
	object := map[string]any{"from": fixtures.Dev(2).Address, "to": fixtures.Dev(3).Address, "value": "0x1"}
	ask := func(method, params string) string {
		return string(n.Server.Call(t.Context(), world.Main, []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)))
	}
	pairs, err := json.Marshal([]any{[]any{object, 1}})
	require.NoError(t, err)
	require.Contains(t, ask("anvil_reorg", `{"tx_block_pairs":`+string(pairs)+`,"depth":2}`), `"result":null`)
	require.Equal(t, "0x1", servertest.Fetch[string](n, "eth_getBlockTransactionCountByNumber", "0x2"))
	require.Contains(t, ask("anvil_reorg", `{"depth":1}`), `"result":null`)
	require.Equal(t, "0x0", servertest.Fetch[string](n, "eth_getBlockTransactionCountByNumber", "0x2"))
	unchanged(n, func() {
		for params, word := range map[string]string{`{}`: "depth", `{"depth":1,"pairs":[]}`: "unknown argument pairs", `{"depth":"deep"}`: "deep"} {
			require.Contains(t, ask("anvil_reorg", params), `"code":-32602`)
			require.Contains(t, ask("anvil_reorg", params), word)
		}
		require.Contains(t, ask("anvil_rollback", `{"depth":1}`), `"code":-32602`)
	})
}

// Ensure a reorg deeper than the finalized block is refused unless it is forced, as anvil's own always is.
func TestReorgDeeperThanFinalized(t *testing.T) {
	t.Parallel()
	none := uint64(1)
	n := servertest.New(t, preconf.Config{Behaviour: preconf.Behaviour{Lags: preconf.Lags{SafeLag: &none, FinalizedLag: &none}}}, rpcserver.Config{})
	n.Do("fakenode_seal", 5)
	unchanged(n, func() {
		n.Refuses(api.CodeInvalidParams, []string{"depth 2", "finalized", "at most 1"}, "fakenode_reorg", map[string]any{"depth": 2})
	})
	tx := n.Sign(0, &servertest.Bob.Address, big.NewInt(1), nil)
	n.Refuses(api.CodeInvalidParams, []string{"length of the reorg: have 10002, the limit is 10001"}, "fakenode_reorg", map[string]any{"depth": 10_000, "length": 10_002})
	n.Do("fakenode_reorg", map[string]any{"depth": 2, "force": true, "length": 1, "blocks": [][]hexutil.Bytes{{servertest.Raw(t, tx)}}})
	require.Equal(t, tx.Hash(), n.Timeline.Moment().Latest().Transaction(0).Hash())
	n.Do("anvil_reorg", 3, []any{})
	number, _ := head(n)
	require.EqualValues(t, 4, number)
}

// Ensure fakenode_orphans names the blocks that reorgs removed, the highest first, no canonical one, and a thousand at
// most.
func TestOrphans(t *testing.T) {
	t.Parallel()
	remembering, err := chain.New(servertest.Genesis(), chain.Options{History: 2000})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: remembering}, rpcserver.Config{})
	type orphan struct {
		Number uint64
		Hash   common.Hash
	}
	orphans := func() []orphan { return servertest.Fetch[[]orphan](n, "fakenode_orphans") }
	require.Equal(t, []orphan{}, orphans())

	hash := n.Pay(0, 1, 1).Hash()
	blocks := n.Seal(2)
	type changes struct{ Removed, Added, Requeued []common.Hash }
	is := servertest.Fetch[changes](n, "fakenode_reorg", map[string]any{"depth": 2, "transactions": "drop"})
	require.Equal(t, []any{blocks, 3, []common.Hash{}}, []any{is.Removed, len(is.Added), is.Requeued})
	require.Equal(t, []orphan{{2, blocks[1]}, {1, blocks[0]}}, orphans())
	block := servertest.Fetch[struct{ Transactions []common.Hash }](n, "eth_getBlockByHash", blocks[0], false)
	require.Equal(t, []common.Hash{hash}, block.Transactions)

	later := n.Seal(1) // block 4: the branch of a reorg is a block longer
	n.Do("fakenode_reorg", map[string]any{"depth": 1})
	require.Equal(t, []orphan{{4, later[0]}, {2, blocks[1]}, {1, blocks[0]}}, orphans())

	n.Do("fakenode_seal", 1000)
	n.Do("debug_setHead", 1)
	require.Len(t, orphans(), 1000)
	require.EqualValues(t, 1005, orphans()[0].Number)
}
