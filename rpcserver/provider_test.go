package rpcserver_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a provider's errors about too large a range and too many calls have its codes, texts and status. The limits
// are smaller than its own, which TestLimitsOfProviders has.
func TestProviders(t *testing.T) {
	t.Parallel()
	for provider, want := range map[api.Provider]struct {
		blocks    uint64
		rangeCode int
		rangeText string
		status    int
		perSecond int
		rateCode  string
	}{
		api.Alchemy:   {10, -32600, "up to a 10 block range. Based on your parameters, this block range should work: [0x1, 0xa]. Upgrade", 200, 25, `"code":429,`},
		api.Infura:    {10, -32602, "range 11 exceeds limit of 10", 200, 6, `"code":429,"message":"Too Many Requests"`},
		api.QuickNode: {1000, -32614, "eth_getLogs is limited to a 1,000 range", 413, 50, `"code":-32007,"message":"50/second request limit reached`},
		api.Coinbase:  {10, -32005, "please limit the query to at most 10 blocks", 200, 50, `"code":-32016,"message":"over rate limit"`},
	} {
		t.Run(string(provider), func(t *testing.T) {
			t.Parallel()
			n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{Provider: provider, LogsMaxRange: want.blocks}})
			n.Seal(int(want.blocks) + 1)
			span := map[string]any{"fromBlock": "0x1", "toBlock": "latest"}
			n.Refuses(want.rangeCode, []string{want.rangeText}, "eth_getLogs", span)
			span["fromBlock"] = "0x2"
			n.Do("eth_getLogs", span)
			const logs = `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"latest"}]}`
			status, _ := servertest.Post(t, n.Server.URL(), logs)
			require.Equal(t, want.status, status)
			status, _ = servertest.Post(t, n.Server.URL(), "["+logs+`,{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]`)
			require.Equal(t, http.StatusOK, status, "beside a call that succeeds")

			n.Do("fakenode_advance", 2000) // another second
			post := func() (*http.Response, string) {
				response, err := http.Post(n.Server.URL(), "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
				require.NoError(t, err)
				defer response.Body.Close()
				body, err := io.ReadAll(response.Body)
				require.NoError(t, err)
				return response, string(body)
			}
			for range want.perSecond {
				response, _ := post()
				require.Equal(t, http.StatusOK, response.StatusCode)
			}
			response, body := post()
			require.Equal(t, http.StatusTooManyRequests, response.StatusCode)
			require.Equal(t, "1", response.Header.Get("Retry-After"))
			require.Contains(t, body, want.rateCode)
			n.Do("fakenode_advance", 1000)
			response, _ = post()
			require.Equal(t, http.StatusOK, response.StatusCode)
		})
	}
}

// Ensure --provider base has the limits of Base's own node, with its codes and texts.
func TestBaseNodeLimits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{Provider: api.BaseNode, LogsMaxRange: 100}})
	several := func(count, bytes int) []string {
		list := make([]string, count)
		for i := range list {
			list[i] = fmt.Sprintf("0x%0*x", 2*bytes, i)
		}
		return list
	}
	most := map[string]any{"address": several(1000, 20), "topics": []any{several(1000, 32), several(1000, 32)}}
	addresses := map[string]any{"address": several(1001, 20)}
	topics := map[string]any{"topics": []any{nil, several(1001, 32)}}
	const tooManyAddresses, tooManyTopics = "too many filter addresses: max 1000, got 1001", "too many filter topics in slot 1: max 1000, got 1001"
	for _, method := range []string{"eth_getLogs", "eth_newFilter"} {
		n.Do(method, most)
		require.Equal(t, tooManyAddresses, n.Fails(-32602, method, addresses).Message)
		require.Equal(t, tooManyTopics, n.Fails(-32602, method, topics).Message)
	}
	s := n.Socket()
	for _, kind := range []string{"logs", "pendingLogs"} {
		s.Subscribe(kind, most)
		for message, filter := range map[string]any{tooManyAddresses: addresses, tooManyTopics: topics} {
			answer, _ := s.Ask("eth_subscribe", kind, filter)
			require.NotNil(t, answer.Error, kind)
			require.Equal(t, message, answer.Error.Message)
		}
	}
	n.Do("eth_getProof", fixtures.Dev(0).Address, several(1024, 32), "latest")
	n.Refuses(-32602, []string{"1025", "the limit is 1024"}, "eth_getProof", fixtures.Dev(0).Address, several(1025, 32), "latest")
	n.Seal(101)
	e := n.Fails(-32602, "eth_getLogs", map[string]any{"fromBlock": "0x1", "toBlock": "latest"})
	require.Equal(t, "query exceeds max block range 100", e.Message)
	n.Do("eth_getLogs", map[string]any{"fromBlock": "0x2", "toBlock": "latest"})
}

// Ensure the answer to a query with too many results names the blocks that have few enough.
func TestProvidersCountResults(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{Provider: api.Infura, LogsMaxResults: 2}})
	for range 3 {
		n.Logs(0, "0xa", "0xb", 1)
		n.Seal(1)
	}
	_, body := servertest.Post(t, n.Server.URL(), `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1","toBlock":"latest"}]}`)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"query returned more than 2 results. Try with this block range [0x1, 0x2].",
		"data":{"from":"0x1","limit":2,"to":"0x2"}}}`, body)
	alchemy := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{Provider: api.Alchemy, LogsMaxResults: 1}})
	for range 2 {
		alchemy.Logs(0, "0xa", "0xb", 1)
		alchemy.Seal(1)
	}
	alchemy.Refuses(api.CodeInvalidParams, []string{"Log response size exceeded.", "this block range should work: [0x1, 0x1]"}, "eth_getLogs", map[string]any{"fromBlock": "0x1"})
}

// Ensure an unknown filter has the provider's code: viem makes a new filter on -32000 alone.
func TestProviderUnknownFilter(t *testing.T) {
	t.Parallel()
	for _, provider := range []api.Provider{"", api.Alchemy, api.Infura, api.QuickNode, api.Coinbase, api.BaseNode} {
		n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{Provider: provider}})
		code := api.CodeServer
		if provider == api.Alchemy {
			code = -32600
		}
		for _, method := range []string{"eth_getFilterChanges", "eth_getFilterLogs"} {
			require.Contains(t, n.Fails(code, method, "0x63").Message, "filter not found", provider)
		}
	}
}
