package rpcserver

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
)

func TestPendingLogs(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	n.log(0, "0xa0", "0x1", 1)
	n.do("fakenode_preconfirm") // before anyone listens

	all := s.subscribe("pendingLogs")
	null := s.subscribe("pendingLogs", nil)
	yes := s.subscribe("pendingLogs", true)
	byTopic := s.subscribe("pendingLogs", map[string]any{"topics": []any{nil, "0x" + padded("b1")}})
	elsewhere := s.subscribe("pendingLogs", map[string]any{"address": tokenAddress, "fromBlock": "0x5", "toBlock": "0x6"})

	first, second := n.log(0, "0xa1", "0xb1", 2), n.log(1, "0xa2", "0xb2", 1)
	told := s.told("fakenode_preconfirm")
	for _, id := range []string{all, null, yes} {
		logs := items[logItem](t, told, id)
		require.Len(t, logs, 3, "the newest flashblock's logs only, one a message")
		for i, log := range logs {
			require.Zero(t, log.BlockHash)
			require.EqualValues(t, 1, log.BlockNumber)
			require.EqualValues(t, networkStart+2, log.BlockTimestamp)
			require.EqualValues(t, i+1, log.LogIndex, "the index runs on across flashblocks")
			require.Equal(t, loggerAddress, log.Address)
			require.False(t, log.Removed)
		}
		require.Equal(t, first.Hash(), logs[1].TransactionHash)
		require.Equal(t, second.Hash(), logs[2].TransactionHash)
		require.EqualValues(t, 2, logs[2].TransactionIndex)
	}
	require.Len(t, items[logItem](t, told, byTopic), 2)
	require.Empty(t, items[logItem](t, told, elsewhere))
	require.Len(t, told, 3*3+2)

	require.Empty(t, s.told("fakenode_preconfirm"), "an empty flashblock has nothing to tell")
	require.Empty(t, s.told("fakenode_seal"), "logs are not told again when their block is sealed")
}

func padded(hex string) string { return common.HexToHash(hex).Hex()[2:] }

func TestRetractedPendingLogs(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	id := s.subscribe("pendingLogs")
	n.log(0, "0xa1", "0xb1", 1)
	announced := items[logItem](t, s.told("fakenode_preconfirm"), id)
	require.Empty(t, s.told("fakenode_flashblockFault", map[string]any{"kind": "stall"}), "silent, as on real nodes")
	s.told("fakenode_preconfirm") // swallowed
	require.Equal(t, announced, items[logItem](t, s.told("fakenode_preconfirm"), id), "announced again")

	retracted := items[logItem](t, s.told("fakenode_flashblockFault", map[string]any{"kind": "drop", "retract": true, "transactions": "gone"}), id)
	announced[0].Removed = true
	require.Equal(t, announced, retracted)
}

// Ensure the log retracted is the one sent, also where the block got another timestamp in between.
func TestRetractedPendingLogsOfAnotherTime(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	id := s.subscribe("pendingLogs")
	n.log(0, "0xa1", "0xb1", 1)
	announced := items[logItem](t, s.told("fakenode_preconfirm"), id)
	require.Empty(t, s.told("evm_setNextBlockTimestamp", n.timeline.Moment().Latest().Time()+50))
	retracted := items[logItem](t, s.told("fakenode_flashblockFault", map[string]any{"kind": "drop", "retract": true}), id)
	announced[0].Removed = true
	require.Equal(t, announced, retracted)
}

func TestNewFlashblocks(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	id := s.subscribe("newFlashblocks", map[string]any{"anything": "is ignored"})
	type block struct {
		Number, Hash, ParentHash string
		Transactions             []struct{ Hash, From, BlockHash *string }
		Withdrawals              []any
		Size                     *string
	}
	n.pay(0, 1, 1)
	first := items[block](t, s.told("fakenode_preconfirm"), id)
	require.Len(t, first, 1)
	require.Equal(t, "0x1", first[0].Number)
	require.Equal(t, common.Hash{}.Hex(), first[0].Hash)
	require.Equal(t, n.timeline.Moment().Latest().Hash().Hex(), first[0].ParentHash)
	require.Len(t, first[0].Transactions, 1)
	require.NotNil(t, first[0].Transactions[0].From, "transactions are whole")
	require.Nil(t, first[0].Transactions[0].BlockHash)
	require.NotNil(t, first[0].Withdrawals)
	require.Nil(t, first[0].Size)

	for range 9 {
		n.pay(0, 1, 1)
	}
	second := items[block](t, s.told("fakenode_preconfirm"), id)
	require.Equal(t, "0x1", second[0].Number)
	require.Len(t, second[0].Transactions, 10, "cumulative")

	third := items[block](t, s.told("fakenode_preconfirm"), id)
	require.Len(t, third, 1, "empty flashblocks are told, too")
	require.Len(t, third[0].Transactions, 10)
}

