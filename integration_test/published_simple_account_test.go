package integration_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/contracts/simpleaccount"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// simpleVersion is a SimpleAccountFactory with its EntryPoint, and the release of npm that has the published one.
type simpleVersion struct {
	release                      string
	factory, entryPoint, creator common.Address
}

var simpleVersions = []simpleVersion{
	{"0.6.0", simpleaccount.V06FactoryAddress, entrypoint.V06Address, entrypoint.V06SenderCreatorAddress},
	{"0.7.0", simpleaccount.V07FactoryAddress, entrypoint.V07Address, entrypoint.V07SenderCreatorAddress},
	{"0.8.0", simpleaccount.V08FactoryAddress, entrypoint.V08Address, entrypoint.V08SenderCreatorAddress},
	{"0.9.0-rc.1", simpleaccount.V09FactoryAddress, entrypoint.V09Address, entrypoint.V09SenderCreatorAddress},
}

// Ensure the SimpleAccount of every EntryPoint and its factory answer as the published ones in everything they do but
// upgrades: with the same data in every revert, the addresses of accounts apart.
func TestSimpleAccountsAgree(t *testing.T) {
	t.Parallel()
	for _, v := range simpleVersions {
		t.Run(v.release, func(t *testing.T) {
			t.Parallel()
			factory, code := v.published(t, "SimpleAccountFactory")
			account, _ := v.published(t, "SimpleAccount")
			ours := v.world(t, factory, nil)
			published := v.world(t, factory, append(code, common.LeftPadBytes(v.entryPoint[:], 32)...))
			// The published proxy logs its implementation first.
			require.Equal(t, published.events(account)[1:], ours.events(account))

			accountCalls := v.accountCalls(t, account)
			for name, data := range accountCalls {
				for who, from := range map[string]common.Address{"its owner": v.owner(), "a stranger": fixtures.Dev(4).Address, "the EntryPoint": v.entryPoint, "itself": {}} {
					for _, wei := range []uint64{0, 1} {
						want, is := published.try(from, published.account, data, wei), ours.try(from, ours.account, data, wei)
						require.Equal(t, want, is, "%s from %s with %d wei", name, who, wei)
					}
				}
			}
			factoryCalls := v.factoryCalls(t, factory)
			for name, data := range factoryCalls {
				for _, from := range []common.Address{v.creator, v.owner()} {
					require.Equal(t, published.try(from, published.factory, data, 0), ours.try(from, ours.factory, data, 0), "%s from %s", name, from)
				}
			}
			t.Logf("%d calls", 8*len(accountCalls)+2*len(factoryCalls))
		})
	}
}

// Ensure nobody can take an implementation over, and an account only where it is created.
func TestSimpleAccountIsInitializedOnce(t *testing.T) {
	t.Parallel()
	initialize := append(common.FromHex("0xc4d66de8"), common.LeftPadBytes(fixtures.Dev(4).Address.Bytes(), 32)...)
	for _, v := range simpleVersions {
		factory, _ := v.published(t, "SimpleAccountFactory")
		w := v.world(t, factory, nil)
		for _, account := range []common.Address{w.account, simpleaccount.Implementation(v.factory)} {
			require.False(t, w.Call(fixtures.Dev(4).Address, account, initialize).Succeeded, v.release)
		}
	}
}

func (v simpleVersion) owner() common.Address { return fixtures.Dev(3).Address }

// published returns the interface and creation code of a contract.
func (v simpleVersion) published(t *testing.T, name string) (parsed abi.ABI, code []byte) {
	t.Helper()
	var artifact struct {
		ABI      json.RawMessage
		Bytecode hexutil.Bytes
	}
	require.NoError(t, json.Unmarshal(contracttest.Published(t, "@account-abstraction/contracts@"+v.release, "package/artifacts/"+name+".json"), &artifact))
	parsed, err := abi.JSON(bytes.NewReader(artifact.ABI))
	require.NoError(t, err)
	return parsed, artifact.Bytecode
}

