package integration_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure viem reads logs in pages from each provider: it takes the error of a range that is too large for a reason to
// halve it, and that of a rate for a reason to wait.
func TestViemPagesLogs(t *testing.T) {
	t.Parallel()
	const blocks, limit = 40, 6
	for provider, refusal := range map[fakenode.Provider]string{
		"": "answered", api.Alchemy: "6 block range", api.Infura: "exceeds limit of 6", api.QuickNode: "limited to a 6 range",
		api.Coinbase: "at most 6 blocks", api.BaseNode: "max block range 6",
	} {
		t.Run(string(provider), func(t *testing.T) {
			t.Parallel()
			config := fakenode.Config{Limits: fakenode.Limits{Provider: provider}, RealClock: true, Mode: fakenode.Interval, BlockTime: time.Second} // the rate is one of its clock
			if provider != "" {
				config.Limits.LogsMaxRange = limit
			}
			node, err := fakenode.New(config)
			require.NoError(t, err)
			_, stop := run(t.Context(), node)
			t.Cleanup(stop)
			account, to := node.Account(0), node.Account(9).Address
			node.SetCode(to, labcode.Emitter())
			var want []int
			for block := 1; block <= blocks; block++ {
				if block%7 == 0 {
					_, err := node.Transact(account, fakenode.Tx{To: &to, Data: labcode.EmitterCall(1, byte(block))})
					require.NoError(t, err)
				}
				node.Seal()
				if block%7 == 0 {
					want = append(want, int(node.BlockNumber()))
				}
			}
			last := int(node.BlockNumber())
			got := runScript[struct {
				Blocks []int
				Pages  [][3]int // first and last block, logs
				Whole  string
			}](t, node, "viem_paging.mjs", to.Hex(), fmt.Sprint(last))
			require.Equal(t, want, got.Blocks)
			require.Contains(t, got.Whole, refusal)
			next, logs := 0, 0
			for _, page := range got.Pages {
				require.Equal(t, next, page[0])
				require.True(t, provider == "" || page[1]-page[0] < limit, "%v", page)
				next, logs = page[1]+1, logs+page[2]
			}
			require.Equal(t, []int{last + 1, len(want)}, []int{next, logs})
		})
	}
}
