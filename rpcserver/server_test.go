package rpcserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/transcript"
	"github.com/fakenode/fakenode/preconf"
)

// stub is a method table that shows what the transport does, and what its methods work on.
type stub struct {
	waiting chan struct{} // test_wait has begun
	feed    feed          // what test_subscribe reports
}

// echoObject is an object parameter.
type echoObject struct {
	Address oneOrMany[common.Address] `json:"address,omitempty"`
}

// echoResult writes its own JSON.
type echoResult struct{ raw string }

func (e echoResult) appendJSON(dst []byte) []byte { return append(dst, e.raw...) }

func newStub() *stub {
	return &stub{waiting: make(chan struct{}, 16), feed: feed{stopped: make(chan struct{}, 1<<16)}}
}

// table returns the whole API with the stub's methods added.
func (s *stub) table() map[string]handler {
	table := map[string]handler{
		"test_echo": params3(func(_ *request, text string, number hexutil.Uint64, object *echoObject) (any, error) {
			return map[string]any{"text": text, "number": number, "object": object}, nil
		}, "text", "number", "object"),
		"test_four": params4(func(_ *request, a common.Address, h common.Hash, b *blockTag, n *Number) (any, error) {
			if n == nil {
				return []any{a, h, b.orLatest().String()}, nil
			}
			return []any{a, h, b.orLatest().String(), *n}, nil
		}, "address", "hash", "block", "count"),
		"test_code": params2(func(_ *request, a common.Address, b *blockTag) (any, error) {
			return hexutil.Bytes(a[:2]), nil
		}, "address", "block"),
		"test_raw":     params1(func(_ *request, raw json.RawMessage) (any, error) { return echoResult{string(raw)}, nil }, "value"),
		"test_fails":   params0(func(*request) (any, error) { return nil, errors.New("secret detail") }),
		"test_reverts": params0(func(*request) (any, error) { return nil, &Error{codeServer, "execution reverted", "0x08c379a0"} }),
		"test_panics":  params0(func(*request) (any, error) { panic("at the disco") }),
		"test_badType": params0(func(*request) (any, error) { return make(chan int), nil }),
		"test_wait": params0(func(r *request) (any, error) {
			r.stepAside()
			s.waiting <- struct{}{}
			<-r.ctx.Done()
			return nil, r.ctx.Err()
		}),
		"test_subscribe": params1(s.feed.subscribe, "eager notifications"),
	}
	for name, run := range methods {
		table[name] = run
	}
	return table
}

// bareNetwork is an empty chain on the manual clock.
func bareNetwork(t testing.TB, chainID uint64) *Network {
	t.Helper()
	forks, err := chain.ForkConfig("", chainID)
	require.NoError(t, err)
	c, err := chain.New(&chain.Genesis{
		Config: forks, Timestamp: networkStart, GasLimit: 60_000_000, BaseFee: big.NewInt(1_000_000_000), Difficulty: new(big.Int),
		Alloc: chain.SystemContracts(),
	}, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(networkStart, 0)})
	require.NoError(t, err)
	return &Network{Timeline: timeline}
}

// bareServer is a server of an empty chain, unless config has another. It listens nowhere yet.
func bareServer(t testing.TB, config Config, table map[string]handler) *Server {
	t.Helper()
	if config.Main == nil {
		config.Main = bareNetwork(t, networkChainID)
	}
	return newServer(config, table)
}

// listen starts a server on a free port, closed with the test.
func listen(t testing.TB, config Config, table map[string]handler) *Server {
	t.Helper()
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	server := bareServer(t, config, table)
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server
}

func TestTranscripts(t *testing.T) {
	t.Parallel()
	transcript.Run(t, "testdata/transport", *update, func(t *testing.T) transcript.Node {
		config := Config{
			Testnet:       bareNetwork(t, networkChainID+1),
			ClientVersion: "fakenode/test",
			Limits:        Limits{MaxBatch: 4},
		}
		return transcript.Node{URL: listen(t, config, newStub().table()).URL()}
	})
}

