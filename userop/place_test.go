package userop_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/userop"
)

// statuses are the words of pimlico_getUserOperationStatus for places.
var statuses = map[preconf.Where]string{
	fakenode.Unknown: "not_found", fakenode.Pooled: "submitted", fakenode.Preconfirmed: "included", fakenode.Sealed: "included",
	fakenode.Orphaned: "not_found", fakenode.Dropped: "rejected",
}

// Ensure Go and JSON-RPC name the same place of an operation on its whole way: in the pool, pre-confirmed, sealed,
// removed by a reorg and put back by one, and dropped with a lost pre-confirmation.
func TestOperationPlace(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	l := visit(t, node)
	l.do(nil, "anvil_setCode", tableSender, willing)
	var hash common.Hash
	send := func() {
		t.Helper()
		l.do(&hash, "eth_sendUserOperation", parts{sender: tableSender}.fields("0.7"), entryPoints["0.7"])
	}
	is := func(want preconf.Where, blocks ...uint64) {
		t.Helper()
		place := node.Operation(hash)
		require.Equal(t, want, place.Where)
		var object struct {
			Where           preconf.Where
			Reason          string
			TransactionHash *common.Hash
			BlockHash       *common.Hash
		}
		l.do(&object, "fakenode_operation", hash)
		require.Equal(t, want, object.Where)
		var status struct {
			Status          string
			TransactionHash *common.Hash
		}
		l.do(&status, "pimlico_getUserOperationStatus", hash)
		require.Equal(t, statuses[want], status.Status)
		require.Equal(t, status.Status != "not_found", status.TransactionHash != nil)
		if place.Reason == nil {
			require.Empty(t, object.Reason)
		} else {
			require.Equal(t, place.Reason.Error(), object.Reason)
		}
		if want == fakenode.Unknown {
			require.Nil(t, object.TransactionHash)
			return
		}
		require.Equal(t, place.Bundle, *object.TransactionHash)
		require.Equal(t, want, node.Place(place.Bundle).Where)
		for _, number := range blocks {
			require.Equal(t, number, place.View.Number())
			require.Equal(t, place.View.Hash(), *object.BlockHash)
		}
	}
	is(fakenode.Unknown)
	var prices map[string]struct{ MaxFeePerGas, MaxPriorityFeePerGas string }
	l.do(&prices, "pimlico_getUserOperationGasPrice")
	require.Len(t, prices, 3)
	for _, speed := range []string{"slow", "standard", "fast"} {
		require.Equal(t, "0x3b9aca00", prices[speed].MaxPriorityFeePerGas)
		require.Greater(t, hexutil.MustDecodeUint64(prices[speed].MaxFeePerGas), uint64(2e9))
	}
	send()
	is(fakenode.Pooled)
	node.Preconfirm()
	is(fakenode.Preconfirmed)
	node.Seal()
	latest := func() uint64 { return node.Timeline().Moment().Latest().Number() }
	height := latest()
	is(fakenode.Sealed, height)
	node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	is(fakenode.Orphaned, height)
	require.ErrorIs(t, node.Operation(hash).Reason, pool.ErrReorged)
	send()
	is(fakenode.Pooled)
	node.Seal()
	height = latest()
	node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Requeue})
	is(fakenode.Sealed, height)
	require.NoError(t, node.Timeline().Hold(control.Hold{}))
	node.Reorg(fakenode.ReorgOptions{Depth: int(latest()-height) + 1})
	is(fakenode.Pooled)
	_, err := node.Timeline().Release()
	require.NoError(t, err)
	node.Preconfirm()
	l.do(nil, "fakenode_flashblockFault", object{"kind": "drop", "count": 1, "transactions": "gone"})
	node.Seal()
	is(fakenode.Dropped) // found in the block that held it once
}

