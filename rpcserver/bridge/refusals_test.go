package bridge_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure each method of the bridge and of the rollup node is unknown, with the way to have it, on a node without an L1.
func TestNoBridge(t *testing.T) {
	t.Parallel()
	client := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism}).Client().Client()
	for method, params := range map[string][]any{
		"fakenode_bridge": nil, "fakenode_propose": nil, "fakenode_resolveGame": {map[string]any{"index": 0}}, "fakenode_blacklistGame": {0},
		"fakenode_pausePortal": {true}, "optimism_syncStatus": nil, "optimism_outputAtBlock": {"0x0"}, "optimism_rollupConfig": nil,
		"optimism_version": nil, "superroot_atTimestamp": {"0x1"},
	} {
		err := client.Call(nil, method, params...)
		require.ErrorContains(t, err, method+": ")
		require.ErrorContains(t, err, "--l1", method)
		require.Equal(t, api.CodeMethodNotFound, err.(rpc.Error).ErrorCode(), method)
	}
}

// Ensure misspelt members are named with those that there are, and that a game ends for the defender by default.
func TestMisspeltBridgeCommands(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	for words, call := range map[string][]any{
		"{number?, root?}":                           {"fakenode_propose", map[string]any{"nmber": 1}},
		`{index, status: "defender" | "challenger"}`: {"fakenode_resolveGame", map[string]any{"indx": 1}},
		"not a whole number":                         {"fakenode_blacklistGame", "one"},
		"true or false":                              {"fakenode_pausePortal", "yes"},
	} {
		err := c.Client().Client().Call(nil, call[0].(string), call[1:]...)
		require.ErrorContains(t, err, words)
		require.Equal(t, api.CodeInvalidParams, err.(rpc.Error).ErrorCode())
	}
	var made struct{ Number hexutil.Uint64 }
	c.Seal()
	c.ask(&made, "fakenode_propose")
	require.EqualValues(t, 1, made.Number)
	c.L1().Seal()
	var hash common.Hash
	c.ask(&hash, "fakenode_resolveGame", map[string]any{"index": "0x0", "status": ""})
	c.L1().Seal()
	require.Equal(t, "defender", c.overview().Games[0].Status, "the default")
}

// Ensure deposits that create a contract, mint nothing or fail are shown as that, and a withdrawal by who proved it and
// whether its call failed.
func TestUnusualCrossings(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	type deposit struct {
		To                *common.Address
		Mint, Value       hexutil.Big
		Derived           bool
		BlockNumber       *uint64
		Succeeded         *bool
		L1BlockNumber     uint64
		L1TransactionHash common.Hash
	}
	type withdrawal struct {
		Target    common.Address
		ProvenAt  *uint64
		Prover    *common.Address
		Succeeded *bool
		Status    string
	}
	show := func() (is struct {
		Deposits    []deposit
		Withdrawals []withdrawal
		Games       []struct{ ResolvedAt *uint64 }
	}) {
		t.Helper()
		c.ask(&is, "fakenode_bridge")
		return is
	}
	failing := common.Address{0xfa}
	c.SetCode(failing, []byte{0xfe})
	sent := c.send(c.L1(), l1.Optimism.Portal, 0, l1.Deposit(failing, common.Big0, 50_000))
	c.Seal()
	c.Seal()
	d := show().Deposits[0]
	require.Equal(t, sent, d.L1TransactionHash)
	require.Zero(t, d.Mint.ToInt().Sign())
	require.True(t, d.Derived)
	require.False(t, *d.Succeeded)
	block := c.Moment().Chain().BlockByNumber(*d.BlockNumber)
	require.Equal(t, d.L1BlockNumber, c.Moment().Chain().L1(block).Number)

	target := common.Address{9}
	c.L1().SetCode(target, []byte{0xfe})
	started := c.send(c.Network, optimism.MessagePasser, 5, l1.Withdraw(target, 21_000))
	require.Equal(t, withdrawal{Target: target, Status: "waiting-to-prove"}, show().Withdrawals[0])
	at := c.BlockNumber()
	_, err := c.Bridge().Propose(&at, nil)
	require.NoError(t, err)
	c.L1().Seal()
	c.prove(started, 0)
	w := show().Withdrawals[0]
	require.Equal(t, c.L1().Moment().Latest().Time(), *w.ProvenAt)
	require.Equal(t, c.Account(0).Address, *w.Prover)
	require.Nil(t, w.Succeeded)
	require.Nil(t, show().Games[0].ResolvedAt)
	for range 2 {
		require.NoError(t, c.Timeline().IncreaseTime(4*24*time.Hour))
		c.L1().Seal()
		c.L1().Seal()
	}
	require.Equal(t, "ready-to-finalize", show().Withdrawals[0].Status)
	require.NotNil(t, show().Games[0].ResolvedAt)
	found, err := c.Moment().Find(started)
	require.NoError(t, err)
	is, _, err := l1.WithdrawalIn(found.Receipt.Logs[0])
	require.NoError(t, err)
	c.send(c.L1(), l1.Optimism.Portal, 0, l1.Finalize(is))
	w = show().Withdrawals[0]
	require.Equal(t, "finalized", w.Status)
	require.False(t, *w.Succeeded)
}

// Ensure the configuration names the upgrades that have a time of their own, and whole seconds between blocks.
func TestRollupConfigOfUpgrades(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		config  fakenode.Config
		seconds uint64
	}{
		{fakenode.Config{Preset: fakenode.Base, L1: true}, 0},
		{fakenode.Config{Preset: fakenode.BaseFlashblocks, L1: true}, 2},
		{fakenode.Config{Preset: fakenode.Optimism, L1: true}, 2},
	} {
		node := fakenode.RunConfigT(t, tc.config)
		var is struct {
			BlockTime uint64  `json:"block_time"`
			Karst     *uint64 `json:"karst_time"`
			Jovian    *uint64 `json:"jovian_time"`
		}
		require.NoError(t, node.Client().Client().Call(&is, "optimism_rollupConfig"))
		require.Equal(t, tc.seconds, is.BlockTime, tc.config.Preset)
		require.Zero(t, *is.Jovian)
		karst := node.Moment().Chain().Optimism().Upgrade == optimism.Karst
		require.Equal(t, karst, is.Karst != nil, tc.config.Preset)
		if karst {
			require.Zero(t, *is.Karst)
		}
	}
}
