package remote_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/tokencontract"
)

// BenchmarkForkCall reads a token balance in process, by turns of a chain of its own and of a fork of it whose answers
// are cached. Medians do not depend on what else the machine does.
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
	nodes := []*fakenode.Node{local, fork}
	var took [2][]time.Duration
	for b.Loop() {
		for i, node := range nodes {
			view, err := node.Moment().Latest().CallView()
			require.NoError(b, err)
			for range 100 {
				began := time.Now()
				result, err := simulate.RunCall(context.Background(), view, simulate.Call{To: &token, Data: data}, nil, nil, simulate.Limits{})
				took[i] = append(took[i], time.Since(began))
				if err != nil || result.Err != nil {
					b.Fatal(err, result.Err)
				}
			}
		}
	}
	var median [2]float64
	for i := range took {
		slices.Sort(took[i])
		median[i] = float64(took[i][len(took[i])/2].Nanoseconds())
	}
	b.ReportMetric(median[0], "local-ns/call")
	b.ReportMetric(median[1], "fork-ns/call")
	b.ReportMetric(median[1]/median[0], "ratio")
}
