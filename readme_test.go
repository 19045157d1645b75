package fakenode_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// The tests of this file are the Go code of README.md and of the package comment.

func TestCaptureExpires(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t) // own chain, own port, closed with the test
	payer, merchant, token := node.Account(0), node.Account(1), node.Token()

	auth := fixtures.Authorization(payer, merchant, fixtures.USD("25.00"), node.Now())
	payment := fixtures.Sign(payer, token.Domain(), auth) // code under test would get node.URL()

	node.Advance(16 * time.Minute) // past validBefore, with every flashblock and block on the way

	_, err := node.Transact(merchant, fakenode.Tx{To: new(token.Address()), Data: payment.Capture()})
	require.ErrorContains(t, err, "authorization is expired")
	require.False(t, token.AuthorizationState(payer.Address, auth.Nonce))
}

func TestTransferIsPreconfirmedThenSealed(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address), Value: fixtures.Ether("1.5")})
	require.NoError(t, err)

	node.Preconfirm() // or Advance(200 * time.Millisecond)
	receipt, err := node.Receipt(t.Context(), hash)
	require.NoError(t, err)
	require.Zero(t, receipt.BlockHash) // seen at pending, in no block yet

	sealed := node.Seal()
	receipt, err = node.Client().TransactionReceipt(t.Context(), hash) // as any client reads it
	require.NoError(t, err)
	require.Equal(t, sealed, receipt.BlockHash)
}

func TestThingsGoWrong(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	for range 3 {
		node.Token().Transfer(node.Account(0), node.Account(1).Address, fixtures.USD("1"))
	}
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
	require.NoError(t, err)
	node.Preconfirm()

	// announced, never sealed: the newest flashblock and its transactions are lost
	_, err = node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.DropFlashblocks, Gone: true})
	require.NoError(t, err)
	require.Equal(t, fakenode.Dropped, node.Place(hash).Where)

	// three blocks are replaced, and their transactions mined again; Transactions: fakenode.Drop would lose them
	reorg, err := node.Reorg(fakenode.ReorgOptions{Depth: 3})
	require.NoError(t, err)
	require.Len(t, reorg.Removed, 3)

	// the request is served, the answer lost
	err = node.Fail(fakenode.Fault{Method: "eth_sendRawTransaction", DropConnection: true})
	require.NoError(t, err)

	// a whole story, and what a correct client must conclude from it
	conclusion, err := node.Scenario("CaptureThenReorg", fakenode.ScenarioParams{Depth: 3})
	require.NoError(t, err)
	require.True(t, conclusion.Settled)
}