func TestNewFlashblockTransactions(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	hashes := s.subscribe("newFlashblockTransactions")
	filter := s.subscribe("newFlashblockTransactions", map[string]any{"address": tokenAddress})
	full := s.subscribe("newFlashblockTransactions", true)

	n.pay(0, 1, 1)
	s.told("fakenode_preconfirm")
	sent := []common.Hash{n.log(0, "0xa", "0xb", 2).Hash(), n.pay(1, 2, 5).Hash()}
	told := s.told("fakenode_preconfirm")
	require.Equal(t, sent, items[common.Hash](t, told, hashes))
	require.Equal(t, sent, items[common.Hash](t, told, filter), "a filter object stands for false")
	whole := items[struct {
		Hash                          common.Hash
		BlockHash                     *common.Hash
		BlockNumber, TransactionIndex string
		Logs                          []logItem
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
	n := newNetwork(t, preconf.Config{}, Config{})
	client := ethclient.NewClient(n.client())
	heads, logs := make(chan *types.Header, 16), make(chan types.Log, 16)
	headSub, err := client.SubscribeNewHead(t.Context(), heads)
	require.NoError(t, err)
	topics := [][]common.Hash{{common.HexToHash("0xa1")}}
	logSub, err := client.SubscribeFilterLogs(t.Context(), ethereum.FilterQuery{Addresses: []common.Address{loggerAddress}, Topics: topics}, logs)
	require.NoError(t, err)
	anywhere := make(chan types.Log, 16)
	anywhereSub, err := client.SubscribeFilterLogs(t.Context(), ethereum.FilterQuery{Topics: topics}, anywhere)
	require.NoError(t, err)

	n.log(0, "0xa1", "0xb1", 1)
	n.log(0, "0xa2", "0xb1", 1)
	n.do("fakenode_preconfirm")
	hash := fetch[[]common.Hash](n, "fakenode_seal")[0]
	head := await(t, heads)
	require.Equal(t, hash, head.Hash(), "the header is whole: its hash can be computed")
	log := await(t, logs)
	require.Equal(t, hash, log.BlockHash)
	require.EqualValues(t, 0, log.Index)
	require.EqualValues(t, networkStart+2, log.BlockTimestamp)

	require.Equal(t, log, await(t, anywhere), "topics alone choose, too")

	headSub.Unsubscribe()
	logSub.Unsubscribe()
	anywhereSub.Unsubscribe()
	n.do("fakenode_seal")
	require.Empty(t, logs, "exactly one log matched")
	require.Empty(t, anywhere, "exactly one log matched")
}

func await[T any](t testing.TB, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(time.Minute):
		require.FailNow(t, "nothing arrived within a minute")
	}
	panic("unreachable")
}

func TestNewPendingTransactions(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	hashes, full := s.subscribe("newPendingTransactions"), s.subscribe("newPendingTransactions", true)
	tx := n.sign(0, &loggerAddress, new(big.Int), loggerCall("0x1", "0x2", 1))
	raw, err := tx.MarshalBinary()
	require.NoError(t, err)
	told := s.told("eth_sendRawTransaction", "0x"+common.Bytes2Hex(raw))
	require.Equal(t, []common.Hash{tx.Hash()}, items[common.Hash](t, told, hashes))
	whole := items[struct {
		Hash        common.Hash
		From        common.Address
		BlockNumber *string
	}](t, told, full)
	require.Len(t, whole, 1)
	require.Equal(t, tx.Hash(), whole[0].Hash)
	require.Equal(t, fixtures.Dev(0).Address, whole[0].From)
	require.Nil(t, whole[0].BlockNumber)
	require.Empty(t, s.told("fakenode_preconfirm"))
}

func TestTransactionReceipts(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	first, second := n.pay(0, 1, 1).Hash(), n.pay(1, 2, 1).Hash()
	all := s.subscribe("transactionReceipts")
	named := s.subscribe("transactionReceipts", map[string]any{"transactionHashes": []common.Hash{second}})
	told := s.told("fakenode_seal")
	type receipt struct{ TransactionHash, BlockHash common.Hash }
	head := n.timeline.Moment().Latest().Hash()
	require.Equal(t, [][]receipt{{{first, head}, {second, head}}}, items[[]receipt](t, told, all))
	require.Equal(t, [][]receipt{{{second, head}}}, items[[]receipt](t, told, named))
	require.Empty(t, s.told("fakenode_seal"), "an empty block has none")
}

func TestSyncingNeverFires(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s := n.socket()
	s.subscribe("syncing")
	n.log(0, "0xa", "0xb", 1)
	require.Empty(t, s.told("fakenode_preconfirm"))
	require.Empty(t, s.told("fakenode_seal"))
}

func TestUnsubscribeStreams(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	s, other := n.socket(), n.socket()
	gone, stays := s.subscribe("newHeads"), s.subscribe("newHeads")
	remote := other.subscribe("newHeads")
	answer, _ := s.ask("eth_unsubscribe", gone)
	require.Equal(t, "true", string(answer.Result))
	answer, _ = s.ask("eth_unsubscribe", gone)
	require.Equal(t, "false", string(answer.Result))
	answer, _ = s.ask("eth_unsubscribe", remote)
	require.Equal(t, "false", string(answer.Result), "another connection's")
	told := s.told("fakenode_seal")
	require.Len(t, told, 1)
	require.Equal(t, stays, told[0].Params.Subscription)
	require.Equal(t, remote, other.read().Params.Subscription)

	s.told("eth_unsubscribe", stays)
	other.told("eth_unsubscribe", remote)
	n.server.hubs.Wait() // for ever, unless a node without subscribers reads no events
}

// The events of a node that seals on its own arrive without anyone asking.
func TestNotificationsOfAnotherClientsRequests(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{Mode: preconf.Interval}, Config{})
	heads := make(chan *types.Header, 16)
	sub, err := n.client().EthSubscribe(context.Background(), heads, "newHeads")
	require.NoError(t, err)
	defer sub.Unsubscribe()
	n.do("fakenode_advance", 20_000)
	for i := range 10 {
		require.EqualValues(t, i+1, await(t, heads).Number.Uint64())
	}
}
