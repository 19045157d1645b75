package door_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// recorder stands for a test that is expected to fail.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Errorf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }
func (r *recorder) Fatalf(format string, args ...any) { r.failure = fmt.Sprintf(format, args...) }

// Ensure a node with a genesis of other holders ends without a complaint about the token.
func TestGenesisOfOtherHolders(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Accounts: 30})
	r := &recorder{TB: t}
	t.Run("node", func(t *testing.T) {
		r.TB = t
		fakenode.RunConfigT(r, fakenode.Config{Genesis: node.Moment().Chain().Genesis()})
	})
	require.Empty(t, r.failure)
}

// pay sends a transaction from development account 0.
func pay(t *testing.T, node *fakenode.Node, nonce uint64) {
	t.Helper()
	tx, err := types.SignNewTx(node.Account(0).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
		Nonce: nonce, GasPrice: big.NewInt(1e10), Gas: 21_000, To: new(node.Account(1).Address),
	})
	require.NoError(t, err)
	require.NoError(t, node.Send(tx))
}

// Ensure a recording holds what subscribers saw of a payment that a reorg takes back, and of the kinds asked for alone.
func TestRecord(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	all := node.Record(t)
	logs := node.Record(t, fakenode.FlashblockAdded, fakenode.LogsAdded, fakenode.LogsRemoved)
	pay(t, node, 0)
	all.Expect(fakenode.TransactionPooled)
	logs.Expect()
	require.Empty(t, logs.Logs())
	node.Token().Transfer(node.Account(1), node.Account(2).Address, fixtures.USD("1"))
	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	logs.Expect(fakenode.FlashblockAdded, fakenode.LogsAdded, fakenode.LogsRemoved)

	seen := logs.Logs()
	require.Len(t, seen, 3)
	require.Zero(t, seen[0].BlockHash, "pre-confirmed")
	require.Equal(t, seen[0].TxHash, seen[2].TxHash)
	require.Equal(t, seen[1].BlockHash, seen[2].BlockHash)
	require.False(t, seen[1].Removed)
	require.True(t, seen[2].Removed)
	all.Expect(fakenode.TransactionPooled, fakenode.FlashblockAdded, fakenode.HeadAdded, fakenode.LogsAdded, fakenode.LogsRemoved, fakenode.HeadAdded, fakenode.HeadAdded)

	r := &recorder{TB: t}
	node.Record(r).Expect(fakenode.HeadAdded)
	require.Equal(t, "fakenode: recorded [], want [HeadAdded]", r.failure)
}

// Ensure a clone of CloneT belongs to its own test: it is closed with it, and its misuse fails it alone.
func TestCloneT(t *testing.T) {
	t.Parallel()
	parent := &recorder{TB: t}
	node := fakenode.RunT(parent)
	var clone, sibling *fakenode.Node
	t.Run("child", func(t *testing.T) {
		child := &recorder{TB: t}
		clone, sibling = node.CloneT(child), node.Clone()
		clone.Account(20)
		require.Contains(t, child.failure, "account 20")
		require.Empty(t, parent.failure)
		_, err := clone.Client().ChainID(t.Context())
		require.NoError(t, err)
	})
	_, err := clone.Client().ChainID(t.Context())
	require.ErrorIs(t, err, rpc.ErrClientQuit, "closed with its test")
	_, err = sibling.Client().ChainID(t.Context())
	require.NoError(t, err)
	sibling.Account(20)
	require.Contains(t, parent.failure, "account 20")
}

// Ensure an administrative call that the token rejects fails the test with the token's reason.
func TestTokenRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		amount *uint256.Int
		paused bool
		want   string
	}{
		"paused":     {amount: fixtures.USD("1"), paused: true, want: "Pausable: paused"},
		"zero":       {amount: new(uint256.Int), want: "FiatToken: mint amount not greater than 0"},
		"no amount":  {want: "FiatToken: mint amount not greater than 0"},
		"everything": {amount: tokencontract.MaxBalance, want: "FiatToken: mint amount exceeds minterAllowance"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &recorder{TB: t}
			node := fakenode.RunT(r)
			if tc.paused {
				node.Token().Pause()
			}
			require.Empty(t, r.failure)
			node.Token().Mint(node.Account(0).Address, tc.amount)
			require.Regexp(t, "^fakenode: token mint: transaction 0x[0-9a-f]{64} of 0x[0-9a-fA-F]{40} failed: execution reverted: "+tc.want+"$", r.failure)
		})
	}
}

