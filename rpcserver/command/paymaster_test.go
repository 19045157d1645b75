package command_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// ask calls a method of a node that must succeed.
func ask[T any](t *testing.T, client *rpc.Client, method string, params ...any) (answer T) {
	t.Helper()
	require.NoError(t, client.CallContext(t.Context(), &answer, method, params...), method)
	return answer
}

// Ensure the paymaster is set as asked, as a whole, and answers with all its settings, where there is one.
func TestPaymasterByCommand(t *testing.T) {
	t.Parallel()
	client := fakenode.RunConfigT(t, fakenode.Config{}).Client().Client()
	type state struct {
		Address, Signer common.Address
		Deny            []common.Address
		MaxCost, Budget *string
		ValidFor        *uint64
		Signature       string
		ExchangeRate    string
		Deposits        []struct{ EntryPoint, Deposit string }
	}
	first := ask[state](t, client, "fakenode_paymaster")
	require.Equal(t, entrypoint.PaymasterAddress, first.Address)
	require.Equal(t, entrypoint.PaymasterSigner, first.Signer)
	require.Equal(t, []common.Address{}, first.Deny)
	require.Equal(t, []any{(*string)(nil), (*string)(nil), (*uint64)(nil)}, []any{first.MaxCost, first.Budget, first.ValidFor})
	require.Equal(t, "valid", first.Signature)
	require.Equal(t, "0xb2d05e00", first.ExchangeRate)
	require.NotEmpty(t, first.Deposits)

	set := ask[state](t, client, "fakenode_paymaster", map[string]any{
		"deny": []common.Address{{9}}, "maxCost": 5, "budget": "6", "validFor": "0x7", "exchangeRate": 8, "deposit": 9,
	})
	require.Equal(t, []common.Address{{9}}, set.Deny)
	require.Equal(t, []string{"0x5", "0x6", "0x8", "valid"}, []string{*set.MaxCost, *set.Budget, set.ExchangeRate, set.Signature})
	require.EqualValues(t, 7, *set.ValidFor)
	for _, deposit := range set.Deposits {
		require.Equal(t, "0x9", deposit.Deposit)
	}
	require.Equal(t, set, ask[state](t, client, "fakenode_paymaster"))
	require.Equal(t, "expired", ask[state](t, client, "fakenode_paymaster", map[string]any{"signature": "expired"}).Signature)
	again := ask[state](t, client, "fakenode_paymaster", map[string]any{})
	require.Equal(t, set.Deposits, again.Deposits, "a deposit that is left out stays")
	again.Deposits = first.Deposits
	require.Equal(t, first, again, "the rules are set as a whole")
	for words, bad := range map[string]map[string]any{
		"{deny?, maxCost?, budget?, validFor?, signature?, exchangeRate?, deposit?}": {"dny": 1},
		"fakenode_paymaster: ": {"signature": "none"},
		"not between 0 and":    {"maxCost": -1},
	} {
		err := client.Call(nil, "fakenode_paymaster", bad)
		require.ErrorContains(t, err, words)
		require.Equal(t, api.CodeInvalidParams, err.(rpc.Error).ErrorCode())
	}
	require.Error(t, client.Call(nil, "fakenode_paymaster", map[string]any{"validFor": uint64(math.MaxUint64)}))
	require.Equal(t, first.Deny, ask[state](t, client, "fakenode_paymaster").Deny)

	bare := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for _, params := range [][]any{nil, {map[string]any{"deposit": 1}}} {
		bare.Refuses(api.CodeInvalidParams, []string{"fakenode_paymaster: "}, "fakenode_paymaster", params...)
	}
}

