package userop_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
)

// object is a JSON object of a request.
type object = map[string]any

// willing is the code of an account that accepts every operation: it returns a word of 0.
var willing = common.FromHex("0x60205ff3")

// lab is a node whose bundler gets operations of accounts that accept everything.
type lab struct {
	*fakenode.Node
	t      testing.TB
	client *rpc.Client
}

func newLab(t testing.TB, accounts ...common.Address) *lab {
	t.Helper()
	node := fakenode.RunT(t)
	for _, account := range accounts {
		node.SetCode(account, willing)
	}
	return &lab{node, t, node.Client().Client()}
}

// do calls a method and decodes its result.
func (l *lab) do(result any, method string, params ...any) {
	l.t.Helper()
	require.NoError(l.t, l.client.Call(result, method, params...), method)
}

// operation returns an operation for EntryPoint 0.7 and later, which pays nothing, with changed members; nil leaves one
// out.
func operation(sender common.Address, change object) object {
	fields := object{
		"sender": sender, "nonce": "0x0", "callData": "0x", "signature": "0x", "callGasLimit": "0x10000", "verificationGasLimit": "0x80000",
		"preVerificationGas": "0x10000", "maxFeePerGas": "0x0", "maxPriorityFeePerGas": "0x0",
	}
	for name, value := range change {
		fields[name] = value
		if value == nil {
			delete(fields, name)
		}
	}
	return fields
}

// send sends an operation to EntryPoint 0.8 and returns its hash.
func (l *lab) send(sender common.Address, change object) (hash common.Hash) {
	l.t.Helper()
	l.do(&hash, "eth_sendUserOperation", operation(sender, change), entrypoint.V08Address)
	return hash
}