// Ensure each fault strikes one operation: what becomes of it after two blocks, and how many transactions these have.
func TestBundlerFaultsStrike(t *testing.T) {
	t.Parallel()
	for _, want := range []struct {
		fault  fakenode.BundlerFault
		where  preconf.Where
		reason string
		pooled int // operations in the pool before these
		bundle int // transactions in the two blocks
	}{
		{fakenode.BundlerFault{Kind: fakenode.IncludeNever}, fakenode.Pooled, "it is held on command, until released", 1, 0},
		{fakenode.BundlerFault{Kind: fakenode.IncludeLate, Blocks: 1}, fakenode.Sealed, "", 1, 1},
		{fakenode.BundlerFault{Kind: fakenode.RevertBundle}, fakenode.Dropped, "its bundle reverted", 1, 1},
		{fakenode.BundlerFault{Kind: fakenode.ReplaceBundle}, fakenode.Sealed, "", 1, 1},
		{fakenode.BundlerFault{Kind: fakenode.SendTwice}, fakenode.Sealed, "", 2, 2},
		{fakenode.BundlerFault{Kind: fakenode.Forget}, fakenode.Dropped, "the bundler has forgotten it", 0, 0},
	} {
		t.Run(string(want.fault.Kind), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			l := visit(t, node)
			l.do(nil, "anvil_setCode", tableSender, willing)
			require.NoError(t, node.BundlerFault(want.fault))
			var struck, after common.Hash
			fields := parts{sender: tableSender}.fields("0.7")
			l.do(&struck, "eth_sendUserOperation", fields, entryPoints["0.7"])
			var pooled []object
			l.do(&pooled, "debug_bundler_dumpMempool", entryPoints["0.7"])
			require.Len(t, pooled, want.pooled)
			sealed := func() int {
				count, err := node.Client().TransactionCount(t.Context(), node.Seal())
				require.NoError(t, err)
				return int(count)
			}
			transactions := sealed()
			require.Equal(t, want.fault.Blocks == 0 && want.bundle > 0, transactions > 0)
			transactions += sealed()
			require.Equal(t, want.bundle, transactions)
			require.Equal(t, want.where, node.Operation(struck).Where)
			var object struct{ Reason, Fault string }
			l.do(&object, "fakenode_operation", struck)
			require.Equal(t, string(want.fault.Kind), object.Fault)
			require.Contains(t, object.Reason, want.reason)
			if want.where == fakenode.Pooled {
				return // it keeps its nonce
			}
			fields["nonce"] = "0x10000000000000000" // of another key
			l.do(&after, "eth_sendUserOperation", fields, entryPoints["0.7"])
			node.Seal()
			require.Equal(t, fakenode.Sealed, node.Operation(after).Where, "the fault is over")
		})
	}
}

// Ensure an operation is found however many blocks ago it was included, with what its event tells of it, and that a
// fork does not know it.
func TestOperationIsFoundLater(t *testing.T) {
	t.Parallel()
	l := newLab(t, first)
	hash := l.send(first, object{"nonce": "0x10000000000000000"})
	l.Seal()
	at := l.BlockNumber()
	for range 210 {
		in, err := userop.LookUp(l.Moment(), hash)
		require.NoError(t, err)
		require.NotNil(t, in, "at block %d", l.BlockNumber())
		require.Equal(t, at, in.Event.BlockNumber)
		l.Seal()
	}
	in, err := userop.LookUp(l.Moment(), hash)
	require.NoError(t, err)
	require.Equal(t, first, in.Sender())
	require.Equal(t, new(big.Int).Lsh(common.Big1, 64), in.Nonce())
	require.True(t, in.Succeeded())
	require.Zero(t, in.Cost().Sign())
	require.Positive(t, in.Gas().Sign())
	require.Equal(t, common.Address{}, in.Paymaster())
	require.Equal(t, in.Nonce(), in.Operation.Nonce.ToInt())
	require.Empty(t, in.Logs())
	require.Empty(t, in.Reason(nil))
	none, err := userop.LookUp(l.Moment(), common.Hash{1})
	require.NoError(t, err)
	require.Nil(t, none)

	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: l.URL()}})
	for range 70 {
		in, err := userop.LookUp(fork.Moment(), hash)
		require.NoError(t, err)
		require.Nil(t, in)
		fork.Seal()
	}
	require.Equal(t, userop.Place{Where: preconf.Unknown}, userop.PlaceOf(fork.Moment(), hash))
}

// authorize returns an authorization of EIP-7702 as clients send it.
func authorize(t testing.TB, signer fakenode.Account, a types.SetCodeAuthorization, change object) object {
	t.Helper()
	a, err := types.SignSetCode(signer.Key, a)
	require.NoError(t, err)
	word := func(n uint256.Int) string { return fmt.Sprintf("0x%064x", n.ToBig()) }
	members := object{
		"chainId": hexutil.Uint64(a.ChainID.Uint64()), "address": a.Address, "nonce": hexutil.Uint64(a.Nonce),
		"yParity": fmt.Sprintf("0x%02x", a.V), "r": word(a.R), "s": word(a.S),
	}
	for name, value := range change {
		members[name] = value
	}
	return members
}

