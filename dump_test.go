package fakenode_test

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure a node begins with the accounts of another's dump: on the main network alone, for good, and on a chain that
// other clients can import.
func TestDump(t *testing.T) {
	t.Parallel()
	before := fakenode.RunT(t)
	before.Token().Transfer(before.Account(0), before.Account(1).Address, fixtures.USD("25.00"))
	before.Seal()
	var dump bytes.Buffer
	require.NoError(t, before.Dump(&dump))
	alloc, err := fakenode.ReadDump(&dump)
	require.NoError(t, err)

	node := fakenode.RunConfigT(t, fakenode.Config{Alloc: alloc})
	node.Seal()
	require.NoError(t, node.Client().Client().Call(nil, "anvil_reset"))
	require.Zero(t, node.BlockNumber())
	node.CheckBalance(t, node.Account(1).Address, fixtures.USD("1000025.00"))
	nonce, err := node.Client().NonceAt(t.Context(), node.Account(0).Address, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, nonce)
	nonce, err = node.Testnet().Client().NonceAt(t.Context(), node.Account(0).Address, nil)
	require.NoError(t, err)
	require.Zero(t, nonce)
	require.NoError(t, node.Importable())

	_, err = fakenode.ReadDump(strings.NewReader("[]"))
	require.ErrorContains(t, err, "dump: ")
	_, err = fakenode.New(fakenode.Config{Alloc: alloc, Genesis: fakenode.NewGenesis(nil)})
	require.ErrorContains(t, err, "brings its own accounts")
}

// Ensure accounts of a dump win over predeploys at the same address.
func TestDumpOverPredeploys(t *testing.T) {
	t.Parallel()
	address := common.Address{19: 0xaa}
	node := fakenode.RunConfigT(t, fakenode.Config{
		Predeploys: types.GenesisAlloc{address: {Balance: big.NewInt(1)}},
		Alloc:      types.GenesisAlloc{address: {Balance: big.NewInt(2)}},
	})
	balance, err := node.Client().BalanceAt(t.Context(), address, nil)
	require.NoError(t, err)
	require.EqualValues(t, 2, balance.Int64())
	balance, err = node.Testnet().Client().BalanceAt(t.Context(), address, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, balance.Int64())
}
