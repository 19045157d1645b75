package door_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// The tests of this file are the Go code of docs/from-simulated.md.

func TestAllocOfOnesOwn(t *testing.T) {
	t.Parallel()
	alloc := types.GenesisAlloc{common.HexToAddress("0xa11ce"): {Balance: big.NewInt(params.Ether)}}

	node := fakenode.RunConfigT(t, fakenode.Config{Genesis: fakenode.NewGenesis(alloc)})
	client := node.Client()
	balance, err := client.BalanceAt(t.Context(), common.HexToAddress("0xa11ce"), nil)

	require.NoError(t, err)
	require.Equal(t, big.NewInt(params.Ether), balance)
}

func TestCommitForkAndAdjustTime(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client := node.Client()
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
	require.NoError(t, err)

	waiting, err := client.PendingTransactionCount(t.Context())
	require.NoError(t, err)
	require.Zero(t, waiting) // it is in the pool: pending has nothing until Preconfirm
	node.Preconfirm()
	waiting, err = client.PendingTransactionCount(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, waiting)

	node.Seal() // Commit
	_, err = client.TransactionReceipt(t.Context(), hash)
	require.NoError(t, err)

	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop}) // a Fork that loses the transaction
	require.NoError(t, err)
	_, err = client.TransactionReceipt(t.Context(), hash)
	require.ErrorIs(t, err, ethereum.NotFound)

	node.Jump(30 * 24 * time.Hour) // AdjustTime
	id := node.Snapshot()          // Rollback is Revert to a snapshot
	node.Seal()
	require.NoError(t, node.Revert(id))
}

func TestPendingIsThePool(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
	to := common.HexToAddress("0xa11ce")
	_, err := node.Transact(node.Account(0), fakenode.Tx{To: &to, Value: uint256.NewInt(7)})
	require.NoError(t, err)

	balance, err := node.Client().PendingBalanceAt(t.Context(), to)
	require.NoError(t, err)
	require.EqualValues(t, 7, balance.Int64())
	node.Seal() // Commit
}

func TestPendingLogsWithABinding(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client := node.Client()
	tx := fakenode.Tx{To: new(node.Token().Address()), Data: capture(node)}
	_, err := node.Transact(node.Account(1), tx)
	require.NoError(t, err)
	node.Preconfirm()

	pending := big.NewInt(int64(rpc.PendingBlockNumber))
	logs, err := client.FilterLogs(t.Context(), ethereum.FilterQuery{
		FromBlock: pending, ToBlock: pending, Addresses: []common.Address{node.Token().Address()},
	})
	require.NoError(t, err)
	require.Len(t, logs, 2) // AuthorizationUsed and Transfer; decode them with the binding's Parse… methods
}

// capture returns the call data of a payment from account 0 to account 1.
func capture(node *fakenode.Node) []byte {
	payer, merchant := node.Account(0), node.Account(1)
	auth := fixtures.Authorization(payer, merchant, fixtures.USD("25.00"), node.Now())
	return fixtures.Sign(payer, node.Token().Domain(), auth).Capture()
}
