package command_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure fakenode_transaction reports every place a transaction can be in, with the reason where there is one.
func TestTransactionPlace(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	place := func(hash common.Hash) map[string]string {
		return servertest.Fetch[map[string]string](n, "fakenode_transaction", hash)
	}
	require.Equal(t, map[string]string{"where": "unknown"}, place(common.Hash{1}))

	tx := n.Pay(0, 1, 1)
	require.Equal(t, map[string]string{"where": "pool"}, place(tx.Hash()))
	n.Preconfirm()
	require.Equal(t, map[string]string{"where": "preconfirmed"}, place(tx.Hash()))
	block := n.Seal(1)[0]
	require.Equal(t, map[string]string{"where": "sealed", "blockHash": block.Hex()}, place(tx.Hash()))

	n.Do("fakenode_reorg", map[string]any{"depth": 1, "transactions": "drop"})
	require.Equal(t, map[string]string{"where": "orphaned", "blockHash": block.Hex(), "reason": "lost by a reorg"}, place(tx.Hash()))

	dropped := n.Pay(1, 0, 1)
	n.Do("anvil_dropTransaction", dropped.Hash())
	require.Equal(t, map[string]string{"where": "dropped", "reason": pool.ErrCleared.Error()}, place(dropped.Hash()))

	gapped := servertest.Signed(t, fixtures.Dev(2), 7)
	require.NoError(t, n.Timeline.Send(gapped))
	require.Equal(t, map[string]string{"where": "pool", "reason": "its nonce is 7, and no transaction has nonce 0"}, place(gapped.Hash()))

	cheap, err := types.SignNewTx(fixtures.Dev(3).Key, types.LatestSignerForChainID(big.NewInt(servertest.ChainID)), &types.DynamicFeeTx{
		ChainID: big.NewInt(servertest.ChainID), Gas: 21_000, GasFeeCap: big.NewInt(1), To: &common.Address{},
	})
	require.NoError(t, err)
	require.NoError(t, n.Timeline.Send(cheap))
	require.Contains(t, place(cheap.Hash())["reason"], "its fee cap of 1 wei is below the base fee of ")
}

// Ensure a transaction has the note about its token once it is executed.
func TestNotesOfTransactions(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	domain := tokencontract.Domain{Name: tokencontract.MainnetName, Version: "2", ChainID: servertest.ChainID, VerifyingContract: servertest.Token}
	terms := fixtures.Authorization(servertest.Alice, servertest.Bob, fixtures.USD("25"), time.Unix(servertest.Start, 0))
	place := func(message tokencontract.Message) (note string) {
		data := terms.PackReceive(servertest.Alice.Sign(domain, message))
		hash := n.Transact(1, &servertest.Token, new(big.Int), data).Hash()
		require.Empty(t, servertest.Fetch[struct{ Note string }](n, "fakenode_transaction", hash).Note, "not before it is executed")
		n.Seal(1)
		is := servertest.Fetch[struct {
			Where, Note string
			BlockHash   common.Hash
		}](n, "fakenode_transaction", hash)
		require.Equal(t, "sealed", is.Where)
		require.Equal(t, n.Timeline.Moment().Latest().Hash(), is.BlockHash)
		return is.Note
	}
	require.Contains(t, place(terms.TransferMessage()), "refused this capture, as USDC does, because the payer signed TransferWithAuthorization")
	require.Empty(t, place(terms.ReceiveMessage()))
}
