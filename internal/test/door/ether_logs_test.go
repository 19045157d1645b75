package door_test

import (
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure subscribers get the logs of ether above a fork block of a chain by osaka's rules.
func TestSubscribersGetEtherLogs(t *testing.T) {
	t.Parallel()
	below := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	sent := func(node *fakenode.Node, tx fakenode.Tx) *types.Receipt {
		hash, err := node.Transact(node.Account(0), tx)
		require.NoError(t, err)
		receipt, err := node.Client().TransactionReceipt(t.Context(), hash)
		require.NoError(t, err)
		return receipt
	}
	require.Empty(t, sent(below, fakenode.Tx{To: new(common.HexToAddress("0xa1")), Value: uint256.NewInt(1)}).Logs)
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant, Hardfork: "amsterdam", Fork: &fakenode.Fork{URL: below.URL()}})
	logs := make(chan types.Log, 10)
	socket, err := ethclient.Dial(node.WebSocketURL())
	require.NoError(t, err)
	defer socket.Close()
	subscription, err := socket.SubscribeFilterLogs(t.Context(), ethereum.FilterQuery{Addresses: []common.Address{params.SystemAddress}}, logs)
	require.NoError(t, err)
	defer subscription.Unsubscribe()
	stranger := common.HexToAddress("0xa2")
	receipt := sent(node, fakenode.Tx{To: &stranger, Value: uint256.NewInt(7)})
	select {
	case log := <-logs:
		require.Equal(t, receipt.TxHash, log.TxHash)
		require.Equal(t, common.BytesToHash(stranger[:]), log.Topics[2])
	case err := <-subscription.Err():
		require.NoError(t, err)
	}
}
