package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure what is set is at latest and at pending, outlives the block, and that no balance grows above the most.
func TestSetAccounts(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	account := common.HexToAddress("0xabc")
	most := "0x" + strings.Repeat("f", 64)
	n.Do("anvil_setBalance", account, "12345")
	n.Do("anvil_setNonce", account, 7)
	n.Do("anvil_setCode", account, "0x6001")
	require.True(t, servertest.Fetch[bool](n, "anvil_setStorageAt", account, "0x5", most))
	for range 2 {
		for _, tag := range []string{"latest", "pending"} {
			require.Equal(t, "0x3039", servertest.Fetch[string](n, "eth_getBalance", account, tag))
			require.Equal(t, "0x7", servertest.Fetch[string](n, "eth_getTransactionCount", account, tag))
			require.Equal(t, "0x6001", servertest.Fetch[string](n, "eth_getCode", account, tag))
			require.Equal(t, most, servertest.Fetch[string](n, "eth_getStorageAt", account, "0x"+servertest.Padded("5"), tag))
		}
		n.Do("fakenode_seal")
	}
	n.Do("anvil_addBalance", account, most)
	require.Equal(t, most, servertest.Fetch[string](n, "eth_getBalance", account))
}

func TestDealERC20(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	holder := common.HexToAddress("0xaaa")
	ask := func(signature string, arguments ...common.Address) *big.Int {
		data := hexutil.Bytes(servertest.CallData(signature, arguments...))
		return new(big.Int).SetBytes(servertest.Fetch[hexutil.Bytes](n, "eth_call", map[string]any{"to": servertest.Token, "data": data}, "pending"))
	}
	n.Do("anvil_dealERC20", holder, servertest.Token, "0x5f5e100")
	require.EqualValues(t, 100_000_000, ask("balanceOf(address)", holder).Int64())
	n.Do("anvil_setERC20Balance", fixtures.Dev(0).Address, servertest.Token, 1_000_000_000)
	require.EqualValues(t, 1_000_000_000, ask("balanceOf(address)", fixtures.Dev(0).Address).Int64(), "the amount it had")
	n.Do("anvil_dealERC20", holder, servertest.Token, 0)
	require.Zero(t, ask("balanceOf(address)", holder).Sign())
	before := servertest.Fetch[hexutil.Big](n, "fakenode_mintToken", holder, 0)
	after := servertest.Fetch[hexutil.Big](n, "fakenode_mintToken", holder, 9)
	require.Equal(t, big.NewInt(9), new(big.Int).Sub(after.ToInt(), before.ToInt()))

	left, leave := context.WithCancel(t.Context())
	leave()
	deal := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"anvil_dealERC20","params":["%s","%s",5]}`, holder, servertest.Token)
	require.Contains(t, string(n.Server.Call(left, world.Main, deal)), "cancel", "nobody waits for it")
}

// Ensure what a token stores above a balance stays, as USDC does with its blacklist.
func TestDealPackedERC20(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	token, flag := common.HexToAddress("0xccc"), "0x8"+strings.Repeat("0", 62)
	// Answers every call with the lower 255 bits of slot 0.
	n.Do("anvil_setCode", token, "0x5f547f7f"+strings.Repeat("ff", 31)+"165f5260205ff3")
	n.Do("anvil_setStorageAt", token, "0x0", flag+"5")
	n.Do("anvil_dealERC20", fixtures.Dev(1).Address, token, 7)
	require.Equal(t, flag+"7", servertest.Fetch[string](n, "eth_getStorageAt", token, "0x0"))

	// A token whose answer is a flag where its slot is full: the whole slot is the balance.
	odd := common.Address{0x77}
	n.Do("anvil_setCode", odd, "0x5f548019600f5760ff5f5260205ffd5b5f5260205ff3")
	n.Do("anvil_setStorageAt", odd, "0x0", common.Hash{30: 1, 31: 0xff}.Hex())
	n.Do("anvil_dealERC20", fixtures.Dev(0).Address, odd, 1)
	require.Equal(t, common.Hash{31: 1}.Hex(), servertest.Fetch[string](n, "eth_getStorageAt", odd, "0x0"))
}

func TestReset(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	genesis := n.Timeline.Moment().Latest().Hash()
	for _, method := range []string{"anvil_reset", "hardhat_reset"} {
		n.Do("anvil_setBalance", fixtures.Dev(0).Address, 1)
		n.Pay(1, 2, 1)
		n.Do("fakenode_seal", 2)
		n.Pay(1, 2, 1)
		n.Do(method, map[string]any{"forking": map[string]any{"blockNumber": nil}}) // as viem sends it
		require.Equal(t, genesis, n.Timeline.Moment().Latest().Hash())
		require.EqualValues(t, servertest.Start, n.Timeline.Moment().Now().Unix())
		require.Equal(t, hexutil.EncodeBig(fixtures.Ether("10000").ToBig()), servertest.Fetch[string](n, "eth_getBalance", fixtures.Dev(0).Address))
		require.Equal(t, poolCount{"0x0", "0x0"}, servertest.Fetch[poolCount](n, "txpool_status"))
		n.Nonces = make(map[common.Address]uint64)
	}
}

func TestDumpState(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Logs(0, "0xa", "0xb", 1)
	n.Do("anvil_setStorageAt", servertest.Logger, "0x1", "0x"+servertest.Padded("5"))
	n.Do("fakenode_seal")
	dump := servertest.Fetch[string](n, "anvil_dumpState")
	require.Equal(t, dump, servertest.Fetch[string](n, "anvil_dumpState"), "the same bytes")

	other := servertest.Plain(t)
	extra := common.HexToAddress("0xeee")
	other.Do("anvil_setBalance", extra, 5)
	other.Do("anvil_setStorageAt", servertest.Logger, "0x2", "0x"+servertest.Padded("6"))
	require.True(t, servertest.Fetch[bool](other, "anvil_loadState", dump))
	require.Equal(t, servertest.Fetch[string](n, "eth_getBalance", fixtures.Dev(0).Address), servertest.Fetch[string](other, "eth_getBalance", fixtures.Dev(0).Address))
	require.Equal(t, "0x1", servertest.Fetch[string](other, "eth_getTransactionCount", fixtures.Dev(0).Address))
	require.Equal(t, "0x"+servertest.Padded("5"), servertest.Fetch[string](other, "eth_getStorageAt", servertest.Logger, "0x1"))
	require.Equal(t, "0x"+servertest.Padded("0"), servertest.Fetch[string](other, "eth_getStorageAt", servertest.Logger, "0x2"), "an account of the dump is as in the dump")
	require.Equal(t, "0x5", servertest.Fetch[string](other, "eth_getBalance", extra), "another stays")
	require.Equal(t, hexutil.Encode(servertest.LoggerCode), servertest.Fetch[string](other, "eth_getCode", servertest.Logger))
}

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

// Ensure ecrecover gives the address that was set for a signature, in calls, in transactions of the open block and
// later, and in traces of them, and that it knows all other signatures as before.
func TestImpersonateSignature(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	ecrecover, account := common.BytesToAddress([]byte{1}), common.HexToAddress("0xa11ce")
	hash, want := common.HexToHash("0x1234"), common.LeftPadBytes(account[:], 32)
	input := func(signature []byte) hexutil.Bytes {
		v := common.LeftPadBytes(signature[64:], 32)
		return slices.Concat(hash[:], v, signature[:64])
	}
	made, err := crypto.Sign(hash[:], fixtures.Dev(0).Key)
	require.NoError(t, err)
	made[64] += 27
	invented := bytes.Repeat([]byte{0x11}, 65)
	recovered := func(signature []byte, options ...any) []byte {
		params := append([]any{map[string]any{"to": ecrecover, "data": input(signature)}}, options...)
		return servertest.Fetch[hexutil.Bytes](n, "eth_call", params...)
	}
	require.Empty(t, recovered(invented))

	// This contract stores what ecrecover returns for the call data.
	code := program.New().Push(128).Push0().Push0().Op(vm.CALLDATACOPY).
		Push(32).Push0().Push(128).Push0().Push(1).Op(vm.GAS, vm.STATICCALL, vm.POP).
		Push0().Op(vm.MLOAD).Push0().Op(vm.SSTORE).Bytes()
	keeper := common.HexToAddress("0x4ee9")
	n.Do("anvil_setCode", keeper, hexutil.Bytes(code))
	n.Transact(0, &keeper, new(big.Int), input(made))
	n.Do("fakenode_preconfirm")

	before := servertest.Fetch[string](n, "evm_snapshot")
	n.Do("anvil_impersonateSignature", hexutil.Bytes(invented), account)
	require.Equal(t, want, recovered(invented))
	require.Equal(t, want, recovered(invented, "pending", map[string]any{servertest.Counter.Hex(): map[string]any{"balance": "0x1"}}))
	require.Equal(t, common.LeftPadBytes(fixtures.Dev(0).Address.Bytes(), 32), recovered(made))
	sent := n.Transact(0, &keeper, new(big.Int), input(invented)).Hash()
	n.Seal(1)
	require.Equal(t, hexutil.Bytes(want), servertest.Fetch[hexutil.Bytes](n, "eth_getStorageAt", keeper, "0x0", "latest"))
	trace, err := json.Marshal(servertest.Fetch[any](n, "debug_traceTransaction", sent, map[string]any{"tracer": "callTracer"}))
	require.NoError(t, err)
	require.Contains(t, string(trace), hexutil.Encode(want))

	n.Do("evm_revert", before)
	require.Empty(t, recovered(invented))
	n.Refuses(api.CodeInvalidParams, []string{"64 bytes", "65"}, "anvil_impersonateSignature", hexutil.Bytes(invented[1:]), account)
}
