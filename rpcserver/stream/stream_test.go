package stream_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

func TestPendingLogs(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	n.Logs(0, "0xa0", "0x1", 1)
	n.Do("fakenode_preconfirm") // before anyone listens

	all := s.Subscribe("pendingLogs")
	null := s.Subscribe("pendingLogs", nil)
	yes := s.Subscribe("pendingLogs", true)
	byTopic := s.Subscribe("pendingLogs", map[string]any{"topics": []any{nil, "0x" + servertest.Padded("b1")}})
	elsewhere := s.Subscribe("pendingLogs", map[string]any{"address": servertest.Token, "fromBlock": "pending", "toBlock": "pending"})
	s.Subscribe("syncing") // is silent

	first, second := n.Logs(0, "0xa1", "0xb1", 2), n.Logs(1, "0xa2", "0xb2", 1)
	told := s.Told("fakenode_preconfirm")
	for _, id := range []string{all, null, yes} {
		logs := servertest.Items[servertest.LogItem](t, told, id)
		require.Len(t, logs, 3, "the newest flashblock's logs only, one a message")
		for i, log := range logs {
			require.Zero(t, log.BlockHash)
			require.EqualValues(t, 1, log.BlockNumber)
			require.EqualValues(t, servertest.Start+2, log.BlockTimestamp)
			require.EqualValues(t, i+1, log.LogIndex, "the index runs on across flashblocks")
			require.Equal(t, servertest.Logger, log.Address)
			require.False(t, log.Removed)
		}
		require.Equal(t, first.Hash(), logs[1].TransactionHash)
		require.Equal(t, second.Hash(), logs[2].TransactionHash)
		require.EqualValues(t, 2, logs[2].TransactionIndex)
	}
	require.Len(t, servertest.Items[servertest.LogItem](t, told, byTopic), 2)
	require.Empty(t, servertest.Items[servertest.LogItem](t, told, elsewhere))
	require.Len(t, told, 3*3+2)

	require.Empty(t, s.Told("fakenode_preconfirm"), "an empty flashblock has nothing to tell")
	require.Empty(t, s.Told("fakenode_seal"), "logs are not told again when their block is sealed")
}

func TestRetractedPendingLogs(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	id := s.Subscribe("pendingLogs")
	n.Logs(0, "0xa1", "0xb1", 1)
	announced := servertest.Items[servertest.LogItem](t, s.Told("fakenode_preconfirm"), id)
	require.Empty(t, s.Told("fakenode_flashblockFault", map[string]any{"kind": "stall"}), "silent, as on real nodes")
	s.Told("fakenode_preconfirm") // swallowed
	require.Equal(t, announced, servertest.Items[servertest.LogItem](t, s.Told("fakenode_preconfirm"), id), "announced again")

	retracted := servertest.Items[servertest.LogItem](t, s.Told("fakenode_flashblockFault", map[string]any{"kind": "drop", "retract": true, "transactions": "gone"}), id)
	announced[0].Removed = true
	require.Equal(t, announced, retracted)
}

func TestNewFlashblocks(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	id := s.Subscribe("newFlashblocks", map[string]any{"anything": "is ignored"})
	type block struct {
		Number, Hash, ParentHash string
		Transactions             []struct{ Hash, From, BlockHash *string }
		Withdrawals              []any
		Size                     *string
	}
	n.Pay(0, 1, 1)
	first := servertest.Items[block](t, s.Told("fakenode_preconfirm"), id)
	require.Len(t, first, 1)
	require.Equal(t, "0x1", first[0].Number)
	require.Equal(t, common.Hash{}.Hex(), first[0].Hash)
	require.Equal(t, n.Timeline.Moment().Latest().Hash().Hex(), first[0].ParentHash)
	require.Len(t, first[0].Transactions, 1)
	require.NotNil(t, first[0].Transactions[0].From, "transactions are whole")
	require.Nil(t, first[0].Transactions[0].BlockHash)
	require.NotNil(t, first[0].Withdrawals)
	require.Nil(t, first[0].Size)

	for range 9 {
		n.Pay(0, 1, 1)
	}
	second := servertest.Items[block](t, s.Told("fakenode_preconfirm"), id)
	require.Equal(t, "0x1", second[0].Number)
	require.Len(t, second[0].Transactions, 10, "cumulative")

	third := servertest.Items[block](t, s.Told("fakenode_preconfirm"), id)
	require.Len(t, third, 1, "empty flashblocks are told, too")
	require.Len(t, third[0].Transactions, 10)
}

