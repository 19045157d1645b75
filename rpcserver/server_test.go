package rpcserver

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/transcript"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// stubs are methods beside the API that show what the wire does with it.
func stubs() map[string]method {
	table := map[string]method{
		"test_echo": public("", jsonrpc.Params3(func(_ *api.Request, text string, number hexutil.Uint64, object *echoObject) (any, error) {
			return map[string]any{"text": text, "number": number, "object": object}, nil
		}, "text", "number", "object")),
		"test_four": public("", jsonrpc.Params4(func(_ *api.Request, a common.Address, h common.Hash, b *api.BlockTag, n *api.Number) (any, error) {
			if n == nil {
				return []any{a, h, b.OrLatest().String()}, nil
			}
			return []any{a, h, b.OrLatest().String(), *n}, nil
		}, "address", "hash", "block", "count")),
		"test_fails": public("", jsonrpc.Params0(func(*api.Request) (any, error) { return nil, errors.New("secret detail") })),
		"test_reverts": public("", jsonrpc.Params0(func(*api.Request) (any, error) {
			return nil, &jsonrpc.Error{Code: api.CodeServer, Message: "execution reverted", Data: "0x08c379a0"}
		})),
		"test_panics": public("", jsonrpc.Params0(func(*api.Request) (any, error) { panic("at the disco") })),
		"test_subscribe": public("", jsonrpc.Params1(func(r *api.Request, eager api.Number) (any, error) {
			return r.Caller.Subscribe("eth_subscription", "stub", func(sub *jsonrpc.Subscription) (stop func()) {
				for i := range int(eager) {
					sub.Notify(new(jsonrpc.News), json.RawMessage(strconv.Itoa(i)))
				}
				return func() {}
			})
		}, "eager notifications")),
	}
	maps.Copy(table, methods)
	return table
}

// echoObject is an object parameter.
type echoObject struct {
	Address api.OneOrMany[common.Address] `json:"address,omitempty"`
}

// bareNetwork is an empty chain on the manual clock.
func bareNetwork(t testing.TB, chainID uint64) *Network {
	t.Helper()
	forks, err := chain.ForkConfig("", chainID)
	require.NoError(t, err)
	c, err := chain.New(&chain.Genesis{
		Config: forks, Timestamp: networkStart, GasLimit: 60_000_000, BaseFee: big.NewInt(1_000_000_000), Difficulty: new(big.Int),
		Alloc: chain.SystemContracts(forks),
	}, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(networkStart, 0)})
	require.NoError(t, err)
	return &Network{Timeline: timeline}
}

// bareServer is a server of an empty chain, unless config has another. It listens nowhere yet.
func bareServer(t testing.TB, config Config, table map[string]method) *Server {
	t.Helper()
	if config.Main == nil {
		config.Main = bareNetwork(t, networkChainID)
	}
	return newServer(config, serving(table, config.Disabled, config.worldLimit() > 0))
}

// listen starts a server on a free port, closed with the test.
func listen(t testing.TB, config Config, table map[string]method) *Server {
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
			Limits:        api.Limits{MaxBatch: 4},
		}
		return transcript.Node{URL: listen(t, config, stubs()).URL()}
	})
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

func TestCallNeedsNoPort(t *testing.T) {
	t.Parallel()
	server := bareServer(t, Config{}, methods)
	defer server.Close()
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`, string(server.Call(t.Context(), world.Main, body)))
	require.Nil(t, server.Call(t.Context(), world.Testnet, body), "there is no test network")
	require.Contains(t, string(server.Call(t.Context(), world.Main, nil)), "-32700")
}

func TestGoEthereumClient(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Testnet: bareNetwork(t, networkChainID+1)}, stubs())
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

		for _, path := range []string{world.TestnetPath, world.TestnetPath + "/"} {
			testnet, err := rpc.Dial(url + path)
			require.NoError(t, err)
			defer testnet.Close()
			require.NoError(t, testnet.Call(&id, "eth_chainId"), path)
			require.EqualValues(t, 31338, id, path)
		}
	}
}

// Ensure /health answers JSON, and / a browser or a person who asks for it.
func TestHealth(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, methods)
	for path, want := range map[string][2]string{"/health": {"application/json", `{"status":"ok"}` + "\n"}, "/": {"text/plain; charset=utf-8", helpText}} {
		answer, err := http.Get(server.URL() + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer.StatusCode)
		require.Equal(t, want, [2]string{answer.Header.Get("Content-Type"), string(text)})
	}
}
