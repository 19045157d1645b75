package door_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure clients read the values that a test writes into an account.
func TestStateByHand(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, account := node.Client(), common.HexToAddress("0xc0ffee")
	node.SetBalance(account, uint256.NewInt(7))
	node.SetNonce(account, 5)
	node.SetCode(account, []byte{0x60, 0x01})
	node.SetStorage(account, common.HexToHash("0x2"), common.HexToHash("0x3"))

	balance, err := client.BalanceAt(t.Context(), account, nil)
	require.NoError(t, err)
	require.Equal(t, big.NewInt(7), balance)
	nonce, err := client.PendingNonceAt(t.Context(), account)
	require.NoError(t, err)
	require.EqualValues(t, 5, nonce)
	code, err := client.CodeAt(t.Context(), account, nil)
	require.NoError(t, err)
	require.Equal(t, []byte{0x60, 0x01}, code)
	value, err := client.StorageAt(t.Context(), account, common.HexToHash("0x2"), nil)
	require.NoError(t, err)
	require.Equal(t, common.HexToHash("0x3").Bytes(), value)
}

// Ensure an account can be impersonated, and a transaction dropped from the pool, by methods with Go's types.
func TestImpersonateAndDrop(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	whale := common.HexToAddress("0xa11ce")
	node.SetBalance(whale, uint256.NewInt(1e18))
	send := func() (hash common.Hash, err error) {
		err = client.Call(&hash, "eth_sendTransaction", map[string]any{"from": whale, "to": node.Account(1).Address})
		return hash, err
	}
	_, err = send()
	require.Error(t, err)
	node.Impersonate(whale)
	hash, err := send()
	require.NoError(t, err)
	require.True(t, node.DropTransaction(hash))
	require.False(t, node.DropTransaction(hash))
	require.Equal(t, fakenode.Dropped, node.Place(hash).Where)
	node.StopImpersonating(whale)
	_, err = send()
	require.Error(t, err)
}

// Ensure a payment can expire in the pool: it is held there until after the authorization's end.
func TestAuthorizationExpiresInThePool(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	merchant := node.Account(1)
	require.NoError(t, node.Hold(fakenode.Hold{Senders: []common.Address{merchant.Address}}))
	held, err := node.Transact(merchant, fakenode.Tx{To: new(node.Token().Address()), Gas: 200_000, Data: capture(node)})
	require.NoError(t, err)
	node.Advance(16 * time.Minute)
	require.Equal(t, fakenode.Pooled, node.Place(held).Where)
	require.Equal(t, 1, node.Release())
	node.Seal()
	reason, err := node.RevertReason(held)
	require.NoError(t, err)
	require.Contains(t, reason, "expired")
}

// Ensure calls are counted from a mark on.
func TestCallsSinceAMark(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, client.Call(nil, "eth_chainId"))
	mark := node.MarkCalls()
	require.Empty(t, mark.Calls(""))
	require.NoError(t, client.Call(nil, "eth_chainId"))
	require.NoError(t, client.Call(nil, "eth_blockNumber"))
	calls, err := mark.WaitForCall(t.Context(), "eth_chainId", 1)
	require.NoError(t, err)
	require.Len(t, calls, 1, "not the one before the mark")
	require.Len(t, mark.Calls(""), 2)
	require.Len(t, node.Calls("eth_chainId"), 2)
}

// Ensure an account that a test delegates runs the code of the implementation, until it delegates to none.
func TestDelegateByHand(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, account := node.Client(), node.Account(3).Address
	implementation := common.HexToAddress("0xc0de")
	node.SetCode(implementation, program.New().Push(7).Push(0).Op(vm.MSTORE).Return(0, 32).Bytes())
	for nonce, c := range []struct {
		target common.Address
		code   []byte
		answer []byte
	}{
		{implementation, types.AddressToDelegation(implementation), common.LeftPadBytes([]byte{7}, 32)},
		{common.Address{}, []byte{}, []byte{}},
	} {
		node.Delegate(account, c.target)
		code, err := client.CodeAt(t.Context(), account, nil)
		require.NoError(t, err)
		require.Equal(t, c.code, code)
		answer, err := client.CallContract(t.Context(), ethereum.CallMsg{To: &account}, nil)
		require.NoError(t, err)
		require.Equal(t, append([]byte{}, c.answer...), append([]byte{}, answer...))
		next, err := client.PendingNonceAt(t.Context(), account)
		require.NoError(t, err)
		require.EqualValues(t, nonce+1, next)
	}
	require.Error(t, node.Importable(), "the state was edited")
}

// Ensure a block that is delayed becomes head with the one after it.
func TestDelayBlocks(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	require.NoError(t, node.DelayBlocks(1))
	node.Preconfirm()
	node.Seal()
	require.Zero(t, node.BlockNumber())
	node.Seal()
	require.EqualValues(t, 2, node.BlockNumber())
	require.ErrorContains(t, node.DelayBlocks(-1), "-1")
}
