package pool_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/pool"
)

// Ensure blobs are found by the hash of their transaction and by their own, and only the newest transactions are kept.
func TestBlobs(t *testing.T) {
	t.Parallel()
	blobs := pool.Blobs(nil).With(types.NewTx(new(types.LegacyTx)))
	require.Empty(t, blobs)
	var sent []*types.Transaction
	for i := range 65 {
		sent = append(sent, types.NewTx(&types.BlobTx{
			ChainID: uint256.NewInt(1), BlobHashes: []common.Hash{{1, byte(i)}, {2, byte(i)}}, Sidecar: new(types.BlobTxSidecar),
		}))
		blobs = blobs.With(sent[i])
	}
	require.Len(t, blobs, 64)
	require.Nil(t, blobs.Find(sent[0].Hash()))
	for _, tx := range sent[1:] {
		require.Same(t, tx, blobs.Find(tx.Hash()))
		require.Same(t, tx, blobs.Find(tx.BlobHashes()[1]))
	}
}
