package fakenode_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/fixtures/contracts/predeploys"
)

// predeployed is a contract of a node with the rules of optimism.
type predeployed struct {
	rollup
	abi     abi.ABI
	address common.Address
}

func (r rollup) contract(file string, address common.Address) predeployed {
	r.t.Helper()
	artifact, err := os.ReadFile("fixtures/contracts/predeploys/" + file + ".json")
	require.NoError(r.t, err)
	return predeployed{r, contracts.ABI(artifact), address}
}

// method returns the function with that signature, or that name.
func (p predeployed) method(signature string) abi.Method {
	p.t.Helper()
	for _, method := range p.abi.Methods {
		if method.Sig == signature || method.RawName == signature {
			return method
		}
	}
	require.Fail(p.t, "no function "+signature)
	return abi.Method{}
}

func (p predeployed) pack(signature string, args ...any) hexutil.Bytes {
	p.t.Helper()
	method := p.method(signature)
	packed, err := method.Inputs.Pack(args...)
	require.NoError(p.t, err)
	return append(method.ID[:4:4], packed...)
}

// ask calls a view and returns its one result.
func (p predeployed) ask(signature string, args ...any) any {
	p.t.Helper()
	var result hexutil.Bytes
	p.call(&result, "eth_call", map[string]any{"from": p.Account(0).Address, "to": p.address, "data": p.pack(signature, args...)})
	values, err := p.method(signature).Outputs.Unpack(result)
	require.NoError(p.t, err)
	return values[0]
}

// do sends a transaction from account 0, seals it and returns its receipt.
func (p predeployed) do(wei int64, signature string, args ...any) rollupTransaction {
	p.t.Helper()
	var hash common.Hash
	p.call(&hash, "eth_sendTransaction", map[string]any{
		"from": p.Account(0).Address, "to": p.address, "value": (*hexutil.Big)(big.NewInt(wei)), "data": p.pack(signature, args...), "gas": "0x4c4b40",
	})
	p.Seal()
	return p.receipt(hash)
}

// refuses calls a function from account 0 and asserts that it reverts with data that begins with the error's.
func (p predeployed) refuses(why []byte, wei int64, signature string, args ...any) {
	p.t.Helper()
	err := p.rpc.Call(nil, "eth_call", map[string]any{
		"from": p.Account(0).Address, "to": p.address, "value": (*hexutil.Big)(big.NewInt(wei)), "data": p.pack(signature, args...),
	})
	var failed rpc.DataError
	require.True(p.t, errors.As(err, &failed), "%v", err)
	data, _ := failed.ErrorData().(string)
	require.Contains(p.t, data, common.Bytes2Hex(why))
}

func (p predeployed) has(t *testing.T, selectors map[string]string, topics map[string]string) {
	t.Helper()
	for signature, selector := range selectors {
		require.Equal(t, selector, common.Bytes2Hex(p.method(signature).ID), signature)
	}
	for name, topic := range topics {
		require.Equal(t, common.HexToHash(topic), p.abi.Events[name].ID, name)
	}
}

