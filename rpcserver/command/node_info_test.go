package command_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

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
