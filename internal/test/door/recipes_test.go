package door_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// The tests of this file are the Go code of docs/recipes.md.

func TestPaymentIsTakenBack(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	payer, merchant, token := node.Account(0), node.Account(1), node.Token().Address()
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)

	auth := fixtures.Authorization(payer, merchant, fixtures.USD("25.00"), node.Now())
	tx, err := types.SignNewTx(merchant.Key, types.HomesteadSigner{}, &types.LegacyTx{
		To: &token, Gas: 200_000, GasPrice: fixtures.Ether("0.00000001").ToBig(),
		Data: fixtures.Sign(payer, node.Token().Domain(), auth).Capture(),
	})
	require.NoError(t, err)
	require.NoError(t, client.SendTransaction(t.Context(), tx))

	node.Preconfirm() // a flashblock: seen at pending, not at latest
	require.True(t, node.Token().Pending().AuthorizationState(payer.Address, auth.Nonce))
	require.False(t, node.Token().AuthorizationState(payer.Address, auth.Nonce))

	node.Seal() // a block
	node.CheckBalance(t, merchant.Address, fixtures.USD("1000025.00"))

	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	node.CheckBalance(t, merchant.Address, fixtures.USD("1000000.00")) // as if it had never been
}

func TestAnswerIsLost(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	tx, err := types.SignNewTx(node.Account(0).Key, types.HomesteadSigner{}, &types.LegacyTx{
		To: new(node.Account(1).Address), Gas: 21_000, GasPrice: fixtures.Ether("0.00000001").ToBig(),
	})
	require.NoError(t, err)

	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_sendRawTransaction", DropConnection: true}))
	require.Error(t, client.SendTransaction(t.Context(), tx)) // the connection broke
	node.Preconfirm()
	_, waiting, err := client.TransactionByHash(t.Context(), tx.Hash()) // and yet
	require.NoError(t, err)
	require.False(t, waiting)
}

func TestClonesGoOn(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	for _, late := range []time.Duration{14 * time.Minute, 16 * time.Minute} {
		t.Run(late.String(), func(t *testing.T) {
			t.Parallel()
			node := node.CloneT(t)
			node.Advance(late) // 420 and 480 blocks later, and every flashblock between
			require.Equal(t, node.BlockNumber(), uint64(late/(2*time.Second)))
		})
	}
}

func TestStoryIsTold(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	conclusion, err := node.Scenario("LostPreconfirmation", fakenode.ScenarioParams{Amount: "25.00"})
	require.NoError(t, err)
	require.False(t, conclusion.Settled)
	t.Log(conclusion.Statement) // the conclusion that your code must have drawn
}
