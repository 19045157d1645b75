package main

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a signature that was stored survives kill -9, and captures after the restart.
func TestKilledBetweenStoreAndCapture(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m := newMerchant(t, node)
	process := m.spawn()
	o := m.store("25.00")
	m.kill(process)

	process = m.spawn()
	require.Equal(t, "stored", m.show(o.ID).Stage)
	m.capture(o.ID)
	m.settles(o, dollars25, 1)
	m.kill(process)

	info, err := os.Stat(m.database())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "the signatures are the owner's alone")
}

// Ensure kill -9 around the sending of a capture neither loses it nor captures twice.
func TestKilledWhileSending(t *testing.T) {
	t.Parallel()
	silent := fakenode.Fault{Method: "eth_sendRawTransaction", Silent: true}
	unsent := silent
	unsent.Error, unsent.Times = &fakenode.Error{Code: -32000, Message: "not received"}, fakenode.Forever
	for _, tc := range []struct {
		name  string
		fault fakenode.Fault
		down  func(node *fakenode.Node) error // what happens while the program is dead
	}{
		{"recorded, not sent", unsent, func(*fakenode.Node) error { return nil }},
		{"sent, answer not seen", silent, func(*fakenode.Node) error { return nil }},
		{"sent, and forgotten by the node", silent, func(node *fakenode.Node) error { node.Timeline().ClearPool(); return nil }},
		{"sent, and sealed", silent, func(node *fakenode.Node) error { node.Seal(); return nil }},
		{"sent, sealed and removed by a reorg", silent, func(node *fakenode.Node) error {
			node.Seal()
			_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: "drop"})
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := newMerchant(t, fakenode.RunT(t))
			process := m.spawn()
			o := m.store("25.00")
			joined := m.joined()
			require.NoError(t, m.node.Fail(tc.fault))
			require.Equal(t, "recorded", m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil).last().State)
			if tc.fault.Error == nil {
				joined()
			}
			m.kill(process)
			m.node.ClearFaults()
			require.NoError(t, tc.down(m.node))

			process = m.spawn()
			m.await(o.ID, "the capture is with the node", func(o order) bool { return o.last().State == "sent" || captured(o) })
			m.node.Seal()
			require.Len(t, m.await(o.ID, "it is captured", captured).Transactions, 1)
			m.settled(dollars25, 1)
			m.kill(process)
		})
	}
}

// Ensure a database is not opened for another chain, though it has the same id: its account nonces and signatures would
// mean something else.
func TestDatabaseOfAnotherChain(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	m.end()
	for name, config := range map[string]fakenode.Config{
		"another id":                  {ChainID: 4242},
		"the same id, and begun anew": {StartTime: time.Unix(1_800_000_000, 0)},
	} {
		other := fakenode.RunConfigT(t, config)
		log := m.fails(append(m.args, "-rpc", other.URL(), "-ws", other.WebSocketURL()))
		require.Contains(t, log, "it belongs to chain 31337 from genesis "+m.node.Moment().Chain().BlockByNumber(0).Hash().Hex(), name)
	}
}

// Ensure an endpoint that is not a chain with the token is reported in one line, without the password in its URL.
func TestEndpointRefused(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m := newMerchant(t, node)
	for _, tc := range []struct{ flag, value, want string }{
		{"-rpc", "http://me:secret@127.0.0.1:1", "merchant: connect to http://me:xxxxx@127.0.0.1:1: read chain id: the chain did not answer: "},
		{"-rpc", "http://me:secret@127.0.0.1:port", "merchant: an endpoint of the chain is not a URL\n"},
		{"-ws", "ws://me:secret@127.0.0.1:port", "merchant: an endpoint of the chain is not a URL\n"},
		{"-token", node.Account(5).Address.Hex(), "there is no such token on this chain\n"},
	} {
		log := m.fails(append(m.args, tc.flag, tc.value))
		require.Contains(t, log, tc.want)
		require.NotContains(t, log, "secret")
		require.Equal(t, 1, strings.Count(log, "\n"))
	}
}

// fails runs the program, which cannot start, and returns what it writes.
func (m *merchant) fails(args []string) string {
	m.t.Helper()
	var log written
	require.Equal(m.t, exitError, run(m.t.Context(), args, m.getenv, &log, &log))
	return log.String()
}

// Ensure no trace of a signature is in the database once its order is voided, be it before a capture or after one that
// reverted, while the program runs and after it was killed.
func TestVoidWipes(t *testing.T) {
	t.Parallel()
	m := newMerchant(t, fakenode.RunT(t))
	process := m.spawn()
	var orders []order
	for range 20 { // so that SQLite moves rows about
		orders = append(orders, m.store("1"))
	}
	m.submit(fakenode.TokenOwner, pack(m, "pause"))
	m.capture(orders[0].ID)
	m.node.Seal()
	m.await(orders[0].ID, "the capture reverted", reverted)
	m.node.Advance(64 * 2 * time.Second)
	m.await(orders[0].ID, "that is final", func(o order) bool { return o.last().Final })
	require.Len(t, m.traces(), len(orders))
	for _, o := range orders {
		m.do(http.MethodPost, "/orders/"+o.ID+"/void", nil)
	}
	require.Empty(t, m.traces())
	m.kill(process)
	require.Empty(t, m.traces())
}

// traces returns the signatures that the database's files hold. It reads the log before the database, since a
// checkpoint in between moves pages from the one to the other.
func (m *merchant) traces() (found [][]byte) {
	m.t.Helper()
	files, err := filepath.Glob(m.database() + "*")
	require.NoError(m.t, err)
	var all []byte
	for _, file := range slices.Backward(files) {
		content, err := os.ReadFile(file)
		require.NoError(m.t, err)
		all = append(all, content...)
	}
	for _, signature := range m.signatures {
		if bytes.Contains(all, signature[:32]) || bytes.Contains(all, signature[32:64]) {
			found = append(found, signature)
		}
	}
	return found
}
