package command_test

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure fakenode_transaction reports every place a transaction can be in, with the reason where there is one.
func TestTransactionPlace(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
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
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
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

// Ensure a transaction is shown by the names of the contracts that it calls and whose logs it has, up to a hundred.
func TestNamesInTransactions(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "Logger.json")
	topic := crypto.Keccak256Hash([]byte("Noted(uint256,uint256)"))
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `{"contractName":"Logger","abi":[
		{"type":"function","name":"note","inputs":[],"outputs":[],"stateMutability":"nonpayable"},
		{"type":"event","name":"Noted","inputs":[{"name":"a","type":"uint256","indexed":true},{"name":"b","type":"uint256"}]}],
		"bytecode":"0x","deployedBytecode":"%#x"}`, servertest.LoggerCode), 0o600))
	set, err := artifacts.Load([]string{path})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Artifacts: set}})
	type event struct {
		LogIndex       uint64
		Contract, Text string
	}
	type shown struct {
		Where, Contract string
		Events          []event
	}
	place := func(hash common.Hash) (is shown) {
		t.Helper()
		return servertest.Fetch[shown](n, "fakenode_transaction", hash)
	}
	n.Logs(1, topic.Hex(), "0x9", 1)
	tx := n.Logs(0, topic.Hex(), "0x5", 2).Hash()
	require.Equal(t, shown{"pool", "Logger", nil}, place(tx))
	n.Preconfirm()
	want := shown{"preconfirmed", "Logger", []event{{1, "Logger", "Noted(a: 5, b: 2)"}, {2, "Logger", "Noted(a: 5, b: 1)"}}}
	require.Equal(t, want, place(tx))
	n.Seal(1)
	want.Where = "sealed"
	require.Equal(t, want, place(tx))
	many := n.Logs(0, topic.Hex(), "0x5", 101).Hash()
	n.Seal(1)
	require.Len(t, place(many).Events, 100)
	other := n.Emit(1, 2)
	n.Seal(1)
	require.Equal(t, shown{Where: "sealed"}, place(other))
}
