package evmstate_test

import (
	"bytes"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure lists of transactions and receipts have the roots of go-ethereum's.
func TestListsAsGeth(t *testing.T) {
	t.Parallel()
	signed := types.Transactions{
		types.NewTx(&types.LegacyTx{Nonce: 1, GasPrice: wei(7).ToBig()}), types.NewTx(&types.DynamicFeeTx{Nonce: 2}),
		types.NewTx(&types.AccessListTx{Nonce: 3}),
	}
	receipts := types.Receipts{
		{Status: 1, CumulativeGasUsed: 21_000, Logs: []*types.Log{}}, {Type: 2, CumulativeGasUsed: 42_000}, {Type: 1, Status: 1, CumulativeGasUsed: 63_000},
	}
	root := func(list types.DerivableList) string { return types.DeriveSha(list, trie.NewStackTrie(nil)).Hex() }
	ours := evmstate.ListOf(signed)
	require.Equal(t, 3, ours.Len())
	require.Equal(t, root(signed), root(ours))
	require.Equal(t, signed, ours.Signed())
	list := evmstate.Receipts{Transactions: ours, List: receipts}
	require.Equal(t, 3, list.Len())
	require.Equal(t, root(receipts), root(list))
	require.Nil(t, evmstate.Transactions{}.Signed())

	var theirs, got bytes.Buffer
	receipts.EncodeIndex(1, &theirs)
	list.EncodeIndex(1, &got)
	require.Equal(t, theirs.Bytes(), got.Bytes())
}