// Ensure CreateX deploys where it says, with the published interface and the rules of its salts.
func TestRollupCreateX(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	x := r.contract("createx", predeploys.CreateXAddress)
	require.Len(t, x.abi.Methods, 24)
	x.has(t, map[string]string{
		"deployCreate(bytes)": "27fe1822", "deployCreate2(bytes32,bytes)": "26307668", "deployCreate2(bytes)": "26a32fc7",
		"deployCreate3(bytes32,bytes)": "9c36a286", "deployCreate3(bytes)": "7f565360",
		"deployCreate3AndInit(bytes32,bytes,bytes,(uint256,uint256))":         "00d84acb",
		"deployCreate3AndInit(bytes32,bytes,bytes,(uint256,uint256),address)": "ddda0acb",
		"deployCreate3AndInit(bytes,bytes,(uint256,uint256))":                 "2f990e3f",
		"deployCreate3AndInit(bytes,bytes,(uint256,uint256),address)":         "f5745aba",
		"computeCreate3Address(bytes32)":                                      "6cec2536",
	}, nil)
	sender := r.Account(0).Address
	accepts := common.FromHex("6001600c60003960016000f300")     // deploys STOP
	reverts := common.FromHex("6003600c60003960036000f35f5ffd") // deploys REVERT
	nothing := common.FromHex("00")                             // deploys no code
	type values struct{ ConstructorAmount, InitCallAmount *big.Int }
	none := values{new(big.Int), new(big.Int)}
	made := func(receipt rollupTransaction) common.Address {
		require.EqualValues(t, 1, receipt.Status)
		return common.BytesToAddress(receipt.Logs[len(receipt.Logs)-1].Topics[1][:])
	}
	coded := func(address common.Address, code string) {
		t.Helper()
		var have hexutil.Bytes
		r.call(&have, "eth_getCode", address, "latest")
		require.Equal(t, code, have.String())
	}

	// The address that CREATE gives follows from the nonce.
	for _, nonce := range []int64{0, 1, 0x7f, 0x80, 0xffff, 1 << 40} {
		require.Equal(t, crypto.CreateAddress(sender, uint64(nonce)), x.ask("computeCreateAddress(address,uint256)", sender, big.NewInt(nonce)))
	}
	want := x.ask("computeCreateAddress(uint256)", big.NewInt(1))
	require.Equal(t, want, made(x.do(0, "deployCreate(bytes)", accepts)))
	coded(want.(common.Address), "0x00")
	invalid := crypto.Keccak256([]byte("InvalidNonceValue(address)"))[:4]
	x.refuses(invalid, 0, "computeCreateAddress(uint256)", new(big.Int).SetUint64(1<<64-1))

	// Salts: anybody's, the sender's alone, and for one chain alone.
	word := func(parts ...[]byte) (salt [32]byte) {
		copy(salt[:], common.CopyBytes(append(append(parts[0], parts[1]...), 7)))
		return salt
	}
	chain := common.LeftPadBytes(big.NewInt(31337).Bytes(), 32)
	owner := common.LeftPadBytes(sender[:], 32)
	for name, c := range map[string]struct {
		salt [32]byte
		with [][]byte // hashed before the salt
	}{
		"anybody's":               {[32]byte{9: 1}, nil},
		"the sender's":            {word(sender[:], []byte{0}), [][]byte{owner}},
		"the sender's, per chain": {word(sender[:], []byte{1}), [][]byte{owner, chain}},
		"anybody's, per chain":    {word(make([]byte, 20), []byte{1}), [][]byte{chain}},
	} {
		guarded := crypto.Keccak256Hash(append(c.with, c.salt[:])...)
		receipt := x.do(0, "deployCreate2(bytes32,bytes)", c.salt, accepts)
		require.Equal(t, crypto.CreateAddress2(x.address, guarded, crypto.Keccak256(accepts)), made(receipt), name)
		require.Equal(t, guarded, receipt.Logs[0].Topics[2], name)
		require.Equal(t, made(receipt), x.ask("computeCreate2Address(bytes32,bytes32)", guarded, crypto.Keccak256Hash(accepts)))

		receipt = x.do(3, "deployCreate3(bytes32,bytes)", c.salt, accepts)
		require.Len(t, receipt.Logs, 2)
		proxy := common.BytesToAddress(receipt.Logs[0].Topics[1][:])
		require.Equal(t, crypto.CreateAddress(proxy, 1), made(receipt), name)
		require.Equal(t, made(receipt), x.ask("computeCreate3Address(bytes32)", guarded))
		require.EqualValues(t, 3, r.balance(made(receipt), "latest").Int64())
	}
	salt := crypto.Keccak256Hash([]byte("InvalidSalt(address)"))
	x.refuses(salt[:4], 0, "deployCreate2(bytes32,bytes)", word(sender[:], []byte{2}), accepts)
	x.refuses(salt[:4], 0, "deployCreate3(bytes32,bytes)", word(make([]byte, 20), []byte{2}), accepts)
	require.NotEqual(t, made(x.do(0, "deployCreate2(bytes)", accepts)), made(x.do(0, "deployCreate2(bytes)", accepts)))

	// A first call with ether, and what is left goes back.
	back := common.HexToAddress("0xbac4")
	for _, name := range []string{"deployCreateAndInit", "deployCreate2AndInit", "deployCreate3AndInit"} {
		before := r.balance(back, "latest")
		at := made(x.do(10, name+"(bytes,bytes,(uint256,uint256),address)", accepts, []byte{1}, values{big.NewInt(2), big.NewInt(3)}, back))
		require.EqualValues(t, 5, r.balance(at, "latest").Int64(), name)
		require.EqualValues(t, 5, new(big.Int).Sub(r.balance(back, "latest"), before).Int64(), name)
		r.Seal() // a salt that is not named is another in each block
		x.refuses(crypto.Keccak256([]byte("FailedContractInitialisation(address,bytes)"))[:4], 0, name+"(bytes,bytes,(uint256,uint256))", reverts, []byte{}, none)
	}
	for signature, args := range map[string][]any{
		"deployCreate(bytes)": {nothing}, "deployCreate2(bytes32,bytes)": {[32]byte{9: 2}, nothing}, "deployCreate3(bytes32,bytes)": {[32]byte{9: 1}, accepts},
	} {
		x.refuses(crypto.Keccak256([]byte("FailedContractCreation(address)"))[:4], 0, signature, args...)
	}
	// Minimal proxies.
	for signature, args := range map[string][]any{
		"deployCreateClone(address,bytes)": {back, []byte{}}, "deployCreate2Clone(bytes32,address,bytes)": {[32]byte{9: 3}, back, []byte{}},
	} {
		coded(made(x.do(0, signature, args...)), "0x363d3d373d3d3d363d73"+common.Bytes2Hex(back[:])+"5af43d82803e903d91602b57fd5bf3")
	}
}

// Ensure the messenger of L2 sends messages as withdrawals, and relays those that its other half on L1 sends by deposits:
// once, and again what failed.
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

