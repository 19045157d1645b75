package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/tokencontract"
)

// upstream is a chain to fork: a node that holds a token of its own, with payments in several blocks.
type upstream struct {
	url   string
	token common.Address
	// holder got tokens by the transaction mint.
	holder common.Address
	mint   common.Hash
	stop   func()
}

// upstreams start the nodes that can be forked here. Only the first is ours.
var upstreams = map[string]func(*testing.T) (url string, stop func()){
	"fakenode": func(t *testing.T) (string, func()) {
		node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant, StartTime: time.Unix(1_700_000_000, 0)})
		return node.URL(), func() { require.NoError(t, node.Close()) }
	},
	"anvil": func(t *testing.T) (string, func()) {
		laboratory.Needs(t, laboratory.Peers)
		return startTool(t, "anvil", func(port string) []string { return []string{"--port", port, "--silent"} })
	},
	"geth": func(t *testing.T) (string, func()) {
		laboratory.Needs(t, laboratory.Geth)
		return startTool(t, "geth", func(port string) []string {
			return []string{
				"--dev", "--http", "--http.port", port, "--http.api", "eth,web3,net", "--authrpc.port", freePort(t),
				"--port", "0", "--ipcdisable", "--datadir", t.TempDir(), "--datadir.minfreedisk", "0", "--verbosity", "1",
			}
		})
	},
}

// startTool runs a program until the test ends or stop is called. The program is in dist, or in PATH.
func startTool(t *testing.T, name string, args func(port string) []string) (nodeURL string, stop func()) {
	t.Helper()
	path, err := filepath.Abs("../../dist/" + name)
	require.NoError(t, err)
	if _, err := os.Stat(path); err != nil {
		if path, err = exec.LookPath(name); err != nil {
			t.Skipf("%s is neither in dist nor in PATH", name)
		}
	}
	port := freePort(t)
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, path, args(port)...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	require.NoError(t, command.Start())
	var once sync.Once
	stop = func() { once.Do(func() { cancel(); _ = command.Wait() }) }
	t.Cleanup(func() {
		if stop(); t.Failed() {
			t.Logf("%s printed: %s", name, &output)
		}
	})
	nodeURL = "http://127.0.0.1:" + port
	for deadline := time.Now().Add(30 * time.Second); ; {
		client, err := rpc.Dial(nodeURL)
		require.NoError(t, err)
		err = client.Call(new(hexutil.Uint64), "eth_chainId")
		client.Close()
		if err == nil {
			return nodeURL, stop
		}
		require.True(t, time.Now().Before(deadline), "%s does not answer: %v\n%s", name, err, &output)
		<-time.After(50 * time.Millisecond)
	}
}

// freePort returns a TCP port that was free a moment ago: other programs cannot choose one and report it. It is below
// those that systems hand out by themselves, so that nobody gets it in between.
func freePort(t *testing.T) string {
	for range 100 {
		port := strconv.Itoa(10_000 + rand.IntN(20_000))
		if listener, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			require.NoError(t, listener.Close())
			return port
		}
	}
	require.Fail(t, "no port is free")
	return ""
}