func TestNewFlashblockTransactions(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	hashes := s.Subscribe("newFlashblockTransactions")
	filter := s.Subscribe("newFlashblockTransactions", map[string]any{"address": servertest.Token})
	full := s.Subscribe("newFlashblockTransactions", true)

	n.Pay(0, 1, 1)
	s.Told("fakenode_preconfirm")
	sent := []common.Hash{n.Logs(0, "0xa", "0xb", 2).Hash(), n.Pay(1, 2, 5).Hash()}
	told := s.Told("fakenode_preconfirm")
	require.Equal(t, sent, servertest.Items[common.Hash](t, told, hashes))
	require.Equal(t, sent, servertest.Items[common.Hash](t, told, filter), "a filter object stands for false")
	whole := servertest.Items[struct {
		Hash                          common.Hash
		BlockHash                     *common.Hash
		BlockNumber, TransactionIndex string
		Logs                          []servertest.LogItem
	}](t, told, full)
	require.Len(t, whole, 2)
	require.Equal(t, sent[0], whole[0].Hash)
	require.Nil(t, whole[0].BlockHash)
	require.Equal(t, "0x1", whole[0].BlockNumber)
	require.Equal(t, "0x1", whole[0].TransactionIndex)
	require.Len(t, whole[0].Logs, 2)
	require.NotNil(t, whole[1].Logs)
	require.Empty(t, whole[1].Logs)
}

func TestNewHeadsAndLogsThroughGoEthereum(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	client := ethclient.NewClient(n.Client())
	heads, logs := make(chan *types.Header, 16), make(chan types.Log, 16)
	headSub, err := client.SubscribeNewHead(t.Context(), heads)
	require.NoError(t, err)
	topics := [][]common.Hash{{common.HexToHash("0xa1")}}
	logSub, err := client.SubscribeFilterLogs(t.Context(), ethereum.FilterQuery{Addresses: []common.Address{servertest.Logger}, Topics: topics}, logs)
	require.NoError(t, err)
	anywhere := make(chan types.Log, 16)
	anywhereSub, err := client.SubscribeFilterLogs(t.Context(), ethereum.FilterQuery{Topics: topics}, anywhere)
	require.NoError(t, err)

	n.Logs(0, "0xa1", "0xb1", 1)
	n.Logs(0, "0xa2", "0xb1", 1)
	n.Do("fakenode_preconfirm")
	hash := servertest.Fetch[[]common.Hash](n, "fakenode_seal")[0]
	head := servertest.Await(t, heads)
	require.Equal(t, hash, head.Hash(), "the header is whole: its hash can be computed")
	log := servertest.Await(t, logs)
	require.Equal(t, hash, log.BlockHash)
	require.EqualValues(t, 0, log.Index)
	require.EqualValues(t, servertest.Start+2, log.BlockTimestamp)

	require.Equal(t, log, servertest.Await(t, anywhere), "topics alone choose, too")

	headSub.Unsubscribe()
	logSub.Unsubscribe()
	anywhereSub.Unsubscribe()
	n.Do("fakenode_seal")
	require.Empty(t, logs, "exactly one log matched")
	require.Empty(t, anywhere, "exactly one log matched")
}

func TestNewPendingTransactions(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	hashes, full := s.Subscribe("newPendingTransactions"), s.Subscribe("newPendingTransactions", true)
	tx := n.Sign(0, &servertest.Logger, new(big.Int), servertest.LoggerCall("0x1", "0x2", 1))
	raw, err := tx.MarshalBinary()
	require.NoError(t, err)
	told := s.Told("eth_sendRawTransaction", "0x"+common.Bytes2Hex(raw))
	require.Equal(t, []common.Hash{tx.Hash()}, servertest.Items[common.Hash](t, told, hashes))
	whole := servertest.Items[struct {
		Hash        common.Hash
		From        common.Address
		BlockNumber *string
	}](t, told, full)
	require.Len(t, whole, 1)
	require.Equal(t, tx.Hash(), whole[0].Hash)
	require.Equal(t, fixtures.Dev(0).Address, whole[0].From)
	require.Nil(t, whole[0].BlockNumber)
	require.Empty(t, s.Told("fakenode_preconfirm"))
}

