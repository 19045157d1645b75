package bridge_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
)

// call encodes a call by its signature.
func (c crossings) call(signature string, arguments ...any) []byte {
	c.Helper()
	method, err := abi.ParseSelector(signature)
	require.NoError(c, err)
	inputs := make(abi.Arguments, len(method.Inputs))
	for i, input := range method.Inputs {
		inputs[i].Type, err = abi.NewType(input.Type, "", input.Components)
		require.NoError(c, err)
	}
	packed, err := inputs.Pack(arguments...)
	require.NoError(c, err)
	return append(abi.NewMethod(method.Name, method.Name, abi.Function, "", false, false, inputs, nil).ID, packed...)
}

// succeeds sends a call that must succeed.
func (c crossings) succeeds(on *fakenode.Network, to common.Address, wei uint64, data []byte) common.Hash {
	c.Helper()
	hash := c.send(on, to, wei, data)
	found, err := on.Moment().Find(hash)
	require.NoError(c, err)
	require.EqualValues(c, 1, found.Receipt.Status)
	return hash
}

// paid proves the withdrawal of a transaction by a new game, and finalizes it.
func (c crossings) paid(of common.Hash) {
	c.Helper()
	number := c.BlockNumber()
	_, err := c.Bridge().Propose(&number, nil)
	require.NoError(c, err)
	c.L1().Seal()
	games, err := c.Bridge().Games()
	require.NoError(c, err)
	c.prove(of, games[len(games)-1].Index)
	c.mature()
	c.finalize(of)
}

// Ensure the bridge moves ether and a token to the L2 and back, each by messages that the other side relays.
func TestBridgeMovesTokens(t *testing.T) {
	t.Parallel()
	c := newCrossings(t, 0)
	alice, bob := c.Account(0).Address, c.Account(1).Address
	balance := func(on *fakenode.Network) *uint256.Int {
		state, err := on.Moment().Latest().State()
		require.NoError(t, err)
		return state.Balance(bob)
	}
	had := balance(c.Network)
	c.succeeds(c.L1(), l1.Optimism.StandardBridge, 1000, c.call("bridgeETHTo(address,uint32,bytes)", bob, uint32(200_000), []byte{}))
	c.Seal()
	require.EqualValues(t, 1000, new(uint256.Int).Sub(balance(c.Network), had).Uint64())

	had = balance(c.L1())
	c.paid(c.succeeds(c.Network, predeploys.StandardBridgeAddress, 400, c.call("bridgeETHTo(address,uint32,bytes)", bob, uint32(200_000), []byte{})))
	require.EqualValues(t, 400, new(uint256.Int).Sub(balance(c.L1()), had).Uint64())

	// The bridges do not mint the L2's token, but lock it on both sides.
	onL1, onL2 := c.L1().Token(), c.Token()
	onL1.Approve(c.Account(0), l1.Optimism.StandardBridge, uint256.NewInt(5_000_000))
	had = onL2.BalanceOf(alice)
	c.succeeds(c.L1(), l1.Optimism.StandardBridge, 0, c.call("bridgeERC20(address,address,uint256,uint32,bytes)",
		onL1.Address(), onL2.Address(), big.NewInt(5_000_000), uint32(300_000), []byte{}))
	c.Seal()
	require.EqualValues(t, 5_000_000, new(uint256.Int).Sub(onL2.BalanceOf(alice), had).Uint64())

	onL2.Approve(c.Account(0), predeploys.StandardBridgeAddress, uint256.NewInt(2_000_000))
	had = onL1.BalanceOf(alice)
	c.paid(c.succeeds(c.Network, predeploys.StandardBridgeAddress, 0, c.call("bridgeERC20(address,address,uint256,uint32,bytes)",
		onL2.Address(), onL1.Address(), big.NewInt(2_000_000), uint32(300_000), []byte{})))
	require.EqualValues(t, 2_000_000, new(uint256.Int).Sub(onL1.BalanceOf(alice), had).Uint64())
}
