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
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// stubs are additional methods that show the behaviour of the wire.
func stubs() map[string]rpcserver.Method {
	table := map[string]rpcserver.Method{
		"test_echo": rpcserver.Public(jsonrpc.Params3(func(_ *api.Request, text string, number hexutil.Uint64, object *echoObject) (any, error) {
			return map[string]any{"text": text, "number": number, "object": object}, nil
		}, "text", "number", "object")),
		"test_four": rpcserver.Public(jsonrpc.Params4(func(_ *api.Request, a common.Address, h common.Hash, b *api.BlockTag, n *api.Number) (any, error) {
			if n == nil {
				return []any{a, h, b.OrLatest().String()}, nil
			}
			return []any{a, h, b.OrLatest().String(), *n}, nil
		}, "address", "hash", "block", "count")),
		"test_fails": rpcserver.Public(jsonrpc.Params0(func(*api.Request) (any, error) { return nil, errors.New("secret detail") })),
		"test_reverts": rpcserver.Public(jsonrpc.Params0(func(*api.Request) (any, error) {
			return nil, &jsonrpc.Error{Code: api.CodeServer, Message: "execution reverted", Data: "0x08c379a0"}
		})),
		"test_panics": rpcserver.Public(jsonrpc.Params0(func(*api.Request) (any, error) { panic("at the disco") })),
		"test_subscribe": rpcserver.Public(jsonrpc.Params1(func(r *api.Request, eager api.Number) (any, error) {
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
	t.Cleanup(server.Close)
	return server
}

func TestTranscripts(t *testing.T) {
	t.Parallel()
	replayTranscripts(t, "testdata/transport", *update, func(t *testing.T) scriptedNode {
		config := rpcserver.Config{
			Testnet:  bareNetwork(t, servertest.ChainID+1),
			Settings: api.Settings{Behaviour: api.Behaviour{ClientVersion: "fakenode/test"}},
			Limits:   api.Limits{MaxBatch: 4},
		}
		return scriptedNode{URL: listen(t, config, stubs()).URL()}
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

func TestSubscribeWithoutPreconfirmation(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{NoPreconf: true}, rpcserver.Config{Disabled: rpcserver.Preconfirmation})
	s := n.Socket()
	for _, kind := range []string{"pendingLogs", "newFlashblocks", "newFlashblockTransactions"} {
		answer, _ := s.Ask("eth_subscribe", kind)
		require.Equal(t, api.CodeMethodNotFound, answer.Error.Code)
		require.Contains(t, answer.Error.Message, kind)
	}
	n.Refuses(api.CodeMethodNotFound, nil, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{}}}, "latest")
	id := s.Subscribe("logs")
	n.Logs(0, "0xa", "0xb", 1)
	require.Len(t, servertest.Items[servertest.LogItem](t, s.Told("fakenode_seal"), id), 1)
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Seal(2)
	n.Pay(0, 1, 1)
	n.Pay(1, 2, 1)
	n.Preconfirm()
	n.Pay(0, 1, 1)
	n.Do("fakenode_setFault", map[string]any{"method": "eth_call", "latencyMs": 1})
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lag"})
	n.Do("fakenode_feedFault", map[string]any{"kind": "gap"})
	n.Do("fakenode_hold", map[string]any{"hashes": []common.Hash{{31: 1}}, "blocks": 1})
	n.Do("eth_blockNumber")
	n.Do("eth_blockNumber")
	n.Fails(-32602, "eth_getBalance", "0x1")
	n.Fails(-32601, "eth_nothing")
	get := func(path string) (int, string) {
		response, err := http.Get(n.Server.URL() + path)
		require.NoError(t, err)
		defer response.Body.Close()
		require.True(t, path != "/metrics" || response.Header.Get("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(body)
	}
	watched, err := http.Post(n.Server.URL()+"/?observer", "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`))
	require.NoError(t, err)
	require.NoError(t, watched.Body.Close())
	status, text := get("/metrics")
	require.Equal(t, http.StatusOK, status)
	for _, line := range []string{
		`fakenode_calls_total{code="0",method="eth_blockNumber",network="main"} 2`,
		`fakenode_calls_total{code="-32602",method="eth_getBalance",network="main"} 1`,
		`fakenode_calls_total{code="-32601",method="unknown",network="main"} 1`,
		`fakenode_call_seconds_count{method="eth_blockNumber",network="main"} 2`,
		`fakenode_head_block{network="main"} 2`,
		`fakenode_finalized_block{network="main"} 0`,
		`fakenode_preconfirmed_transactions{network="main"} 2`,
		`fakenode_pool_transactions{network="main"} 1`,
		`fakenode_faults{network="main"} 4`,
	} {
		require.Contains(t, text, line+"\n")
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	require.NoError(t, err)
	require.Empty(t, problems, "as promtool check metrics sees them")
	status, _ = get("/debug/pprof/")
	require.Equal(t, http.StatusNotFound, status, "only when asked for")

	n = servertest.New(t, preconf.Config{}, rpcserver.Config{Profiling: true})
	status, text = get("/debug/pprof/goroutine?debug=1")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "goroutine profile")
}

const (
	address20 = `"0x00000000000000000000000000000000000000aa"`
	hash32    = `"0x00000000000000000000000000000000000000000000000000000000000000bb"`
)

// The error of a rejected parameter names its position, name and method, the given value and the wanted one.
func TestRefusedParametersAreNamed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		params string
		want   string // in the message; empty: accepted
	}{
		{address20 + `,` + hash32, ""},
		{address20 + `,` + hash32 + `,"pending"`, ""},
		{address20 + `,` + hash32 + `,null,5`, ""},
		{address20 + `,` + hash32 + `,null,"0x5"`, ""},
		{address20 + `,` + hash32 + `,null,"0x05"`, ""},
		{address20 + `,` + hash32 + `,null,"5"`, ""},
		{``, "missing argument 0 (address) of test_four: want an address (20 bytes in hex)"},
		{address20, "missing argument 1 (hash) of test_four: want a hash (32 bytes in hex)"},
		{address20 + `,null`, "missing argument 1 (hash) of test_four"},
		{hash32 + `,` + hash32, "invalid argument 0 (address) of test_four: have " + hash32},
		{address20 + `,` + address20, "invalid argument 1 (hash) of test_four: have " + address20},
		{`"0xaa",` + hash32, `have "0xaa" (hex string has length 2, want 40), want an address`},
		{`"00000000000000000000000000000000000000aa",` + hash32, "without 0x prefix"},
		{`"0x00000000000000000000000000000000000000ag",` + hash32, "invalid hex string"},
		{`5,` + hash32, "have 5 (non-string), want an address"},
		{`{},` + hash32, "have {} (non-string), want an address"},
		{address20 + `,` + hash32 + `,"newest"`, `invalid argument 2 (block) of test_four: have "newest"`},
		{address20 + `,` + hash32 + `,5`, "invalid argument 2 (block) of test_four: have 5"},
		{address20 + `,` + hash32 + `,"latest",-1`, "invalid argument 3 (count) of test_four: have -1 (not a whole number"},
		{address20 + `,` + hash32 + `,"latest",1.5`, "have 1.5"},
		{address20 + `,` + hash32 + `,"latest","0xfive"`, `have "0xfive" (not a whole number), want a whole number, plain or in hex`},
		{address20 + `,` + hash32 + `,"latest","` + strings.Repeat("0", 1001) + `"`, "not a whole number"},
		{address20 + `,` + hash32 + `,"latest","0x"`, "not a whole number"},
		{address20 + `,` + hash32 + `,"latest",true`, "not a whole number"},
		{address20 + `,` + hash32 + `,"latest","0x10000000000000000"`, "2^64-1"},
		{address20 + `,` + hash32 + `,"latest",18446744073709551616`, "have 18446744073709551616"},
		{address20 + `,` + hash32 + `,null,null,null`, "too many arguments of test_four: have 5, want at most 4; argument 4 is null"},
		{`"` + strings.Repeat("x", 10_000) + `",` + hash32, "… (10002 bytes)"},
	}
	server := bareServer(t, rpcserver.Config{}, stubs())
	defer server.Close()
	for _, test := range tests {
		answer := server.Call(t.Context(), world.Main, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_four","params":[`+test.params+`]}`))
		var reply struct{ Error *jsonrpc.Error }
		require.NoError(t, json.Unmarshal(answer, &reply))
		if test.want == "" {
			require.Nil(t, reply.Error, test.params)
			continue
		}
		require.NotNil(t, reply.Error, test.params)
		require.Equal(t, api.CodeInvalidParams, reply.Error.Code)
		require.Contains(t, reply.Error.Message, test.want)
		require.Less(t, len(reply.Error.Message), 400)
	}
}

// api.BlockTag accepts the same values as go-ethereum's BlockNumberOrHash, with the same meaning.
func TestBlockTagAgreesWithGoEthereum(t *testing.T) {
	t.Parallel()
	names := map[rpc.BlockNumber]api.TagKind{
		rpc.LatestBlockNumber: api.TagLatest, rpc.PendingBlockNumber: api.TagPending, rpc.SafeBlockNumber: api.TagSafe,
		rpc.FinalizedBlockNumber: api.TagFinalized, rpc.EarliestBlockNumber: api.TagEarliest,
	}
	for _, raw := range []string{
		`"latest"`, `"pending"`, `"safe"`, `"finalized"`, `"earliest"`, `"Latest"`, `" latest"`, `""`, `"l\u0061test"`,
		`"0x0"`, `"0x1"`, `"0xff"`, `"0xFF"`, `"0x01"`, `"0x"`, `"0X1"`, `"1"`, `"-0x1"`, `"0xg"`,
		`"0x7fffffffffffffff"`, `"0x8000000000000000"`, `"0xffffffffffffffff"`, `"0x10000000000000000"`,
		hash32, `"0x00000000000000000000000000000000000000000000000000000000000000bg"`, address20,
		`{"blockNumber":"0x5"}`, `{"blockNumber":"pending"}`, `{"blockNumber":"0x05"}`, `{"blockNumber":` + hash32 + `}`,
		`{"blockHash":` + hash32 + `}`, `{"blockHash":` + hash32 + `,"requireCanonical":true}`,
		`{"blockHash":` + hash32 + `,"requireCanonical":1}`,
		`{"blockHash":` + hash32 + `,"blockNumber":"0x5"}`, `{"blockHash":"0x5"}`, `{"blockHash":null}`, `{}`,
		`5`, `true`, `[]`, `["latest"]`,
	} {
		var want rpc.BlockNumberOrHash
		var have api.BlockTag
		wantErr, haveErr := json.Unmarshal([]byte(raw), &want), json.Unmarshal([]byte(raw), &have)
		require.Equal(t, wantErr == nil, haveErr == nil, "%s: %v, %v", raw, wantErr, haveErr)
		if wantErr != nil {
			continue
		}
		expected := api.BlockTag{RequireCanonical: want.RequireCanonical}
		if number, ok := want.Number(); ok {
			kind, named := names[number]
			if !named {
				kind, expected.Number = api.TagNumber, uint64(number)
			}
			expected.Kind = kind
		} else {
			expected.Kind, expected.Hash = api.TagHash, *want.BlockHash
		}
		require.Equal(t, expected, have, raw)
		var again api.BlockTag
		require.NoError(t, json.Unmarshal([]byte(fmt.Sprintf("%q", have)), &again))
		again.RequireCanonical = have.RequireCanonical
		require.Equal(t, have, again, "String reads back")
	}
}