func TestTransactionReceipts(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	first, second := n.Pay(0, 1, 1).Hash(), n.Pay(1, 2, 1).Hash()
	all, none := s.Subscribe("transactionReceipts"), s.Subscribe("transactionReceipts", map[string]any{"transactionHashes": []common.Hash{}})
	named := s.Subscribe("transactionReceipts", map[string]any{"transactionHashes": []common.Hash{second}})
	told := s.Told("fakenode_seal")
	type receipt struct{ TransactionHash, BlockHash common.Hash }
	head := n.Timeline.Moment().Latest().Hash()
	for _, id := range []string{all, none} {
		require.Equal(t, [][]receipt{{{first, head}, {second, head}}}, servertest.Items[[]receipt](t, told, id))
	}
	require.Equal(t, [][]receipt{{{second, head}}}, servertest.Items[[]receipt](t, told, named))
	require.Empty(t, s.Told("fakenode_seal"), "an empty block has none")
}

func TestLogsOfReorg(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"forward", "reverse"} {
		t.Run(order, func(t *testing.T) {
			t.Parallel()
			n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
			s := n.Socket()
			filter := servertest.Fetch[string](n, "eth_newFilter", map[string]any{"address": servertest.Logger})
			blocks := servertest.Fetch[string](n, "eth_newBlockFilter")
			id, heads := s.Subscribe("logs", map[string]any{"address": servertest.Logger}), s.Subscribe("newHeads")
			n.Logs(0, "0xa1", "0xb1", 2)
			told := s.Told("fakenode_seal")
			n.Logs(0, "0xa2", "0xb2", 1)
			told = append(told, s.Told("fakenode_seal")...)
			sealed := servertest.Items[servertest.LogItem](t, told, id)
			require.Len(t, sealed, 3)
			require.Len(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", filter), 3)
			require.Len(t, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", blocks), 2)
			orphans := [2]common.Hash{sealed[0].BlockHash, sealed[2].BlockHash}

			answer, told := s.Ask("fakenode_reorg", map[string]any{"depth": 2, "removedOrder": order})
			var did struct{ Removed, Added, Requeued []common.Hash }
			require.NoError(t, json.Unmarshal(answer.Result, &did))
			require.Equal(t, orphans[:], did.Removed)
			require.Len(t, did.Added, 3)

			logs := servertest.Items[servertest.LogItem](t, told, id)
			require.Len(t, logs, 6, "each removed, then each mined again")
			removed := logs[:3]
			if order == "reverse" {
				removed = []servertest.LogItem{logs[2], logs[1], logs[0]}
			}
			for i, log := range removed {
				require.True(t, log.Removed)
				log.Removed = false
				require.Equal(t, sealed[i], log)
			}
			for _, log := range logs[3:] {
				require.False(t, log.Removed)
				require.Contains(t, did.Added, log.BlockHash)
			}
			require.Equal(t, logs, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", filter), "filters tell the same")
			require.Equal(t, did.Added, servertest.Fetch[[]common.Hash](n, "eth_getFilterChanges", blocks))
			told2 := servertest.Items[struct{ Hash common.Hash }](t, told, heads)
			require.Len(t, told2, 3)
			require.Equal(t, did.Added[2], told2[2].Hash)

			byHash := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"blockHash": orphans[0]})
			require.Len(t, byHash, 2)
			require.True(t, byHash[0].Removed)
		})
	}
}

func TestAnnouncedRevert(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	id := s.Subscribe("logs")
	start := servertest.Fetch[string](n, "fakenode_snapshot")
	n.Logs(0, "0xa1", "0xb1", 1)
	sealed := servertest.Items[servertest.LogItem](t, s.Told("fakenode_seal"), id)
	require.Empty(t, s.Told("fakenode_revert", start), "silent unless asked for")

	n.Nonces = make(map[common.Address]uint64)
	n.Logs(0, "0xa1", "0xb1", 1)
	require.Equal(t, sealed, servertest.Items[servertest.LogItem](t, s.Told("fakenode_seal"), id), "the same again, hashes included")
	removed := servertest.Items[servertest.LogItem](t, s.Told("fakenode_revert", start, true), id)
	sealed[0].Removed = true
	require.Equal(t, sealed, removed)
}
