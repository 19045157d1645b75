package evmstate_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// ownKind is a transaction of a kind of its own, whose receipt has an encoding of its own.
type ownKind struct {
	*types.Transaction
	receipt []byte // nil: it cannot be encoded, as the transaction
}

func (o ownKind) Signed() *types.Transaction { return nil }

func (o ownKind) MarshalBinary() ([]byte, error) { return o.receipt, o.problem() }

func (o ownKind) EncodeReceipt(*types.Receipt) ([]byte, error) { return o.receipt, o.problem() }

func (o ownKind) problem() error {
	if o.receipt == nil {
		return errors.New("no encoding")
	}
	return nil
}

// Ensure lists of transactions and receipts have the roots of go-ethereum's, and encode another kind in its own way.
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

	own := evmstate.Transactions{ownKind{signed[0], []byte{0x7e, 1}}, signed[1], ownKind{Transaction: signed[2]}}
	require.Nil(t, evmstate.Signed(own[0]))
	require.Equal(t, signed[1:2], own.Signed(), "what go-ethereum knows")
	list.Transactions = own
	for said, of := range map[string]types.DerivableList{
		"transaction " + signed[2].Hash().Hex() + " of a block cannot be encoded: no encoding": own,
		"receipt of transaction " + signed[2].Hash().Hex() + " cannot be encoded: no encoding": list,
	} {
		var w bytes.Buffer
		of.EncodeIndex(0, &w)
		require.Equal(t, []byte{0x7e, 1}, w.Bytes())
		require.PanicsWithValue(t, said, func() { of.EncodeIndex(2, &w) })
	}
	var theirs, got bytes.Buffer
	receipts.EncodeIndex(1, &theirs)
	list.EncodeIndex(1, &got)
	require.Equal(t, theirs.Bytes(), got.Bytes())
}
