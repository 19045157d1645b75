package fakenode_test

import (
	"bytes"
	"cmp"
	"context"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

var fixedStart = time.Unix(1_700_000_000, 0).UTC()

func TestZeroConfig(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	require.Equal(t, uint64(31337), node.ChainID())
	require.Equal(t, uint64(31338), node.Testnet().ChainID())
	require.Equal(t, uint64(0), node.BlockNumber())
	require.Len(t, node.Accounts(), 20)
	require.WithinDuration(t, time.Now(), node.Now(), time.Minute)
	require.Equal(t, fixtures.USD("1000000"), node.Token().BalanceOf(node.Account(19).Address))
	require.Equal(t, fixtures.USD("20000000"), node.Token().TotalSupply())
	require.Equal(t, "USDC", node.Testnet().Token().Domain().Name)
}

// Ensure equal configs give equal hashes, whatever the wall clock says.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	run := func() []any {
		node := fakenode.RunConfigT(t, fakenode.Config{StartTime: fixedStart})
		node.Token().Mint(node.Account(0).Address, fixtures.USD("1"))
		node.Advance(10 * time.Second)
		reorged, err := node.Reorg(fakenode.ReorgOptions{Depth: 1})
		require.NoError(t, err)
		return []any{node.Seal(), reorged, node.Now(), node.Snapshot()}
	}
	require.Equal(t, run(), run())
}

func TestNetworksAreApart(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	node.Testnet().Token().Mint(node.Account(0).Address, fixtures.USD("5"))
	node.Testnet().CheckBalance(t, node.Account(0).Address, fixtures.USD("1000005"))
	node.CheckBalance(t, node.Account(0).Address, fixtures.USD("1000000"))
	require.Equal(t, uint64(1), node.Testnet().BlockNumber())
	require.Equal(t, uint64(0), node.BlockNumber())
}

// Ensure tips go to an account of their own, so that the zero address, the sender of a call without from, has nothing.
func TestFeeRecipient(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	_, err := node.Transact(node.Account(0), fakenode.Tx{To: &node.Accounts()[1].Address})
	require.NoError(t, err)
	node.Seal()
	require.Equal(t, fakenode.FeeRecipient, node.Moment().Latest().Header().Coinbase)
	for account, paid := range map[common.Address]bool{fakenode.FeeRecipient: true, {}: false} {
		balance, err := node.Client().BalanceAt(t.Context(), account, nil)
		require.NoError(t, err)
		require.Equal(t, paid, balance.Sign() > 0, account)
	}
}

func TestTokenOwner(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	token, account := node.Token(), node.Account(7).Address
	supply := token.TotalSupply()
	token.Mint(account, fixtures.USD("2.50"))
	node.CheckBalance(t, account, fixtures.USD("1000002.50"))
	require.Equal(t, new(uint256.Int).Add(supply, fixtures.USD("2.50")), token.TotalSupply())
	token.Pause()
	token.Unpause()
	token.Blacklist(account)
	node.CheckBalance(t, account, fixtures.USD("1000002.50")) // barred, not taken
	token.UnBlacklist(account)

	second, err := node.DeployToken(tokencontract.DocumentedFlow, tokencontract.Params{Name: "Other"})
	require.NoError(t, err)
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	code, err := client.CodeAt(t.Context(), second, nil)
	require.NoError(t, err)
	require.Equal(t, tokencontract.DocumentedFlow.RuntimeCode(), code)
}

// Ensure a snapshot can be restored more than once, and a clone goes its own way.
func TestSnapshotAndClone(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	account := node.Account(0).Address
	id := node.Snapshot()
	for range 2 {
		node.Token().Mint(account, fixtures.USD("1"))
		node.CheckBalance(t, account, fixtures.USD("1000001"))
		require.NoError(t, node.Revert(id))
		node.CheckBalance(t, account, fixtures.USD("1000000"))
	}
	require.Error(t, node.Revert(id+100))

	clone := node.Clone()
	clone.Token().Mint(account, fixtures.USD("1"))
	clone.CheckBalance(t, account, fixtures.USD("1000001"))
	node.CheckBalance(t, account, fixtures.USD("1000000"))
	require.NotEqual(t, node.URL(), clone.URL())
}