// Ensure a deposit has the members asked for and the documented gas without, and that L1's numbers are refused beyond
// what they hold, by their names.
func TestDepositByCommand(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks, Mode: fakenode.Manual, StartTime: time.Unix(1_700_000_000, 0)})
	client := node.Client().Client()
	from, to := common.Address{1}, common.Address{2}
	plain := ask[common.Hash](t, client, "fakenode_deposit", map[string]any{"from": from, "to": to})
	full := ask[common.Hash](t, client, "fakenode_deposit", map[string]any{"from": from, "to": to, "mint": 9, "value": "0x4", "gas": 50_000, "data": "0x0102"})
	creating := ask[common.Hash](t, client, "fakenode_deposit", map[string]any{"from": from, "data": "0x00", "gas": 100_000})
	node.Seal()
	type deposit struct{ Type, Gas, Value, Mint, Input, To string }
	members := func(hash common.Hash) deposit { return ask[deposit](t, client, "eth_getTransactionByHash", hash) }
	address := strings.ToLower(to.Hex())
	require.Equal(t, deposit{"0x7e", "0x30d40", "0x0", members(plain).Mint, "0x", address}, members(plain))
	require.Equal(t, deposit{"0x7e", "0xc350", "0x4", "0x9", "0x0102", address}, members(full))
	require.Equal(t, deposit{"0x7e", "0x186a0", "0x0", members(plain).Mint, "0x00", ""}, members(creating))
	require.Equal(t, "0x5", ask[string](t, client, "eth_getBalance", from, "latest"))
	require.ErrorContains(t, client.Call(nil, "fakenode_deposit", map[string]any{"to": to}), "fakenode_deposit: from is missing")
	require.ErrorContains(t, client.Call(nil, "fakenode_deposit", map[string]any{"frm": to}), "{from, to, mint, value, gas, data}")

	before := ask[map[string]any](t, client, "fakenode_setL1", map[string]any{})
	fee := new(big.Int).Lsh(common.Big1, 128)
	for _, tc := range []struct {
		name  string
		asked any
		words string
	}{
		{"baseFee", hexutil.EncodeBig(fee), "baseFee " + fee.String() + " is not below 2^128"},
		{"blobBaseFee", hexutil.EncodeBig(fee), "blobBaseFee " + fee.String() + " is not below 2^128"},
		{"baseFeeScalar", uint64(math.MaxUint32) + 1, "baseFeeScalar 4294967296 is above 4294967295"},
		{"blobBaseFeeScalar", uint64(math.MaxUint32) + 1, "blobBaseFeeScalar 4294967296 is above 4294967295"},
		{"operatorFeeScalar", uint64(math.MaxUint32) + 1, "operatorFeeScalar 4294967296 is above 4294967295"},
		{"daFootprintGasScalar", math.MaxUint16 + 1, "daFootprintGasScalar 65536 is above 65535"},
		{"scalar", 1, "{number, timestamp, baseFee, blobBaseFee, baseFeeScalar"},
	} {
		err := client.Call(nil, "fakenode_setL1", map[string]any{tc.name: tc.asked})
		require.ErrorContains(t, err, tc.words)
		require.Equal(t, api.CodeInvalidParams, err.(rpc.Error).ErrorCode(), tc.name)
	}
	most := hexutil.EncodeBig(fee.Sub(fee, common.Big1))
	after := ask[map[string]any](t, client, "fakenode_setL1", map[string]any{"baseFee": most, "number": "0x7777777", "timestamp": before["timestamp"]})
	require.Equal(t, []any{most, "0x7777777", before["timestamp"]}, []any{after["baseFee"], after["number"], after["timestamp"]})
	require.Equal(t, before["batcherHash"], after["batcherHash"])
}

// Ensure a transaction has the note about its token, the reason of its place, and what it is by names, wherever it is.
func TestNotesOfTransactions(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	domain := tokencontract.Domain{Name: tokencontract.MainnetName, Version: "2", ChainID: servertest.ChainID, VerifyingContract: servertest.Token}
	terms := fixtures.Authorization(servertest.Alice, servertest.Bob, fixtures.USD("25"), time.Unix(servertest.Start, 0))
	place := func(message tokencontract.Message) (note string) {
		data := terms.PackReceive(servertest.Alice.Sign(domain, message))
		hash := n.Transact(1, &servertest.Token, new(big.Int), data).Hash()
		require.Empty(t, servertest.Fetch[struct{ Note string }](n, "fakenode_transaction", hash).Note, "not before it is executed")
		n.Seal(1)
		is := servertest.Fetch[struct {
			Where, Note string
			BlockHash   common.Hash
		}](n, "fakenode_transaction", hash)
		require.Equal(t, "sealed", is.Where)
		require.Equal(t, n.Timeline.Moment().Latest().Hash(), is.BlockHash)
		return is.Note
	}
	require.Contains(t, place(terms.TransferMessage()), "refused this capture, as USDC does, because the payer signed TransferWithAuthorization")
	require.Empty(t, place(terms.ReceiveMessage()))
	tx := n.Pay(2, 3, 1).Hash()
	require.JSONEq(t, `{"where":"pool"}`, string(servertest.Fetch[json.RawMessage](n, "fakenode_transaction", tx)))
	n.Do("anvil_dropTransaction", tx)
	require.Contains(t, fmt.Sprint(servertest.Fetch[map[string]any](n, "fakenode_transaction", tx)["reason"]), "removed from the pool on command")
}