// Ensure an armed fault meets the transaction of the code under test, not the test's own arrangements.
func TestTokenAmongFaults(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: control.OmitTransactions, Count: 1})
	require.NoError(t, err)
	node.Token().Mint(node.Account(0).Address, fixtures.USD("1"))
	node.CheckBalance(t, node.Account(0).Address, fixtures.USD("1000001"))
	pay(t, node, 0)
	node.Seal()
	require.Equal(t, 1, node.Moment().PoolSize(), "left out")
}

// Ensure the scenarios are listed as package scenario has them, an unknown one is an error that changes nothing, and
// one story at a time is told.
func TestScenariosOfANode(t *testing.T) {
	t.Parallel()
	require.Len(t, fakenode.Scenarios(), len(scenario.All()))
	require.Equal(t, scenario.Listed(), fakenode.ScenariosByKind())
	node := fakenode.RunT(t)
	_, err := node.Scenario("NoSuch", fakenode.ScenarioParams{})
	require.ErrorContains(t, err, "NoSuch")
	_, err = node.Story("NoSuch", fakenode.ScenarioParams{})
	require.ErrorContains(t, err, "NoSuch")
	require.Zero(t, node.BlockNumber())

	conclusion, err := node.Scenario("CaptureReorgedOut", fakenode.ScenarioParams{})
	require.NoError(t, err)
	require.Equal(t, "CaptureReorgedOut", conclusion.Scenario)
	head := node.BlockNumber()
	require.NotZero(t, head)

	story, err := node.Story("CaptureReorgedOut", fakenode.ScenarioParams{})
	require.NoError(t, err)
	move, err := story.Next(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, move.Did)
	other, err := node.Story("CaptureReorgedOut", fakenode.ScenarioParams{})
	require.NoError(t, err, "in place of the one that is not over")
	_, err = story.Next(t.Context())
	require.Error(t, err)
	_, err = other.Next(t.Context())
	require.NoError(t, err)
	require.NoError(t, other.Close())

	leaving, leave := context.WithCancel(t.Context())
	asked := 0
	_, err = node.Testnet().Exam(leaving, fakenode.Exam{Ask: func(context.Context, fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		asked++
		leave()
		return fakenode.ExamAnswer{}, context.Canceled
	}})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, asked)
	require.Equal(t, head, node.BlockNumber(), "the exam is held on the other network")
}

// Ensure the fees of L1 take a course, which transactions on the L2 pay, and which a reorg does not change.
func TestWeatherOfL1(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.BaseFlashblocks, fakenode.Base} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset})
		values := []*big.Int{big.NewInt(1e9), big.NewInt(1e12), big.NewInt(1e9)}
		require.NoError(t, node.SetWeather(fakenode.Weather{Of: fakenode.OfL1BaseFee, Shape: fakenode.List, Values: values}))
		pay := func() (l1Fee, l1Price *big.Int) {
			hash, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
			require.NoError(t, err)
			node.Seal()
			var receipt struct{ L1Fee, L1GasPrice *hexutil.Big }
			require.NoError(t, node.Client().Client().Call(&receipt, "eth_getTransactionReceipt", hash))
			return receipt.L1Fee.ToInt(), receipt.L1GasPrice.ToInt()
		}
		calm, price := pay()
		require.EqualValues(t, 1e9, price.Int64())
		dear, price := pay()
		require.EqualValues(t, 1e12, price.Int64())
		require.Equal(t, 1, dear.Cmp(calm))
		_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Length: new(1)})
		require.NoError(t, err)
		again, price := pay()
		require.EqualValues(t, 1e9, price.Int64())
		require.Equal(t, calm, again)
	}
}
