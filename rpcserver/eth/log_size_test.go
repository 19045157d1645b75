package eth

import (
	"math"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Ensure the size of a log that limits count with is never more than it takes in an answer, nor less than half of that,
// and that it counts a topic and a byte of data as they are written.
func TestSizeOfLog(t *testing.T) {
	t.Parallel()
	written := func(log *types.Log) int {
		return len(shape.SimulatedLogs([]*types.Log{log}).AppendJSON(nil)) - len("[]")
	}
	bare := &types.Log{}
	for _, log := range []*types.Log{
		bare,
		{Topics: make([]common.Hash, 1)},
		{Topics: make([]common.Hash, 4)},
		{Data: make([]byte, 1)},
		{Topics: make([]common.Hash, 2), Data: make([]byte, 1000)},
		{BlockNumber: math.MaxUint64, BlockTimestamp: math.MaxUint64, TxIndex: math.MaxUint32, Index: math.MaxUint32},
	} {
		require.LessOrEqual(t, logSize(log), written(log))
		require.Greater(t, 2*logSize(log), written(log)+len(`{"logs":[],"cursor":"0x0123456789012345678901234567890123456789"}`))
		if log.BlockNumber == 0 {
			commas := max(len(log.Topics)-1, 0) - len(log.Topics)
			require.Equal(t, written(log)-written(bare)-commas, logSize(log)-logSize(bare))
		}
	}
	require.Equal(t, 300, logSize(bare))
}
