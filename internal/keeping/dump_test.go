package keeping_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure Importable reports what other clients have against the blocks, and the node is kept with them all the same.
func TestImportable(t *testing.T) {
	t.Parallel()
	whale := common.Address{0xaa}
	for name, test := range map[string]struct {
		config fakenode.Config
		do     func(t *testing.T, node *fakenode.Node)
		reason string
	}{
		"equal timestamps": {config: fakenode.Config{Mode: fakenode.Instant, EqualTimestamps: true}, reason: "timestamp", do: func(t *testing.T, node *fakenode.Node) {
			require.NoError(t, node.Send(transfer(t, node, 0, 0, 1)))
			require.NoError(t, node.Send(transfer(t, node, 0, 1, 1)))
		}},
		"half seconds": {config: fakenode.Config{BlockTime: time.Second / 2}, reason: "timestamp", do: func(_ *testing.T, node *fakenode.Node) {
			node.Advance(2 * time.Second)
		}},
		"gas limit": {reason: "gas limit", do: func(t *testing.T, node *fakenode.Node) {
			require.NoError(t, node.Timeline().Set(preconf.GasLimit(100_000_000)))
			node.Seal()
		}},
		"base fee": {reason: "base fee", do: func(t *testing.T, node *fakenode.Node) {
			require.NoError(t, node.Timeline().Set(preconf.NextBaseFee(new(big.Int))))
			node.Seal()
		}},
		"balance": {reason: "edited", do: func(t *testing.T, node *fakenode.Node) {
			require.NoError(t, node.Timeline().EditState(func(s *evmstate.State) *evmstate.State {
				return s.WithBalance(whale, uint256.NewInt(5))
			}))
			node.Seal()
		}},
		"impersonated": {reason: "no signature", do: func(t *testing.T, node *fakenode.Node) {
			_, err := node.Timeline().SendAs(node.Account(3).Address, nil, func(nonce uint64) (*types.Transaction, error) {
				return types.NewTx(&types.LegacyTx{Nonce: nonce, GasPrice: big.NewInt(1e10), Gas: 21_000, To: &whale, Value: big.NewInt(5)}), nil
			})
			require.NoError(t, err)
			node.Seal()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.config.State = keptConfig(t).State
			node := fakenode.RunConfigT(t, test.config)
			test.do(t, node)
			require.ErrorContains(t, node.Importable(), test.reason)
			again(t, node, test.config)
		})
	}
}