func TestFailAndCalls(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_blockNumber", HTTPStatus: 503}))
	_, err = client.BlockNumber(t.Context())
	require.ErrorContains(t, err, "503")
	_, err = client.BlockNumber(t.Context())
	require.NoError(t, err)
	require.Len(t, node.Calls("eth_blockNumber"), 2)
	require.Empty(t, node.Calls("eth_call"))
}

// Ensure Run follows the wall clock and ends with its context, and rejects a manual clock.
func TestRun(t *testing.T) {
	t.Parallel()
	node, err := fakenode.New(fakenode.Config{Mode: fakenode.Interval, RealClock: true, BlockTime: 10 * time.Millisecond, FlashblockTime: time.Millisecond})
	require.NoError(t, err)
	defer node.Close()
	feed := node.Timeline().Subscribe()
	defer feed.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- node.Run(ctx) }()
	for {
		event, err := feed.Next(t.Context())
		require.NoError(t, err)
		if event.Kind == preconf.HeadAdded && event.View.Number() >= 3 {
			break
		}
	}
	cancel()
	require.NoError(t, <-done)
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: &common.Address{}})
	require.NoError(t, err)
	_, err = node.Receipt(ctx, hash)
	var missing *fakenode.NoReceiptError
	require.ErrorAs(t, err, &missing)
	require.NoError(t, missing.Err, "nothing moves any more, so that there is nothing to wait for")

	require.ErrorIs(t, fakenode.RunT(t).Run(t.Context()), preconf.ErrManualClock)
}

// Ensure a node of every hard fork seals blocks that a second node accepts, with difficulty until the merge.
func TestHardforks(t *testing.T) {
	t.Parallel()
	merged := false
	for _, name := range fakenode.Hardforks() {
		node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: name})
		tx, err := types.SignNewTx(node.Account(0).Key, types.HomesteadSigner{}, &types.LegacyTx{
			GasPrice: big.NewInt(1e10), Gas: 21_000, To: new(node.Account(1).Address), Value: big.NewInt(1),
		})
		require.NoError(t, err)
		require.NoError(t, node.Send(tx))
		node.Seal()
		node.Seal()
		receipt, err := node.Receipt(t.Context(), tx.Hash())
		require.NoError(t, err)
		require.Equal(t, uint64(1), receipt.BlockNumber.Uint64())

		var info struct{ HardFork string }
		require.NoError(t, node.Client().Client().Call(&info, "anvil_nodeInfo"))
		sameRules := map[string]string{"muirglacier": "istanbul", "arrowglacier": "london", "grayglacier": "london"}
		require.Equal(t, cmp.Or(sameRules[name], name), info.HardFork)

		merged = merged || name == "paris"
		require.Equal(t, merged, node.Moment().Latest().Header().Difficulty.Sign() == 0, name)
		var blocks bytes.Buffer
		require.NoError(t, node.Moment().Chain().Export(&blocks))
		restored := fakenode.RunConfigT(t, fakenode.Config{Genesis: node.Moment().Chain().Genesis(), Import: &blocks})
		require.Equal(t, node.Moment().Latest().Hash(), restored.Moment().Latest().Hash(), name)
	}
}

// Ensure the token's owner can act from many goroutines at once: each call gets a nonce of its own.
func TestTokenOwnerConcurrently(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	var minting sync.WaitGroup
	for range 10 {
		minting.Go(func() { node.Token().Mint(node.Account(0).Address, fixtures.USD("1")) })
	}
	minting.Wait()
	node.CheckBalance(t, node.Account(0).Address, fixtures.USD("1000010"))
	require.Equal(t, uint64(10), node.BlockNumber())
}

// Ensure the real clock begins with the fraction of its first second, so that a deadline of the wall's second has
// passed.
func TestRealClockBeginsAtTheWallTime(t *testing.T) {
	t.Parallel()
	before := time.Now().Round(0)
	node, err := fakenode.New(fakenode.Config{RealClock: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, node.Close()) })
	now := node.Now()
	require.False(t, now.Before(before), "%s is before %s", now, before)
	require.False(t, now.After(time.Now()))
	earliest, err := node.Moment().Earliest()
	require.NoError(t, err)
	require.EqualValues(t, now.Unix(), earliest.Time())
}
