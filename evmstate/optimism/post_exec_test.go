package optimism_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure payload, encoding and hash of the transaction that lists refunds are those that op-geth and op-reth agree on.
func TestPostExec(t *testing.T) {
	t.Parallel()
	tx := optimism.NewPostExec(42, []optimism.GasRefund{{Index: 3, Gas: 7}})
	require.Equal(t, "0xc6012ac3c20307", hexutil.Encode(tx.Data()))
	encoded, err := tx.MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, "0x7dc6012ac3c20307", hexutil.Encode(encoded))
	require.Equal(t, "0xcbc64a9665039744307b562634bf760d96f3bed235fecd9e09a1f1276a1823c7", tx.Hash().Hex())
}