// simpleWorld is a chain on which an owner has an account with two ether, one of them deposited.
type simpleWorld struct {
	*contracttest.Chain
	factory, account common.Address
	created          contracttest.Outcome
}

// world returns one with the factory that the code deploys, or the genesis' one.
func (v simpleVersion) world(t *testing.T, factory abi.ABI, code []byte) simpleWorld {
	t.Helper()
	alloc := maps.Clone(entrypoint.Predeploys())
	maps.Copy(alloc, simpleaccount.Predeploys())
	w := simpleWorld{Chain: contracttest.New(t, alloc), factory: v.factory}
	if code != nil {
		w.factory = w.Deploy(code)
	}
	w.created = w.Must(fixtures.Account{Address: v.creator}, w.factory, callData(t, factory, "createAccount", v.owner(), big.NewInt(7)))
	w.account = common.BytesToAddress(w.created.Output)
	w.GiveEther(w.account, fixtures.Ether("1"))
	deposit := append(common.FromHex("0xb760faf9"), common.LeftPadBytes(w.account[:], 32)...)
	require.True(t, w.SendValue(fixtures.Dev(3), v.entryPoint, deposit, fixtures.Ether("1")).Succeeded)
	return w
}

// events returns the events of the account's creation.
func (w simpleWorld) events(account abi.ABI) (texts []string) {
	for _, l := range w.created.Logs {
		event, err := account.EventByID(l.Topics[0])
		if err != nil {
			texts = append(texts, "unknown")
			continue
		}
		texts = append(texts, fmt.Sprint(event.Sig, l.Topics[1:], l.Data, l.Address == w.account))
	}
	return texts
}

// try returns how a call ends, with the addresses of accounts and factories as words. The zero sender is the account.
func (w simpleWorld) try(from, to common.Address, data []byte, wei uint64) string {
	if from == (common.Address{}) {
		from = w.account
	}
	o := w.Try(fixtures.Account{Address: from}, to, data, uint256.NewInt(wei))
	text := fmt.Sprintf("%t %x %d logs", o.Succeeded, o.Output, len(o.Logs))
	for name, address := range map[string]common.Address{"account": w.account, "factory": w.factory} {
		text = strings.ReplaceAll(text, fmt.Sprintf("%x", address[:]), name)
	}
	return text
}

func callData(t *testing.T, contract abi.ABI, function string, arguments ...any) []byte {
	t.Helper()
	data, err := contract.Pack(function, arguments...)
	require.NoError(t, err)
	return data
}

func (v simpleVersion) factoryCalls(t *testing.T, factory abi.ABI) map[string][]byte {
	calls := map[string][]byte{
		"nothing": nil, "unknown function": {1, 2, 3, 4}, "again": callData(t, factory, "createAccount", v.owner(), big.NewInt(7)),
		"address": callData(t, factory, "getAddress", v.owner(), big.NewInt(7)),
	}
	if _, ok := factory.Methods["senderCreator"]; ok {
		calls["sender creator"] = callData(t, factory, "senderCreator")
	}
	return calls
}