// startUpstream starts a node and makes its chain.
func startUpstream(t *testing.T, name string) *upstream {
	t.Helper()
	nodeURL, stop := upstreams[name](t)
	u := &upstream{url: nodeURL, stop: stop, holder: fixtures.Dev(7).Address}
	client, err := rpc.Dial(nodeURL)
	require.NoError(t, err)
	defer client.Close()
	var accounts []common.Address
	require.NoError(t, client.Call(&accounts, "eth_accounts"))
	from := accounts[0]
	send := func(to *common.Address, data []byte) *types.Receipt {
		var hash common.Hash
		object := map[string]any{"from": from, "data": hexutil.Bytes(data), "gas": hexutil.Uint64(8_000_000)}
		if to != nil {
			object["to"] = to
		}
		require.NoError(t, client.Call(&hash, "eth_sendTransaction", object))
		for deadline := time.Now().Add(30 * time.Second); ; {
			var receipt *types.Receipt
			err := client.Call(&receipt, "eth_getTransactionReceipt", hash) // geth may still be indexing
			if err == nil && receipt != nil {
				require.Equal(t, types.ReceiptStatusSuccessful, receipt.Status)
				return receipt
			}
			require.True(t, time.Now().Before(deadline), "transaction %s is not mined: %v", hash, err)
			<-time.After(20 * time.Millisecond)
		}
	}
	call := func(function string, arguments ...any) *types.Receipt {
		data, err := tokencontract.ABI().Pack(function, arguments...)
		require.NoError(t, err)
		return send(&u.token, data)
	}
	u.token = send(nil, tokencontract.Strict.DeployCode(tokencontract.Params{Owner: from})).ContractAddress
	call("configureMinter", from, fixtures.USD("1000000").ToBig())
	u.mint = call("mint", u.holder, fixtures.USD("500").ToBig()).TxHash
	call("mint", from, fixtures.USD("20").ToBig())
	call("transfer", common.Address{0xaa}, fixtures.USD("3").ToBig())
	return u
}

// gateway stands between a fork and its upstream: it counts what is asked, and spoils answers.
type gateway struct {
	*httptest.Server
	mu       sync.Mutex
	requests int
	asked    map[string]int // calls by method and parameters
	spoil    func(n int, w http.ResponseWriter, r *http.Request) (done bool)
	alter    func(answer string) string // nil: answers pass as they are
	refuse   []string                   // requests with these words have one error for an answer
}

func newGateway(t *testing.T, upstreamURL string) *gateway {
	target, err := url.Parse(upstreamURL)
	require.NoError(t, err)
	g := &gateway{asked: make(map[string]int)}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	proxy.ModifyResponse = func(r *http.Response) error {
		g.mu.Lock()
		alter := g.alter
		g.mu.Unlock()
		if alter == nil {
			return nil
		}
		answer, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		altered := alter(string(answer))
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(altered)), int64(len(altered))
		r.Header.Set("Content-Length", strconv.Itoa(len(altered)))
		return nil
	}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		spoil, n := g.count(body)
		if spoil != nil && spoil(n, w, r) || g.refused(body, w) {
			return
		}
		r.Body, r.ContentLength, r.Host = io.NopCloser(bytes.NewReader(body)), int64(len(body)), target.Host
		r.URL.Path = strings.TrimPrefix(r.URL.Path, "/v1/secret-key")
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(g.Close)
	return g
}

// count notes a request and returns how to spoil it and which it is, from 1.
func (g *gateway) count(body []byte) (func(int, http.ResponseWriter, *http.Request) bool, int) {
	type message struct {
		Method string
		Params json.RawMessage
	}
	var batch []message
	if json.Unmarshal(body, &batch) != nil {
		batch = make([]message, 1)
		_ = json.Unmarshal(body, &batch[0])
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests++
	for _, m := range batch {
		g.asked[m.Method+string(m.Params)]++
	}
	return g.spoil, g.requests
}

// askedOnce returns the calls but the look at the fork's block, which goes with every request about blocks.
func (g *gateway) askedOnce(fork uint64) map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	calls := maps.Clone(g.asked)
	delete(calls, fmt.Sprintf(`eth_getBlockByNumber["%#x",false]`, fork))
	return calls
}

// refused answers a request that has one of the words to refuse; "[" at its beginning is a batch.
func (g *gateway) refused(body []byte, w http.ResponseWriter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, words := range g.refuse {
		if words == "[" && body[0] == '[' || words != "[" && bytes.Contains(body, []byte(words)) {
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"not here"}}`)
			return true
		}
	}
	return false
}

// spoiled sets what happens to further requests, which are counted from 1 again.
func (g *gateway) spoiled(by func(n int, w http.ResponseWriter, r *http.Request) bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests, g.spoil = 0, by
}
