package rpcserver_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

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
		{`"0xaa",` + hash32, `have "0xaa"`},
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

// Ensure no method answers bad parameters with an internal error, at any position.
func TestAnyParameters(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	values := []string{
		`null`, `true`, `-1`, `0`, `1.5`, `1e400`, `18446744073709551616`, `""`, `"0x"`, `"0x1"`, `"0x01"`, `"latest"`, `"pending"`, `"zz"`,
		`"0x` + strings.Repeat("f", 40) + `"`, `"0x` + strings.Repeat("f", 64) + `"`, `"` + servertest.Token.Hex() + `"`,
		`[]`, `[null]`, `[[]]`, `["0x1"]`, `[["0x1",0]]`, `{}`, `{"a":1}`, `{"depth":1}`, `{"to":"` + servertest.Token.Hex() + `"}`,
	}
	var lists []string
	for _, a := range values {
		lists = append(lists, a)
		for _, b := range values[:laboratory.Budget(t, 0, 10)] {
			lists = append(lists, a+","+b)
			for _, c := range values[:2] {
				lists = append(lists, a+","+b+","+c)
			}
		}
	}
	for _, method := range slices.Sorted(maps.Keys(rpcserver.Methods)) {
		for _, list := range lists {
			answer := string(n.Server.Call(t.Context(), world.Main, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"%s","params":[%s]}`, method, list)))
			require.NotContains(t, answer, `"code":-32603`, "%s(%s)", method, list)
		}
	}
	n.Do("anvil_reset")
	n.Do("fakenode_seal")
}
