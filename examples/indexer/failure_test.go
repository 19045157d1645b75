package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/indexer/index"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure the indexer stays within a node's limits on eth_getLogs, whether the node's error names them or not.
func TestLogLimits(t *testing.T) {
	t.Parallel()
	tooMany := &fakenode.Error{Code: -32005, Message: "query returned more than 10000 results"}
	for _, tc := range []struct {
		name   string
		config fakenode.Config
		fault  *fakenode.Fault
		calls  int // of eth_getLogs, two of them at pending
	}{
		{"none", fakenode.Config{}, nil, 2 + 1},
		{"range", fakenode.Config{Limits: fakenode.Limits{LogsMaxRange: 7}}, nil, 2 + 1 + 6},
		{"range of one", fakenode.Config{Limits: fakenode.Limits{LogsMaxRange: 1}}, nil, 2 + 1 + 40},
		{"results", fakenode.Config{Limits: fakenode.Limits{LogsMaxResults: 3}}, nil, 2 + 1 + 14},
		{"no suggestion", fakenode.Config{}, &fakenode.Fault{Method: "eth_getLogs", Nth: 2, Times: 4, Error: tooMany}, 2 + 4 + 20},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunConfigT(t, tc.config))
			in.limit = 1
			in.seal(40)
			if tc.fault != nil {
				require.NoError(t, in.node.Fail(*tc.fault))
			}
			require.NoError(t, in.ix.Sync(t.Context()))
			require.Len(t, in.node.Calls("eth_getLogs"), tc.calls)
			in.sync()
		})
	}
}

// Ensure an endpoint that fails changes nothing, and that the index goes on where it was.
func TestEndpointFails(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		fault fakenode.Fault
	}{
		{"logs refused", fakenode.Fault{Method: "eth_getLogs", Error: &fakenode.Error{Code: -32603, Message: "internal error"}}},
		{"blocks refused", fakenode.Fault{Method: "eth_getBlockByHash", Error: &fakenode.Error{Code: -32603, Message: "internal error"}}},
		{"HTTP 502", fakenode.Fault{HTTPStatus: http.StatusBadGateway}},
		{"connection dropped", fakenode.Fault{DropConnection: true}},
		{"answer cut off", fakenode.Fault{Truncate: 20}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunT(t))
			in.seal(3)
			in.sync()
			before := in.read()
			in.seal(5)
			tc.fault.Times = fakenode.Forever
			require.NoError(t, in.node.Fail(tc.fault))
			require.Error(t, in.ix.Sync(t.Context()))
			transfers, at := in.transfers("")
			require.Equal(t, before.Transfers, transfers)
			require.Equal(t, before.BlockHash, at.BlockHash)
			in.node.ClearFaults()
			in.sync()
		})
	}
}

// Ensure the index can begin at a later block, with what accounts held then.
func TestStart(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	in := newIndexed(t, node)
	in.seal(5)
	all := in.truth()

	late := &indexed{t: t, node: node, config: in.config}
	late.config.Start, late.config.Database = 3, t.TempDir()+"/late.db"
	late.open()
	t.Cleanup(late.close)
	require.NoError(t, late.ix.Sync(t.Context()))
	require.Equal(t, state{all.BlockHash, all.Transfers[:2], all.Balances}, late.read())

	in.reorg(fakenode.ReorgOptions{Depth: 3})
	require.ErrorIs(t, late.ix.Sync(t.Context()), index.ErrOtherChain, "the opening balances are of a block that is gone")
	require.ErrorIs(t, late.ix.Run(t.Context()), index.ErrOtherChain)
}

// Ensure a file is not continued with another chain, token or start.
func TestOtherChain(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)}))
	in.seal(1)
	in.sync()
	in.close()
	younger := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)})
	for _, tc := range []struct {
		name   string
		change func(*index.Config)
		want   string
	}{
		{"genesis", func(c *index.Config) { c.URL = younger.URL() }, index.ErrOtherChain.Error()},
		{"chain id", func(c *index.Config) { c.URL = younger.TestnetURL() }, "it is about chain 31337, token"},
		{"token", func(c *index.Config) { c.Token = in.node.Account(0).Address }, "it is about chain 31337, token"},
		{"start", func(c *index.Config) { c.Start = 1 }, "from block 0, not chain 31337"},
	} {
		config := in.config
		tc.change(&config)
		_, err := index.Open(t.Context(), config)
		require.ErrorContains(t, err, tc.want, tc.name)
	}
}

// Ensure requests that make no sense are rejected with what is wrong.
func TestRequestRefused(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	for path, want := range map[string]string{
		"/balances/0x12":     `"0x12" is not an address`,
		"/transfers?from=me": `from="me" is not an address`,
		"/transfers?to=0x":   `to="0x" is not an address`,
		"/transfers?limit=0": `limit="0" is not a number from 1 to 1000`,
		"/transfers?form=me": `unknown parameter "form", known are from, to, limit`,
		"/status?after=then": `after="then" is not a version`,
	} {
		code, body := in.request(t.Context(), path)
		require.Equal(t, http.StatusBadRequest, code, path)
		var answer struct{ Error string }
		require.NoError(t, json.Unmarshal(body, &answer))
		require.Equal(t, want, answer.Error)
	}
}

// Ensure an index that runs where three answers in ten are of a node that is behind, or on a branch that was removed,
// comes to what the chain says after any event.
func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	behinds := []fakenode.Behind{{Blocks: 3}, {Orphaned: true}, {Time: 4 * time.Second}, {Blocks: 1}}
	for seed, behind := range behinds[:laboratory.Budget(t, 2, len(behinds))] {
		t.Run(fmt.Sprintf("%+v", behind), func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunT(t))
			in.stale = true
			in.config.Poll = 5 * time.Millisecond // where the newest answer is an old one, no event says so
			in.restart()
			require.NoError(t, in.node.Fail(fakenode.Fault{Times: fakenode.Forever, Share: 0.3, Seed: uint64(seed), Behind: behind}))
			in.run()
			rng := random(uint64(seed))
			for range 30 {
				switch n := rng.IntN(10); {
				case n < 3:
					in.send(rng.IntN(5), rng.IntN(6), rng.Uint64N(1000))
					in.node.Preconfirm()
				case n < 8 || in.node.BlockNumber() < 3:
					in.seal(1 + rng.IntN(3))
				default:
					in.reorg(fakenode.ReorgOptions{Depth: 1 + rng.IntN(3), Transactions: []control.Fate{control.Requeue, control.Drop}[rng.IntN(2)]})
				}
				in.await()
			}
		})
	}
}
