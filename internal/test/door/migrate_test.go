package door_test

import (
	"context"
	"math/big"
	"sort"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// The functions of this file are the Go code of docs/migrate-denim.md. Of each pair the first is right with flashblocks
// and wrong since Denim, the second is right on both.

// onBoth runs a test on both chains. broken reports whether the first function of a pair is wrong there.
func onBoth(t *testing.T, test func(t *testing.T, node *fakenode.Node, broken bool)) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.BaseFlashblocks, fakenode.Base} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
			test(t, node, preset == fakenode.Base)
		})
	}
}

// paid makes a payment that is in the next block, and returns its hash.
func paid(t *testing.T, node *fakenode.Node) common.Hash {
	t.Helper()
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address), Value: fixtures.Ether("1")})
	require.NoError(t, err)
	return hash
}

// confirmedByCount waits for 15 blocks: half a minute of 2 s, but 3 seconds of 200 ms.
func confirmedByCount(ctx context.Context, client *ethclient.Client, receipt *types.Receipt) (bool, error) {
	head, err := client.BlockNumber(ctx)
	return err == nil && head >= receipt.BlockNumber.Uint64()+15, err
}

// confirmedByTime waits for half a minute on every chain.
func confirmedByTime(ctx context.Context, client *ethclient.Client, receipt *types.Receipt) (bool, error) {
	block, err := client.HeaderByNumber(ctx, receipt.BlockNumber)
	if err != nil {
		return false, err
	}
	head, err := client.HeaderByNumber(ctx, nil)
	return err == nil && head.Time >= block.Time+30, err
}

func TestMigrateConfirmations(t *testing.T) {
	onBoth(t, func(t *testing.T, node *fakenode.Node, broken bool) {
		client := node.Client()
		hash := paid(t, node)
		node.Seal()
		receipt, err := client.TransactionReceipt(t.Context(), hash)
		require.NoError(t, err)

		node.Advance(4 * time.Second)
		confirmed, err := confirmedByCount(t.Context(), client, receipt)
		require.NoError(t, err)
		require.Equal(t, broken, confirmed, "4 s are early")
		confirmed, err = confirmedByTime(t.Context(), client, receipt)
		require.NoError(t, err)
		require.False(t, confirmed)

		undo := node.Snapshot()
		_, err = node.Reorg(fakenode.ReorgOptions{Depth: int(node.BlockNumber()), Transactions: fakenode.Drop})
		require.NoError(t, err)
		_, err = client.TransactionReceipt(t.Context(), hash)
		require.ErrorIs(t, err, ethereum.NotFound, "what was confirmed by the count is gone")
		require.NoError(t, node.Revert(undo))

		node.Advance(30 * time.Second)
		confirmed, err = confirmedByTime(t.Context(), client, receipt)
		require.NoError(t, err)
		require.True(t, confirmed)
	})
}

// openByNumber keeps an offer open for 30 blocks: a minute of 2 s, but 6 seconds of 200 ms.
func openByNumber(offered, now *types.Header) bool {
	return now.Number.Uint64() < offered.Number.Uint64()+30
}

// openByTime keeps it open for a minute on every chain.
func openByTime(offered, now *types.Header) bool {
	return now.Time < offered.Time+60
}

func TestMigrateTimers(t *testing.T) {
	onBoth(t, func(t *testing.T, node *fakenode.Node, broken bool) {
		node.Seal()
		offered, err := node.Client().HeaderByNumber(t.Context(), nil)
		require.NoError(t, err)
		for _, test := range []struct {
			later  time.Duration
			open   bool
			number bool // the answer of openByNumber
		}{{0, true, true}, {30 * time.Second, true, !broken}, {40 * time.Second, false, false}} {
			node.Advance(test.later)
			now := node.Moment().Latest().Header()
			require.Equal(t, test.open, openByTime(offered, now))
			require.Equal(t, test.number, openByNumber(offered, now))
		}
	})
}

// firstAtOne takes the first user's transaction for the one at index 1, behind the deposit that describes L1. Since
// Denim that is the deposit with the milliseconds of the block's time.
func firstAtOne(receipts []*types.Receipt) common.Hash {
	return receipts[1].TxHash
}

