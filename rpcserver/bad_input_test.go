package rpcserver_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/world"
)

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
