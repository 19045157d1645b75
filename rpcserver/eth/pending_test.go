package eth_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure a deposit is at pending from the flashblock on that announces it, in all answers alike, until a fault takes
// the flashblock back.
func TestDepositIsPendingWithItsFlashblock(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks})
	ask := func(result any, method string, params ...any) {
		t.Helper()
		require.NoError(t, node.Client().Client().Call(result, method, params...))
	}
	abi, err := tokencontract.TokenMetaData.ParseABI()
	require.NoError(t, err)
	to := common.Address{19: 0xd1}
	data, err := abi.Pack("transfer", to, fixtures.USD("1").ToBig())
	require.NoError(t, err)
	var deposit common.Hash
	ask(&deposit, "fakenode_deposit", map[string]any{
		"from": fixtures.Dev(0).Address, "to": node.Token().Address(), "data": hexutil.Bytes(data), "gas": 1_000_000,
	})

	check := func(present bool, when string) {
		t.Helper()
		var receipt *types.Receipt
		var block struct {
			Transactions []common.Hash
			LogsBloom    types.Bloom
		}
		var logs []types.Log
		var received hexutil.Bytes
		var count hexutil.Uint64
		ask(&receipt, "eth_getTransactionReceipt", deposit)
		ask(&block, "eth_getBlockByNumber", "pending", false)
		ask(&count, "eth_getBlockTransactionCountByNumber", "pending")
		ask(&logs, "eth_getLogs", map[string]any{"fromBlock": "pending", "toBlock": "pending"})
		balance, err := abi.Pack("balanceOf", to)
		require.NoError(t, err)
		ask(&received, "eth_call", map[string]any{"to": node.Token().Address(), "data": hexutil.Bytes(balance)}, "pending")

		require.EqualValues(t, len(block.Transactions), count, when)
		require.Equal(t, present, receipt != nil, when)
		require.Equal(t, present, len(block.Transactions) == 2, when)
		require.Equal(t, present, block.LogsBloom != types.Bloom{}, when)
		require.Equal(t, present, len(logs) == 1, when)
		require.Equal(t, present, common.BytesToHash(received) != common.Hash{}, when)
	}
	check(false, "before its flashblock")
	node.Preconfirm()
	check(true, "after its flashblock")
	ask(nil, "fakenode_flashblockFault", map[string]any{"kind": "drop"})
	check(false, "after the flashblock was dropped")
	node.Preconfirm()
	check(true, "in the next flashblock")
	ask(nil, "fakenode_flashblockFault", map[string]any{"kind": "stall"})
	check(false, "under a stall")
}
