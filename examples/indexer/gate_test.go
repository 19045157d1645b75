package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure the index is right when the chain is reorged, or the program ends, between any two calls of it to the chain.
func TestBetweenCalls(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		act  func(in *indexed)
		undo func(in *indexed) // before the call after that; nil: nothing
		cut  bool              // the call is not answered
	}{
		{name: "reorg", act: func(in *indexed) { in.reorg(fakenode.ReorgOptions{Depth: 3, Transactions: preconf.Drop}) }},
		{name: "reorg to a shorter chain", act: func(in *indexed) {
			in.reorg(fakenode.ReorgOptions{Depth: 5, Length: new(2), Transactions: preconf.Drop})
		}},
		{
			name: "reorg and back",
			act: func(in *indexed) {
				in.snapshot = in.node.Snapshot()
				in.reorg(fakenode.ReorgOptions{Depth: 3, Transactions: preconf.Drop})
			},
			undo: func(in *indexed) { require.NoError(in.t, in.node.Revert(in.snapshot)) },
		},
		{name: "block", act: func(in *indexed) { in.seal(1) }},
		{name: "restart", act: func(*indexed) {}, cut: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			nth, struck, step := 1, true, 1
			if !laboratory.Open(laboratory.Long) {
				step = 4
			}
			for ; struck; nth += step {
				in := newIndexed(t, fakenode.RunT(t))
				gate := newGate(t, in.node.URL())
				in.config.URL = gate.url
				in.seal(4)
				in.restart()
				in.sync()
				in.reorg(fakenode.ReorgOptions{Depth: 2})
				in.seal(3)
				in.send(0, 1, 1)
				in.node.Preconfirm()

				struck = false
				gate.watch(func(call int) bool {
					switch {
					case call == nth:
						struck = true
						tc.act(in)
						return !tc.cut
					case call == nth+1 && tc.undo != nil:
						tc.undo(in)
					}
					return true
				})
				err := in.look()
				gate.watch(nil)
				if struck && tc.cut {
					require.Error(t, err)
					in.restart()
					in.sync("before call %d", nth)
					continue
				}
				require.NoError(t, err)
				if tc.undo != nil { // what is pre-confirmed may be of the branch that was left: going back wakes the index once more
					require.NoError(t, in.look())
				}
				require.Equal(t, in.truth(), in.read(), "before call %d", nth)
			}
			require.Greater(t, nth, 10, "every call was struck")
		})
	}
}

// gate stands between the index and the node's HTTP endpoint.
type gate struct {
	url    string
	mu     sync.Mutex
	calls  int                 // since watch
	before func(call int) bool // nil: nothing
}

func newGate(t *testing.T, target string) *gate {
	t.Helper()
	g := &gate{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !g.pass() {
			panic(http.ErrAbortHandler)
		}
		response, err := http.Post(target, "application/json", bytes.NewReader(body))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer response.Body.Close()
		_, _ = io.Copy(w, response.Body)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

// watch lets before happen before each call, counted from 1 again. False: the call is not answered.
func (g *gate) watch(before func(call int) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls, g.before = 0, before
}

func (g *gate) pass() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	return g.before == nil || g.before(g.calls)
}
