package command_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure the pool is emptied by hash, by sender and whole, and that holds end by command with the number they held.
func TestPoolByCommand(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	one, two := n.Pay(0, 1, 1).Hash(), n.Pay(1, 0, 1).Hash()
	status := func() poolCount { return servertest.Fetch[poolCount](n, "txpool_status") }
	require.Equal(t, one.Hex(), servertest.Fetch[string](n, "anvil_dropTransaction", one))
	require.Nil(t, servertest.Fetch[any](n, "anvil_dropTransaction", one))
	require.True(t, servertest.Fetch[bool](n, "hardhat_dropTransaction", two))
	require.False(t, servertest.Fetch[bool](n, "hardhat_dropTransaction", two))
	n.Pay(2, 1, 1)
	n.Pay(2, 1, 1)
	n.Pay(3, 1, 1)
	n.Do("anvil_removePoolTransactions", fixtures.Dev(2).Address)
	require.Equal(t, poolCount{"0x1", "0x0"}, status())
	n.Do("anvil_dropAllTransactions")
	require.Equal(t, poolCount{"0x0", "0x0"}, status())

	held := n.Pay(4, 1, 1).Hash()
	n.Pay(5, 1, 1)
	n.Pay(6, 1, 1)
	n.Do("fakenode_hold", map[string]any{"hashes": []common.Hash{held}, "blocks": 3})
	n.Do("fakenode_hold", map[string]any{"senders": []common.Address{fixtures.Dev(5).Address}})
	holds := servertest.Fetch[struct{ Holds json.RawMessage }](n, "fakenode_faults").Holds
	require.JSONEq(t, `[{"hashes":["`+held.Hex()+`"],"senders":[],"blocks":3},{"hashes":[],"senders":["`+
		strings.ToLower(fixtures.Dev(5).Address.Hex())+`"]}]`, string(holds))
	n.Seal(1)
	require.Equal(t, poolCount{"0x2", "0x0"}, status())
	require.Equal(t, 2, servertest.Fetch[int](n, "fakenode_release"))
	require.Zero(t, servertest.Fetch[int](n, "fakenode_release"))
	n.Seal(1)
	require.Equal(t, poolCount{"0x0", "0x0"}, status())
	const most = math.MaxInt64 / 1_000_000
	n.Refuses(api.CodeInvalidParams, []string{fmt.Sprintf("fakenode_hold: %d ms are too long", most+1)}, "fakenode_hold", map[string]any{"milliseconds": uint64(most + 1)})
	n.Refuses(api.CodeInvalidParams, []string{"fakenode_hold: "}, "fakenode_hold", map[string]any{"milliseconds": 1, "blocks": 1})
	n.Do("fakenode_hold")
	require.Len(t, servertest.Fetch[struct{ Holds []any }](n, "fakenode_faults").Holds, 1)
}
