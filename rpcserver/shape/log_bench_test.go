package shape

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"
)

// BenchmarkEncodeLogs encodes the 10,000 logs of a long eth_getLogs answer, by our code and by go-ethereum's types.Log,
// which uses encoding/json.
func BenchmarkEncodeLogs(b *testing.B) {
	list := make([]*types.Log, 10_000)
	for i := range list {
		list[i] = &types.Log{
			Address:     common.Address{1},
			Topics:      []common.Hash{{2}, {3}, {4}},
			Data:        make([]byte, 32),
			BlockNumber: uint64(i),
			TxHash:      common.Hash{5},
			BlockHash:   common.Hash{6},
			Index:       uint(i),
		}
	}
	logs := SimulatedLogs(list)
	b.Run("fakenode", func(b *testing.B) {
		var answer []byte
		b.ReportAllocs()
		for b.Loop() {
			answer = logs.AppendJSON(answer[:0])
		}
	})
	b.Run("go-ethereum", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := json.Marshal(list)
			require.NoError(b, err)
		}
	})
}
