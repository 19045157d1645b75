package main

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure what happens while the WebSocket is down is seen once it is up again.
func TestWebSocketReconnects(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	w := newWire(t, strings.TrimPrefix(node.URL(), "http://"))
	m := startMerchant(t, node, "-ws", w.url())
	o := m.store("25.00")
	m.capture(o.ID)
	w.cut()
	<-w.tried // it noticed, and tried again
	node.Seal()
	w.mend()
	m.await(o.ID, "it is captured", captured)
	m.settled(dollars25, 1)
}

// Ensure the program ends when a node comes back with another chain, and sends nothing to that.
func TestChainReplaced(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	w := newWire(t, strings.TrimPrefix(node.URL(), "http://"))
	m := newMerchant(t, node, "-ws", w.url(), "-rpc", strings.Replace(w.url(), "ws", "http", 1))
	process := m.spawn()
	o := m.store("25.00")
	m.capture(o.ID)
	other := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)})
	w.cut()
	m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil) // the shop looks, and
	m.written.await(t, "reconciling failed")               // is done with what it began before
	w.lead(strings.TrimPrefix(other.URL(), "http://"))
	w.mend()
	require.Error(t, process.Wait())
	m.end = nil
	require.Equal(t, exitError, process.ProcessState.ExitCode())
	require.Regexp(t, "(?m)^merchant: the database belongs to another chain, token or merchant: it belongs to chain 31337 from genesis "+
		node.Moment().Chain().BlockByNumber(0).Hash().Hex(), m.written)
	require.Empty(t, other.Calls("eth_sendRawTransaction"))
}

// Ensure a WebSocket is given up if it accepts the connection but does not answer.
func TestSilentWebSocket(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Long) // three seconds go by twice
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	require.NoError(t, silent.(*net.TCPListener).SetDeadline(time.Now().Add(time.Minute)))
	startMerchant(t, fakenode.RunT(t), "-ws", "ws://"+silent.Addr().String(), "-timeout", "3s")
	for range 2 {
		conn, err := silent.Accept()
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
	}
}

// Ensure the shop works with a node without pre-confirmations, whichever error it answers to a subscription to them.
func TestWithoutPreconfirmations(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		config fakenode.Config
		fault  *fakenode.Fault
	}{
		"unknown subscription": {fakenode.Config{NoPreconf: true}, nil},
		"invalid params": {fakenode.Config{}, &fakenode.Fault{
			Method: "eth_subscribe", Nth: 3, Times: fakenode.Forever, Error: &fakenode.Error{Code: -32602, Message: "unknown variant"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, tc.config)
			m := newMerchant(t, node)
			if tc.fault != nil {
				require.NoError(t, node.Fail(*tc.fault))
			}
			m.start()
			o := m.store("25.00")
			m.capture(o.ID)
			m.settles(o, dollars25, 1)
		})
	}
}
