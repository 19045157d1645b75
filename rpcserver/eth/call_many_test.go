package eth_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
)

// bundle is a bundle of eth_callMany.
func bundle(override any, calls ...any) map[string]any {
	return map[string]any{"transactions": calls, "blockOverride": override}
}

// callOutcome is the outcome of one call of eth_callMany.
type callOutcome struct {
	Value hexutil.Bytes
	Error string
}

func calling(to common.Address, data string) map[string]any {
	return map[string]any{"to": to, "data": data}
}

// Ensure each call of eth_callMany sees what those before it changed, a failed one changes nothing, and nothing is left
// afterwards.
func TestCallMany(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	count := calling(servertest.Counter, "0x")
	reason := "0x08c379a0" + common.BigToHash(big.NewInt(32)).Hex()[2:] + common.BigToHash(big.NewInt(2)).Hex()[2:] + "6e6f" // "no"
	for _, times := range []int{1, 2} {                                                                                      // the second request counts from zero, too
		results := servertest.Fetch[[][]callOutcome](n, "eth_callMany", []any{
			bundle(nil, count, calling(servertest.Reverter, "0x"), count),
			bundle(nil, calling(servertest.Reverter, reason), count),
		})
		require.Equal(t, [][]callOutcome{
			{{Value: word(1)}, {Error: "execution reverted"}, {Value: word(2)}},
			{{Error: "execution reverted: no"}, {Value: word(3)}},
		}, results, times)
	}
	override := map[string]any{servertest.Counter.Hex(): map[string]any{"stateDiff": map[common.Hash]any{{}: common.Hash(word(7))}}}
	results := servertest.Fetch[[][]callOutcome](n, "eth_callMany", []any{bundle(nil, count)}, nil, override)
	require.Equal(t, word(8), results[0][0].Value)

	// At pending it continues the pre-confirmed state, at latest not; before a transaction of a block it is as it was.
	n.Transact(0, &servertest.Counter, new(big.Int), []byte{1})
	n.Do("fakenode_preconfirm")
	at := func(context map[string]any) hexutil.Bytes {
		return servertest.Fetch[[][]callOutcome](n, "eth_callMany", []any{bundle(nil, count)}, context)[0][0].Value
	}
	require.Equal(t, word(2), at(map[string]any{"blockNumber": "pending"}))
	require.Equal(t, word(1), at(map[string]any{"blockNumber": "latest"}))
	n.Do("fakenode_seal")
	require.Equal(t, word(2), at(map[string]any{"transactionIndex": -1}))
	require.Equal(t, word(1), at(map[string]any{"blockNumber": "0x1", "transactionIndex": 0}))

	n.Refuses(api.CodeInvalidParams, []string{"bundles are empty."}, "eth_callMany", []any{})
	n.Refuses(api.CodeServer, []string{"index 1"}, "eth_callMany", []any{bundle(nil, count)}, map[string]any{"transactionIndex": 1})
	n.Refuses(api.CodeInvalidParams, []string{"10001 bundles", "10000"}, "eth_callMany", make([]struct{}, 10_001))
}

func word(v int64) hexutil.Bytes { return common.BigToHash(big.NewInt(v)).Bytes() }

// Ensure the bundles of eth_callMany are one block and one second apart, and keep the overrides of those before.
func TestCallManyBlocks(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Seal(3)
	observe := calling(servertest.Observer, "0x")
	results := servertest.Fetch[[][]callOutcome](n, "eth_callMany", []any{
		bundle(nil, observe), bundle(map[string]any{"number": "0x64", "gasLimit": "0x1000000"}, observe), bundle(nil, observe),
	})
	seen := func(i, item int) uint64 {
		return new(big.Int).SetBytes(results[i][0].Value[32*item : 32*item+32]).Uint64()
	}
	head := n.Timeline.Moment().Latest()
	require.Equal(t, []uint64{head.Number(), 100, 101}, []uint64{seen(0, 0), seen(1, 0), seen(2, 0)})
	require.Equal(t, []uint64{head.Time(), head.Time() + 1, head.Time() + 2}, []uint64{seen(0, 1), seen(1, 1), seen(2, 1)})
	require.Equal(t, []uint64{head.Header().GasLimit, 0x1000000, 0x1000000}, []uint64{seen(0, 5), seen(1, 5), seen(2, 5)})
}

// Ensure failed calls are described in anvil's words under its preset, and MegaETH's limit is in force under its own.
func TestCallManyOfPresets(t *testing.T) {
	t.Parallel()
	anvil := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Anvil.Wire}, DevNode: dialect.Anvil})
	calls := []any{bundle(nil, calling(servertest.Reverter, "0x"), calling(servertest.Reverter, "0x112233ff"))}
	results := servertest.Fetch[[][]callOutcome](anvil, "eth_callMany", calls)
	require.Equal(t, [][]callOutcome{{{Error: "execution failed"}, {Error: "custom error 0x112233ff"}}}, results)

	mega := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.MegaETH.Wire}, DevNode: dialect.MegaETH})
	most := make([]any, 100)
	for i := range most {
		most[i] = calling(servertest.Counter, "0x")
	}
	mega.Do("eth_callMany", []any{bundle(nil, most...)})
	mega.Refuses(api.CodeInvalidParams, []string{"101", "100"}, "eth_callMany", []any{bundle(nil, most...), bundle(nil, most[0])})
}
