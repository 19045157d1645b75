package rpcserver_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

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
