package integration_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/tokencontract"
)

// BenchmarkForkCall reads a token balance in process: of a chain of its own, and of a fork of it once it is cached.
func BenchmarkForkCall(b *testing.B) {
	local, err := fakenode.New(fakenode.Config{})
	require.NoError(b, err)
	defer local.Close()
	fork, err := fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: local.URL()}})
	require.NoError(b, err)
	defer fork.Close()
	token, holder := local.Token().Address(), local.Account(0).Address
	data, err := tokencontract.ABI().Pack("balanceOf", holder)
	require.NoError(b, err)
	for name, node := range map[string]*fakenode.Node{"local": local, "fork": fork} {
		b.Run(name, func(b *testing.B) {
			view, err := node.Moment().Latest().CallView()
			require.NoError(b, err)
			for b.Loop() {
				result, err := simulate.RunCall(context.Background(), view, simulate.Call{To: &token, Data: data}, nil, nil, simulate.Limits{})
				if err != nil || result.Err != nil {
					b.Fatal(err, result.Err)
				}
			}
		})
	}
}