// firstOfUsers skips deposits, however many there are.
func firstOfUsers(receipts []*types.Receipt) (first common.Hash, found bool) {
	const deposit = 0x7e
	for _, receipt := range receipts {
		if receipt.Type != deposit {
			return receipt.TxHash, true
		}
	}
	return common.Hash{}, false
}

func TestMigrateFirstTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, node *fakenode.Node, broken bool) {
		hash := paid(t, node)
		node.Seal()
		var receipts []*types.Receipt
		require.NoError(t, node.Client().Client().CallContext(t.Context(), &receipts, "eth_getBlockReceipts", "latest"))
		require.Equal(t, broken, firstAtOne(receipts) != hash)
		first, found := firstOfUsers(receipts)
		require.True(t, found)
		require.Equal(t, hash, first)
	})
}

// byTimestamp keys blocks by their seconds, which five blocks share: four of them are lost.
func byTimestamp(headers []*types.Header) map[uint64]common.Hash {
	index := map[uint64]common.Hash{}
	for _, header := range headers {
		index[header.Time] = header.Hash()
	}
	return index
}

// byNumber identifies blocks by their unique number. If time is the key, take timestampMs.
func byNumber(headers []*types.Header) map[uint64]common.Hash {
	index := map[uint64]common.Hash{}
	for _, header := range headers {
		index[header.Number.Uint64()] = header.Hash()
	}
	return index
}

func TestMigrateKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, node *fakenode.Node, broken bool) {
		node.Advance(10 * time.Second)
		var headers []*types.Header
		for number := range node.BlockNumber() {
			header, err := node.Client().HeaderByNumber(t.Context(), new(big.Int).SetUint64(number+1))
			require.NoError(t, err)
			headers = append(headers, header)
		}
		require.GreaterOrEqual(t, len(headers), 5)
		require.Equal(t, broken, len(byTimestamp(headers)) < len(headers))
		require.Len(t, byNumber(headers), len(headers))
	})
}

// lastHourByCount reads 1,800 blocks: an hour of 2 s, but six minutes of 200 ms.
func lastHourByCount(ctx context.Context, client *ethclient.Client, token common.Address) ([]types.Log, error) {
	head, err := client.BlockNumber(ctx)
	if err != nil {
		return nil, err
	}
	from := new(big.Int).SetUint64(head - min(head, 1_800))
	return client.FilterLogs(ctx, ethereum.FilterQuery{Addresses: []common.Address{token}, FromBlock: from})
}

// lastHour looks for the first block of that hour, and reads in pieces that providers accept: it may be 18,000 blocks.
func lastHour(ctx context.Context, client *ethclient.Client, token common.Address) ([]types.Log, error) {
	head, err := client.HeaderByNumber(ctx, nil)
	if err != nil {
		return nil, err
	}
	var failed error
	from := sort.Search(int(head.Number.Int64()), func(n int) bool {
		header, err := client.HeaderByNumber(ctx, big.NewInt(int64(n)))
		if err != nil {
			failed = err
			return true
		}
		return header.Time+3_600 >= head.Time
	})
	var logs []types.Log
	for last := int(head.Number.Int64()); failed == nil && from <= last; from += 2_000 {
		query := ethereum.FilterQuery{Addresses: []common.Address{token}, FromBlock: big.NewInt(int64(from))}
		query.ToBlock = big.NewInt(int64(min(from+1_999, last)))
		var found []types.Log
		found, failed = client.FilterLogs(ctx, query)
		logs = append(logs, found...)
	}
	return logs, failed
}

func TestMigrateLogs(t *testing.T) {
	onBoth(t, func(t *testing.T, node *fakenode.Node, broken bool) {
		token := node.Token().Address()
		count := func(read func(context.Context, *ethclient.Client, common.Address) ([]types.Log, error)) int {
			logs, err := read(t.Context(), node.Client(), token)
			require.NoError(t, err)
			return len(logs)
		}
		node.Token().Transfer(node.Account(0), node.Account(1).Address, fixtures.USD("1"))
		node.Advance(8 * time.Minute) // of blocks of 200 ms more than 1,800
		node.Token().Transfer(node.Account(0), node.Account(1).Address, fixtures.USD("1"))
		require.Equal(t, 2, count(lastHour))
		require.Equal(t, broken, count(lastHourByCount) == 1)

		require.NoError(t, node.Timeline().IncreaseTime(2*time.Hour))
		node.Seal()
		require.Zero(t, count(lastHour))
	})
}
