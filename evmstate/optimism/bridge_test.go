package optimism_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
)

// Ensure the messenger of L2 sends messages as withdrawals, and relays those that its other half on L1 sends by
// deposits: once, and again what failed.
func TestRollupMessenger(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	m := r.contract("messenger", predeploys.MessengerAddress)
	m.has(t, map[string]string{
		"sendMessage": "3dbb202b", "relayMessage": "d764ad0b", "xDomainMessageSender": "6e296e45", "messageNonce": "ecc70428", "baseGas": "b28ade25",
		"successfulMessages": "b1b1b209", "failedMessages": "a4e7f8bd", "MESSAGE_VERSION": "3f827a5a", "otherMessenger": "db505d80", "OTHER_MESSENGER": "9fce812c",
	}, map[string]string{
		"SentMessage":           "cb0f7ffd78f9aee47a248fae8db181db6eee833039123e026dcbff529522e52a",
		"SentMessageExtension1": "8ebb2ec2465bdb2a06a66fc37a0963af8a2a6a1479d81d56fdb8cbb98096d546",
		"RelayedMessage":        "4641df4a962071e12719d8c8c8e5ac7fc4d97b927346a3d7a335b1f7517e133c",
	})
	versioned := func(n int64) *big.Int { return new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 240), big.NewInt(n)) }
	require.Equal(t, versioned(0), m.ask("messageNonce"))
	require.EqualValues(t, 1, m.ask("MESSAGE_VERSION"))
	require.EqualValues(t, 21_000+285_000+100*64/63+(260+3)*16, m.ask("baseGas", []byte("abc"), uint32(100)))
	m.refuses([]byte("xDomainMessageSender is not set"), 0, "xDomainMessageSender")

	// To L1: the message passer's log, then the messenger's.
	target, sender := common.HexToAddress("0x7a"), r.Account(0).Address
	receipt := m.do(5, "sendMessage", target, []byte("abc"), uint32(100))
	require.Len(t, receipt.Logs, 3)
	require.Equal(t, optimism.MessagePasser, receipt.Logs[0].Address)
	require.Equal(t, common.BytesToHash(predeploys.MessengerAddress[:]), receipt.Logs[0].Topics[2])
	require.Equal(t, m.abi.Events["SentMessage"].ID, receipt.Logs[1].Topics[0])
	require.EqualValues(t, 5, r.balance(optimism.MessagePasser, "latest").Int64())
	require.Equal(t, versioned(1), m.ask("messageNonce"))

	// From L1: a deposit of the messenger there, under its alias. The target is a contract that keeps who called it.
	other := m.ask("otherMessenger").(common.Address)
	offset := common.HexToAddress("0x1111000000000000000000000000000000001111").Big()
	alias := common.BigToAddress(new(big.Int).Add(other.Big(), offset))
	relay := func(from common.Address, wei int64, to common.Address, nonce int64, message []byte) rollupTransaction {
		t.Helper()
		data := m.pack("relayMessage", versioned(nonce), sender, to, big.NewInt(wei), big.NewInt(50_000), message)
		fields, err := json.Marshal(map[string]any{
			"from": from, "to": m.address, "mint": (*hexutil.Big)(big.NewInt(wei)), "value": (*hexutil.Big)(big.NewInt(wei)), "gas": 1_000_000, "data": data,
		})
		require.NoError(t, err)
		hash := r.deposit(string(fields))
		r.Seal()
		return r.receipt(hash)
	}
	hashOf := func(wei int64, to common.Address, nonce int64, message []byte) common.Hash {
		return crypto.Keccak256Hash(m.pack("relayMessage", versioned(nonce), sender, to, big.NewInt(wei), big.NewInt(50_000), message))
	}
	got := relay(alias, 9, target, 0, nil)
	require.EqualValues(t, 1, got.Status)
	require.Equal(t, []common.Hash{m.abi.Events["RelayedMessage"].ID, hashOf(9, target, 0, nil)}, got.Logs[0].Topics)
	require.EqualValues(t, 9, r.balance(target, "latest").Int64())
	require.Equal(t, true, m.ask("successfulMessages", hashOf(9, target, 0, nil)))
	require.Zero(t, relay(alias, 9, target, 0, nil).Status, "a message is relayed once")
	require.Zero(t, relay(other, 9, target, 1, nil).Status, "not under its alias")
	require.Zero(t, relay(alias, 0, optimism.MessagePasser, 2, nil).Status, "a system address")

	// A target that fails: the message waits, with its ether, until somebody relays it again.
	failing := common.HexToAddress("0xfa")
	r.call(nil, "anvil_setCode", failing, "0x5f5ffd")
	got = relay(alias, 4, failing, 3, nil)
	require.EqualValues(t, 1, got.Status)
	require.Equal(t, m.abi.Events["FailedRelayedMessage"].ID, got.Logs[0].Topics[0])
	require.Equal(t, true, m.ask("failedMessages", hashOf(4, failing, 3, nil)))
	// Now it keeps the sender on L1, which it asks the messenger for: CALL(xDomainMessageSender), SSTORE(0, result).
	r.call(nil, "anvil_setCode", failing, "0x636e296e455f5260205f6004601c5f734200000000000000000000000000000000000007"+"5af1505f515f5500")
	require.EqualValues(t, 1, m.do(0, "relayMessage", versioned(3), sender, failing, big.NewInt(4), big.NewInt(50_000), []byte{}).Status)
	var kept common.Hash
	r.call(&kept, "eth_getStorageAt", failing, "0x0", "latest")
	require.Equal(t, common.BytesToHash(sender[:]), kept)
	require.EqualValues(t, 4, r.balance(failing, "latest").Int64())
	m.refuses([]byte("message cannot be replayed"), 0, "relayMessage", versioned(4), sender, target, new(big.Int), new(big.Int), []byte{})
}

