package rpcserver

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a delegation on command leaves an account as an authorization in a transaction does, at latest, at pending and
// after the next block: code, nonce, what a call runs; and so does the end of one.
func TestDelegateIsAnAuthorization(t *testing.T) {
	t.Parallel()
	commanded, real := newNetwork(t, preconf.Config{}, Config{}), newNetwork(t, preconf.Config{}, Config{})
	account := fixtures.Dev(5).Address
	picture := func(n *network, tag string) []string {
		return []string{
			fetch[string](n, "eth_getCode", account, tag), fetch[string](n, "eth_getTransactionCount", account, tag),
			fetch[string](n, "eth_call", map[string]any{"to": account, "data": "0x" + padded("1") + padded("2")}, tag),
			string(fetch[json.RawMessage](n, "eth_getAccountInfo", account, tag)),
		}
	}
	for nonce, target := range []common.Address{counter, emitter, {}, counter} {
		real.do("fakenode_preconfirm")
		delegate(real, 5, target, uint64(nonce))
		real.seal(1)
		commanded.do("fakenode_delegate", account, target)
		for _, tag := range []string{"latest", "pending"} {
			require.Equal(t, picture(real, "latest"), picture(commanded, tag), "%s: %s", target, tag)
		}
		commanded.seal(1)
		require.Equal(t, picture(real, "latest"), picture(commanded, "latest"), target)
	}
	want := hexutil.Encode(types.AddressToDelegation(counter))
	require.Equal(t, want, fetch[string](commanded, "eth_getCode", account))
	require.Equal(t, "0x4", fetch[string](commanded, "eth_getTransactionCount", account))
}

// Ensure a transaction with the nonce that the authorization takes is dropped with the reason, whether it waits or is
// pre-confirmed, and that the one behind it is not.
func TestDelegateTakesANonce(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	first := n.pay(5, 6, 1)
	n.preconfirm()
	second := n.pay(5, 6, 2)
	n.do("fakenode_delegate", fixtures.Dev(5).Address, counter)
	require.Equal(t, map[string]any{"where": "dropped", "reason": "nonce too low: address " + fixtures.Dev(5).Address.Hex() + ", tx: 0 state: 1"},
		fetch[map[string]any](n, "fakenode_transaction", first.Hash()))
	n.preconfirm()
	require.Equal(t, "preconfirmed", fetch[map[string]any](n, "fakenode_transaction", second.Hash())["where"])
	n.seal(1)
	require.Equal(t, "0x2", fetch[string](n, "eth_getTransactionCount", fixtures.Dev(5).Address))
}

// Ensure an impersonated account runs the code that it delegates to, and what no authorization can do is rejected in
// words and changes nothing.
func TestDelegateRefusals(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	whale := common.HexToAddress("0xa11ce")
	n.do("anvil_setBalance", whale, "1000000000000000000")
	n.do("anvil_impersonateAccount", whale)
	n.do("fakenode_delegate", whale, counter)
	n.send(fixtures.Account{Address: whale}, &whale, nil)
	n.seal(1)
	require.Equal(t, "0x"+padded("1"), fetch[string](n, "eth_getStorageAt", whale, "0x0"), "the counter counted in the account's storage")

	n.unchanged(func() {
		n.refuses(api.CodeInvalidParams, []string{"fakenode_delegate", counter.Hex(), "code of its own"}, "fakenode_delegate", counter, emitter)
	})
	n.do("anvil_setNonce", bob.Address, hexutil.EncodeUint64(math.MaxUint64))
	n.unchanged(func() {
		n.refuses(api.CodeInvalidParams, []string{bob.Address.Hex(), "the last nonce"}, "fakenode_delegate", bob.Address, emitter)
	})
	genesis := *networkGenesis()
	var err error
	genesis.Config, err = chain.ForkConfig("cancun", networkChainID)
	require.NoError(t, err)
	before, err := chain.New(&genesis, chain.Options{})
	require.NoError(t, err)
	old := newNetwork(t, preconf.Config{Chain: before}, Config{})
	old.refuses(api.CodeInvalidParams, []string{"prague"}, "fakenode_delegate", bob.Address, emitter)
}
