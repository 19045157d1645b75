package world_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure a world that nobody used for its time to live ends as if it had been closed, that each request lets the time
// begin anew, and that none ends while a request to it is under way.
func TestIdleWorldsEnd(t *testing.T) {
	t.Parallel()
	main := newTimeline(t)
	synctest.Test(t, func(t *testing.T) {
		var keeper kept
		server := rpcserver.New(rpcserver.Config{Main: main, Worlds: world.Config{Keeper: &keeper, Limits: world.Limits{TTL: time.Hour}}})
		defer server.Close()
		ask := func(path, method, params string) string {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path,
				strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":[`+params+`]}`))
			request.Host = "localhost"
			request.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			server.ServeHTTP(answer, request)
			return answer.Body.String()
		}
		left := func() (names []string) {
			synctest.Wait()
			for _, w := range server.Worlds() {
				names = append(names, w.Name)
			}
			return names
		}
		ask("/", "fakenode_newWorld", `{"name":"minute","owner":"ci","ttl":60000}`)
		ask("/", "fakenode_newWorld", `{"name":"day","ttl":86400000}`)
		ask("/7", "eth_chainId", "")
		require.Contains(t, ask("/", "fakenode_worlds", ""), `,"owner":"ci","ttl":60000}`)

		for range 3 {
			time.Sleep(50 * time.Second)
			require.Contains(t, ask("/w/minute", "eth_blockNumber", ""), `"0x0"`)
		}
		ask("/w/minute", "fakenode_setFault", `{"method":"eth_chainId","latencyMs":3000000}`)
		require.Contains(t, ask("/w/minute", "eth_chainId", ""), "result", "it took 50 minutes")
		time.Sleep(time.Minute - 1)
		require.ElementsMatch(t, []string{"minute", "day", "7"}, left())
		keeper.take()
		time.Sleep(time.Nanosecond)
		require.ElementsMatch(t, []string{"day", "7"}, left())
		require.Equal(t, []string{"forget"}, keeper.take())
		require.Contains(t, ask("/w/minute", "eth_chainId", ""), `"there is no world minute: make it with fakenode_newWorld, or start the node with --auto-worlds"`)
		time.Sleep(time.Hour)
		require.Equal(t, []string{"day"}, left())

		w, err := server.Lookup("day")
		require.NoError(t, err)
		w.Call(t.Context(), world.Main, []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
		time.Sleep(24*time.Hour - 1)
		require.Equal(t, []string{"day"}, left())
		server.Close()
		time.Sleep(time.Hour)
		require.Equal(t, []string{"day"}, left(), "a file keeps what was there when the node ended")
	})
}

// Ensure the error of an owner, a time to live or one world too many for an owner names it and the limit.
func TestLeaseRefusals(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Worlds: world.Config{Limits: world.Limits{PerOwner: 1}}})
	n.Refuses(api.CodeInvalidParams, []string{"fakenode_newWorld: ", "a ttl of 600 ms is too short: want 1000 or more"}, "fakenode_newWorld", map[string]any{"ttl": 600})
	n.Refuses(api.CodeInvalidParams, []string{"not a whole number from 0 to 2^31-1"}, "fakenode_newWorld", map[string]any{"ttl": 1 << 31})
	n.Refuses(api.CodeInvalidParams, []string{"the owner has 129 bytes, the limit is 128"}, "fakenode_newWorld", map[string]any{"owner": strings.Repeat("o", 129)})
	for _, owner := range []string{"", "", "ci", strings.Repeat("o", 128)} {
		n.Do("fakenode_newWorld", map[string]any{"owner": owner, "name": "of-" + owner[:min(len(owner), 2)]})
		if owner == "" {
			n.Do("fakenode_closeWorld", "of-")
		}
	}
	n.Refuses(api.CodeServer, []string{`cannot make another world for "ci": the limit is 1 worlds an owner, close those`}, "fakenode_newWorld", map[string]any{"owner": "ci"})
	n.Do("fakenode_closeWorld", "of-ci")
	n.Do("fakenode_newWorld", map[string]any{"owner": "ci"})
}
