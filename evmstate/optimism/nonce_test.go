package optimism_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a transaction that is sent behind a deposit of the same account gets the nonce after the deposit's, and the
// balance that the deposit leaves counts, though nothing is pre-confirmed yet.
func TestRollupSentBehindDeposit(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	sender := r.Account(0).Address
	r.deposit(`{"from": "` + sender.Hex() + `", "to": "` + r.Account(1).Address.Hex() + `", "value": "0x1"}`)
	var nonce hexutil.Uint64
	r.call(&nonce, "eth_getTransactionCount", sender, "pending")
	require.EqualValues(t, 1, nonce)
	sent := r.send(1, nil)
	r.Seal()
	require.EqualValues(t, 1, r.receipt(sent).Status)
	require.EqualValues(t, 2, r.receipt(sent).TransactionIndex)

	// Fees of L1 that wait for the next block count, too.
	r.call(nil, "fakenode_setL1", map[string]any{"baseFee": (*hexutil.Big)(new(big.Int).Exp(big.NewInt(10), big.NewInt(22), nil))})
	require.ErrorContains(t, r.rpc.Call(nil, "eth_sendTransaction", map[string]any{"from": sender, "to": sender, "value": "0x1"}), "insufficient funds")
}
