package rpcserver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/internal/test/transcript"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// stubs are additional methods that show the behaviour of the wire.
func stubs() map[string]rpcserver.Method {
	table := map[string]rpcserver.Method{
		"test_echo": rpcserver.Public("", jsonrpc.Params3(func(_ *api.Request, text string, number hexutil.Uint64, object *echoObject) (any, error) {
			return map[string]any{"text": text, "number": number, "object": object}, nil
		}, "text", "number", "object")),
		"test_four": rpcserver.Public("", jsonrpc.Params4(func(_ *api.Request, a common.Address, h common.Hash, b *api.BlockTag, n *api.Number) (any, error) {
			if n == nil {
				return []any{a, h, b.OrLatest().String()}, nil
			}
			return []any{a, h, b.OrLatest().String(), *n}, nil
		}, "address", "hash", "block", "count")),
		"test_fails": rpcserver.Public("", jsonrpc.Params0(func(*api.Request) (any, error) { return nil, errors.New("secret detail") })),
		"test_reverts": rpcserver.Public("", jsonrpc.Params0(func(*api.Request) (any, error) {
			return nil, &jsonrpc.Error{Code: api.CodeServer, Message: "execution reverted", Data: "0x08c379a0"}
		})),
		"test_panics": rpcserver.Public("", jsonrpc.Params0(func(*api.Request) (any, error) { panic("at the disco") })),
		"test_subscribe": rpcserver.Public("", jsonrpc.Params1(func(r *api.Request, eager api.Number) (any, error) {
			return r.Caller.Subscribe("eth_subscription", "stub", func(sub *jsonrpc.Subscription) (stop func()) {
				for i := range int(eager) {
					sub.Notify(new(jsonrpc.News), json.RawMessage(strconv.Itoa(i)))
				}
				return func() {}
			})
		}, "eager notifications")),
	}
	maps.Copy(table, rpcserver.Methods)
	return table
}

// echoObject is an object parameter.
type echoObject struct {
	Address api.OneOrMany[common.Address] `json:"address,omitempty"`
}

// bareNetwork is an empty chain on the manual clock.
func bareNetwork(t testing.TB, chainID uint64) *preconf.Timeline {
	t.Helper()
	forks, err := chain.ForkConfig("", chainID)
	require.NoError(t, err)
	c, err := chain.New(&chain.Genesis{
		Config: forks, Timestamp: servertest.Start, GasLimit: 60_000_000, BaseFee: big.NewInt(1_000_000_000), Difficulty: new(big.Int),
		Alloc: chain.SystemContracts(forks),
	}, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(servertest.Start, 0)})
	require.NoError(t, err)
	return timeline
}

// bareServer is a server of an empty chain, unless config has another. It listens nowhere yet.
func bareServer(t testing.TB, config rpcserver.Config, table map[string]rpcserver.Method) *rpcserver.Server {
	t.Helper()
	if config.Main == nil {
		config.Main = bareNetwork(t, servertest.ChainID)
	}
	return rpcserver.NewServing(config, table)
}

// listen starts a server on a free port, closed with the test.
func listen(t testing.TB, config rpcserver.Config, table map[string]rpcserver.Method) *rpcserver.Server {
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
		config := rpcserver.Config{
			Testnet:  bareNetwork(t, servertest.ChainID+1),
			Settings: api.Settings{Behaviour: api.Behaviour{ClientVersion: "fakenode/test"}},
			Limits:   api.Limits{MaxBatch: 4},
		}
		return transcript.Node{URL: listen(t, config, stubs()).URL()}
	})
}

// Ensure a development node answers no method that the table of methods lacks, and with methods disabled none of them.
func TestDialectsHaveNoMethodsOfTheirOwn(t *testing.T) {
	t.Parallel()
	all := slices.Collect(maps.Keys(rpcserver.Methods))
	for _, node := range []dialect.Node{"", dialect.Anvil, dialect.Hardhat} {
		require.ElementsMatch(t, all, rpcserver.Config{DevNode: node}.Served(), node)
		require.Empty(t, rpcserver.Config{DevNode: node, Disabled: func(string) bool { return true }}.Served(), node)
	}
}

// Ensure /health answers JSON, and / a browser and any other client.
func TestHealth(t *testing.T) {
	t.Parallel()
	server := listen(t, rpcserver.Config{}, rpcserver.Methods)
	for path, want := range map[string][2]string{"/health": {"application/json", `{"status":"ok"}` + "\n"}, "/": {"text/plain; charset=utf-8", rpcserver.HelpText}} {
		answer, err := http.Get(server.URL() + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, answer.StatusCode)
		require.Equal(t, want, [2]string{answer.Header.Get("Content-Type"), string(text)})
	}
}

func TestWithoutControl(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Disabled: rpcserver.Control})
	control := 0
	for method := range rpcserver.Methods {
		if rpcserver.Control(method) {
			control++
			n.Refuses(api.CodeMethodNotFound, []string{method}, method)
		}
	}
	require.Greater(t, control, 80)
	off, unknown := n.Fails(api.CodeMethodNotFound, "fakenode_calls"), n.Fails(api.CodeMethodNotFound, "fakenode_callz")
	require.Equal(t, strings.ReplaceAll(unknown.Message, "callz", "calls"), off.Message, "as if there were none")
	require.NotContains(t, servertest.Fetch[map[string]string](n, "rpc_modules"), "fakenode")
	n.Do("eth_blockNumber")
}

// decodedElsewhere holds methods whose first parameter follows other rules: a transaction as clients send it, whose
// unknown members are ignored as in eth_sendTransaction; the parameters that Network.Scenario decodes; and the payload
// attributes of the execution API, which go-ethereum decodes.
var decodedElsewhere = map[string]int{
	"eth_sendUnsignedTransaction": 0, "fakenode_scenario": 1, "fakenode_scenarioStart": 1, "testing_buildBlockV1": 1,
}

// Ensure no parameter of a control method accepts an object with an unknown member: every control method of the table
// is called with one at each position, after values that it accepts.
func TestControlMethodsRejectUnknownMembers(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	accepted := []any{ // each parameter takes one of them
		"0x1111111111111111111111111111111111111111", "0x" + servertest.Padded("1"), "0x1", true, "name", map[string]any{}, []any{},
	}
	typo := map[string]any{"misspelt": 1}
	for _, name := range slices.DeleteFunc(slices.Sorted(maps.Keys(rpcserver.Methods)), func(name string) bool { return !rpcserver.Control(name) }) {
		var before []any
		for position := 0; ; position++ {
			if at, other := decodedElsewhere[name]; other && at == position {
				break
			}
			failure := n.Fails(api.CodeInvalidParams, name, append(slices.Clone(before), typo)...)
			if strings.HasPrefix(failure.Message, "too many arguments") {
				break
			}
			require.Contains(t, failure.Message, fmt.Sprintf("invalid argument %d (", position), name)
			fits := slices.IndexFunc(accepted, func(value any) bool {
				_, failure := n.Try(name, append(append(slices.Clone(before), value), typo)...)
				return failure == nil || !strings.HasPrefix(failure.Message, fmt.Sprintf("invalid argument %d (", position))
			})
			require.GreaterOrEqual(t, fits, 0, "%s: no value fits at %d", name, position)
			before = append(before, accepted[fits])
		}
	}
}