// accountCalls returns calls of every function but those of upgrades.
func (v simpleVersion) accountCalls(t *testing.T, account abi.ABI) map[string][]byte {
	bob, token := fixtures.Dev(4).Address, contracttest.TokenAddress
	transfer := func(units uint64) []byte {
		data := append(common.FromHex("0xa9059cbb"), common.LeftPadBytes(bob[:], 32)...)
		return append(data, common.BigToHash(new(big.Int).SetUint64(units)).Bytes()...)
	}
	one, none := big.NewInt(1), new(big.Int)
	calls := map[string][]byte{
		"nothing": nil, "unknown function": {1, 2, 3, 4}, "short selector": {1},
		"execute": callData(t, account, "execute", bob, one, []byte{}), "execute that fails": callData(t, account, "execute", token, none, transfer(1)),
		"owner": callData(t, account, "owner"), "entry point": callData(t, account, "entryPoint"), "nonce": callData(t, account, "getNonce"),
		"deposit": callData(t, account, "getDeposit"), "add deposit": callData(t, account, "addDeposit"),
		"withdraw": callData(t, account, "withdrawDepositTo", bob, one), "withdraw too much": callData(t, account, "withdrawDepositTo", bob, fixtures.Ether("2").ToBig()),
		"initialize": callData(t, account, "initialize", bob),
		"ERC-721":    callData(t, account, "onERC721Received", bob, bob, one, []byte{}), "ERC-1155": callData(t, account, "onERC1155Received", bob, bob, one, one, []byte{}),
		"ERC-1155 batch": callData(t, account, "onERC1155BatchReceived", bob, bob, []*big.Int{}, []*big.Int{}, []byte{1}),
	}
	if _, ok := account.Methods["tokensReceived"]; ok {
		calls["ERC-777"] = callData(t, account, "tokensReceived", bob, bob, bob, one, []byte{}, []byte{})
	}
	for _, id := range []string{"01ffc9a7", "150b7a02", "4e2312e0", "19822f7c", "1626ba7e", "ffffffff"} {
		calls["interface "+id] = callData(t, account, "supportsInterface", [4]byte(common.FromHex(id)))
	}
	targets, empty := []common.Address{bob, token}, [][]byte{{}, transfer(1)}
	switch v.entryPoint {
	case entrypoint.V06Address:
		calls["batch"] = callData(t, account, "executeBatch", targets[:1], empty[:1])
		calls["batch that fails"] = callData(t, account, "executeBatch", targets, empty)
		calls["uneven batch"] = callData(t, account, "executeBatch", targets, empty[:1])
	case entrypoint.V07Address:
		calls["batch"] = callData(t, account, "executeBatch", targets[:1], []*big.Int{one}, empty[:1])
		calls["batch without values"] = callData(t, account, "executeBatch", targets[:1], []*big.Int{}, empty[:1])
		calls["batch that fails"] = callData(t, account, "executeBatch", targets, []*big.Int{none, none}, empty)
		calls["uneven batch"] = callData(t, account, "executeBatch", targets, []*big.Int{none}, empty)
	default:
		batch := []simple7702.Call{{Target: bob, Value: one}, {Target: token, Value: none, Data: transfer(1)}}
		calls["batch"], calls["empty batch"] = callData(t, account, "executeBatch", batch[:1]), callData(t, account, "executeBatch", batch[:0])
		calls["batch that fails"], calls["batch of one that fails"] = callData(t, account, "executeBatch", batch), callData(t, account, "executeBatch", batch[1:])
	}
	hash := common.HexToHash("0xd1")
	high := fixtures.Dev(3).SignDigest(hash).Bytes()
	copy(high[32:64], common.FromHex("0xffffffffffffffffffffffffffffffff00000000000000000000000000000000"))
	for name, signature := range map[string][]byte{
		"hash signed": fixtures.Dev(3).SignDigest(hash).Bytes(), "message signed": fixtures.Dev(3).SignDigest(common.BytesToHash(accounts.TextHash(hash[:]))).Bytes(),
		"signed by another": fixtures.Dev(4).SignDigest(hash).Bytes(), "unsigned": nil, "short": high[:64], "high s": high, "no signer": append(make([]byte, 64), 29),
	} {
		for _, missing := range []*big.Int{none, big.NewInt(9)} {
			var op any = entrypoint.PackedUserOperation{Sender: bob, Nonce: none, PreVerificationGas: none, Signature: signature}
			if v.entryPoint == entrypoint.V06Address {
				op = entrypoint.UserOperation{
					Sender: bob, Nonce: none, CallGasLimit: none, VerificationGasLimit: none, PreVerificationGas: none, MaxFeePerGas: none, MaxPriorityFeePerGas: none, Signature: signature,
				}
			}
			calls[fmt.Sprint("operation, ", name, missing)] = callData(t, account, "validateUserOp", op, [32]byte(hash), missing)
		}
	}
	return calls
}
