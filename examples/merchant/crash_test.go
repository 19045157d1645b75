package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
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
	for _, tc := range []struct {
		name  string
		when  moment
		down  func(node *fakenode.Node) // what happens while the program is dead
		sends int                       // in the end
	}{
		{"recorded, not sent", beforeNode, func(*fakenode.Node) {}, 1},
		{"sent, answer not seen", afterNode, func(*fakenode.Node) {}, 1},
		{"sent, and forgotten by the node", afterNode, func(node *fakenode.Node) { node.Timeline().ClearPool() }, 2},
		{"sent, and pre-confirmed", afterNode, func(node *fakenode.Node) { node.Preconfirm() }, 1},
		{"sent, and sealed", afterNode, func(node *fakenode.Node) { node.Seal() }, 1},
		{"sent, sealed and removed by a reorg", afterNode, func(node *fakenode.Node) {
			node.Seal()
			if _, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: "drop"}); err != nil {
				panic(err)
			}
		}, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			g := newGate(t, node)
			m := newMerchant(t, node, "-rpc", g.url)
			process := m.spawn()
			o := m.store("25.00")
			stopped := g.arm("eth_sendRawTransaction", 1, tc.when)
			m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil)
			<-stopped
			m.kill(process)
			tc.down(node)

			process = m.spawn()
			m.await(o.ID, "the capture is with the node", func(o order) bool { return o.last().State == "sent" || captured(o) })
			node.Seal()
			o = m.await(o.ID, "it is captured", captured)
			require.Len(t, o.Transactions, 1)
			require.Equal(t, tc.sends, m.calls("eth_sendRawTransaction"))
			m.settled(dollars25, 1)
			m.kill(process)
		})
	}
}

// Ensure kill -9 at every single call that a capture makes, before and after the node executes it, ends in exactly one
// capture, by exactly one transaction.
func TestKilledAtEveryCall(t *testing.T) {
	t.Parallel()
	calls := callsOfCapture(t)
	require.Greater(t, calls, 10)
	for nth := 1; nth <= calls; nth += calls / laboratory.Budget(t, 3, calls) {
		for when, name := range []string{beforeNode: "before", afterNode: "after"} {
			t.Run(fmt.Sprintf("%s call %d", name, nth), func(t *testing.T) {
				t.Parallel()
				m, g := instantMerchant(t)
				process := m.spawn()
				o := m.store("25.00")
				stopped := g.arm("", nth, moment(when))
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					m.captureUnlessKilled(o.ID)
				}()
				select {
				case <-stopped:
				case <-ended: // with fewer calls than other runs: events that come together are looked at together
				}
				m.kill(process)
				<-ended
				g.disarm()

				process = m.spawn()
				m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil) // the client did not get an answer, and asks again
				o = m.await(o.ID, "it is captured", captured)
				require.Len(t, o.Transactions, 1)
				m.settled(dollars25, 1)
				m.kill(process)
			})
		}
	}
}

// captureUnlessKilled asks for a capture and waits until the order is captured, or nobody answers any more.
func (m *merchant) captureUnlessKilled(id string) {
	path := "/orders/" + id
	_, answer, err := m.attempt(context.Background(), http.MethodPost, path+"/capture", nil)
	for err == nil {
		var o order
		if json.Unmarshal(answer, &o) != nil || captured(o) {
			return
		}
		_, answer, err = m.attempt(context.Background(), http.MethodGet, fmt.Sprintf("%s?after=%d", path, o.Version), nil)
	}
}

// instantMerchant is a program, not running yet, on a node that seals a transaction before it answers.
func instantMerchant(t *testing.T) (*merchant, *gate) {
	t.Helper()
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	g := newGate(t, node)
	return newMerchant(t, node, "-rpc", g.url), g
}

// callsOfCapture counts the calls from the request to capture until the order is captured and everything is known of
// it.
func callsOfCapture(t *testing.T) int {
	t.Helper()
	m, g := instantMerchant(t)
	m.start()
	o := m.store("25.00")
	g.arm("", 0, beforeNode)
	m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil)
	m.await(o.ID, "it is captured", captured)
	return g.disarm()
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

// Ensure wrong arguments are one line and exit code 2.
func TestUsage(t *testing.T) {
	t.Parallel()
	key := func(string) string { return common.Bytes2Hex(make([]byte, 31)) + "01" }
	for _, tc := range []struct {
		name   string
		args   []string
		getenv func(string) string
		want   string
	}{
		{"no key", nil, func(string) string { return "" }, "merchant: MERCHANT_KEY is not a private key of 32 bytes in hex\n"},
		{"bad token", []string{"-token", "usdc"}, key, "merchant: token \"usdc\" is not an address\n"},
		{"unknown flag", []string{"-x"}, key, "merchant: flag provided but not defined: -x\n"},
		{"argument", []string{"serve"}, key, "merchant: unexpected argument \"serve\"\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var log written
			args := append([]string{"-db", filepath.Join(t.TempDir(), "merchant.db")}, tc.args...)
			require.Equal(t, exitUsage, run(t.Context(), args, tc.getenv, &log, &log))
			require.Equal(t, tc.want, log.String())
		})
	}
}
