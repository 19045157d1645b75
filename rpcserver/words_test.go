package rpcserver_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// goWords are words of errors that Go's library makes, and no client can know.
var goWords = regexp.MustCompile(`json: |unmarshal|Go (value|struct)|strconv|math/big|unexpected end of JSON|invalid character|time: |\*?\b(api|command|preconf|jsonrpc|control|scenario|userop)\.[A-Z]`)

// memberNames finds the members in an error's description of an object.
var memberNames = regexp.MustCompile(`\w+`)

// Ensure commands speak of parameters that they cannot take in the words of JSON and of the node, not in Go's.
func TestNoGoWordsInRefusals(t *testing.T) {
	t.Parallel()
	laboratory.OneGoroutine(t)
	c := newCaller(t, api.Behaviour{}, false, rand.NewPCG(1, 2))
	var found []string
	odd := []json.RawMessage{}
	for _, text := range []string{`true`, `0`, `-1`, `1.5`, `1e400`, `""`, `"x"`, `"0x"`, `"0xzz"`, `"0x123"`, `{}`, `{"x":1}`, `[]`, `[true]`, `[[0]]`, `[{"x":1}]`} {
		odd = append(odd, json.RawMessage(text))
	}
	refusal := func(method string, params []any) string {
		body := must(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
		var answer struct{ Error struct{ Message string } }
		require.NoError(t, json.Unmarshal(c.Server.Call(t.Context(), world.Main, body), &answer))
		if goWords.MatchString(answer.Error.Message) {
			found = append(found, fmt.Sprintf("%s: %s", body, answer.Error.Message))
		}
		return answer.Error.Message
	}
	for _, method := range slices.DeleteFunc(sortedKeys(rpcserver.Methods), func(name string) bool {
		return !slices.Contains([]string{"fakenode", "anvil", "hardhat", "evm"}, strings.Split(name, "_")[0])
	}) {
		kinds := paramKinds[method]
		var before []any
		for i := range 4 {
			described := ""
			for _, value := range odd {
				described += refusal(method, append(slices.Clone(before), value))
			}
			_, described, _ = strings.Cut(described, "want {")
			for _, member := range slices.Compact(slices.Sorted(slices.Values(memberNames.FindAllString(described, 60)))) {
				for _, value := range odd {
					refusal(method, append(slices.Clone(before), map[string]any{member: value}))
				}
			}
			if i >= len(kinds) {
				kinds = append(kinds, anything)
			}
			before = append(before, c.value(kinds[i]))
		}
	}
	require.Empty(t, found)
}
