package rpcserver_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/rpcserver"
)

// upTo is a server that answers as a node until it was asked a number of times, then with 403.
type upTo struct {
	*httptest.Server
	left atomic.Int64 // negative: it was asked more often
}

func newUpTo(t *testing.T, under *fakenode.Node) *upTo {
	t.Helper()
	node, err := url.Parse(under.URL())
	require.NoError(t, err)
	u, relay := new(upTo), httputil.NewSingleHostReverseProxy(node)
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if u.left.Add(-1) < 0 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		relay.ServeHTTP(w, r)
	}))
	t.Cleanup(u.Close)
	return u
}

// Ensure a fork whose other chain answers no more in the middle of a call says so, at whichever request that happens:
// no answer is made of what was read until then.
func TestForkStopsHalfway(t *testing.T) {
	t.Parallel()
	chains, all := laboratory.Budget(t, 1, 2), laboratory.Open(laboratory.Long)
	for _, name := range []string{"osaka", "op"}[:chains] {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			under := chainsToFork[name](t)
			halfway := newUpTo(t, under)
			config := startedFork(t, under)
			answers, err := os.ReadFile(config.Fork.CacheFile)
			require.NoError(t, err)
			config.Fork.URL = halfway.URL
			// after returns the answer of a new fork whose chain answers so many times, and how often that was asked.
			after := func(most int64, method string, parameters []any) (got string, asked int64) {
				require.NoError(t, os.WriteFile(config.Fork.CacheFile, answers, 0o600))
				halfway.left.Store(1_000) // the fork compares the chains' ids
				fork, err := fakenode.New(config)
				require.NoError(t, err)
				halfway.left.Store(most)
				got = answerOf(fork, method, parameters)
				asked = most - halfway.left.Load()
				require.NoError(t, fork.Close())
				return got, asked
			}

			subject, kinds := subjectOf(t, under), make(map[int64]bool)
			for _, method := range rpcserver.ReadMethods() {
				if questions[method] == nil || otherwise[name+" "+method] != "" {
					continue
				}
				calls := questions[method](subject)
				parameters := calls[len(calls)-1]
				got, needed := after(1_000, method, parameters)
				require.Equal(t, answerOf(under, method, parameters), got, "%s %v", method, parameters)
				tried := map[int64]bool{needed / 2: true}
				if all {
					tried = map[int64]bool{0: true, 1: true, 2: true, needed / 2: true, needed - 1: true}
				}
				for _, most := range slices.Sorted(maps.Keys(tried)) {
					if most < 0 || most >= needed {
						continue
					}
					got, asked := after(most, method, parameters)
					require.Contains(t, got, "answered HTTP 403", "%s %v, answered %d times", method, parameters, most)
					require.Greater(t, asked, most)
				}
				kinds[needed] = true
			}
			require.Greater(t, len(kinds), 5, "calls that ask the chain more or less often")
		})
	}
}
