package chain_test

import (
	"bytes"
	"math/big"
	"runtime"
	"testing"
	"weak"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Blocks give large transactions back, byte for byte, after everybody let go of them, small ones between them in order.
func TestLargeTransactionsComeBack(t *testing.T) {
	t.Parallel()
	var (
		c       = newChain(t, "osaka")
		blocks  []*chain.Block
		encoded [][]byte
		sealed  weak.Pointer[types.Transaction]
	)
	code := make([]byte, 9_000)
	for i := range code {
		code[i] = byte(i * i / 3)
	}
	for n := range uint64(3) {
		d := draft(t, c, chain.Env{})
		for _, data := range [][]byte{code, nil, append(bytes.Clone(code), byte(n)), words(n)} {
			tx := sign(t, 0, &types.DynamicFeeTx{
				ChainID: big.NewInt(chainID), Nonce: nonce(d, 0), To: &reverter, Gas: 600_000, GasFeeCap: big.NewInt(50 * gwei), Data: data,
			})
			d = add(t, d, 0, tx)
			raw, err := tx.MarshalBinary()
			require.NoError(t, err)
			encoded = append(encoded, raw)
			if len(data) > 0 && sealed.Value() == nil {
				sealed = weak.Make(tx)
			}
		}
		var b *chain.Block
		c, b = seal(t, d)
		blocks = append(blocks, b)
	}
	runtime.GC()
	runtime.GC()
	require.Nil(t, sealed.Value(), "nobody holds the transaction that was sealed")

	for i, raw := range encoded {
		b := blocks[i/4]
		tx := b.Transactions()[i%4]
		again, err := tx.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, raw, again)
		require.Equal(t, b.Receipts()[i%4].TxHash, tx.Hash())
		in, index, ok := c.Find(tx.Hash())
		require.True(t, ok)
		require.Same(t, b, in)
		require.Equal(t, i%4, index)
		require.Same(t, tx, b.Transactions()[i%4], "put together once while somebody holds it")
	}
	for _, b := range blocks {
		record, err := b.Record()
		require.NoError(t, err)
		kept, err := chain.BlockFromRecord(record)
		require.NoError(t, err)
		require.Equal(t, types.DeriveSha(b.Transactions(), newHasher()), types.DeriveSha(kept.Transactions(), newHasher()))
		require.Equal(t, b.Header().TxHash, types.DeriveSha(kept.Transactions(), newHasher()))
	}
	requireGethAccepts(t, c)
}
