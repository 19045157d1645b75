package command_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver"
)

func TestNodeInfo(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Order: pool.Fees}, rpcserver.Config{})
	n.Do("fakenode_seal", 2)
	head := n.Timeline.Moment().Latest()
	got := servertest.Fetch[struct {
		BlockNumber      hexutil.Uint64 `json:"currentBlockNumber"`
		BlockTimestamp   uint64         `json:"currentBlockTimestamp"`
		BlockHash        common.Hash    `json:"currentBlockHash"`
		HardFork         string
		TransactionOrder string
		Environment      struct {
			ChainID  uint64
			GasLimit hexutil.Uint64
		}
	}](n, "anvil_nodeInfo")
	require.EqualValues(t, 2, got.BlockNumber)
	require.Equal(t, head.Hash(), got.BlockHash)
	require.EqualValues(t, servertest.Start+4, got.BlockTimestamp)
	require.Equal(t, "osaka", got.HardFork)
	require.Equal(t, "fees", got.TransactionOrder)
	require.EqualValues(t, servertest.ChainID, got.Environment.ChainID)
	require.EqualValues(t, 60_000_000, got.Environment.GasLimit)
	meta, _ := n.Try("hardhat_metadata")
	require.JSONEq(t, fmt.Sprintf(`{"clientVersion":"fakenode/test","chainId":%d,"instanceId":"%s","latestBlockNumber":2,"latestBlockHash":"%s"}`,
		servertest.ChainID, n.Timeline.Moment().Chain().BlockByNumber(0).Hash(), head.Hash()), string(meta))
	require.Nil(t, servertest.Fetch[any](n, "hardhat_setLoggingEnabled", false))
}

// Ensure fakenode_info says whether there is a pre-confirmation layer, what makes blocks, how far apart flashblocks
// are, and whether the clock is real.
func TestSettingsInInfo(t *testing.T) {
	t.Parallel()
	type settings struct {
		Seal, Order                   string
		BlockTimeMs, FlashblockTimeMs int64
		Preconf                       bool
		Token                         string
	}
	for _, c := range []struct {
		config preconf.Config
		want   settings
	}{
		{preconf.Config{}, settings{"manual", "fifo", 2000, 200, true, "strict"}},
		{preconf.Config{NoPreconf: true}, settings{"manual", "fifo", 2000, 200, false, "strict"}},
		{preconf.Config{FlashblockTime: preconf.NoFlashblocks, BlockTime: 3 * time.Second}, settings{"manual", "fifo", 3000, 0, true, "strict"}},
		{preconf.Config{Chain: servertest.DenimChain(t)}, settings{"manual", "fifo", 200, 200, false, "strict"}},
	} {
		n := servertest.New(t, c.config, rpcserver.Config{})
		is := servertest.Fetch[struct {
			Config settings
			Clock  struct{ Real bool }
			Fork   any
		}](n, "fakenode_info")
		require.Equal(t, c.want, is.Config)
		require.False(t, is.Clock.Real)
		require.Nil(t, is.Fork)
	}
}