// Ensure the bridge of L2 withdraws ether and tokens through the messenger, and pays out what its other half on L1 sends.
func TestRollupBridge(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	b := r.contract("standard_bridge", predeploys.StandardBridgeAddress)
	m := r.contract("messenger", predeploys.MessengerAddress)
	b.has(t, map[string]string{
		"bridgeETH": "09fc8843", "bridgeETHTo": "e11013dd", "withdraw": "32b7006d", "withdrawTo": "a3a79548", "bridgeERC20": "87087623", "bridgeERC20To": "540abf73",
		"finalizeBridgeETH": "1635f5fd", "finalizeBridgeERC20": "0166a07a", "otherBridge": "c89701a2", "messenger": "3cb747bf",
	}, map[string]string{
		"WithdrawalInitiated": "73d170910aba9e6d50b102db522b1dbcd796216f5128b445aa2135272886497e",
		"ETHBridgeInitiated":  "2849b43074093a05396b6f2a937dee8565b15a48a7b3d4bffb732a5017380af5",
		"ETHBridgeFinalized":  "31b2166ff604fc5672ea5df08a78081d2bc6d746cadce880747f3643d819e83d",
		"DepositFinalized":    "b0444523268717a02698be47d0803aa7468c00acbed2f8bd93a0459cde61dd89",
	})
	sender, payee := r.Account(0).Address, common.HexToAddress("0xbe")
	names := func(receipt rollupTransaction) (names []string) {
		require.EqualValues(t, 1, receipt.Status)
		for _, l := range receipt.Logs {
			for _, c := range []predeployed{b, m, r.contract("message_passer", optimism.MessagePasser)} {
				if event, err := c.abi.EventByID(l.Topics[0]); err == nil && l.Address == c.address {
					names = append(names, event.Name)
				}
			}
		}
		return names
	}
	out := []string{"WithdrawalInitiated", "ETHBridgeInitiated", "MessagePassed", "SentMessage", "SentMessageExtension1"}
	ether := common.HexToAddress("0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000")
	require.Equal(t, out, names(b.do(7, "bridgeETH", uint32(1), []byte{})))
	require.Equal(t, out, names(b.do(7, "bridgeETHTo", payee, uint32(1), []byte{})))
	require.Equal(t, out, names(b.do(7, "withdraw", ether, big.NewInt(7), uint32(1), []byte{})))
	require.EqualValues(t, 21, r.balance(optimism.MessagePasser, "latest").Int64())
	b.refuses([]byte("must include sufficient ETH value"), 1, "withdraw", ether, big.NewInt(7), uint32(1), []byte{})
	b.refuses([]byte("from the other bridge"), 0, "finalizeBridgeETH", sender, payee, new(big.Int), []byte{})

	// A token that is at home here is locked.
	token, onL1 := r.Token().Address(), common.HexToAddress("0x11")
	var hash common.Hash
	approve := append(crypto.Keccak256([]byte("approve(address,uint256)"))[:4], append(common.LeftPadBytes(b.address[:], 32), common.LeftPadBytes([]byte{100}, 32)...)...)
	r.call(&hash, "eth_sendTransaction", map[string]any{"from": sender, "to": token, "data": hexutil.Bytes(approve)})
	r.Seal()
	out[1] = "ERC20BridgeInitiated"
	require.Equal(t, out, names(b.do(0, "bridgeERC20", token, onL1, big.NewInt(100), uint32(1), []byte{})))
	require.EqualValues(t, big.NewInt(100), b.ask("deposits", token, onL1))

	// Back from L1, through the messenger.
	alias := common.BigToAddress(new(big.Int).Add(m.ask("otherMessenger").(common.Address).Big(), common.HexToAddress("0x1111000000000000000000000000000000001111").Big()))
	other := b.ask("otherBridge").(common.Address)
	finalize := func(nonce, wei int64, call []byte) rollupTransaction {
		number := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 240), big.NewInt(nonce))
		fields, err := json.Marshal(map[string]any{
			"from": alias, "to": m.address, "mint": (*hexutil.Big)(big.NewInt(wei)), "value": (*hexutil.Big)(big.NewInt(wei)), "gas": 1_000_000,
			"data": m.pack("relayMessage", number, other, b.address, big.NewInt(wei), big.NewInt(200_000), call),
		})
		require.NoError(t, err)
		hash := r.deposit(string(fields))
		r.Seal()
		return r.receipt(hash)
	}
	require.Equal(t, []string{"DepositFinalized", "ETHBridgeFinalized", "RelayedMessage"},
		names(finalize(0, 6, b.pack("finalizeBridgeETH", sender, payee, big.NewInt(6), []byte{}))))
	require.EqualValues(t, 6, r.balance(payee, "latest").Int64())
	require.Equal(t, []string{"DepositFinalized", "ERC20BridgeFinalized", "RelayedMessage"},
		names(finalize(1, 0, b.pack("finalizeBridgeERC20", token, onL1, sender, payee, big.NewInt(60), []byte{}))))
	require.EqualValues(t, big.NewInt(40), b.ask("deposits", token, onL1))
	require.EqualValues(t, 60, r.Token().BalanceOf(payee).Uint64())
}