// Ensure a transaction is shown by the names of the contracts that it calls and whose logs it has, up to a hundred.
func TestNamesInTransactions(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "Logger.json")
	topic := crypto.Keccak256Hash([]byte("Noted(uint256,uint256)"))
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `{"contractName":"Logger","abi":[
		{"type":"function","name":"note","inputs":[],"outputs":[],"stateMutability":"nonpayable"},
		{"type":"event","name":"Noted","inputs":[{"name":"a","type":"uint256","indexed":true},{"name":"b","type":"uint256"}]}],
		"bytecode":"0x","deployedBytecode":"%#x"}`, servertest.LoggerCode), 0o600))
	set, err := artifacts.Load([]string{path})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Artifacts: set}})
	type event struct {
		LogIndex       uint64
		Contract, Text string
	}
	type shown struct {
		Where, Contract string
		Events          []event
	}
	place := func(hash common.Hash) (is shown) {
		t.Helper()
		return servertest.Fetch[shown](n, "fakenode_transaction", hash)
	}
	n.Logs(1, topic.Hex(), "0x9", 1)
	tx := n.Logs(0, topic.Hex(), "0x5", 2).Hash()
	require.Equal(t, shown{"pool", "Logger", nil}, place(tx))
	n.Preconfirm()
	want := shown{"preconfirmed", "Logger", []event{{1, "Logger", "Noted(a: 5, b: 2)"}, {2, "Logger", "Noted(a: 5, b: 1)"}}}
	require.Equal(t, want, place(tx))
	n.Seal(1)
	want.Where = "sealed"
	require.Equal(t, want, place(tx))
	many := n.Logs(0, topic.Hex(), "0x5", 101).Hash()
	n.Seal(1)
	require.Len(t, place(many).Events, 100)
	other := n.Emit(1, 2)
	n.Seal(1)
	require.Equal(t, shown{Where: "sealed"}, place(other))
}

// Ensure a new world has URLs for the networks that it has, and no others.
func TestURLsOfWorlds(t *testing.T) {
	t.Parallel()
	for _, config := range []fakenode.Config{{}, {Preset: fakenode.Base, L1: true}} {
		node := fakenode.RunConfigT(t, config)
		client, err := rpc.Dial(node.URL())
		require.NoError(t, err)
		t.Cleanup(client.Close)
		made := ask[map[string]string](t, client, "fakenode_newWorld", map[string]any{"name": "shop"})
		http := node.URL() + "/w/shop"
		ws := strings.Replace(http, "http", "ws", 1)
		want := map[string]string{"name": "shop", "url": http, "webSocketUrl": ws}
		if config.L1 {
			want["l1Url"], want["l1WebSocketUrl"] = http+"/l1", ws+"/l1"
		} else {
			want["testnetUrl"], want["testnetWebSocketUrl"] = http+"/testnet", ws+"/testnet"
		}
		for name, url := range want {
			require.Equal(t, url, made[name], name)
		}
	}
}

// Ensure a network begins anew at the block that is asked for, in each form that other nodes take it, and at its start
// without one.
func TestResetToAFork(t *testing.T) {
	t.Parallel()
	var asked []string
	refork := func(_ *preconf.Timeline, url, block string) error {
		asked = append(asked, url+" "+block)
		if url == "http://gone" {
			return fmt.Errorf("the node is gone")
		}
		return nil
	}
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Refork: refork}})
	for _, tc := range []struct {
		options map[string]any
		want    string
	}{
		{map[string]any{"forking": map[string]any{"jsonRpcUrl": "http://a", "blockNumber": 16}}, "http://a 0x10"},
		{map[string]any{"forking": map[string]any{"jsonRpcUrl": "http://a"}}, "http://a "},
		{map[string]any{"forking": map[string]any{"blockNumber": "0x11"}}, " 0x11"},
		{map[string]any{"jsonRpcUrl": "http://b", "blockNumber": "latest"}, "http://b latest"},
		{map[string]any{"jsonRpcUrl": "http://b", "blockNumber": 0}, "http://b 0x0"},
		{map[string]any{"jsonRpcUrl": "http://b", "blockNumber": 1, "forking": map[string]any{"jsonRpcUrl": "http://a", "blockNumber": 2}}, "http://a 0x2"},
	} {
		asked = nil
		require.Nil(t, servertest.Fetch[any](n, "anvil_reset", tc.options))
		require.Equal(t, []string{tc.want}, asked)
	}
	asked = nil
	n.Refuses(api.CodeServer, []string{"the node is gone"}, "anvil_reset", map[string]any{"jsonRpcUrl": "http://gone"})
	n.Refuses(api.CodeInvalidParams, []string{"invalid forking.blockNumber: have -1, want a block number"}, "anvil_reset", map[string]any{"blockNumber": -1})
	require.Len(t, asked, 1)
	n.Seal(3)
	n.Do("hardhat_reset", map[string]any{})
	number, _ := head(n)
	require.Zero(t, number)
	require.Len(t, asked, 1)
}
