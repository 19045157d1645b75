package main

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/indexer/index"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure an index that was closed while its blocks left the chain unwinds them, and forgets what was pre-confirmed.
func TestRestart(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	in.seal(6)
	in.send(0, 1, 7)
	in.node.Preconfirm()
	in.sync()
	before := in.read()
	require.True(t, before.Transfers[0].Pending)
	_, at := in.transfers("")

	in.close()
	in.reorg(fakenode.ReorgOptions{Depth: 4, Transactions: preconf.Drop})
	in.open()
	after := in.read()
	require.Equal(t, before.Transfers[1:], after.Transfers, "what was sealed is still there, until the chain is asked")
	require.Equal(t, before.BlockHash, after.BlockHash)
	in.sync()
	_, now := in.transfers("")
	require.Greater(t, now.Version, at.Version, "versions grow over restarts")
}

// Ensure an index that ended halfway through a long chain goes on from there, though that half left the chain
// meanwhile.
func TestRestartHalfway(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	in.seal(200)
	require.NoError(t, in.node.Fail(fakenode.Fault{Method: "eth_getLogs", Nth: 4, HTTPStatus: http.StatusBadGateway}))
	require.Error(t, in.ix.Sync(t.Context()))
	_, at := in.transfers("")
	require.Equal(t, uint64(128), at.BlockNumber)
	in.close()
	in.reorg(fakenode.ReorgOptions{Depth: 100, Transactions: preconf.Drop})
	in.open()
	in.sync()
}

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

// Ensure an index that runs rides out an endpoint that fails for a while.
func TestRunRidesOutFailures(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	in.seal(3)
	require.NoError(t, in.node.Fail(fakenode.Fault{Method: "eth_getBlockByNumber", Times: 2, HTTPStatus: http.StatusServiceUnavailable}))
	in.run()
	in.await()
}

// Ensure a node without pre-confirmations is indexed all the same, whichever error it answers to a subscription to
// them.
func TestNoPreconfirmations(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		config fakenode.Config
		fault  *fakenode.Fault
	}{
		"unknown subscription": {fakenode.Config{NoPreconf: true}, nil},
		"invalid params": {fakenode.Config{}, &fakenode.Fault{
			Method: "eth_subscribe", Nth: 2, Times: fakenode.Forever, Error: &fakenode.Error{Code: -32602, Message: "unknown variant"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunConfigT(t, tc.config))
			if tc.fault != nil {
				require.NoError(t, in.node.Fail(*tc.fault))
			}
			in.run()
			in.seal(3)
			in.await()
			in.sync()
			in.reorg(fakenode.ReorgOptions{Depth: 2, Transactions: preconf.Drop})
			in.await()
			in.sync()
		})
	}
}

// Ensure a node that rejects a query at pending loses no transfers if the error is temporary, and is indexed without
// pre-confirmed transfers if the error means that the node has none.
func TestPendingRefused(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	in.send(0, 1, 7)
	in.node.Preconfirm()
	in.sync()
	for _, tc := range []struct {
		code    int
		pending int // transfers left after it
	}{{-32005, 1}, {-32603, 1}, {-32000, 0}} {
		require.NoError(t, in.node.Fail(fakenode.Fault{Method: "eth_getLogs", Error: &fakenode.Error{Code: tc.code, Message: "not now"}}))
		err := in.ix.Sync(t.Context())
		require.Equal(t, tc.pending > 0, err != nil, "%d: %v", tc.code, err)
		transfers, _ := in.transfers("")
		require.Len(t, transfers, tc.pending)
	}
	in.sync()
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
