package userop_test

import (
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
)

// object is a JSON object of a request.
type object = map[string]any

// lab is a node, seen through RPC.
type lab struct {
	*fakenode.Node
	t      testing.TB
	client *rpc.Client // HTTP
}

// newLab returns a lab of a new node, with accounts that accept every operation.
func newLab(t testing.TB, accounts ...common.Address) *lab {
	t.Helper()
	l := visit(t, fakenode.RunT(t))
	for _, account := range accounts {
		l.SetCode(account, common.FromHex(willing))
	}
	return l
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
	require.NoError(l.t, l.client.Call(result, method, params...), method)
}

// operation returns an operation for EntryPoint 0.7 and later, which pays nothing, with changed members.
func operation(sender common.Address, change object) object {
	fields := parts{sender: sender}.fields("0.8")
	maps.Copy(fields, change)
	return fields
}

// send sends an operation to EntryPoint 0.8 and returns its hash.
func (l *lab) send(sender common.Address, change object) (hash common.Hash) {
	l.t.Helper()
	l.do(&hash, "eth_sendUserOperation", operation(sender, change), entrypoint.V08Address)
	return hash
}

// addressWord is an address as a call's argument.
func addressWord(a common.Address) []byte { return common.BytesToHash(a.Bytes()).Bytes() }
