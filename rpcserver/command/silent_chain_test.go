package command_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
)

// Ensure commands say that the chain below a fork does not answer, where they need it, and change nothing.
func TestCommandsOverSilentChain(t *testing.T) {
	t.Parallel()
	under := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	under.Seal(3)
	hardhat := under.Fork(under.Server.URL(), rpcserver.Config{DevNode: dialect.Hardhat})
	n := under.Fork(under.Server.URL(), rpcserver.Config{})
	require.NoError(t, under.Server.Close())
	account, slot := common.Address{7}, "0x"+servertest.Padded("1")
	object := map[string]any{"from": servertest.Alice.Address, "to": account, "gas": "0x5208"}
	n.Seal(1)
	for method, params := range map[string][]any{
		"anvil_setBalance": {account, "0x1"}, "anvil_addBalance": {account, "0x1"}, "anvil_setCode": {account, "0x00"}, "anvil_setNonce": {account, "0x1"},
		"anvil_setStorageAt": {account, "0x1", slot}, "fakenode_delegate": {account, servertest.Counter}, "anvil_dealERC20": {account, common.Address{8}, "0x1"},
		"anvil_setERC20Allowance": {account, account, common.Address{8}, "0x1"}, "fakenode_mintToken": {account, "0x1"}, "fakenode_console": {common.Hash{9}},
		"anvil_reorg": {1, []any{[]any{object, 0}}},
	} {
		_, failure := n.Try(method, params...)
		require.NotNil(t, failure, method)
		require.Contains(t, failure.Message, "cannot be reached", method)
	}
	_, failure := hardhat.Try("hardhat_setNonce", account, "0x1")
	require.NotNil(t, failure)
	require.Contains(t, failure.Message, "cannot be reached")
	require.EqualValues(t, 4, n.Timeline.Moment().Latest().Number())
}

// Ensure safe and finalized are set to blocks that there are, and an announced revert answers as a silent one.
func TestLabelsAndReverts(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	id := servertest.Fetch[string](n, "fakenode_snapshot")
	n.Seal(5)
	number := func(tag string) string {
		t.Helper()
		return servertest.Fetch[struct{ Number string }](n, "eth_getBlockByNumber", tag, false).Number
	}
	n.Do("fakenode_setSafe", 4)
	n.Do("fakenode_setFinalized", "0x3")
	require.Equal(t, []string{"0x4", "0x3"}, []string{number("safe"), number("finalized")})
	n.Refuses(api.CodeNotFound, []string{"0x6"}, "fakenode_setFinalized", 6)
	for _, announce := range []any{true, false, nil} {
		require.True(t, servertest.Fetch[bool](n, "fakenode_revert", id, announce))
		require.Equal(t, "0x0", number("latest"))
		require.Equal(t, announce == true, len(servertest.Fetch[[]any](n, "fakenode_orphans")) == 5, "%v", announce)
		n.Seal(5)
	}
	require.True(t, servertest.Fetch[bool](n, "evm_revert", id))
	require.False(t, servertest.Fetch[bool](n, "evm_revert", id), "it is used up")
	n.Refuses(api.CodeServer, []string{"unknown snapshot " + id}, "fakenode_revert", id)
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
