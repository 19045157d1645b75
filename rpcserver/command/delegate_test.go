package command_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a delegation on command leaves an account as an authorization in a transaction does, at latest, at pending and
// after the next block: code, nonce, what a call runs; and so does the end of one.
func TestDelegateIsAnAuthorization(t *testing.T) {
	t.Parallel()
	commanded, real := servertest.Plain(t), servertest.Plain(t)
	account := fixtures.Dev(5).Address
	picture := func(n *servertest.Network, tag string) []string {
		return []string{
			servertest.Fetch[string](n, "eth_getCode", account, tag), servertest.Fetch[string](n, "eth_getTransactionCount", account, tag),
			servertest.Fetch[string](n, "eth_call", map[string]any{"to": account, "data": "0x" + servertest.Padded("1") + servertest.Padded("2")}, tag),
			string(servertest.Fetch[json.RawMessage](n, "eth_getAccountInfo", account, tag)),
		}
	}
	for nonce, target := range []common.Address{servertest.Counter, servertest.Emitter, {}, servertest.Counter} {
		real.Do("fakenode_preconfirm")
		delegate(real, 5, target, uint64(nonce))
		real.Seal(1)
		commanded.Do("fakenode_delegate", account, target)
		for _, tag := range []string{"latest", "pending"} {
			require.Equal(t, picture(real, "latest"), picture(commanded, tag), "%s: %s", target, tag)
		}
		commanded.Seal(1)
		require.Equal(t, picture(real, "latest"), picture(commanded, "latest"), target)
	}
	want := hexutil.Encode(types.AddressToDelegation(servertest.Counter))
	require.Equal(t, want, servertest.Fetch[string](commanded, "eth_getCode", account))
	require.Equal(t, "0x4", servertest.Fetch[string](commanded, "eth_getTransactionCount", account))
}

// Ensure a transaction with the nonce that the authorization takes is dropped with the reason, whether it waits or is
// pre-confirmed, and that the one behind it is not.
func TestDelegateTakesANonce(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	first := n.Pay(5, 6, 1)
	n.Preconfirm()
	second := n.Pay(5, 6, 2)
	n.Do("fakenode_delegate", fixtures.Dev(5).Address, servertest.Counter)
	require.Equal(t, map[string]any{"where": "dropped", "reason": "nonce too low: address " + fixtures.Dev(5).Address.Hex() + ", tx: 0 state: 1"},
		servertest.Fetch[map[string]any](n, "fakenode_transaction", first.Hash()))
	n.Preconfirm()
	require.Equal(t, "preconfirmed", servertest.Fetch[map[string]any](n, "fakenode_transaction", second.Hash())["where"])
	n.Seal(1)
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(5).Address))
}

// Ensure an impersonated account runs the code that it delegates to, and what no authorization can do is rejected in
// words and changes nothing.
func TestDelegateRefusals(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	whale := common.HexToAddress("0xa11ce")
	n.Do("anvil_setBalance", whale, "1000000000000000000")
	n.Do("anvil_impersonateAccount", whale)
	n.Do("fakenode_delegate", whale, servertest.Counter)
	n.Send(fixtures.Account{Address: whale}, &whale, nil)
	n.Seal(1)
	require.Equal(t, "0x"+servertest.Padded("1"), servertest.Fetch[string](n, "eth_getStorageAt", whale, "0x0"), "the counter counted in the account's storage")

	unchanged(n, func() {
		n.Refuses(api.CodeInvalidParams, []string{"fakenode_delegate", servertest.Counter.Hex(), "code of its own"}, "fakenode_delegate", servertest.Counter, servertest.Emitter)
	})
	n.Do("anvil_setNonce", servertest.Bob.Address, hexutil.EncodeUint64(math.MaxUint64))
	unchanged(n, func() {
		n.Refuses(api.CodeInvalidParams, []string{servertest.Bob.Address.Hex(), "the last nonce"}, "fakenode_delegate", servertest.Bob.Address, servertest.Emitter)
	})
	old := servertest.New(t, preconf.Config{Chain: chainOf(t, "cancun")}, rpcserver.Config{})
	old.Refuses(api.CodeInvalidParams, []string{"prague"}, "fakenode_delegate", servertest.Bob.Address, servertest.Emitter)
}
