package optimism_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
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

// Ensure the transaction that ends a block costs, moves and creates nothing, and its receipt goes on from the one
// before.
func TestPostExecIsNothing(t *testing.T) {
	t.Parallel()
	tx := optimism.NewPostExec(42, nil)
	require.Zero(t, tx.Nonce())
	require.Zero(t, tx.Value().Sign())
	require.Zero(t, tx.Gas())
	require.Equal(t, common.Address{}, *tx.To())
	require.EqualValues(t, 0x7d, tx.Type())
	before := types.Receipts{{CumulativeGasUsed: 21_000}, {CumulativeGasUsed: 50_000}}
	r := tx.Receipt(big.NewInt(42), before)
	require.Equal(t, types.ReceiptStatusSuccessful, r.Status)
	require.EqualValues(t, 50_000, r.CumulativeGasUsed)
	require.EqualValues(t, 2, r.TransactionIndex)
	require.Zero(t, r.GasUsed)
	require.Equal(t, tx.Hash(), r.TxHash)
	encoded, err := tx.EncodeReceipt(r)
	require.NoError(t, err)
	require.EqualValues(t, 0x7d, encoded[0])
	var read struct {
		Status []byte
		Gas    uint64
		Bloom  types.Bloom
		Logs   []*types.Log
	}
	require.NoError(t, rlp.DecodeBytes(encoded[1:], &read))
	require.Equal(t, []byte{1}, read.Status)
	require.EqualValues(t, 50_000, read.Gas)
	_, _, err = optimism.ReadL1(tx)
	require.EqualError(t, err, "transaction "+tx.Hash().Hex()+" is no deposit of L1 attributes")
	require.Nil(t, optimism.IncludedOf(tx))
	_, ok := optimism.ReadMillis(tx)
	require.False(t, ok)
}