// Ensure an authorization that would not take effect is refused with the member that is wrong, and that one for this or
// every chain delegates its sender; it is told back without leading zeros.
func TestAuthorizationsOfOperations(t *testing.T) {
	t.Parallel()
	code, other := common.Address{0xc0}, common.Address{0xc1}
	l := newLab(t, code, other)
	sender, stranger := l.Account(3), l.Account(4)
	chain := *uint256.NewInt(31337)
	good := types.SetCodeAuthorization{ChainID: chain, Address: code}
	refused := func(text string, a object) {
		t.Helper()
		err := l.client.Call(nil, "eth_sendUserOperation", operation(sender.Address, object{"factory": "0x7702", "eip7702Auth": a}), entrypoint.V08Address)
		require.ErrorContains(t, err, text)
		require.Equal(t, -32602, err.(rpc.Error).ErrorCode(), err)
	}
	auth := "user operation: eip7702Auth: "
	refused(auth+"chainId is 0x1, want 0x7a69, or 0x0 for all chains", authorize(t, sender, types.SetCodeAuthorization{ChainID: *uint256.NewInt(1), Address: code}, nil))
	refused(auth+"the signature is not valid: yParity must be 0 or 1", authorize(t, sender, good, object{"yParity": "0x2"}))
	refused(auth+"the signature is not valid: yParity must be 0 or 1", authorize(t, sender, good, object{"yParity": "0x100"}))
	refused(auth+"it is signed by "+stranger.Address.Hex()+", not by the sender "+sender.Address.Hex(), authorize(t, stranger, good, nil))
	refused(auth+"nonce is 0x1, and the sender's is 0x0", authorize(t, sender, types.SetCodeAuthorization{ChainID: chain, Address: code, Nonce: 1}, nil))
	refused("is no hex number of at most 32 bytes", authorize(t, sender, good, object{"r": "0x" + strings.Repeat("0", 65)}))
	refused("is no hex number of at most 32 bytes", authorize(t, sender, good, object{"r": "12"}))
	refused("is no hex number of at most 32 bytes", authorize(t, sender, good, object{"r": "0x-1"}))

	told := func(hash common.Hash) (signed types.SetCodeAuthorization, factory string) {
		t.Helper()
		var object struct {
			UserOperation struct {
				Factory     string
				EIP7702Auth struct {
					ChainID, Nonce, YParity hexutil.Uint64
					R, S                    *hexutil.Big
					Address                 common.Address
				} `json:"eip7702Auth"`
			}
		}
		l.do(&object, "eth_getUserOperationByHash", hash)
		a := object.UserOperation.EIP7702Auth
		return types.SetCodeAuthorization{
			ChainID: *uint256.NewInt(uint64(a.ChainID)), Address: a.Address, Nonce: uint64(a.Nonce), V: uint8(a.YParity),
			R: *uint256.MustFromBig(a.R.ToInt()), S: *uint256.MustFromBig(a.S.ToInt()),
		}, object.UserOperation.Factory
	}
	for i, c := range []struct {
		auth  types.SetCodeAuthorization
		nonce string
	}{
		{good, "0x0"},
		{types.SetCodeAuthorization{Address: other, Nonce: 1}, "0x1"},
		{types.SetCodeAuthorization{Address: other, Nonce: 0}, "0x2"}, // it runs that code already
	} {
		hash := l.send(sender.Address, object{"nonce": c.nonce, "factory": "0x7702", "eip7702Auth": authorize(t, sender, c.auth, nil)})
		want, err := types.SignSetCode(sender.Key, c.auth)
		require.NoError(t, err)
		signed, factory := told(hash)
		require.Equal(t, want, signed, i)
		require.Equal(t, "0x7702", factory, i)
		l.Seal()
		require.Equal(t, fakenode.Sealed, l.Operation(hash).Where, i)
		var is hexutil.Bytes
		l.do(&is, "eth_getCode", sender.Address, "latest")
		require.Equal(t, hexutil.Bytes(types.AddressToDelegation(c.auth.Address)), is, i)
	}
	refused(auth+"nonce is 0x0, and the sender's is 0x2", authorize(t, sender, good, nil))
	hash := l.send(sender.Address, object{"nonce": "0x3", "factory": "0x7702"}) // it needs no other authorization
	l.Seal()
	require.Equal(t, fakenode.Sealed, l.Operation(hash).Where)
}
