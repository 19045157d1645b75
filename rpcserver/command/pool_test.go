package command_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure the pool is emptied by hash, by sender and whole, and that holds end by command with the number they held.
func TestPoolByCommand(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	one, two := n.Pay(0, 1, 1).Hash(), n.Pay(1, 0, 1).Hash()
	status := func() poolCount { return servertest.Fetch[poolCount](n, "txpool_status") }
	require.Equal(t, one.Hex(), servertest.Fetch[string](n, "anvil_dropTransaction", one))
	require.Nil(t, servertest.Fetch[any](n, "anvil_dropTransaction", one))
	require.True(t, servertest.Fetch[bool](n, "hardhat_dropTransaction", two))
	require.False(t, servertest.Fetch[bool](n, "hardhat_dropTransaction", two))
	n.Pay(2, 1, 1)
	n.Pay(2, 1, 1)
	n.Pay(3, 1, 1)
	n.Do("anvil_removePoolTransactions", fixtures.Dev(2).Address)
	require.Equal(t, poolCount{"0x1", "0x0"}, status())
	n.Do("anvil_dropAllTransactions")
	require.Equal(t, poolCount{"0x0", "0x0"}, status())

	held := n.Pay(4, 1, 1).Hash()
	n.Pay(5, 1, 1)
	n.Pay(6, 1, 1)
	n.Do("fakenode_hold", map[string]any{"hashes": []common.Hash{held}, "blocks": 3})
	n.Do("fakenode_hold", map[string]any{"senders": []common.Address{fixtures.Dev(5).Address}})
	holds := servertest.Fetch[struct{ Holds json.RawMessage }](n, "fakenode_faults").Holds
	require.JSONEq(t, `[{"hashes":["`+held.Hex()+`"],"senders":[],"blocks":3},{"hashes":[],"senders":["`+
		strings.ToLower(fixtures.Dev(5).Address.Hex())+`"]}]`, string(holds))
	n.Seal(1)
	require.Equal(t, poolCount{"0x2", "0x0"}, status())
	require.Equal(t, 2, servertest.Fetch[int](n, "fakenode_release"))
	require.Zero(t, servertest.Fetch[int](n, "fakenode_release"))
	n.Seal(1)
	require.Equal(t, poolCount{"0x0", "0x0"}, status())
	const most = math.MaxInt64 / 1_000_000
	n.Refuses(api.CodeInvalidParams, []string{fmt.Sprintf("fakenode_hold: %d ms are too long", most+1)}, "fakenode_hold", map[string]any{"milliseconds": uint64(most + 1)})
	n.Refuses(api.CodeInvalidParams, []string{"fakenode_hold: "}, "fakenode_hold", map[string]any{"milliseconds": 1, "blocks": 1})
	n.Do("fakenode_hold")
	require.Len(t, servertest.Fetch[struct{ Holds []any }](n, "fakenode_faults").Holds, 1)
}

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
