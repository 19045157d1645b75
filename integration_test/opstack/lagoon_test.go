package opstack

import (
	"math/big"
	"testing"

	optypes "github.com/ethereum-optimism/optimism/op-core/types"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"
)

// Ensure the OP stack's own client takes blocks that end with gas refunds, with the roots of their transactions and
// receipts, which it computes itself, and reads the refunds.
func TestLagoon(t *testing.T) {
	t.Parallel()
	p := start(t, "--preset", "optimism", "--rules", "lagoon")
	l2 := ethclient.NewClient(p.l2)
	for sent := range uint64(5) {
		for nonce := range sent {
			tx, err := p.onL2.Signer(p.onL2.From, types.NewTx(&types.DynamicFeeTx{
				ChainID: p.config.L2ChainID, Nonce: sent*(sent-1)/2 + nonce, To: &common.Address{1}, Gas: 21_000,
				GasTipCap: big.NewInt(1), GasFeeCap: big.NewInt(1e10),
			}))
			require.NoError(t, err)
			require.NoError(t, l2.SendTransaction(p.ctx, tx))
		}
		p.call(p.l2, "fakenode_seal")
	}
	for number := uint64(1); number <= 5; number++ {
		_, list, err := p.chain.InfoAndTxsByNumber(p.ctx, number)
		require.NoError(t, err)
		_, receipts, err := p.chain.FetchReceiptsByNumber(p.ctx, number)
		require.NoError(t, err)
		require.Len(t, receipts, len(list))
		if number == 1 {
			require.Len(t, list, 1, "nothing to refund")
			continue
		}
		last := list[len(list)-1]
		require.EqualValues(t, optypes.PostExecTxType, last.Type())
		payload, err := optypes.DecodePostExecPayload(last.Data())
		require.NoError(t, err)
		require.Equal(t, number, payload.BlockNumber)
		require.Len(t, payload.GasRefundEntries, int(number)-1)
		for i, entry := range payload.GasRefundEntries {
			require.EqualValues(t, 1+i, entry.Index)
			require.EqualValues(t, 21_000-entry.GasRefund, receipts[entry.Index].GasUsed)
		}
	}
}