// Ensure the bridge of L2 has the published interface, asks for the ether that it is to withdraw, and pays out for its
// other half on L1 alone.
func TestRollupBridge(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	b := r.contract("standard_bridge", predeploys.StandardBridgeAddress)
	b.has(t, map[string]string{
		"bridgeETH": "09fc8843", "bridgeETHTo": "e11013dd", "withdraw": "32b7006d", "withdrawTo": "a3a79548", "bridgeERC20": "87087623", "bridgeERC20To": "540abf73",
		"finalizeBridgeETH": "1635f5fd", "finalizeBridgeERC20": "0166a07a", "otherBridge": "c89701a2", "messenger": "3cb747bf",
	}, map[string]string{
		"WithdrawalInitiated": "73d170910aba9e6d50b102db522b1dbcd796216f5128b445aa2135272886497e",
		"ETHBridgeInitiated":  "2849b43074093a05396b6f2a937dee8565b15a48a7b3d4bffb732a5017380af5",
		"ETHBridgeFinalized":  "31b2166ff604fc5672ea5df08a78081d2bc6d746cadce880747f3643d819e83d",
		"DepositFinalized":    "b0444523268717a02698be47d0803aa7468c00acbed2f8bd93a0459cde61dd89",
	})
	sender, ether := r.Account(0).Address, common.HexToAddress("0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000")
	require.EqualValues(t, 1, b.do(7, "bridgeETH", uint32(1), []byte{}).Status)
	require.EqualValues(t, 1, b.do(7, "withdraw", ether, big.NewInt(7), uint32(1), []byte{}).Status)
	require.EqualValues(t, 14, r.balance(optimism.MessagePasser, "latest").Int64())
	b.refuses([]byte("must include sufficient ETH value"), 1, "withdraw", ether, big.NewInt(7), uint32(1), []byte{})
	b.refuses([]byte("from the other bridge"), 0, "finalizeBridgeETH", sender, sender, new(big.Int), []byte{})
}
