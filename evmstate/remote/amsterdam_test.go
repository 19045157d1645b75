package remote_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// payStranger sends 7 wei to an account that does not exist, seals, and returns the receipt.
func payStranger(t *testing.T, node *fakenode.Node, gas uint64) *types.Receipt {
	t.Helper()
	stranger := common.HexToAddress("0x5712a9e5")
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: &stranger, Value: uint256.NewInt(7), Gas: gas})
	require.NoError(t, err)
	node.Seal()
	found, err := node.Moment().Find(hash)
	require.NoError(t, err)
	return found.Receipt
}

// TestAmsterdamAboveFork checks that blocks above an osaka fork block go by amsterdam's rules where that is asked for.
func TestAmsterdamAboveFork(t *testing.T) {
	t.Parallel()
	below := fakenode.RunConfigT(t, fakenode.Config{Hardfork: "osaka"})
	require.Equal(t, types.ReceiptStatusSuccessful, payStranger(t, below, 21_000).Status)
	node := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}, Hardfork: "amsterdam"})
	s := &session{t: t, node: node, client: dial(t, node)}

	require.Equal(t, uint64(21_000), payStranger(t, node, 30_000).GasUsed, "the account is there since block 1")
	paid := node.Account(0).Address
	var header types.Header
	s.ask(&header, "eth_getHeaderByNumber", "0x2")
	require.Equal(t, uint64(0), *header.SlotNumber)
	var raw hexutil.Bytes
	s.ask(&raw, "debug_getRawBlockAccessList", "0x2")
	require.Equal(t, *header.BlockAccessListHash, crypto.Keccak256Hash(raw))
	var logs []types.Log
	s.ask(&logs, "eth_getLogs", map[string]any{"fromBlock": "0x0", "address": params.SystemAddress})
	require.Len(t, logs, 1)
	require.Equal(t, common.BytesToHash(paid[:]), logs[0].Topics[1])
	var gas hexutil.Uint64
	s.ask(&gas, "eth_estimateGas", map[string]any{"from": paid, "to": common.HexToAddress("0xabcdef"), "value": "0x1"})
	require.Equal(t, hexutil.Uint64(21_000+183_600), gas)
	requireNotFound(t, s.client, "block 1 has no access list: it is before amsterdam", "0x1")
}

// TestAccessListsBelowFork checks that the access list of a block of the other chain is asked of its node, compared
// with the block's header, and missed by name where that node does not have it.
func TestAccessListsBelowFork(t *testing.T) {
	t.Parallel()
	below := fakenode.RunConfigT(t, fakenode.Config{Hardfork: "amsterdam"})
	payStranger(t, below, 300_000)
	below.Seal()
	g := newGateway(t, below.URL())
	s := runFork(t, fakenode.Fork{URL: g.URL})
	for _, block := range []string{"0x1", "0x2"} { // below the fork block, and the fork block
		for _, method := range []string{"eth_getBlockAccessList", "debug_getRawBlockAccessList"} {
			var want, got json.RawMessage
			require.NoError(t, dial(t, below).Call(&want, method, block))
			s.ask(&got, method, block)
			require.JSONEq(t, string(want), string(got), "%s of block %s", method, block)
		}
	}
	var above []json.RawMessage
	s.node.Seal()
	s.ask(&above, "eth_getBlockAccessList", "0x3")
	require.NotEmpty(t, above)

	g.mu.Lock()
	g.alter = func(answer string) string { return strings.ReplaceAll(answer, `"value":"0x7"`, `"value":"0x8"`) }
	g.mu.Unlock()
	lied := runFork(t, fakenode.Fork{URL: g.URL})
	err := lied.client.Call(nil, "eth_getBlockAccessList", "0x1")
	require.ErrorContains(t, err, "access list of block 1: "+g.URL+" answered one with hash 0x")

	g.mu.Lock()
	g.alter, g.refuse = nil, []string{"eth_getBlockAccessList"}
	g.mu.Unlock()
	without := runFork(t, fakenode.Fork{URL: g.URL})
	requireNotFound(t, without.client, "block 1 is the other chain's, whose node has no access list of it: fork: access list of block 1", "0x1")
}

// requireNotFound checks that neither method has an access list of a block, for that reason.
func requireNotFound(t *testing.T, client *rpc.Client, reason, block string) {
	t.Helper()
	for _, method := range []string{"eth_getBlockAccessList", "debug_getRawBlockAccessList"} {
		err := client.Call(nil, method, block)
		require.ErrorContains(t, err, reason, method)
		var coded rpc.Error
		require.ErrorAs(t, err, &coded)
		require.Equal(t, -32001, coded.ErrorCode())
	}
}
