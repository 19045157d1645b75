package bundler_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// object is a JSON object of a request.
type object = map[string]any

// lab is a node, seen through RPC.
type lab struct {
	*fakenode.Node
	t      testing.TB
	client *rpc.Client // HTTP
}

// visit returns a lab of a running node.
func visit(t testing.TB, node *fakenode.Node) *lab {
	t.Helper()
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return &lab{node, t, client}
}

// do calls a method and decodes its result.
func (l *lab) do(result any, method string, params ...any) {
	l.t.Helper()
	require.NoError(l.t, l.client.CallContext(l.t.Context(), result, method, params...), method)
}

// addressWord is an address as a call's argument.
func addressWord(a common.Address) []byte { return common.BytesToHash(a.Bytes()).Bytes() }
