package fakenode_test

import (
	"bytes"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure what SaveState wrote is the same chain again.
func TestSaveState(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	node.Token().Mint(node.Account(0).Address, fixtures.USD("1"))
	restored, whole := reload(t, node)
	require.True(t, whole)
	require.Equal(t, node.Moment().Latest().Hash(), restored.Moment().Latest().Hash())
	restored.CheckBalance(t, node.Account(0).Address, fixtures.USD("1000001"))

	tx, err := types.SignNewTx(node.Account(0).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
		GasPrice: big.NewInt(1e10), Gas: 21_000, To: new(restored.Account(1).Address),
	})
	require.NoError(t, err)
	require.NoError(t, restored.Send(tx))
	restored.Seal()
	receipt, err := restored.Receipt(t.Context(), tx.Hash())
	require.NoError(t, err)
	require.Equal(t, uint64(1), receipt.Status)
}

// Ensure the settings that made a saved node can be given again with what was saved.
func TestSavedSettings(t *testing.T) {
	t.Parallel()
	config := fakenode.Config{Hardfork: "prague", GasLimit: 20_000_000, BaseFee: uint256.NewInt(9), ChainID: 77}
	node := fakenode.RunConfigT(t, config)
	node.Seal()
	var file bytes.Buffer
	_, err := node.SaveState(&file)
	require.NoError(t, err)
	require.NoError(t, config.LoadState(&file))
	restored := fakenode.RunConfigT(t, config)
	require.Equal(t, node.Moment().Latest().Hash(), restored.Moment().Latest().Hash())
	require.Equal(t, uint64(20_000_000), restored.Testnet().Moment().Latest().Header().GasLimit)
}

// reload saves a node and starts another from what was saved.
func reload(t *testing.T, node *fakenode.Node) (restored *fakenode.Node, whole bool) {
	t.Helper()
	var file bytes.Buffer
	whole, err := node.SaveState(&file)
	require.NoError(t, err)
	var config fakenode.Config
	require.NoError(t, config.LoadState(&file))
	return fakenode.RunConfigT(t, config), whole
}

// Ensure a node is saved whole whatever its blocks are like, and its accounts where blocks cannot be executed again.
func TestSaveStateOfUnusualBlocks(t *testing.T) {
	t.Parallel()
	whale := common.Address{0xaa}
	for name, test := range map[string]struct {
		config fakenode.Config
		do     func(t *testing.T, node *fakenode.Node)
		whole  bool
		export string // what other clients have against it
	}{
		"equal timestamps": {config: fakenode.Config{Mode: fakenode.Instant, EqualTimestamps: true}, whole: true, export: "timestamp", do: func(t *testing.T, node *fakenode.Node) {
			pay(t, node, 0)
			pay(t, node, 1)
		}},
		"half seconds": {config: fakenode.Config{BlockTime: time.Second / 2}, whole: true, export: "timestamp", do: func(_ *testing.T, node *fakenode.Node) {
			node.Advance(2 * time.Second)
		}},
		"gas limit": {whole: true, export: "gas limit", do: func(t *testing.T, node *fakenode.Node) {
			require.NoError(t, node.Timeline().SetGasLimit(100_000_000))
			node.Seal()
		}},
		"base fee": {whole: true, export: "base fee", do: func(t *testing.T, node *fakenode.Node) {
			require.NoError(t, node.Timeline().SetNextBaseFee(new(big.Int)))
			node.Seal()
		}},
		"balance": {export: "edited", do: func(t *testing.T, node *fakenode.Node) {
			require.NoError(t, node.Timeline().EditState(func(s *evmstate.State) *evmstate.State {
				return s.WithBalance(whale, uint256.NewInt(5))
			}))
			node.Seal()
		}},
		"impersonated": {export: "no signature", do: func(t *testing.T, node *fakenode.Node) {
			_, err := node.Timeline().SendUnsigned(node.Account(3).Address, types.NewTx(&types.LegacyTx{
				GasPrice: big.NewInt(1e10), Gas: 21_000, To: &whale, Value: big.NewInt(5),
			}))
			require.NoError(t, err)
			node.Seal()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, test.config)
			test.do(t, node)
			require.ErrorContains(t, node.Importable(), test.export)
			var file bytes.Buffer
			whole, err := node.SaveState(&file)
			require.NoError(t, err)
			require.Equal(t, test.whole, whole)

			var config fakenode.Config
			require.NoError(t, config.LoadState(&file))
			restored := fakenode.RunConfigT(t, config)
			before, err := node.Moment().Latest().State()
			require.NoError(t, err)
			after, err := restored.Moment().Latest().State()
			require.NoError(t, err)
			require.Equal(t, before.Root(), after.Root())
			if whole {
				require.Equal(t, node.Moment().Latest().Hash(), restored.Moment().Latest().Hash())
			}
		})
	}
}

// pay sends a transaction from development account 0.
func pay(t *testing.T, node *fakenode.Node, nonce uint64) {
	t.Helper()
	tx, err := types.SignNewTx(node.Account(0).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
		Nonce: nonce, GasPrice: big.NewInt(1e10), Gas: 21_000, To: new(node.Account(1).Address),
	})
	require.NoError(t, err)
	require.NoError(t, node.Send(tx))
}

// Ensure a node with a genesis of other holders ends without a complaint about the token.
func TestGenesisOfOtherHolders(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Accounts: 30})
	r := &recorder{TB: t}
	t.Run("node", func(t *testing.T) {
		r.TB = t
		fakenode.RunConfigT(r, fakenode.Config{Genesis: node.Moment().Chain().Genesis()})
	})
	require.Empty(t, r.failure)
}

// Ensure nothing is written where no node could start from it.
func TestSaveStateOfNoGenesis(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	require.NoError(t, node.Timeline().EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithCode(params.WithdrawalQueueAddress, nil)
	}))
	var file bytes.Buffer
	_, err := node.SaveState(&file)
	require.ErrorContains(t, err, params.WithdrawalQueueAddress.Hex())
	require.Zero(t, file.Len())
}
