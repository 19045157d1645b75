package integration_test

import (
	"bytes"
	"compress/gzip"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// dumped is an account that the tests of dumps look for: code that returns slot 1, and the slot.
var dumped = struct {
	address common.Address
	balance *big.Int
	code    []byte
	slot    common.Hash
	nonce   uint64
}{common.Address{19: 0xdd}, big.NewInt(77), common.FromHex("0x60015460005260206000f3"), common.HexToHash("0x0123"), 9}

// writeDumped makes the account on a node, and a block.
func writeDumped(t *testing.T, client *ethclient.Client) {
	t.Helper()
	for method, params := range map[string][]any{
		"anvil_setBalance":   {dumped.address, (*hexutil.Big)(dumped.balance)},
		"anvil_setCode":      {dumped.address, hexutil.Bytes(dumped.code)},
		"anvil_setNonce":     {dumped.address, hexutil.Uint64(dumped.nonce)},
		"anvil_setStorageAt": {dumped.address, "0x1", dumped.slot},
	} {
		require.NoError(t, client.Client().CallContext(t.Context(), nil, method, params...), method)
	}
	require.NoError(t, client.Client().CallContext(t.Context(), nil, "anvil_mine", "0x3"))
}

// requireDumped looks for the account on a node.
func requireDumped(t *testing.T, client *ethclient.Client) {
	t.Helper()
	balance, err := client.BalanceAt(t.Context(), dumped.address, nil)
	require.NoError(t, err)
	require.Equal(t, dumped.balance, balance)
	nonce, err := client.NonceAt(t.Context(), dumped.address, nil)
	require.NoError(t, err)
	require.Equal(t, dumped.nonce, nonce)
	var returned hexutil.Bytes
	require.NoError(t, client.Client().CallContext(t.Context(), &returned, "eth_call", map[string]any{"to": dumped.address}, "latest"))
	require.Equal(t, dumped.slot.Bytes(), []byte(returned))
}

// Ensure what anvil dumps loads here: on command, and from its file when the node starts.
func TestLoadsAnvilsDumps(t *testing.T) {
	t.Parallel()
	url, stop := startAnvil(t, "--preserve-historical-states")
	defer stop()
	theirs, err := ethclient.Dial(url)
	require.NoError(t, err)
	defer theirs.Close()
	writeDumped(t, theirs)
	var dump hexutil.Bytes
	require.NoError(t, theirs.Client().CallContext(t.Context(), &dump, "anvil_dumpState"))
	stop()

	node := fakenode.RunT(t)
	require.NoError(t, node.Client().Client().CallContext(t.Context(), nil, "anvil_loadState", dump))
	requireDumped(t, node.Client())
	file, err := gzip.NewReader(bytes.NewReader(dump)) // the same text that --dump-state writes, when anvil comes to that
	require.NoError(t, err)
	alloc, err := fakenode.ReadDump(file)
	require.NoError(t, err)
	requireDumped(t, fakenode.RunConfigT(t, fakenode.Config{Alloc: alloc}).Client())
}

// Ensure anvil loads what is dumped here, and goes on from the number of the head.
func TestAnvilLoadsOurDumps(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	writeDumped(t, node.Client())
	var dump hexutil.Bytes
	require.NoError(t, node.Client().Client().CallContext(t.Context(), &dump, "anvil_dumpState"))
	var text bytes.Buffer
	require.NoError(t, node.Dump(&text))
	file := filepath.Join(t.TempDir(), "state.json")
	require.NoError(t, os.WriteFile(file, text.Bytes(), 0o600))

	for _, args := range [][]string{nil, {"--load-state", file}} {
		url, stop := startAnvil(t, args...)
		defer stop()
		theirs, err := ethclient.Dial(url)
		require.NoError(t, err)
		defer theirs.Close()
		if args == nil {
			require.NoError(t, theirs.Client().CallContext(t.Context(), nil, "anvil_loadState", dump))
		}
		requireDumped(t, theirs)
		number, err := theirs.BlockNumber(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 3, number)
		require.NoError(t, theirs.Client().CallContext(t.Context(), nil, "evm_mine"))
		head, err := theirs.HeaderByNumber(t.Context(), nil)
		require.NoError(t, err)
		require.Equal(t, node.Moment().Latest().Hash(), head.ParentHash)
	}
}
