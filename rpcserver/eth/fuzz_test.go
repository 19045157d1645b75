package eth

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Ensure decoding a filter never panics and accepts only values that it can keep.
func FuzzFilterObject(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"fromBlock":"pending","toBlock":"0x1","address":["0x1000000000000000000000000000000000000001"]}`,
		`{"topics":[null,[],["0x0000000000000000000000000000000000000000000000000000000000000001",null]]}`,
		`{"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001","address":null}`,
	} {
		f.Add(seed)
	}
	f.Add(`{"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001","fromBlock":5,"toBlock":"foo"}`)
	f.Fuzz(func(t *testing.T, text string) {
		var object filterObject
		if !json.Valid([]byte(text)) || jsonrpc.Decode([]byte(text), &object, false) != nil {
			return
		}
		filter, err := object.filterFor(new(api.Behaviour), nil)
		if err != nil {
			require.Greater(t, len(object.Topics), maxTopics)
			return
		}
		require.LessOrEqual(t, len(filter.Topics), maxTopics)
		require.Len(t, filter.Addresses, len(object.Address))
	})
}
