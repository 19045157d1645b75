package integration_test

import (
	"math"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// needy is the code of a contract that reverts unless it has more than 20,000,000 gas.
var needy = hexutil.MustDecode("0x6301312d005a11600d575f5ffd5b00")

// Ensure the limit of a transaction's gas is that of EIP-7825 by default and can be raised and lifted, for whatever
// sends, estimates, makes a block again and traces, and that calls and simulations, which have limits of their own, are
// the same with each.
func TestTxGasLimit(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit uint64
		most  uint64 // that a transaction may ask for
	}{
		"default": {0, params.MaxTxGas},
		"raised":  {30_000_000, 30_000_000},
		"none":    {math.MaxUint64, 60_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := fakenode.Config{TxGasLimit: test.limit, Compat: fakenode.Geth, Mode: fakenode.Instant, State: filepath.Join(t.TempDir(), "state.db")}
			node := fakenode.RunConfigT(t, config)
			target := common.Address{0xcc}
			require.NoError(t, ask(t, node, nil, "anvil_setCode", target, hexutil.Bytes(needy)))
			object := func(gas uint64) map[string]any {
				return map[string]any{"from": node.Account(0).Address, "to": target, "gas": hexutil.Uint64(gas)}
			}
			raw := func(gas uint64) *types.Transaction {
				return types.MustSignNewTx(node.Account(1).Key, node.Moment().Signer(), &types.LegacyTx{
					Nonce: node.Moment().PoolNonce(node.Account(1).Address), To: &target, Gas: gas, GasPrice: big.NewInt(1e11),
				})
			}
			var hash common.Hash
			require.NoError(t, ask(t, node, &hash, "eth_sendTransaction", object(test.most)))
			require.NoError(t, node.Send(raw(test.most)))
			require.Error(t, ask(t, node, nil, "eth_sendTransaction", object(test.most+1)))
			err := node.Send(raw(test.most + 1))
			if test.most < node.Moment().Latest().Header().GasLimit {
				require.ErrorIs(t, err, core.ErrGasLimitTooHigh)
				require.ErrorContains(t, err, "cap: "+new(big.Int).SetUint64(test.most).String())
			} else {
				require.ErrorIs(t, err, txpool.ErrGasLimit)
			}

			status := map[bool]uint64{true: types.ReceiptStatusSuccessful}[test.most > 20_000_000]
			receipt, err := node.Receipt(t.Context(), hash)
			require.NoError(t, err)
			require.Equal(t, status, receipt.Status)
			require.NoError(t, ask(t, node, nil, "eth_call", object(30_000_000)))
			var simulated []struct {
				Calls []struct{ Status hexutil.Uint64 }
			}
			require.NoError(t, ask(t, node, &simulated, "eth_simulateV1", map[string]any{
				"blockStateCalls": []any{map[string]any{"calls": []any{object(30_000_000)}}},
			}, "latest"))
			require.EqualValues(t, 1, simulated[0].Calls[0].Status)
			_, err = node.Transact(node.Account(2), fakenode.Tx{To: &target})
			estimateErr := ask(t, node, nil, "eth_estimateGas", object(30_000_000))
			if status == types.ReceiptStatusSuccessful {
				require.NoError(t, err)
				require.NoError(t, estimateErr)
			} else {
				require.Error(t, err)
				require.Error(t, estimateErr)
			}

			require.NoError(t, ask(t, node, nil, "debug_traceTransaction", hash))
			_, err = node.Reorg(fakenode.ReorgOptions{Depth: 2})
			require.NoError(t, err)
			require.Equal(t, fakenode.Sealed, node.Place(hash).Where)
			head := node.Moment().Latest().Header().Hash()
			require.NoError(t, node.Close())
			node = fakenode.RunConfigT(t, config)
			require.Equal(t, head, node.Moment().Latest().Header().Hash())
			require.NoError(t, node.Send(raw(test.most)))
		})
	}
}
