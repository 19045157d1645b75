package fakenode_test

import (
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure amsterdam's rules hold above a fork block of a chain by osaka's, and only there: gas, access lists, and the
// logs of ether, which subscribers get.
func TestAmsterdamAboveForkBlock(t *testing.T) {
	t.Parallel()
	below := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	sent := func(node *fakenode.Node, tx fakenode.Tx) *types.Receipt {
		hash, err := node.Transact(node.Account(0), tx)
		require.NoError(t, err)
		receipt, err := node.Client().TransactionReceipt(t.Context(), hash)
		require.NoError(t, err)
		return receipt
	}
	old := sent(below, fakenode.Tx{To: new(common.HexToAddress("0xa1")), Value: uint256.NewInt(1)})
	require.EqualValues(t, 21_000, old.GasUsed)

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
	require.EqualValues(t, 204_600, receipt.GasUsed, "and 183,600 of it for the account")
	select {
	case log := <-logs:
		require.Equal(t, receipt.TxHash, log.TxHash)
		require.Equal(t, common.BytesToHash(stranger[:]), log.Topics[2])
	case err := <-subscription.Err():
		require.NoError(t, err)
	}

	of := func(block any) (list []struct{ Address common.Address }, err error) {
		return list, node.Client().Client().CallContext(t.Context(), &list, "eth_getBlockAccessList", block)
	}
	list, err := of("latest")
	require.NoError(t, err)
	require.Contains(t, list, struct{ Address common.Address }{stranger})
	header, err := node.Client().HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	require.NotNil(t, header.BlockAccessListHash)
	_, err = of(hexutil.Uint64(old.BlockNumber.Uint64()))
	require.ErrorContains(t, err, "block 1 has no access list: it is before amsterdam (EIP-7928)")
	again, err := node.Client().TransactionReceipt(t.Context(), old.TxHash)
	require.NoError(t, err)
	require.EqualValues(t, 21_000, again.GasUsed)

	// Of a fork of that chain the lists up to the fork block are the other node's.
	above := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant, Hardfork: "amsterdam", Fork: &fakenode.Fork{URL: node.URL()}})
	var wire rpc.Error
	err = above.Client().Client().CallContext(t.Context(), new(any), "eth_getBlockAccessList", "0x2")
	require.ErrorContains(t, err, "the access list of block 2 is the other chain's, and not fetched: ask its node")
	require.ErrorAs(t, err, &wire)
	require.Equal(t, -32001, wire.ErrorCode())
	above.Seal()
	require.NoError(t, above.Client().Client().CallContext(t.Context(), new(any), "eth_getBlockAccessList", "0x3"))
}