func TestInternalErrorsAreLoggedAndHidden(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	server := listen(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, newStub().table())
	for _, test := range []struct{ method, logged string }{
		{"test_fails", "secret detail"},
		{"test_panics", "at the disco"},
		{"test_badType", "unsupported type"},
	} {
		_, text := post(t, server.URL(), `{"jsonrpc":"2.0","id":1,"method":"`+test.method+`","params":[]}`)
		require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`, text)
		require.Contains(t, log.String(), test.logged)
		require.Contains(t, log.String(), test.method)
	}
	logged := log.String()
	post(t, server.URL(), `{"jsonrpc":"2.0","id":1,"method":"test_reverts"}`)
	post(t, server.URL(), `{"jsonrpc":"2.0","id":1,"method":"test_unknown"}`)
	require.Equal(t, logged, log.String(), "errors with a code are not logged")
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestDisabledMethodsAreUnknown(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Disabled: func(method string) bool { return strings.HasPrefix(method, "fakenode_") }}, methods)
	_, off := post(t, server.URL(), `{"jsonrpc":"2.0","id":1,"method":"fakenode_calls"}`)
	_, unknown := post(t, server.URL(), `{"jsonrpc":"2.0","id":1,"method":"fakenode_callz"}`)
	require.Contains(t, off, `"code":-32601`)
	require.Equal(t, strings.ReplaceAll(unknown, "callz", "calls"), off)
	_, modules := post(t, server.URL(), `{"jsonrpc":"2.0","id":1,"method":"rpc_modules"}`)
	require.NotContains(t, modules, "fakenode")
}

func TestClientGoneCancelsTheCall(t *testing.T) {
	t.Parallel()
	stub := newStub()
	done := make(chan error, 1)
	table := stub.table()
	table["test_wait"] = params0(func(r *request) (any, error) {
		stub.waiting <- struct{}{}
		<-r.ctx.Done()
		done <- r.ctx.Err()
		return nil, r.ctx.Err()
	})
	server := listen(t, Config{}, table)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"test_wait"}`))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	go func() {
		<-stub.waiting
		cancel()
	}()
	_, err = http.DefaultClient.Do(req)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, <-done, context.Canceled)
}

func TestCloseEndsWaitingCalls(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := bareServer(t, Config{Log: slog.New(slog.DiscardHandler)}, stub.table())
	require.NoError(t, server.Listen("127.0.0.1:0"))
	client, err := rpc.Dial(server.WebSocketURL())
	require.NoError(t, err)
	defer client.Close()
	answers := make(chan string, 3)
	body := `{"jsonrpc":"2.0","id":1,"method":"test_wait"}`
	go func() {
		resp, err := http.Post(server.URL(), "application/json", strings.NewReader(body))
		if err == nil {
			text, _ := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			answers <- string(text)
			return
		}
		answers <- "connection closed"
	}()
	go func() { answers <- client.Call(nil, "test_wait").Error() }()
	go func() { answers <- string(server.Call(context.Background(), Main, []byte(body))) }()
	for range 3 {
		<-stub.waiting
	}
	require.NoError(t, server.Close())
	require.NoError(t, server.Close(), "idempotent")
	for range 3 {
		require.NotContains(t, <-answers, `"result"`)
	}
	require.Nil(t, server.Call(context.Background(), Main, []byte(body)))
	_, err = net.Dial("tcp", strings.TrimPrefix(server.URL(), "http://"))
	require.Error(t, err)
	require.Error(t, server.Listen("127.0.0.1:0"))
}

func TestListenTwiceIsRefused(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, methods)
	require.ErrorContains(t, server.Listen("127.0.0.1:0"), "already listening")
	other := bareServer(t, Config{}, methods)
	require.Empty(t, other.URL())
	require.Error(t, other.Listen(strings.TrimPrefix(server.URL(), "http://")), "port taken")
	require.NoError(t, other.Close())
}

func TestCallNeedsNoPort(t *testing.T) {
	t.Parallel()
	server := bareServer(t, Config{}, methods)
	defer server.Close()
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`, string(server.Call(t.Context(), Main, body)))
	require.Nil(t, server.Call(t.Context(), Testnet, body), "there is no test network")
	require.Contains(t, string(server.Call(t.Context(), Main, nil)), "-32700")
}

func TestGoEthereumClient(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Testnet: bareNetwork(t, networkChainID+1)}, newStub().table())
	for _, url := range []string{server.URL(), server.WebSocketURL()} {
		client, err := rpc.Dial(url)
		require.NoError(t, err)
		defer client.Close()
		var id hexutil.Uint64
		require.NoError(t, client.Call(&id, "eth_chainId"))
		require.EqualValues(t, 31337, id)

		err = client.Call(nil, "test_reverts")
		var withData rpc.DataError
		require.ErrorAs(t, err, &withData)
		require.Equal(t, "0x08c379a0", withData.ErrorData())

		batch := []rpc.BatchElem{
			{Method: "eth_chainId", Result: new(hexutil.Uint64)},
			{Method: "test_unknown"},
			{Method: "net_version", Result: new(string)},
		}
		require.NoError(t, client.BatchCall(batch))
		require.NoError(t, batch[0].Error)
		require.Error(t, batch[1].Error)
		require.Equal(t, "31337", *batch[2].Result.(*string))

		testnet, err := rpc.Dial(url + TestnetPath)
		require.NoError(t, err)
		defer testnet.Close()
		require.NoError(t, testnet.Call(&id, "eth_chainId"))
		require.EqualValues(t, 31338, id)
	}
}
