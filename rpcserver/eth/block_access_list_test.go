package eth_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// accessed is an account of a block access list on the wire.
type accessed struct {
	Address        common.Address
	StorageChanges []struct {
		Key     common.Hash
		Changes []struct {
			Index hexutil.Uint64
			Value common.Hash
		}
	}
	StorageReads   []common.Hash
	BalanceChanges []struct {
		Index hexutil.Uint64
		Value *hexutil.Big
	}
	NonceChanges []struct{ Index, Value hexutil.Uint64 }
	CodeChanges  []struct {
		Index hexutil.Uint64
		Code  hexutil.Bytes
	}
}

// Ensure a block has an access list from the fork on, of which the header has the hash, pre-confirmed and sealed.
func TestBlockAccessList(t *testing.T) {
	t.Parallel()
	n := servertest.NewAmsterdam(t, rpcserver.Config{})
	n.Do("fakenode_advance", 2000) // the last block before the fork
	before := []string{"block 1 has no access list: it is before amsterdam"}
	n.Refuses(api.CodeNotFound, before, "eth_getBlockAccessList", "0x1")
	n.Refuses(api.CodeNotFound, before, "debug_getRawBlockAccessList", "0x1")
	require.Nil(t, servertest.Fetch[any](n, "eth_getBlockAccessList", "0x99"))

	n.Pay(0, 1, 7)
	n.Do("fakenode_advance", 200)
	of := func(block string) map[common.Address]accessed {
		all := make(map[common.Address]accessed)
		for _, a := range servertest.Fetch[[]accessed](n, "eth_getBlockAccessList", block) {
			all[a.Address] = a
		}
		return all
	}
	pending := of("pending")
	balance := new(big.Int).Add(fixtures.Ether("10000").ToBig(), big.NewInt(7))
	require.Equal(t, balance, pending[servertest.Bob.Address].BalanceChanges[0].Value.ToInt())
	require.Equal(t, hexutil.Uint64(1), pending[servertest.Alice.Address].NonceChanges[0].Index)
	require.NotContains(t, pending, params.WithdrawalQueueAddress)

	n.Do("fakenode_advance", 1800)
	sealed := of("latest")
	require.Equal(t, pending[servertest.Bob.Address], sealed[servertest.Bob.Address])
	require.Len(t, sealed[params.WithdrawalQueueAddress].StorageReads, 4)
	require.Len(t, sealed[params.HistoryStorageAddress].StorageChanges, 1)
	header := servertest.Fetch[types.Header](n, "eth_getHeaderByNumber", "latest")
	raw := servertest.Fetch[hexutil.Bytes](n, "debug_getRawBlockAccessList", "latest")
	require.Equal(t, *header.BlockAccessListHash, crypto.Keccak256Hash(raw))
	require.Equal(t, uint64(0), *header.SlotNumber)
	require.Equal(t, n.Timeline.Moment().Latest().Hash(), header.Hash())
}

// Ensure ether that moves has a log from the fork on, and receipts the gas of both kinds, but not geth's.
func TestEtherLogs(t *testing.T) {
	t.Parallel()
	for _, profile := range []api.Behaviour{{}, persona.Geth.Wire} {
		n := servertest.NewAmsterdam(t, rpcserver.Config{Settings: api.Settings{Behaviour: profile}})
		n.Pay(0, 1, 7)
		n.Do("fakenode_advance", 2000)
		tx := n.Pay(0, 1, 8)
		n.Do("fakenode_advance", 2000)
		logs := servertest.Fetch[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "earliest", "address": params.SystemAddress})
		require.Len(t, logs, 1, "that of block 1 came before the fork")
		require.Equal(t, tx.Hash(), logs[0].TxHash)
		require.Equal(t, common.BytesToHash(servertest.Bob.Address[:]), logs[0].Topics[2])
		receipt := servertest.Fetch[map[string]any](n, "eth_getTransactionReceipt", tx.Hash())
		if profile == persona.Geth.Wire {
			require.NotContains(t, receipt, "stateGasUsed")
			continue
		}
		require.Equal(t, []any{"0x5208", "0x0"}, []any{receipt["executionGasUsed"], receipt["stateGasUsed"]})
	}
}

// Ensure setters of code hold on to the limit of the next block's rules, and name it.
func TestLimitOfSetCode(t *testing.T) {
	t.Parallel()
	n := servertest.NewAmsterdam(t, rpcserver.Config{})
	account := common.Address{0xc0}
	within := func(n *servertest.Network, size int, limit string) {
		n.Do("anvil_setCode", account, hexutil.Bytes(make([]byte, size)))
		for _, method := range []string{"anvil_setCode", "hardhat_setCode", "evm_setAccountCode"} {
			n.Refuses(api.CodeInvalidParams, []string{method, limit}, method, account, hexutil.Bytes(make([]byte, size+1)))
		}
		require.Len(t, servertest.Fetch[hexutil.Bytes](n, "eth_getCode", account, "latest"), size)
	}
	within(n, 24_576, "code of 24577 bytes is over the limit of 24576 (EIP-170)")
	n.Do("fakenode_advance", 2000) // the next block is the fork's first
	within(n, 65_536, "code of 65537 bytes is over the limit of 65536 (EIP-7954)")
}
